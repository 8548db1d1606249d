package surrogate

import (
	"slices"
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
