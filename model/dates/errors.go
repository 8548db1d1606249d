package dates

import (
	"errors"
	"strings"
)

// Why an expression is not moved. None of the texts quotes it.
var (
	// ErrUnreadable: no date expression, or one in a form that is not known.
	ErrUnreadable = errors.New("dates: not a date expression that can be read")
	// ErrImpossible: the form of a date, but a day that does not exist: 31 February.
	ErrImpossible = errors.New("dates: the day does not exist")
	// ErrSentinel: a value that tables write for "unknown" or "for ever".
	ErrSentinel = errors.New("dates: a stand-in for an unknown date")
	// ErrRelative: a time relative to the note, a duration, a dose, a score or a
	// measure. It names no day, and may stay as it is.
	ErrRelative = errors.New("dates: a relative time or a measure, not a date")
	// ErrOutOfRange: the moved date lies outside the years 1 to 9998, or its
	// form cannot show that it moved (two digits of a year, a century later).
	ErrOutOfRange = errors.New("dates: the moved date cannot be written")
)

// sentinelDays are the days that stand for "unknown" in tables and forms. That
// somebody was truly born or seen on one of them is less likely than that.
var sentinelDays = func() map[int]bool {
	m := map[int]bool{}
	for _, d := range [][3]int{
		{1, 1, 1}, {1753, 1, 1}, {1800, 1, 1}, {1899, 12, 30}, {1899, 12, 31}, {1900, 1, 1},
		{1111, 11, 11}, {2222, 2, 2}, {2999, 12, 31}, {3000, 1, 1}, {4444, 4, 4}, {5555, 5, 5},
		{6666, 6, 6}, {7777, 7, 7}, {8888, 8, 8},
	} {
		m[DaysFromCivil(d[0], d[1], d[2])] = true
	}
	return m
}()

// IsSentinel reports whether a day, in days since 1970-01-01, stands for an
// unknown date or for no end: 1900-01-01, 9999-12-31 and their like. All days
// from 9999 on are.
func IsSentinel(day int) bool { return day > lastDay || sentinelDays[day] }

// classify tells why s, which did not parse for the reason err, is no date.
func classify(s string, err error) error {
	if sentinelText(s) {
		return ErrSentinel
	}
	if err == ErrUnreadable && relative(s) {
		return ErrRelative
	}
	return err
}

// sentinelText finds what no calendar holds: a year 9999 or 0000, or nothing
// but zeros or nines. A time of day behind the date does not count.
func sentinelText(s string) bool {
	if i := strings.IndexAny(s, ":"); i > 0 {
		s = strings.TrimRight(s[:i], "0123456789")
	}
	zeros, nines, groups := true, true, 0
	for i := 0; i < len(s); {
		switch {
		case digitAt(s, i):
			start := i
			for digitAt(s, i) {
				zeros = zeros && s[i] == '0'
				nines = nines && s[i] == '9'
				i++
			}
			groups++
			if g := s[start:i]; g == "9999" || g == "0000" || len(g) == 8 && (g[:4] == "9999" || g[4:] == "9999") {
				return true
			}
			if i-start == 8 {
				groups = 3
			}
		case strings.IndexByte("/-. TZ", s[i]) >= 0:
			i++
		default:
			return false
		}
	}
	return groups == 3 && (zeros || nines)
}
