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

// PlausibleDay reports whether anybody's note may have been written on a day:
// stand-ins such as 9999-12-31 say nothing. What a patient's notes and birth
// date say of a day, Plan.Believes knows.
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

// Bounds, in days, of what is believed of a note's day.
const (
	// apart is how far the first or last days of a patient's notes may lie from
	// all others: 30 years of 365 days. What lies further is taken for a slip,
	// such as 2091 for 2019: it would make everybody born before 2001 older than
	// 89 and move their dates of birth. Records with a gap of 30 years are rare,
	// and the bound is no lower as a true last day that is left out may let an
	// age above 89 be told by subtraction.
	apart = 30 * 365

	afterExtract = 366       // notes of appointments to come lie behind the extract's end
	oldest       = 120 * 366 // of people
	epoch        = 0         // 1970-01-01: what a null becomes in some programs
	nearEpoch    = 366
)

// settle finds which of the days of the patient's notes are believed, from those
// days, the extract's end (0 for unknown) and the day of birth alone: what other
// patients' rows hold never matters, nor does the order of rows.
func (p *Plan) settle(days []int, end int) {
	days = slices.Clone(days)
	slices.Sort(days)
	if end != 0 {
		days = slices.DeleteFunc(days, func(d int) bool { return d > end+afterExtract })
	}
	if p.Born {
		lived := slices.DeleteFunc(slices.Clone(days), func(d int) bool { return !p.alive(d) })
		// Where no note fits the birth date, the birth date is the slip.
		if p.Unborn = len(lived) == 0 && len(slices.Compact(slices.Clone(days))) > 1; !p.Unborn {
			days = lived
		}
	}
	others := slices.DeleteFunc(slices.Clone(days), func(d int) bool { return d == epoch })
	if len(others) > 0 && !slices.ContainsFunc(others, func(d int) bool { return max(d, -d) <= nearEpoch }) {
		p.NoEpoch, days = true, others
	}
	days = withoutSlips(days)
	if p.Dated = len(days) > 0; p.Dated {
		p.Earliest, p.Latest = days[0], days[len(days)-1]
	}
}

// withoutSlips leaves out the last days, then the first, of which more notes
// tell that they are slips. Of two notes alone nobody can say which is the slip,
// so both stand, and the later is the last.
func withoutSlips(days []int) []int {
	distinct := func(part []int) int { return len(slices.Compact(slices.Clone(part))) }
	outvoted := func(few, rest []int) bool {
		return distinct(rest) > 1 || len(rest) > len(few)
	}
	for {
		k := len(days) - 1
		for k > 0 && days[k]-days[k-1] <= apart {
			k--
		}
		if k <= 0 || distinct(days[k:]) > 1 || !outvoted(days[k:], days[:k]) {
			break
		}
		days = days[:k]
	}
	for {
		k := 1
		for k < len(days) && days[k]-days[k-1] <= apart {
			k++
		}
		if k >= len(days) || distinct(days[:k]) > 1 || !outvoted(days[:k], days[k:]) {
			return days
		}
		days = days[k:]
	}
}

func (p *Plan) alive(day int) bool { return day >= p.Birth && day <= p.Birth+oldest }

// Believes reports whether a note of the patient can have been written on a day,
// as far as the patient's notes, the birth date and the extract's end tell.
func (p *Plan) Believes(day int) bool {
	return p.Dated && PlausibleDay(day) && day >= p.Earliest && day <= p.Latest && !(p.NoEpoch && day == epoch) &&
		(!p.Born || p.Unborn || p.alive(day))
}
