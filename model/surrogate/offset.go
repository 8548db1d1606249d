package surrogate

import (
	"fmt"
	"sync"

	"github.com/palimpsest-deid/palimpsest/model/dates"
)

// DatePolicy says how far dates move. The zero value means "weekday", 183 to
// 1,820 days into the past.
type DatePolicy struct {
	// Policy is "weekday" (default): a multiple of seven, so that weekdays stay
	// true; "season": a multiple of seven within four weeks of whole years, so that
	// seasons stay true as well; or "plain": any number of days.
	Policy string
	// MinDays and MaxDays bound the shift, either way. 0 means 183 and 1,820 (five
	// years of 52 weeks), for season 7,300 (20 years of 365 days), as five years
	// have few shifts near whole years. The minimum moves every year that is named
	// alone, by its middle; the maximum keeps eras of medicine together.
	MinDays, MaxDays int
	// Direction is "past" (default) or "both". Into the past no date that is past in
	// its note comes to lie behind the end of the extract, whenever that was: who
	// sees one there knows that it moved forwards, and at least how far.
	Direction string
}

// Directions of shifts.
const (
	Past = "past"
	Both = "both"
)

// Policies of dates.
const (
	Weekday = "weekday"
	Season  = "season"
	Plain   = "plain"
)

const (
	defaultMinDays = 183
	defaultMaxDays = 1820
	seasonMaxDays  = 20 * 365
	largestMaxDays = 36_500
	seasonSlack    = 28 // days by which shifts of policy season may miss whole years
)

func (p DatePolicy) withDefaults() DatePolicy {
	if p.Policy == "" {
		p.Policy = Weekday
	}
	if p.MinDays == 0 {
		p.MinDays = defaultMinDays
	}
	switch {
	case p.MaxDays != 0:
	case p.Policy == Season:
		p.MaxDays = seasonMaxDays
	default:
		p.MaxDays = defaultMaxDays
	}
	if p.Direction == "" {
		p.Direction = Past
	}
	return p
}

// choices returns the shifts of the policy in days, one way. Shifts that could leave month
// and day as they are, 365 or 1,461 days, are none under any policy: a date
// without a year would stay true.
func (p DatePolicy) choices() []int {
	var days []int
	add := func(d int) {
		if d >= p.MinDays && d <= p.MaxDays && !dates.KeepsMonthDay(d) {
			days = append(days, d)
		}
	}
	switch p.Policy {
	case Season:
		for d := (p.MinDays + 6) / 7 * 7; d <= p.MaxDays; d += 7 {
			years := (400*d + 146097/2) / 146097 // the nearest number, of 400 years of 146,097 days
			if off := d - years*146097/400; years > 0 && off >= -seasonSlack && off <= seasonSlack {
				add(d)
			}
		}
	case Plain:
		for d := p.MinDays; d <= p.MaxDays; d++ {
			add(d)
		}
	default:
		for d := (p.MinDays + 6) / 7 * 7; d <= p.MaxDays; d += 7 {
			add(d)
		}
	}
	return days
}

// Check returns an error that says what to write instead where p cannot be used.
func (p DatePolicy) Check() error {
	p = p.withDefaults()
	switch p.Policy {
	case Weekday, Season, Plain:
	default:
		return fmt.Errorf("date shift policy %q is unknown; write %s, %s or %s", p.Policy, Weekday, Season, Plain)
	}
	switch p.Direction {
	case Past, Both:
	default:
		return fmt.Errorf("date shift direction %q is unknown; write %s or %s", p.Direction, Past, Both)
	}
	if p.MinDays < 1 {
		return fmt.Errorf("date shift: the smallest shift is %d days; it must be at least 1", p.MinDays)
	}
	if p.MaxDays < p.MinDays || p.MaxDays > largestMaxDays {
		return fmt.Errorf("date shift: the largest shift is %d days; it must be between the smallest, %d, and %d", p.MaxDays, p.MinDays,
			largestMaxDays)
	}
	if len(choicesOf(p)) == 0 {
		return fmt.Errorf("date shift: policy %s has no shift between %d and %d days; widen the range", p.Policy, p.MinDays, p.MaxDays)
	}
	return nil
}

// Offsets returns how many different offsets the policy has: what one must
// guess to undo the shift of one patient.
func (p DatePolicy) Offsets() int {
	p = p.withDefaults()
	if p.Direction == Both {
		return 2 * len(choicesOf(p))
	}
	return len(choicesOf(p))
}

// choicesOf remembers the choices of policies, of which a process sees few.
func choicesOf(p DatePolicy) []int {
	if v, ok := allChoices.Load(p); ok {
		return v.([]int)
	}
	days := p.choices()
	allChoices.Store(p, days)
	return days
}

var allChoices sync.Map // DatePolicy to []int

// DateOffset returns the days by which the dates of a patient, or of whatever
// else bears the id, move: keyed, even over the policy's shifts, and never 0. It panics where the policy has none; see DatePolicy.Check.
func (k *Keyring) DateOffset(id string, p DatePolicy) int {
	p = p.withDefaults()
	days := choicesOf(p)
	if len(days) == 0 {
		panic("surrogate: the date policy has no shift")
	}
	if p.Direction == Past {
		return -days[k.prfs[forDates].below(uint64(len(days)), "offset", id)]
	}
	v := int(k.prfs[forDates].below(uint64(2*len(days)), "offset", id))
	if v < len(days) {
		return days[v]
	}
	return -days[v-len(days)]
}
