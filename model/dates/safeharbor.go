package dates

import "strings"

// SafeHarbor reduces f to what the Safe Harbor rule of HIPAA lets stand of a
// date (45 CFR 164.514(b)(2)(i)(C)): its year. Ranges become years, decades and
// years alone stay as they are, and everything smaller goes: "March 4, 2014" is
// "2014", "12/28/14-1/3/15" is "2014-2015". ok is false where no year was
// written; the caller then masks the expression. A year is never taken from
// the reference.
//
// oldest is the first year that may be shown; 0 shows all. Years before it
// would tell an age over 89 and become "1928 or before". For a note of 2018
// that is 1929: who was born in that year is 89 at most. A decade that holds
// years of both sides is refused.
func (f Form) SafeHarbor(oldest int) (out string, ok bool) {
	if f.f == nil {
		return "", false
	}
	return f.f.years(oldest)
}

// narrowing words make a year more than a year: "early 2014".
var narrowing = []string{"early", "late", "mid", "beginning", "start", "middle", "end", "week", "month", "holiday", "season", "break",
	"principio", "mediado", "final", "fin"}

func (f *form) years(oldest int) (string, bool) {
	if f.other != nil {
		if f.other.stated() < oldest {
			return "", false
		}
		return pad(f.other.stated(), 4), true
	}
	plain := true // nothing but years and decades
	for i := range f.atoms {
		switch f.atoms[i].role {
		case roleYear, roleDecade:
		default:
			plain = false
		}
	}
	decades := false
	var items []string
	list := false
	old := false
	for i := range f.atoms {
		a := &f.atoms[i]
		list = list || len(items) > 0 && f.gaps[i] == gapList
		text := f.text[a.start:a.end]
		first, last := 0, 0
		switch a.role {
		case roleYear, roleYearTo:
			first = f.yearOf(a)
			last = first
			if !plain && a.kind != atomYear && a.kind != atomYearWord {
				text = pad(first, 4)
			}
		case roleDecade:
			decades = true
			if first = int(a.val); first < 100 {
				first = f.ref.expand(first)
			}
			last = first + 9
		default:
			continue
		}
		switch {
		case last < oldest:
			old = true
			text = pad(oldest-1, 4) + " or before"
			if f.lang == Spanish {
				text = pad(oldest-1, 4) + " o antes"
			}
		case first < oldest:
			return "", false
		}
		if n := len(items); n > 0 && items[n-1] == text {
			continue
		}
		items = append(items, text)
	}
	if len(items) == 0 {
		return "", false
	}
	if plain && !old && (decades || !f.narrows()) && !strings.Contains(f.src, ":") {
		return f.text, true
	}
	switch {
	case len(items) > 2:
		return strings.Join(items, ", "), true
	case list && f.lang == Spanish:
		return strings.Join(items, " y "), true
	case list:
		return strings.Join(items, " and "), true
	case old:
		return strings.Join(items, " - "), true
	}
	return strings.Join(items, "-"), true
}

// yearOf returns the year that atom a writes.
func (f *form) yearOf(a *atom) int {
	if a.kind == atomYear || a.kind == atomYearWord {
		return int(a.val)
	}
	if a.role == roleYear {
		if r := &f.res[a.owner]; r.unit == unitDay && !f.ends[a.owner].has(roleHoliday) {
			return r.year // a birth may have lost a century
		}
	}
	return f.ref.expand(int(a.val))
}

// narrows reports whether a word beside a year tells more than the year.
func (f *form) narrows() bool {
	lower := strings.ToLower(f.text)
	for _, w := range narrowing {
		if strings.Contains(lower, w) {
			return true
		}
	}
	return false
}
