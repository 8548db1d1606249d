package surrogate

import "strings"

// leastPlural is the least letters of a family name that is looked for in a plural.
const leastPlural = 4

// singular returns the family name that a folded word is the plural of, "the Quorrins"
// of Ansel Quorrin; "" for others, such as what is a name itself.
func (ps *people) singular(word string) string {
	stem, ok := strings.CutSuffix(word, "s")
	if !ok || runes(stem) < leastPlural || ps.family[word] > 0 || ps.givens[word] > 0 ||
		ps.lists.familyOf[word] != "" || ps.lists.family[word] || ps.lists.givenOf[word] != "" {
		return ""
	}
	if short, ok := strings.CutSuffix(stem, "e"); ok && ps.family[short] > 0 && hisses(short) {
		return short
	}
	if ps.family[stem] > 0 {
		return stem
	}
	return ""
}

// plural returns a family name for all who bear it.
func plural(name string) string {
	if hisses(strings.ToLower(name)) {
		return name + "es"
	}
	return name + "s"
}

// hisses reports whether a word ends in a sound that a plural adds a syllable to.
func hisses(w string) bool {
	for _, end := range []string{"s", "x", "z", "ch", "sh"} {
		if strings.HasSuffix(w, end) {
			return true
		}
	}
	return false
}
