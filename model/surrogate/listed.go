package surrogate

import "strings"

// Listed calls f with every word of the public lists, folded, and the name of
// its list: given, family, city, state, country, occupation, head (of the names of
// institutions), suffix (of the names of streets). A word may come several times,
// in no order.
func Listed(f func(list, word string)) {
	l := load()
	each := func(list, phrase string) {
		for _, w := range strings.Fields(fold(phrase)) {
			f(list, w)
		}
	}
	for w := range l.givenOf {
		each("given", w)
	}
	for w := range l.familyOf {
		each("family", w)
	}
	for w := range l.family {
		each("family", w)
	}
	for w := range l.us.stateOf {
		each("city", w)
	}
	for _, r := range l.regions {
		for w := range r.of {
			each("city", w)
		}
	}
	for w := range l.stateOf {
		each("state", w)
	}
	for _, list := range []string{"country", "country short"} {
		for _, w := range l.places[list] {
			each("country", w)
		}
	}
	for _, list := range []struct{ name, of string }{{"occupations", "occupation"}, {"heads", "head"}, {"suffix", "suffix"}} {
		for w := range l.words[list.name] {
			each(list.of, w)
		}
	}
}
