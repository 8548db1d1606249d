package surrogate

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// institution replaces what names a hospital, organisation, department or
// landmark and keeps the words that say what it is ("Hospital", "School of").
func (p *Patient) institution(d drawer, t phi.Type, s string, within ...string) string {
	n := namedThing{p: p, d: d, domain: "institution", within: within, pool: p.lists.places[p.listed("place")],
		keep: p.lists.words[p.listed("generic")], weak: p.lists.words["weak"], acronyms: t != phi.LocationOther, headed: t != phi.LocationOther}
	return n.replace(s)
}

// street replaces house numbers and the name, and keeps the kind of street,
// the unit and the point of the compass.
func (p *Patient) street(d drawer, s string) string {
	n := namedThing{p: p, d: d, domain: "street", pool: p.lists.places[p.listed("street")], keep: p.lists.words[p.listed("suffix")],
		numbered: true}
	return n.replace(s)
}

// namedThing replaces the names in a phrase of names, generic words and numbers.
type namedThing struct {
	p        *Patient
	d        drawer
	domain   string
	pool     []string
	keep     map[string]bool // generic words, folded
	weak     map[string]bool // of these, such as name the thing where nothing else does
	acronyms bool            // short words in capitals are abbreviated names
	numbered bool            // numbers alone make it another
	within   []string        // acronyms whose surrogates are being made of this thing's
	headed   bool            // only the first name is an invented one, and stands for the thing
}

func (n namedThing) replace(s string) string {
	pieces := n.p.lists.scanned(cut(s))
	named := make([]bool, len(pieces))
	// A generic word that is a name of the patient's ("Park", "Lane") goes too.
	known := n.p.known().known
	count := n.mark(pieces, named, func(w string) bool { return !n.keep[w] || known[w] })
	numbers, ordinals := false, false
	for i, p := range pieces {
		numbers = numbers || p.kind == digitPiece
		ordinals = ordinals || i > 0 && pieces[i-1].kind == digitPiece && ordinal(p.text)
	}
	if count == 0 && !ordinals && !(numbers && n.only(pieces)) {
		if n.weak != nil {
			count = n.mark(pieces, named, func(w string) bool { return n.weak[w] })
		} else {
			count = n.markFirst(pieces, named)
		}
	}
	var b strings.Builder
	if count == 0 && !numbers {
		b.WriteString(n.p.like(n.pick(fold(s), ""), s) + " ") // "Hospital" alone
	}
	key := wordsOf(pieces)
	headed := false
	for i := 0; i < len(pieces); i++ {
		p := pieces[i]
		switch {
		case p.kind == digitPiece:
			b.WriteString(n.number(pieces, i, key))
		case p.kind == wordPiece && i > 0 && pieces[i-1].kind == digitPiece && ordinal(p.text):
			b.WriteString(like(dates.OrdinalSuffix(lastDigits(b.String())), p.text))
		case p.kind == wordPiece && runes(p.text) == 1 && besideDigit(pieces, i):
			b.WriteString(n.d.class(n.domain, p.text)) // the B of 7B
		case !named[i]:
			b.WriteString(p.text)
		default:
			end := n.runEnd(pieces, named, i)
			if n.headed && headed {
				if out, town := n.further(pieces, i, end); town || out != "" && !dropJoints(&b) {
					b.WriteString(out)
				} else if out == "" {
					if dropJoints(&b) {
						b.WriteByte(' ')
					}
					i = end // with the blank behind it
					continue
				}
			} else {
				if n.p.spanish() && !headed {
					dropArticles(&b) // "Paseo de la" would not fit every name
				}
				b.WriteString(n.name(pieces, i, end))
			}
			headed = true
			i = end - 1
		}
	}
	return b.String()
}

// mark marks the words that are names and returns their number.
func (n namedThing) mark(pieces []piece, named []bool, is func(folded string) bool) int {
	count := 0
	for i, p := range pieces {
		if p.kind != wordPiece || besideDigit(pieces, i) && (runes(p.text) == 1 || ordinal(p.text)) {
			continue
		}
		if f := fold(p.text); f != "st" && f != "saint" && is(f) {
			named[i] = true
			count++
		}
	}
	return count
}

