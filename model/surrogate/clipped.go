package surrogate

import "strings"

// A user name may hold a family name cut short, "akowal" and "annakow" of Anna
// Kowalski, or both halves of a double one, "areyeshill". Its surrogate is made of the
// surrogates in the same way.

// The least letters that a family name is cut to.
const (
	leastClipped = 4 // beside an initial
	leastBeside  = 3 // beside a given name
)

// clippedName is an initial or a given name and family names run together.
type clippedName struct {
	given       string
	families    []string
	letters     int // of the family name; 0 for all
	shortGiven  bool
	familyFirst bool
}

// clipped returns the user names of persons with a family name cut short or a double
// one. Of several that have one, it is the first's.
func clipped(persons []person) map[string]clippedName {
	of := map[string]clippedName{}
	put := func(word string, n clippedName) {
		if _, ok := of[word]; !ok {
			of[word] = n
		}
	}
	for _, p := range persons {
		given, family := p.givens[0], p.families[len(p.families)-1]
		if given == "" || family == "" {
			continue
		}
		first := string(firstRune(given))
		if whole := strings.Join(p.families, ""); whole != family {
			put(first+whole, clippedName{given: given, families: p.families, shortGiven: true})
			put(given+whole, clippedName{given: given, families: p.families})
		}
		letters := []rune(family)
		for n := leastBeside; n < len(letters); n++ {
			cut, n := string(letters[:n]), clippedName{given: given, families: []string{family}, letters: n}
			put(given+cut, n)
			if n.letters >= leastClipped {
				n.shortGiven = true
				put(first+cut, n)
				n.familyFirst = true
				put(cut+first, n)
			}
		}
	}
	return of
}

// clipped returns the surrogate of a user name with a family name cut short or a double
// one, "" for others.
func (d nameDrawer) clipped(word string) string {
	n, ok := d.ps.shortForms().clippedOf(word)
	if !ok {
		return ""
	}
	given := cutShort(fold(d.part(part{fold: n.given}, nil)), n.shortGiven)
	family := ""
	for _, f := range n.families {
		if f != "" {
			family += fold(d.part(part{fold: f, family: true}, nil))
		}
	}
	if letters := []rune(family); n.letters > 0 && n.letters < len(letters) {
		family = string(letters[:n.letters])
	}
	if n.familyFirst {
		return family + given
	}
	return given + family
}

func (x *shortForms) clippedOf(word string) (clippedName, bool) {
	if x.clipped == nil {
		x.clipped = clipped(x.persons)
	}
	n, ok := x.clipped[word]
	return n, ok
}
