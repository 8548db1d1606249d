package surrogate

import (
	"fmt"
	"sync"

	"github.com/palimpsest-deid/palimpsest/model/dates"
)

// DatePolicy says how far dates move. The zero value means "weekday", 28 to
// 1,820 days.
type DatePolicy struct {
	// Policy is "weekday" (default): a multiple of seven, so that weekdays stay
	// true; "season": the multiple of seven nearest to a number of whole years,
	// so that seasons stay true as well; or "plain": any number of days.
	Policy string
	// MinDays and MaxDays bound the shift, either way; 28 and 1,820 (five years
	// of 52 weeks) where both are 0. The minimum moves every date out of its
	// month; the maximum keeps eras of medicine together.
	MinDays, MaxDays int
}

// Policies of dates.
const (
	Weekday = "weekday"
	Season  = "season"
	Plain   = "plain"
)

const (
	defaultMinDays = 28
	defaultMaxDays = 1820
	largestMaxDays = 36_500
)

func (p DatePolicy) withDefaults() DatePolicy {
	if p.Policy == "" {
		p.Policy = Weekday
	}
	if p.MinDays == 0 && p.MaxDays == 0 {
		p.MinDays, p.MaxDays = defaultMinDays, defaultMaxDays
	}
	return p
}

// choices returns the shifts of the policy in days, one way: for policy season
// one for each number of whole years that has one. Shifts that could leave month
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
		for k := 1; k <= p.MaxDays/365+1; k++ {
			if d, ok := dates.SeasonDays(k); ok {
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
	if p.MinDays < 1 {
		return fmt.Errorf("date shift: the smallest shift is %d days; it must be at least 1", p.MinDays)
	}
	if p.MaxDays < p.MinDays || p.MaxDays > largestMaxDays {
		return fmt.Errorf("date shift: the largest shift is %d days; it must be between the smallest, %d, and %d", p.MaxDays, p.MinDays, largestMaxDays)
	}
	if len(choicesOf(p)) == 0 {
		return fmt.Errorf("date shift: policy %s has no shift between %d and %d days; widen the range", p.Policy, p.MinDays, p.MaxDays)
	}
	return nil
}

// Offsets returns how many different offsets the policy has: what one must
// guess to undo the shift of one patient.
func (p DatePolicy) Offsets() int { return 2 * len(choicesOf(p.withDefaults())) }

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
// else bears the id, move: keyed, even over the policy's shifts on both sides,
// and never 0. It panics where the policy has none; see DatePolicy.Check.
func (k *Keyring) DateOffset(id string, p DatePolicy) int {
	days := choicesOf(p.withDefaults())
	if len(days) == 0 {
		panic("surrogate: the date policy has no shift")
	}
	v := int(k.prfs[forDates].below(uint64(2*len(days)), "offset", id))
	if v < len(days) {
		return days[v]
	}
	return -days[v-len(days)]
}
