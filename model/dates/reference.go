package dates

import "strings"

// DayFirst says whether 3/4/2014 is the third of April. The zero value leaves
// it open.
type DayFirst uint8

// The three answers.
const (
	Unknown DayFirst = iota
	Yes              // day, month, year
	No               // month, day, year
)

// Reference is what a date with missing parts is resolved against. Of what is
// printed it decides only how a day that had a name is written (26 December), and
// autumn or fall.
type Reference struct {
	NoteDay    int      // day the note was written, in days since 1970-01-01
	HasNoteDay bool     // whether NoteDay is known
	DayFirst   DayFirst // order of day and month, where Evidence tells it
	Usual      DayFirst // that order where nothing tells it
	Birth      bool     // a date of birth: two digits of a year never name one after the note
	Language   Language // for words that two languages share
}

// InLanguage returns the reference of notes in a language, given by its code,
// such as "es": of the languages of notes English alone puts the month first,
// and that because most English notes are American. An empty code says nothing.
func InLanguage(code string) Reference {
	switch base, _, _ := strings.Cut(strings.ToLower(code), "-"); base {
	case "", "en":
		return Reference{}
	case "es":
		return Reference{Language: Spanish, Usual: Yes}
	}
	return Reference{Usual: Yes}
}

// How far after the note a date without a year or month may lie, in days.
const (
	futureMonthDay = 92
	futureDay      = 15
)

// defaultDay stands for the day of a note without a date: 2000-09-30, so that
// a date without a year falls into the leap year 2000.
var defaultDay = DaysFromCivil(2000, 9, 30)

func (r *Reference) day() int {
	if r.HasNoteDay && validDays(r.NoteDay) {
		return r.NoteDay
	}
	return defaultDay
}

// expand gives a two-digit year its century.
func (r *Reference) expand(yy int) int {
	last := 2068 // as in POSIX
	switch {
	case r.HasNoteDay:
		last, _, _ = CivilFromDays(r.day())
		if !r.Birth {
			last += 5
		}
	case r.Birth:
		last = 2029
	}
	return last - mod(last-yy, 100)
}

// mayBeYear reports whether two digits may be a recent year, seen from the note.
func (r *Reference) mayBeYear(yy int) bool {
	const recent = 8
	if !r.HasNoteDay {
		return false
	}
	year, _, _ := CivilFromDays(r.NoteDay)
	return mod(year-yy, 100) <= recent
}

// dayFirst reports whether the reference reads 3/4 as the third of April, and
// whether it says so at all.
func (r *Reference) dayFirst() (dayFirst, said bool) {
	switch {
	case r.DayFirst != Unknown:
		return r.DayFirst == Yes, true
	case r.Usual != Unknown:
		return r.Usual == Yes, true
	}
	return r.Language == Spanish, r.Language == Spanish
}
