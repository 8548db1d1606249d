package deid

import (
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
)

// Years in which notes are written. Public corpora whose dates were moved lie
// as late as 2210.
const (
	firstYear = 1900
	lastYear  = 2299
)

// PlausibleDay reports whether a note may have been written on a day: stand-ins
// such as 9999-12-31 say nothing.
func PlausibleDay(day int) bool {
	year, _, _ := dates.CivilFromDays(day)
	return !dates.IsSentinel(day) && year >= firstYear && year <= lastYear
}

// UsableOffset reports whether dates can be moved by a number of days that the
// caller supplies.
func UsableOffset(days int) bool {
	return days != 0 && (surrogate.Options{FixedOffset: days}).Check() == nil
}

// calendar is what a patient's notes say together of dates.
type calendar struct {
	days   []int // that they were written on
	offset int   // supplied; 0 for none
	clash  bool  // two supplied offsets differ
}

func (c *calendar) add(n *Note) {
	if n.Dated {
		c.days = append(c.days, n.Day)
	}
	if n.Offset != 0 {
		c.clash = c.clash || c.offset != 0 && c.offset != n.Offset
		c.offset = n.Offset
	}
}

// apart is how far, in days, the last day of a patient's notes may lie behind
// all others: 30 years of 365 days. What lies further is taken for a slip, such
// as 2091 for 2019: it would make everybody born before 2001 older than 89 and
// move their dates of birth. Records with a gap of 30 years are rare, and the
// bound is no lower as a true last day that is left out may let an age above
// 89 be told by subtraction.
const apart = 30 * 365

// latest returns the last day that one of the notes was written on. With two
// days alone nobody can say which is the slip, so the later stands.
func (c *calendar) latest() (day int, dated bool) {
	days := slices.Clone(c.days)
	slices.Sort(days)
	days = slices.Compact(days)
	n := len(days)
	for n > 2 && days[n-1]-days[n-2] > apart {
		n--
	}
	if n == 0 {
		return 0, false
	}
	return days[n-1], true
}