// markFirst marks the first of several generic words, as the Park of "Park
// Street", points of the compass aside.
func (n namedThing) markFirst(pieces []piece, named []bool) int {
	var words []int
	for i, p := range pieces {
		if p.kind == wordPiece && runes(p.text) > 2 && !besideDigit(pieces, i) {
			words = append(words, i)
		}
	}
	if len(words) < 2 {
		return 0
	}
	named[words[len(words)-2]] = true
	return 1
}

// only reports whether a change of numbers is enough to make another thing: a
// ward, a box or a highway.
func (n namedThing) only(pieces []piece) bool {
	if !n.numbered {
		return true
	}
	for _, p := range pieces {
		switch fold(p.text) {
		case "box", "highway", "hwy", "route", "rte", "interstate":
			return true
		}
	}
	return false
}

// runEnd returns where the run of names from piece i ends: names with single
// blanks, hyphens or ampersands between them are one.
func (n namedThing) runEnd(pieces []piece, named []bool, i int) int {
	end := i + 1
	for end+1 < len(pieces) && named[end+1] && pieces[end].kind == gapPiece {
		switch strings.TrimSpace(pieces[end].text) {
		case "", "-", "&", "'s", "\u2019s", ".":
		default:
			return end
		}
		end += 2
	}
	if n.p.spanish() { // "Virgen del Rocío" and "Juan de la Cruz" are one name
		next := end
		for next+1 < len(pieces) && pieces[next].text == " " && spanishParticles[fold(pieces[next+1].text)] {
			next += 2
		}
		if next > end && next+1 < len(pieces) && pieces[next].text == " " && named[next+1] && !n.p.lists.isTown(fold(pieces[next+1].text)) {
			return n.runEnd(pieces, named, next+1)
		}
	}
	return end
}

// name returns the surrogate of the names in pieces[i:end].
func (n namedThing) name(pieces []piece, i, end int) string {
	var original strings.Builder
	for _, p := range pieces[i:end] {
		original.WriteString(p.text)
	}
	s := original.String()
	if n.acronyms && end == i+1 && len(s) >= 2 && len(s) <= 5 && isUpperWord(s) && (len(pieces) == 1 || !allUpper(pieces)) {
		if out := n.p.acronym(n.d, s, n.within); out != "" {
			return out
		}
		return n.d.class(n.domain+" acronym", s)
	}
	saint := false
	if i >= 2 {
		before := fold(pieces[i-2].text)
		saint = before == "st" || before == "saint"
	}
	key := fold(s)
	if n.headed {
		key = headOf(pieces[i:end])
	}
	if saint {
		return n.p.like(n.pick(key, "saint"), s)
	}
	return n.p.like(n.pick(key, ""), s)
}

// headOf returns the word, or the first two, by which an institution is called
// for short, folded, so that "Guthrie Prairie" and "Guthrie" are one.
func headOf(pieces []piece) string {
	key := ""
	for _, p := range pieces {
		f := fold(p.text)
		if p.kind != wordPiece {
			continue
		}
		if key += f; runes(f) > 2 && !openers[f] {
			break
		}
		key += " "
	}
	return strings.TrimSpace(key)
}

// openers begin many names of institutions.
var openers = names.Set(`north south east west new mount fort port lake the san santa los las big old good great our first second upper
	lower little ` +
	"royal king queen sacred holy hospital centro clínica clinica complejo instituto fundación fundacion")

// further returns what stands for a name behind the first one: a town for a
// town, nothing where a word that is kept follows after a blank, else a word
// that names nothing.
func (n namedThing) further(pieces []piece, i, end int) (out string, town bool) {
	var original strings.Builder
	for _, p := range pieces[i:end] {
		original.WriteString(p.text)
	}
	s := original.String()
	if key := fold(s); n.p.lists.isTown(key) {
		return n.p.like(n.p.town(n.d, key), s), true
	}
	if end+1 < len(pieces) && pieces[end].text == " " && pieces[i-1].text == " " {
		return "", false
	}
	tails := n.p.lists.places[n.p.listed("tails")]
	return n.p.like(n.d.pick(tails, "institution tail", fold(s), func(t string) bool {
		for _, p := range pieces {
			if fold(p.text) == fold(t) {
				return false
			}
		}
		return true
	}), s), false
}

