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

// PublicNames is what anybody who has this repository knows of the words that
// stand for people's names in a release.
type PublicNames struct {
	drawn, seldom map[string]bool
	classes       []string // of which names are invented
}

var (
	allNames     = sync.OnceValue(func() *PublicNames { return publicNames(func(string) bool { return true }) })
	spanishNames = sync.OnceValue(func() *PublicNames { return publicNames(isSpanish) })
)

// NamesOf returns the names that stand in notes of a language: the Spanish ones
// for "es", else those of all origins.
func NamesOf(language string) *PublicNames {
	if language == spanish {
		return spanishNames()
	}
	return allNames()
}

func publicNames(has func(class string) bool) *PublicNames {
	l := load()
	n := &PublicNames{drawn: map[string]bool{}, seldom: map[string]bool{}}
	for _, class := range slices.Sorted(maps.Keys(l.pools)) {
		if !has(class) {
			continue
		}
		for _, w := range l.pools[class] {
			n.drawn[fold(w)] = true
		}
		for _, w := range l.rarer(class) {
			n.seldom[fold(w)] = true
		}
		if l.nameModel(class) != nil && !strings.HasPrefix(class, "both") {
			n.classes = append(n.classes, class)
		}
	}
	return n
}

// Drawn reports whether a word is in the lists that surrogates are drawn from.
func (n *PublicNames) Drawn(word string) bool { return n.drawn[fold(word)] }

// DrawnGiven reports whether it is a given name there.
func (n *PublicNames) DrawnGiven(word string) bool {
	return n.Drawn(word) && load().givenOf[fold(word)] != ""
}

// Seldom reports whether a word is among the names that surrogates seldom are.
func (n *PublicNames) Seldom(word string) bool { return n.seldom[fold(word)] }

// Recognised reports whether a list has a word as a name, drawn or not.
func (n *PublicNames) Recognised(word string) bool {
	l, f := load(), fold(word)
	return l.givenOf[f] != "" || l.familyOf[f] != "" || l.family[f]
}

// InventionOdds returns how often a draw of the class of names that most often
// invents a word gives that word; 0 for one that is never invented.
func (n *PublicNames) InventionOdds(word string) float64 {
	l, most := load(), 0.
	f, w := fold(word), strings.ToLower(word)
	if r := runes(w); r < shortestInvented || r > longestInvented {
		return 0
	}
	for _, class := range n.classes {
		m := l.nameModel(class)
		if l.isWord(f, isSpanish(class)) {
			continue
		}
		for _, w := range spellings(class, w) {
			if m.usual(w, 3) && l.ofSex(class, w) {
				most = max(most, m.chance(w))
			}
		}
	}
	return most
}

// spellings returns a word in lower case and, if it may be a Spanish name whose
// accent was left out, it with each one.
func spellings(class, w string) []string {
	all := []string{w}
	if !isSpanish(class) || !ascii(w) {
		return all
	}
	if strings.Contains(w, "n") {
		all = append(all, strings.Replace(w, "n", "ñ", 1))
	}
	for _, w := range slices.Clone(all) {
		for i := range len(w) {
			if at := strings.IndexByte("aeiou", w[i]); at >= 0 {
				all = append(all, w[:i]+string([]rune("áéíóú")[at])+w[i+1:])
			}
		}
	}
	return all
}
