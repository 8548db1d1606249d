package surrogate

import "strings"

// work is what people do beside having an occupation by name.
type work struct {
	places     map[string]bool     // last words of places of work
	verbs      map[string]int      // by form of a verb, which form it is
	activities [verbForms][]string // "drive a bus", in each form of the verb
}

// The forms in which the list has a verb: drive, drives, driving, drove.
const (
	plainForm = iota
	presentForm
	ingForm
	pastForm
	verbForms
)

// addWork reads places of work and activities.
func (l *lists) addWork() {
	w := work{places: map[string]bool{}, verbs: map[string]int{}}
	for _, place := range l.places["workplace"] {
		w.places[lastOf(place)] = true
	}
	for _, list := range []string{"activity", "activity verbs"} {
		for _, item := range l.places[list] {
			verb, rest, more := strings.Cut(item, " ")
			for i, form := range strings.Split(verb, "=") {
				if more {
					w.activities[i] = append(w.activities[i], form+" "+rest)
				}
				if _, ok := w.verbs[form]; !ok {
					w.verbs[form] = i
				}
			}
		}
	}
	l.work = w
}

// workOf returns the surrogates of a folded phrase that tells what somebody does:
// occupations, activities or places of work; nil for a phrase that is none of
// them, or may be.
func (l *lists) workOf(phrase string) []string {
	first, _, more := strings.Cut(phrase, " ")
	last := lastOf(phrase)
	switch form, verb := l.work.verbs[first]; {
	case l.occupation(phrase):
		return l.places["profession"]
	case l.work.verbs[last] == ingForm: // rubber tapping
		return l.work.activities[ingForm]
	case verb && more && form != plainForm: // park rangers
		return l.work.activities[form]
	case l.work.places[last] || l.work.places[strings.TrimSuffix(last, "s")]:
		return l.places["workplace"]
	}
	return nil
}
