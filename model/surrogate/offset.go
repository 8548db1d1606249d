package surrogate

import "fmt"

// DatePolicy says how far dates move. The zero value means "weekday", 28 to
// 1,820 days.
type DatePolicy struct {
	// Policy is "weekday" (default): a multiple of seven, so that weekdays stay
	// true; or "plain": any number of days.
	Policy string
	// MinDays and MaxDays bound the shift, either way; 28 and 1,820 (five years
	// of 52 weeks) where both are 0. The minimum moves every date out of its
	// month; the maximum keeps eras of medicine together.
	MinDays, MaxDays int
}

// Policies of dates.
const (
	Weekday = "weekday"
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

// Check returns an error that says what to write instead where p cannot be used.
func (p DatePolicy) Check() error {
	p = p.withDefaults()
	switch p.Policy {
	case Weekday, Plain:
	case "season":
		return fmt.Errorf("date shift policy %q is not available yet; write %s or %s", p.Policy, Weekday, Plain)
	default:
		return fmt.Errorf("date shift policy %q is unknown; write %s or %s", p.Policy, Weekday, Plain)
	}
	if p.MinDays < 1 {
		return fmt.Errorf("date shift: the smallest shift is %d days; it must be at least 1", p.MinDays)
	}
	if p.MaxDays < p.MinDays || p.MaxDays > largestMaxDays {
		return fmt.Errorf("date shift: the largest shift is %d days; it must be between the smallest, %d, and %d", p.MaxDays, p.MinDays, largestMaxDays)
	}
	if _, lo, hi := p.steps(); lo > hi {
		return fmt.Errorf("date shift: no multiple of 7 days lies between %d and %d; widen the range or write policy %s", p.MinDays, p.MaxDays, Plain)
	}
	return nil
}

// DateOffset returns the days by which the patient's dates move: keyed, even
// over the policy's range on both sides, and never 0. It panics if p.Check
// fails.
func (k *Keyring) DateOffset(patient string, p DatePolicy) int {
	if err := p.Check(); err != nil {
		panic("surrogate: " + err.Error())
	}
	p = p.withDefaults()
	unit, lo, hi := p.steps()
	n := uint64(hi - lo + 1)
	v := k.prfs[forDates].below(2*n, "offset", patient)
	if v < n {
		return unit * (lo + int(v))
	}
	return -unit * (lo + int(v-n))
}
