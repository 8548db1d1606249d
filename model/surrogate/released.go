package surrogate

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// Shifts returns the days by which the policy may move a patient's dates, in order:
// what somebody knows who has a release and its manifest.
func (p DatePolicy) Shifts() []int {
	p = p.withDefaults()
	var all []int
	for _, d := range choicesOf(p) {
		all = append(all, -d)
		if p.Direction == Both {
			all = append(all, d)
		}
	}
	slices.Sort(all)
	return all
}

var drawn = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for _, pool := range load().pools {
		for _, n := range pool {
			words[fold(n)] = true
		}
	}
	return words
})

// Drawn reports whether a word is in the lists, which are public, that surrogates
// of people's names are drawn from.
func Drawn(word string) bool { return drawn()[fold(word)] }

// DrawnGiven reports whether it is a given name there.
func DrawnGiven(word string) bool { return Drawn(word) && load().givenOf[fold(word)] != "" }

var seldom = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for _, pool := range load().wider {
		for _, n := range pool {
			words[fold(n)] = true
		}
	}
	return words
})

// Seldom reports whether a word is among the names that surrogates seldom are.
func Seldom(word string) bool { return seldom()[fold(word)] }

// Recognised reports whether a list has a word as a name, drawn or not.
func Recognised(word string) bool {
	l, f := load(), fold(word)
	return l.givenOf[f] != "" || l.familyOf[f] != "" || l.family[f]
}

var nameClasses = sync.OnceValue(func() (all []string) {
	l := load()
	for _, class := range slices.Sorted(maps.Keys(l.pools)) {
		if l.nameModel(class) != nil && !strings.HasPrefix(class, "both") {
			all = append(all, class)
		}
	}
	return all
})

// InventionOdds returns how often a draw of the class of names that most often
// invents a word gives that word; 0 for one that is never invented.
func InventionOdds(word string) float64 {
	l, most := load(), 0.
	f, w := fold(word), strings.ToLower(word)
	if n := runes(w); n < shortestInvented || n > longestInvented || l.ordinary[f] {
		return 0
	}
	for _, class := range nameClasses() {
		if m := l.nameModel(class); m.usual(w, 3) && l.ofSex(class, w) {
			most = max(most, m.chance(w))
		}
	}
	return most
}
