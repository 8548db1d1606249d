package dates

// rule gives the day of a holiday in a year.
type rule struct {
	month, day int // fixed, or with nth the month
	nth        int // 1-5: that weekday of the month; -1: the last one; or onOrBefore
	weekday    int // 0 is Sunday
	easter     bool
	lunar      calendar
	table      *table
	offset     int // days after what the rest says
}

// onOrBefore is the last such weekday on or before month and day.
const onOrBefore = -2

// calendar is that of a rule.
type calendar uint8

const (
	gregorian calendar = iota
	hebrewCalendar
	hanukkahCalendar
	islamicCalendar
)

// dayIn returns the holiday's day in a year. ok is false where no table holds it.
func (r *rule) dayIn(year int) (day int, ok bool) {
	switch {
	case r.table != nil:
		d, ok := r.table.days(year)
		return d + r.offset, ok
	case r.lunar == islamicCalendar:
		return islamic(year, r.month, r.day) + r.offset, year >= 1900 && year <= 2199
	case r.lunar != gregorian:
		return hebrew(year, r.offset, r.lunar == hanukkahCalendar), year >= 1
	case r.easter:
		return easter(year) + r.offset, true
	case r.nth > 0:
		first := DaysFromCivil(year, r.month, 1)
		return first + mod(r.weekday-weekday(first), 7) + 7*(r.nth-1) + r.offset, true
	case r.nth == onOrBefore:
		last := DaysFromCivil(year, r.month, r.day)
		return last - mod(weekday(last)-r.weekday, 7) + r.offset, true
	case r.nth < 0:
		last := DaysFromCivil(year, r.month, daysIn(year, r.month))
		return last - mod(weekday(last)-r.weekday, 7) + r.offset, true
	}
	return DaysFromCivil(year, r.month, r.day) + r.offset, true
}

// holiday is one day that has names. Where countries differ, it is that of the
// United States.
type holiday struct {
	rule
	langs uint8 // bits of the languages; 0 for all
	names []string
}

// near returns the year whose holiday lies within some days of a day.
func (h *holiday) near(day, within int) (year int, ok bool) {
	y, _, _ := CivilFromDays(day)
	for year := max(y-1, minYear); year <= min(y+1, maxYear); year++ {
		if d, ok := h.dayIn(year); ok && d-day <= within && day-d <= within {
			return year, true
		}
	}
	return 0, false
}

// easter returns the day of the Gregorian Easter Sunday (Meeus, Jones and
// Butcher's rule).
func easter(year int) int {
	a, b, c := year%19, year/100, year%100
	d, e := b/4, b%4
	f := (b + 8) / 25
	g := (b - f + 1) / 3
	h := (19*a + b - d - g + 15) % 30
	i, k := c/4, c%4
	l := (32 + 2*e + 2*i - h - k) % 7
	m := (a + 11*h + 22*l) / 451
	n := h + l - 7*m + 114
	return DaysFromCivil(year, n/31, n%31+1)
}

// holidayName is a name and the index of its holiday.
type holidayName struct {
	name    string
	holiday int
}

// holidaysByLetters holds the names by their first two bytes, longest first.
var holidaysByLetters = func() map[[2]byte][]holidayName {
	m := map[[2]byte][]holidayName{}
	for k := range holidays {
		for _, n := range holidays[k].names {
			key := [2]byte{n[0], n[1]}
			list := m[key]
			i := len(list)
			for i > 0 && len(list[i-1].name) < len(n) {
				i--
			}
			m[key] = append(list[:i:i], append([]holidayName{{n, k}}, list[i:]...)...)
		}
	}
	return m
}()

// matchHoliday returns the longest holiday name at s[i:] and where it ends.
func matchHoliday(s string, i int) (h, end int, ok bool) {
	if i+2 > len(s) {
		return 0, 0, false
	}
	key := [2]byte{s[i] | 0x20, s[i+1]}
	if c := key[1]; c >= 'A' && c <= 'Z' {
		key[1] |= 0x20
	} else if c == '-' {
		key[1] = ' '
	}
	for _, n := range holidaysByLetters[key] {
		if end, ok := matchPhrase(s, i, n.name); ok {
			return n.holiday, end, true
		}
	}
	return 0, 0, false
}

// matchPhrase matches a normalised phrase at s[i:], skipping apostrophes and
// full stops, and returns the end in bytes.
func matchPhrase(s string, i int, phrase string) (int, bool) {
	for j := 0; j < len(phrase); {
		if i >= len(s) {
			return 0, false
		}
		switch size := skippable(s, i); {
		case size > 0:
			i += size
		case phrase[j] == ' ':
			start := i
			for i < len(s) && (s[i] == ' ' || s[i] == '-') {
				i++
			}
			if i == start {
				return 0, false
			}
			j++
		case s[i] == phrase[j] || s[i] >= 'A' && s[i] <= 'Z' && s[i]|0x20 == phrase[j]:
			i++
			j++
		case phrase[j] >= 0xA0 && j > 0 && phrase[j-1] == 0xC3 && s[i-1] == 0xC3 && s[i]+0x20 == phrase[j]: // É
			i++
			j++
		default:
			return 0, false
		}
	}
	if size := skippable(s, i); size > 0 && s[i] != '.' && !letterAt(s, i+size) && !digitAt(s, i+size) {
		i += size // the apostrophe of "New Years'"
	}
	if letterEnd(s, i) > i {
		return 0, false
	}
	return i, true
}

// skippable returns the size of an apostrophe or full stop at i, or 0.
func skippable(s string, i int) int {
	if i >= len(s) {
		return 0
	}
	if s[i] == '\'' || s[i] == '.' {
		return 1
	}
	return apostrophe(s, i)
}

// apostrophe returns the size of an apostrophe at i, or 0.
func apostrophe(s string, i int) int {
	if i < len(s) && (s[i] == '\'' || s[i] == '`') {
		return 1
	}
	if i+3 <= len(s) && (s[i:i+3] == "\u2019" || s[i:i+3] == "\u2018") {
		return 3
	}
	return 0
}
