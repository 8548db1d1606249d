package surrogate

import (
	"regexp"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/names"
)

// work is what people do beside having an occupation by name.
type work struct {
	places     map[string]bool     // last words of places of work, in the singular
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
	for _, place := range l.places["place of work"] {
		w.places[place] = true
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
// occupations, places of work or activities; nil for a phrase that is none of
// them, or may be none.
func (l *lists) workOf(phrase string) []string {
	words := strings.Fields(phrase)
	if len(words) == 0 {
		return nil
	}
	last := words[len(words)-1]
	switch form, verb := l.work.verbs[words[0]]; {
	case pupils.MatchString(phrase):
		return l.places["pupil"]
	case last == "student" || last == "students":
		return l.places["student"]
	case l.occupation(phrase):
		return l.places["profession"]
	case l.work.places[last]:
		return l.places["workplace"]
	case l.work.verbs[last] == ingForm && len(words) == 1: // welding
		return l.work.activities[ingForm]
	case verb && form == presentForm && (len(words) > 2 || !l.generic(last)) && does(words[1:]):
		return l.work.activities[form]
	case l.generic(last):
	case l.work.verbs[last] == ingForm && len(words) == 2 && !linking[words[0]]: // rubber tapping
		return l.work.activities[ingForm]
	case verb && form != plainForm && done(words[1:]):
		return l.work.activities[form]
	}
	return nil
}

// pupils are those who go to school, folded: "third grader", "kindergartner".
var pupils = regexp.MustCompile(`(?:\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|` +
	`\d{1,2}(?:st|nd|rd|th))[ -]grader|\b(?:kindergarte?ner|preschooler|schoolboy|schoolgirl|pupil))s?$`)

// generic reports whether a word is one of institutions' names, in either number.
func (l *lists) generic(w string) bool {
	one := strings.TrimSuffix(w, "s")
	return l.words["generic"][w] || l.words["heads"][w] || l.words["generic"][one] || l.words["heads"][one] || l.work.places[one]
}

// toWhat stands between a verb and what is done, or where.
var toWhat = names.Set("a an the at in on for with his her their")

// linking words make a phrase of what is behind them, which has no name of its own.
var linking = names.Set("from of to in at on for with by and after before not no")

// does reports whether words are what somebody does: "hangs drywall", "works the kill
// floor", and no second noun of a list, as in "stocks and bonds".
func does(words []string) bool {
	return len(words) > 0 && !linking[words[0]] || len(words) > 1 && toWhat[words[0]]
}

// done reports whether words are what a verb before them is done to: "drives a
// taxi", "hauls logs"; and no more of its name, as in "parks department", "managed
// care" and "stocks and bonds".
func done(words []string) bool {
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	return toWhat[words[0]] || words[0] != "and" && words[0] != "of" && strings.HasSuffix(last, "s") && !strings.HasSuffix(last, "ss")
}