// dropJoints takes the "of", "on" or "the" off that a name ends in, before which
// a second name stood, and reports whether there was one.
func dropJoints(b *strings.Builder) bool {
	s := b.String()
	for {
		head := strings.TrimSuffix(s, " ")
		i := strings.LastIndexByte(head, ' ')
		if i < 0 || !joints[fold(head[i+1:])] {
			break
		}
		s = head[:i]
	}
	if s == b.String() {
		return false
	}
	b.Reset()
	b.WriteString(s)
	return true
}

var joints = names.Set("of on the for at and in de del la las los el y")

// maxWithin bounds how deep acronyms within names of institutions are looked up, as
// each may be that of every other.
const maxWithin = 2

// acronym returns the initials of what stands for the institution whose
// initials s are, "" where none that is known of the patient's has them, or
// where they would be the same. What is within the name of an institution may be its
// initials ("BC Clinic"): an acronym that is being looked up, within, is not looked up
// again.
func (p *Patient) acronym(d drawer, s string, within []string) string {
	if slices.Contains(within, s) || len(within) == maxWithin {
		return ""
	}
	within = append(slices.Clip(within), s)
	for _, full := range slices.Sorted(maps.Keys(p.institutions)) {
		for _, all := range []bool{false, true} {
			if initials(full, all) != s {
				continue
			}
			if out := initials(p.institution(d, phi.Hospital, full, within...), all); len(out) >= 2 && out != s {
				return out
			}
		}
	}
	return ""
}

// initials returns the capitals that the words of a phrase begin with, those of
// "of", "and" and "the" with all alone.
func initials(s string, all bool) string {
	var b strings.Builder
	for _, p := range cut(s) {
		switch f := fold(p.text); {
		case p.kind != wordPiece:
		case !all && (f == "of" || f == "and" || f == "the" || f == "for" || f == "de" || f == "la"):
		default:
			b.WriteRune(unicode.ToUpper(firstRune(f)))
		}
	}
	return b.String()
}

// pick draws a name that is no name of the patient's and no word of the original.
func (n namedThing) pick(key, pool string) string {
	list := n.pool
	if pool != "" {
		list = n.p.lists.places[pool]
	}
	ps := n.p.known()
	fits := func(s string) bool { return ps.free(s) && !strings.Contains(key, fold(s)) }
	out := ""
	if name := n.p.listed(n.listName()); pool == "" && !n.p.lists.closed[name] { // no saint
		// Streets are called after places, and are too few to make others from.
		if n.p.spanish() {
			out = n.p.lists.inventSpanishPlace(n.d, "place es", n.domain, key, fits)
		} else {
			out = n.p.lists.inventPlace(n.d, n.p.lists.places["place"], "place", n.domain, key, fits)
		}
	}
	if out == "" {
		out = n.d.pick(list, n.domain, key, fits)
	}
	if out == "" {
		return invent(n.d, key, 0, 0)
	}
	return out
}

// listName returns the list that names are drawn from.
func (n namedThing) listName() string {
	if n.numbered {
		return "street"
	}
	return "place"
}

// number replaces a number. House numbers of one street are told apart, and so
// are wards of one hospital.
func (n namedThing) number(pieces []piece, i int, key string) string {
	digits := alnum(pieces[i].text)
	return string(n.d.substitute(n.domain+" number "+key, digits))
}

// wordsOf returns the folded words of a phrase, kinds of streets left out, as
// they are written in many ways.
func wordsOf(pieces []piece) string {
	suffix := load().words["suffix"] // which no site changes
	var b strings.Builder
	for _, p := range pieces {
		if f := fold(p.text); p.kind == wordPiece && !suffix[f] {
			b.WriteString(f + " ")
		}
	}
	return b.String()
}

func besideDigit(pieces []piece, i int) bool {
	return i > 0 && pieces[i-1].kind == digitPiece || i+1 < len(pieces) && pieces[i+1].kind == digitPiece
}

func allUpper(pieces []piece) bool {
	for _, p := range pieces {
		if p.kind == wordPiece && strings.ToUpper(p.text) != p.text {
			return false
		}
	}
	return true
}
