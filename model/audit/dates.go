package audit

import "github.com/palimpsest-deid/palimpsest/model/dates"

// Moved is a structured date of a row, in days since 1970-01-01, before and
// after it was moved.
type Moved struct{ Before, After int }

// Dates compares a full date of a text, before and after, with the structured
// dates of its row: how many of those that it equalled it equals still, and how
// many it does not. The columns' own values count, whichever code moved them,
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
	return equal, differ
}
