package lexicon

import (
	"slices"
	"strings"
	"unicode"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// Address is what is looked for of a postal address.
type Address struct {
	Street, City, ZIP string

	Houses []string // the street with the flat before it, the name of a house, a PO box
	Places []string // besides the city: a town may be followed by its county
}

// ParseAddress cuts an address such as "Flat 2, 12 Elm Row, Leith EH6 7QQ" or
// "1719 Brailer Street, Apt 4, Bellingham, WA 98225" at its commas or line ends.
// The street is the first part or, where that is a house or part of one, the
// first with a number and a name. The city is the last part behind it that is
// neither a state, a postcode, a country nor part of a house; a state's name
// where nothing else is one: New York.
func ParseAddress(address string) (a Address) {
	parts := strings.FieldsFunc(address, func(r rune) bool { return r == ',' || r == '\n' || r == ';' })
	for i := range parts {
		parts[i] = strings.Join(strings.Fields(parts[i]), " ")
	}
	parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" })
	if len(parts) == 0 {
		return a
	}
	at := streetAt(parts)
	a.street(parts[:at+1])
	var state string
	for _, p := range parts[at+1:] {
		words := strings.Fields(p)
		n := len(words)
		// The postcode stands at the end of a part.
		from := n
		for from > 0 && strings.ContainsFunc(words[from-1], unicode.IsDigit) && !strings.ContainsAny(words[from-1], "#") {
			from--
		}
		if from < n {
			if code := strings.Join(words[from:], " "); len(code) >= 5 {
				a.ZIP = code
			}
			words = words[:from]
			if n = len(words); n > 0 && isState(words[n-1]) && len(words[n-1]) <= maxCode {
				words = words[:n-1]
			}
		}
		text := strings.Join(words, " ")
		switch {
		case text == "" || names.Countries[names.Fold(text)] || strings.ContainsFunc(text, unicode.IsDigit) ||
			inHouse[names.Fold(words[0])] || !named(words):
		case isState(text):
			if len(text) > maxCode {
				state = text
			}
		case filler(text):
		default:
			if a.City != "" && !institutions[names.Fold(a.City[strings.LastIndexByte(a.City, ' ')+1:])] {
				a.Places = append(a.Places, a.City)
			}
			a.City = text
		}
	}
	if a.City == "" {
		a.City = state
	}
	return a
}

// maxCode is the most letters of a state's code: "WA", "D.C.".
const maxCode = 4

func isState(s string) bool { return names.StateNames[strings.ReplaceAll(names.Fold(s), ".", "")] }

// streetAt returns the part that is the street.
func streetAt(parts []string) int {
	first := strings.Fields(parts[0])
	if strings.ContainsFunc(parts[0], unicode.IsDigit) && !inHouse[names.Fold(first[0])] && named(first) {
		return 0
	}
	return max(0, slices.IndexFunc(parts, func(p string) bool { return numbered(strings.Fields(p)) }))
}

// street takes the street, the last of some parts, and what stands before it. A
// lone "Flat 2", which half a town has, is neither.
func (a *Address) street(parts []string) {
	whole := strings.Join(parts, ", ")
	a.Street = parts[len(parts)-1]
	words := strings.Fields(a.Street)
	switch {
	case len(words) > 3 && inHouse[names.Fold(words[0])] && !isBox(words) && numbered(words[2:]): // "Flat 2 12 Elm Row"
		a.Street = strings.Join(words[2:], " ")
	case !named(words) && !isBox(words):
		a.Street = ""
		return
	}
	if whole != a.Street {
		a.Houses = append(a.Houses, whole)
	}
	for _, p := range parts[:len(parts)-1] {
		if words := strings.Fields(p); isBox(words) || named(words) && !allCommon(words) {
			a.Houses = append(a.Houses, p)
		}
	}
}

// numbered reports whether a part has the number of a house and a name, and is no
// town behind its postcode.
func numbered(words []string) bool {
	if !named(words) {
		return false
	}
	first, last := words[0], strings.Trim(names.Fold(words[len(words)-1]), ".")
	if streetsAhead[names.Fold(strings.Trim(first, "."))] {
		return last != "" && last[0] >= '0' && last[0] <= '9' // "Calle Mayor 12"
	}
	return first[0] >= '0' && first[0] <= '9' && (len(first) < 5 || streetTypes[last] != nil)
}

// named reports whether a word is more than a number, a letter or a part of a house.
func named(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		f := strings.Trim(names.Fold(w), ".#")
		return len(f) > 1 && !strings.ContainsFunc(f, unicode.IsDigit) && !inHouse[f] && !whereabouts[f]
	})
}

// isBox reports whether words are a PO box, which one alone has.
func isBox(words []string) bool {
	return len(words) > 2 && strings.ReplaceAll(names.Fold(words[0]), ".", "") == "po" &&
		strings.ContainsFunc(words[len(words)-1], unicode.IsDigit)
}

// allCommon reports whether words are words of the language, all of them.
func allCommon(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !names.Has(names.Common, w) && !names.Has(whereabouts, w) })
}

// Each calls f for every value of the address, by the type of PHI that it is.
func (a *Address) Each(f func(t phi.Type, value string)) {
	for _, c := range []struct {
		typ    phi.Type
		values []string
	}{{phi.Street, append([]string{a.Street}, a.Houses...)}, {phi.City, append([]string{a.City}, a.Places...)}, {phi.ZIP, []string{a.ZIP}}} {
		for _, v := range c.values {
			if v != "" {
				f(c.typ, v)
			}
		}
	}
}

// filler reports whether a part of an address names no place: "N/A", "Unknown",
// "c/o Ann Smith".
func filler(part string) bool {
	first, _, _ := strings.Cut(names.Fold(part), " ")
	return strings.Contains(part, "/") || fillers[first]
}

var fillers = names.Set(`na none unknown nil same attn attention care see homeless undomiciled nfa shelter deceased not no memory
	assisted nursing`)

var (
	inHouse = names.Set("apt apartment unit suite ste flat floor fl room rm lot bldg building po box piso basement attic annex annexe")
	// whereabouts say which flat or floor it is.
	whereabouts  = names.Set("the a ground first second third fourth top upper lower garden rear front left right st nd rd th")
	streetsAhead = names.Set("calle c av avda avenida paseo plaza camino")
	// institutions are no places: no "Nursing Home" is looked for.
	institutions = names.Set("home wing block ward centre center clinic hospital residence")
)
