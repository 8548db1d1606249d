package dates

import (
	"regexp"
	"strconv"
	"strings"
)

// shifter is a form that is not made of year, month and day.
type shifter interface {
	days() (int, bool)             // the day it names
	shift(days int) (string, bool) // printed again
	full() bool
	stated() int // its year
}

// parseOther reads ISO 8601 week dates and ordinal dates, with or without a
// time of day. s begins with a digit.
func parseOther(s string) (shifter, bool) {
	if len(s) < 7 || !digits(s[:4]) {
		return nil, false
	}
	if s[4] == '-' && len(s) >= 8 && digits(s[5:8]) && tail(s[8:]) {
		return ordinalDate{number(s[:4]), number(s[5:8]), s[8:]}, true
	}
	if s[4:6] == "-W" || s[4] == 'W' {
		return parseWeekDate(s)
	}
	return nil, false
}

// tail reports whether s is nothing or the time of day of a timestamp.
func tail(s string) bool {
	if s == "" {
		return true
	}
	if s[0] != 'T' && s[0] != 't' && s[0] != ' ' {
		return false
	}
	return len(s) > 1 && clockEnd(s, 1, false) == len(s) || runTimeEnd(s, 0) == len(s)
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
type ordinalDate struct {
	year, dayOfYear int
	tail            string // a time of day
}

func (o ordinalDate) full() bool { return true }

func (o ordinalDate) stated() int { return o.year }

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
	return pad(y, 4) + "-" + pad(d+days-DaysFromCivil(y, 1, 1)+1, 3) + o.tail, true
}

// weekDate is 2014-W10-2, 2014W102 or 2014-W10.
type weekDate struct {
	year, week, weekday int // weekday 1 is Monday; 0 where absent
	dash                bool
	tail                string // a time of day
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
	if len(rest) == 0 || rest[0] < '1' || rest[0] > '7' || !tail(rest[1:]) {
		return nil, false
	}
	w.weekday, w.tail = number(rest[:1]), rest[1:]
	return w, true
}

func (w weekDate) full() bool { return w.weekday > 0 }

func (w weekDate) stated() int { return w.year }

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
	d, y, week, ok := w.moved(days)
	if !ok {
		return "", false
	}
	dash := ""
	if w.dash {
		dash = "-"
	}
	out := pad(y, 4) + dash + "W" + pad(week, 2)
	if w.weekday > 0 {
		out += dash + strconv.Itoa(mod(weekday(d)-1, 7)+1)
	}
	return out + w.tail, true
}

// moved returns the day some days later, by that in the middle of a week, and its
// week and the week's year.
func (w weekDate) moved(days int) (day, year, week int, ok bool) {
	if day, ok = w.days(); !ok {
		return 0, 0, 0, false
	}
	if w.weekday == 0 {
		day += 3
	}
	day += days
	year, ok = yearOf(day - mod(weekday(day)-1, 7) + 3) // that of the week's Thursday
	return day, year, (day-monday(year))/7 + 1, ok
}

// weekOfYear is "wk 23 of 2014", by the weeks of ISO 8601.
type weekOfYear struct {
	weekDate
	before, between string // the number
	width           int
}

var weekOfYearForm = regexp.MustCompile(`^((?i:wk|week)\.? ?#?)(\d{1,2})(,? | of |/)(\d{4})$`)

func parseWeekOfYear(s string) (shifter, bool) {
	if len(s) < 7 || s[0]|0x20 != 'w' {
		return nil, false
	}
	m := weekOfYearForm.FindStringSubmatch(s)
	if m == nil {
		return nil, false
	}
	return weekOfYear{weekDate{year: number(m[4]), week: number(m[2])}, m[1], m[3], len(m[2])}, true
}

func (w weekOfYear) shift(days int) (string, bool) {
	_, y, week, ok := w.moved(days)
	if !ok {
		return "", false
	}
	width := 1
	if w.week < 10 {
		width = w.width
	}
	return w.before + pad(week, width) + w.between + pad(y, 4), true
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

// weekdayCodes reads weekday letters, with or without separators, into f. A capital
// alone is one, too: of "M-F" taggers find two dates.
func (f *form) weekdayCodes() bool {
	s := f.text
	if len(s) > 20 || strings.IndexByte("MTWRFSmtwrfs", s[0]) < 0 {
		return false
	}
	upper := s
	if s[0] >= 'a' {
		if s != strings.ToLower(s) || len(strings.ToUpper(s)) != len(s) {
			return false
		}
		upper = strings.ToUpper(s)
	}
	var seen [7]bool
	f.atoms, f.ends = f.atomBuf[:0], f.endBuf[:0]
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
		if v == 2 && seen[2] && size == 1 {
			v = 4 // TTS: Tuesday, Thursday, Saturday
		}
		if !ok || seen[v] {
			return false
		}
		seen[v] = true
		var e end
		e[roleWeekday] = int8(len(f.atoms) + 1)
		f.atoms = append(f.atoms, atom{kind: atomWeekday, role: roleWeekday, fixed: true, start: int16(i), end: int16(i + size), val: int32(v),
			owner: int8(len(f.ends))})
		f.ends = append(f.ends, e)
		i += size
	}
	_, word := lookUp(s) // SAT is not Sa and T
	return (len(f.atoms) >= 2 || len(s) == 1 && s[0] < 'a') && !word
}
