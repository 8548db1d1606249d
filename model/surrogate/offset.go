package surrogate

import "fmt"

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

// steps returns the unit of the shift and the smallest and largest multiple of it.
func (p DatePolicy) steps() (unit, lo, hi int) {
	unit = 1
	if p.Policy == Weekday {
		unit = 7
	}
	return unit, (p.MinDays + unit - 1) / unit, p.MaxDays / unit
}

// years returns the shifts of policy season, in days: for each number of whole
// years of 365.25 days the multiple of seven nearest to it, if it lies in the
// range. None is more than three days and a half off the season.
func (p DatePolicy) years() []int {
	var days []int
	for k := 1; ; k++ {
		d := 7 * ((k*1461 + 14) / 28) // k*365.25/7, rounded
		if d > p.MaxDays {
			return days
		}
		if d >= p.MinDays {
			days = append(days, d)
		}
	}
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
	if p.Policy == Season {
		if len(p.years()) == 0 {
			return fmt.Errorf("date shift: no whole year lies between %d and %d days; widen the range, or write policy %s", p.MinDays, p.MaxDays, Weekday)
		}
		return nil
	}
	if _, lo, hi := p.steps(); lo > hi {
		return fmt.Errorf("date shift: no multiple of 7 days lies between %d and %d; widen the range or write policy %s", p.MinDays, p.MaxDays, Plain)
	}
	return nil
}

// Offsets returns how many different offsets the policy has: what one must
// guess to undo the shift of one patient.
func (p DatePolicy) Offsets() int {
	p = p.withDefaults()
	if p.Policy == Season {
		return 2 * len(p.years())
	}
	_, lo, hi := p.steps()
	return 2 * (hi - lo + 1)
}

// DateOffset returns the days by which the dates of a patient, or of whatever
// else bears the id, move: keyed, even over the policy's range on both sides,
// and never 0. It panics if p.Check fails.
func (k *Keyring) DateOffset(id string, p DatePolicy) int {
	if err := p.Check(); err != nil {
		panic("surrogate: " + err.Error())
	}
	p = p.withDefaults()
	v := int(k.prfs[forDates].below(uint64(p.Offsets()), "offset", id))
	days := 0
	if p.Policy == Season {
		years := p.years()
		days = years[v%len(years)]
		v /= len(years)
	} else {
		unit, lo, hi := p.steps()
		n := hi - lo + 1
		days = unit * (lo + v%n)
		v /= n
	}
	if v > 0 {
		return -days
	}
	return days
}
