package audit

import (
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/dates"
)

func TestDates(t *testing.T) {
	day := func(y, m, d int) int { return dates.DaysFromCivil(y, m, d) }
	column := Moved{Before: day(2018, 12, 3), After: day(2018, 12, 31)}
	for _, c := range []struct {
		name, surface, released string
		order                   dates.DayFirst
		equal, differ           int
	}{
		{"moved with its column", "12/03/2018", "12/31/2018", dates.No, 1, 0},
		{"the day first", "03/12/2018", "31/12/2018", dates.Yes, 1, 0},
		{"left behind", "2018-12-03", "2018-12-04", dates.Unknown, 0, 1},
		{"masked", "2018-12-03", "0000-00-00", dates.Unknown, 0, 1},
		{"read in the wrong order", "03/12/2018", "04/09/2018", dates.No, 0, 1},
		{"of another day", "2018-12-04", "2019-01-01", dates.Unknown, 0, 0},
		{"of another day, either way", "04/05/2018", "05/03/2018", dates.No, 0, 0},
		{"no full date", "3/12", "4/9", dates.No, 0, 0},
	} {
		ref := dates.Reference{DayFirst: c.order, NoteDay: day(2018, 12, 5), HasNoteDay: true}
		if equal, differ := Dates(c.surface, c.released, ref, []Moved{column}); equal != c.equal || differ != c.differ {
			t.Errorf("%s: %d equal, %d differ, want %d and %d", c.name, equal, differ, c.equal, c.differ)
		}
	}
}
