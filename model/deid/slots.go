package deid

import (
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// What stands around a doubtful pair of numbers says more than how near its day is
// to others: a date stands between an event and the rest of its sentence ("came out
// 10-31 without trouble"), and in a list where the dates of other items do.

// events are what is done, or takes place, on a day: participles and nouns with
// which no number is told. Such as are told with one ("given", "walked", "scored")
// are left out.
var events = names.Set(`seen held drawn done out came returned arrived left died born admitted discharged transferred extubated intubated
	placed removed inserted changed pulled stopped started restarted begun began resumed completed finished ended closed resolved cleared
	repeated performed underwent booked scheduled rescheduled cancelled canceled postponed due signed dated faxed mailed sent filed expired
	delivered married visit appointment appt surgery operation procedure biopsy scan ct mri xr cxr us echo ekg ecg eeg colonoscopy endoscopy
	culture cultures labs bloods imaging x-ray meeting clinic follow-up followup f/u vaccine vaccination immunization immunisation booster
	admission discharge transfer consult consultation recheck`)

// onward are words that go on with a sentence behind a day, and say nothing of what
// a number would count.
var onward = names.Set(`without with in on at for and but or by to from after before because when where which who then so as if while via
	was were had has showed grew came returned revealed normal negative positive neg pos`)

// slot reports whether a pair that is no fraction below one stands as the day of an
// event does: behind what happened or "on or about", where its clause ends or goes on
// with words that say nothing of what a number would count.
func (l *looker) slot(g group) bool {
	if g.separator == '/' && g.a <= g.b || l.counts(g) {
		return false // bottles, cores, and the months of the British
	}
	rest := strings.TrimLeft(l.text[g.end:], " ")
	if !clauseEnds(rest) && !onward[names.Fold(firstWord(rest))] {
		return false
	}
	before, last := cutLastWord(l.text[:g.start])
	if last == "about" {
		_, last = cutLastWord(before)
		return last == "or" // on or about 9-25
	}
	return events[last]
}

// parallel reports whether two pairs, the first at text[start:end], of which known is
// a date, stand alike in neighbouring clauses of a line: both at the beginning ("10/11
// chest, 10/12 eyes yellow") or both at the end ("first set 5/4; hepatitis B 4/4.").
// day is what the other one says.
func (l *looker) parallel(start, end, start2, end2 int, known phi.Span, day int) bool {
	between := l.text[end:max(end, start2)]
	if known.Type != phi.Date || len(between) > widestClause || strings.ContainsAny(between, "\n\r.") {
		return false
	}
	// Semicolons part clauses that have commas: "HepB 2/9; Pediarix, HIB 3/10."
	if n := strings.Count(between, ";"); n > 1 || n == 0 && strings.Count(between, ",") != 1 {
		return false
	}
	one, other := digitGroups(l.text[start:end]), digitGroups(l.text[start2:end2])
	if len(one) != 1 || len(other) != 1 || one[0].end != end-start || other[0].end != end2-start2 || one[0].separator != '/' ||
		other[0].separator != '/' {
		return false
	}
	days := l.read(l.text[known.Start:known.End])
	if len(days) != 1 || abs(days[0].Day-day) > nearClear {
		return false
	}
	opens := func(at int) bool {
		before := strings.TrimRight(l.text[:at], " ")
		return before == "" || strings.IndexByte(",;:\n\r", before[len(before)-1]) >= 0
	}
	closes := func(at int) bool { return clauseEnds(l.text[at:]) }
	return opens(start) && opens(start2) && !closes(end2) || closes(end) && closes(end2) && !opens(start2)
}

// widestClause is how long in bytes the text between two items of a list may be.
const widestClause = 60

// clauseEnds reports whether a text begins with the end of a clause or a line.
func clauseEnds(rest string) bool {
	if rest == "" || strings.IndexByte(",;)\n\r", rest[0]) >= 0 {
		return true
	}
	return rest[0] == '.' && (len(rest) == 1 || strings.IndexByte(" \n\r", rest[1]) >= 0)
}

// firstWord returns the letters that a text begins with.
func firstWord(s string) string {
	end := 0
	for end < len(s) && isLetter(s[end]) {
		end++
	}
	return s[:end]
}

// cutLastWord returns the word that a text ends in, folded, such as "follow-up", and
// what stands before it; "" where something else than blanks follows the word.
func cutLastWord(s string) (before, word string) {
	s = strings.TrimRight(s, " ")
	start := len(s)
	for start > 0 && (isLetter(s[start-1]) || start < len(s) && strings.IndexByte("-/", s[start-1]) >= 0) {
		start--
	}
	return s[:start], names.Fold(s[start:])
}
