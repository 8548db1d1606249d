package audit

import "github.com/palimpsest-deid/palimpsest/model/dates"

// Moved is a structured date of a row, in days since 1970-01-01, before and
// after it was moved.
type Moved struct{ Before, After int }

// Dates compares a full date of a text, before and after, with the structured
// dates of its row: how many of those that it equalled it equals still, and how
// many it does not. A date that equals a column with day and month in the other
// order than it was read in differs: one of the two has moved to a wrong day. The columns' own values count, whichever code moved them,
// and the released surface is read again: MIMIC-III shipped texts and tables
// with different shifts. ref is the note's reference before the shift.
func Dates(surface, released string, ref dates.Reference, columns []Moved) (equal, differ int) {
	before, ok := dates.ParseDays(surface, ref)
	if !ok {
		return 0, 0
	}
	after, read := 0, false
	for _, c := range columns {
		if c.Before != before {
			continue
		}
		if !read {
			moved := ref
			moved.NoteDay += c.After - c.Before
			var ok bool
			if after, ok = dates.ParseDays(released, moved); !ok {
				return 0, 1 // masked, or in another form: no equal date is left
			}
			read = true
		}
		if after == c.After {
			equal++
		} else {
			differ++
		}
	}
	if equal+differ > 0 {
		return equal, differ
	}
	if other, ok := swapped(surface, ref); ok && other != before {
		for _, c := range columns {
			if c.Before == other {
				return 0, 1
			}
		}
	}
	return 0, 0
}

// swapped returns the day of a date that is read with day and month in the
// other order, where its numbers leave that open.
func swapped(surface string, ref dates.Reference) (day int, ok bool) {
	f, err := dates.Parse(surface, ref)
	if err != nil || !f.Open() {
		return 0, false
	}
	here, _ := f.Days()
	for _, ref.DayFirst = range [...]dates.DayFirst{dates.Yes, dates.No} {
		if day, ok := dates.ParseDays(surface, ref); ok && day != here {
			return day, true
		}
	}
	return 0, false
}
