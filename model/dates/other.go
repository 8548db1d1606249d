package dates

import (
	"strconv"
	"strings"
)

// shifter is a form that is not made of year, month and day.
type shifter interface {
	days() (int, bool)             // the day it names
	shift(days int) (string, bool) // printed again
	full() bool
}

// parseOther reads ISO 8601 week dates and ordinal dates, and Unix times of 10
// or 13 digits.
func parseOther(s string) (shifter, bool) {
	n := 0
	for digitAt(s, n) {
		n++
	}
	switch {
	case n == 4 && len(s) == 8 && s[4] == '-' && digits(s[5:]):
		return ordinalDate{number(s[:4]), number(s[5:])}, true
	case n == 4 && (len(s) >= 7 && s[4:6] == "-W" || len(s) >= 7 && s[4] == 'W'):
		return parseWeekDate(s)
	case n == len(s) && (n == 13 || n == 10 && !plausibleRun(s)):
		v, err := strconv.ParseInt(s, 10, 64)
		return epoch{v, n == 13}, err == nil && s[0] != '0'
	}
	return nil, false
}

func digits(s string) bool {
	for i := range len(s) {
		if !digitAt(s, i) {
			return false
		}
	}
	return s != ""
}

// ordinalDate is 2014-063.
type ordinalDate struct{ year, dayOfYear int }

func (o ordinalDate) full() bool { return true }

func (o ordinalDate) days() (int, bool) {
	length := 365 + daysIn(o.year, 2) - 28
	if o.year < minYear || o.year > maxYear || o.dayOfYear < 1 || o.dayOfYear > length {
		return 0, false
	}
	return DaysFromCivil(o.year, 1, 1) + o.dayOfYear - 1, true
}

func (o ordinalDate) shift(days int) (string, bool) {
	d, ok := o.days()
	y, ok2 := yearOf(d + days)
	if !ok || !ok2 {
		return "", false
	}
	return pad(y, 4) + "-" + pad(d+days-DaysFromCivil(y, 1, 1)+1, 3), true
}

// weekDate is 2014-W10-2, 2014W102 or 2014-W10.
type weekDate struct {
	year, week, weekday int // weekday 1 is Monday; 0 where absent
	dash                bool
}

func parseWeekDate(s string) (shifter, bool) {
	w := weekDate{year: number(s[:4]), dash: s[4] == '-'}
	rest := strings.TrimPrefix(s[4:], "-")[1:]
	if len(rest) < 2 || !digits(rest[:2]) {
		return nil, false
	}
	w.week = number(rest[:2])
	switch rest = rest[2:]; {
	case rest == "":
		return w, true
	case w.dash:
		if rest[0] != '-' {
			return nil, false
		}
		rest = rest[1:]
	}
	if len(rest) != 1 || rest[0] < '1' || rest[0] > '7' {
		return nil, false
	}
	w.weekday = number(rest)
	return w, true
}

func (w weekDate) full() bool { return w.weekday > 0 }

// monday returns the Monday of week 1 of an ISO year: the week of 4 January.
func monday(year int) int {
	d := DaysFromCivil(year, 1, 4)
	return d - mod(weekday(d)-1, 7)
}

func (w weekDate) days() (int, bool) {
	if w.year < minYear || w.year >= maxYear || w.week < 1 || monday(w.year)+7*w.week > monday(w.year+1) {
		return 0, false
	}
	return monday(w.year) + 7*(w.week-1) + max(w.weekday, 1) - 1, true
}

func (w weekDate) shift(days int) (string, bool) {
	d, ok := w.days()
	if !ok {
		return "", false
	}
	if w.weekday == 0 {
		d += 3 // mid-week
	}
	d += days
	y, ok := yearOf(d - mod(weekday(d)-1, 7) + 3) // the year of the week's Thursday
	if !ok {
		return "", false
	}
	dash := ""
	if w.dash {
		dash = "-"
	}
	out := pad(y, 4) + dash + "W" + pad((d-monday(y))/7+1, 2)
	if w.weekday > 0 {
		out += dash + strconv.Itoa(mod(weekday(d)-1, 7)+1)
	}
	return out, true
}

// epoch is a Unix time in seconds or milliseconds.
type epoch struct {
	v      int64
	millis bool
}

func (e epoch) full() bool { return true }

func (e epoch) perDay() int64 {
	if e.millis {
		return 86_400_000
	}
	return 86_400
}

func (e epoch) days() (int, bool) { return int(e.v / e.perDay()), true }

func (e epoch) shift(days int) (string, bool) {
	v := e.v + int64(days)*e.perDay()
	out := strconv.FormatInt(v, 10)
	if d, _ := e.days(); len(out) != len(strconv.FormatInt(e.v, 10)) || v <= 0 || !validDays(d+days) {
		return "", false
	}
	return out, true
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// yearOf returns the year of a day, and whether it can be printed.
func yearOf(days int) (int, bool) {
	if !validDays(days) {
		return 0, false
	}
	y, _, _ := CivilFromDays(days)
	return y, true
}

var firstDay, lastDay = DaysFromCivil(minYear, 1, 1), DaysFromCivil(maxYear, 12, 31)

func validDays(days int) bool { return days >= firstDay && days <= lastDay }

// weekdayCodes are the letters of a schedule such as M/W/F or TuThSa.
var weekdayCodes = map[string]int{
	"M": 1, "Mo": 1, "Tu": 2, "T": 2, "W": 3, "We": 3, "Th": 4, "R": 4, "F": 5, "Fr": 5, "Sa": 6, "S": 6, "Su": 0,
	"MO": 1, "TU": 2, "WE": 3, "TH": 4, "FR": 5, "SA": 6, "SU": 0,
}

// parseWeekdayCodes reads two or more weekday letters, with or without
// separators.
func parseWeekdayCodes(s string) (Form, bool) {
	f := Form{src: s}
	if _, word := words[strings.ToLower(s)]; word { // SAT is not Sa and T
		return Form{}, false
	}
	upper := s
	if s == strings.ToLower(s) && ascii(s) {
		upper = strings.ToUpper(s)
	}
	var seen [7]bool
	for i := 0; i < len(s); {
		if strings.IndexByte("/-,&+ ", s[i]) >= 0 {
			i++
			continue
		}
		size := min(2, len(s)-i)
		v, ok := weekdayCodes[upper[i:i+size]]
		if !ok {
			size = 1
			v, ok = weekdayCodes[upper[i:i+1]]
		}
		if !ok || seen[v] {
			return Form{}, false
		}
		seen[v] = true
		e := noEnd
		e.weekday = len(f.atoms)
		f.ends = append(f.ends, e)
		f.atoms = append(f.atoms, atom{kind: atomWeekday, role: roleWeekday, fixed: true, start: i, end: i + size, val: v, owner: e.weekday})
		i += size
	}
	return f, len(f.atoms) >= 2
}
