package dates

// A holiday is a rule that gives the day of a year.
type holiday struct {
	month, day int // fixed, or with nth the month
	nth        int // 1-5: that weekday of the month; -1: the last one
	weekday    int // 0 is Sunday
	easter     bool
	offset     int // days after what the rest says
}

// days returns the holiday's day in a year.
func (h holiday) days(year int) int {
	switch {
	case h.easter:
		return easter(year) + h.offset
	case h.nth > 0:
		first := DaysFromCivil(year, h.month, 1)
		return first + mod(h.weekday-weekday(first), 7) + 7*(h.nth-1) + h.offset
	case h.nth < 0:
		last := DaysFromCivil(year, h.month, daysIn(year, h.month))
		return last - mod(weekday(last)-h.weekday, 7) + h.offset
	}
	return DaysFromCivil(year, h.month, h.day) + h.offset
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

// holidayNames holds the names in lower case without apostrophes and full
// stops, with single blanks for blanks and hyphens.
var holidayNames = map[string]holiday{}

func fixed(month, day int) holiday { return holiday{month: month, day: day} }
func floating(month, nth, weekday int) holiday {
	return holiday{month: month, nth: nth, weekday: weekday}
}
func ofEaster(offset int) holiday { return holiday{easter: true, offset: offset} }

// holidaysByLetter holds the names by first letter, longest first, for the
// lexer.
var holidaysByLetter = func() (by [26][]string) {
	add := func(h holiday, names ...string) {
		for _, n := range names {
			holidayNames[n] = h
			list := &by[n[0]-'a']
			i := len(*list)
			for i > 0 && len((*list)[i-1]) < len(n) {
				i--
			}
			*list = append((*list)[:i], append([]string{n}, (*list)[i:]...)...)
		}
	}
	add(fixed(12, 25), "christmas", "christmas day", "xmas", "xmas day", "x mas")
	add(fixed(12, 24), "christmas eve", "xmas eve")
	add(fixed(12, 26), "boxing day", "st stephens day", "st stephens", "stephens day")
	add(fixed(12, 31), "new years eve", "new year eve", "nye", "hogmanay")
	add(fixed(1, 1), "new years day", "new years", "new year", "new year day")
	add(fixed(7, 4), "independence day")
	add(fixed(10, 31), "halloween", "hallowe en")
	add(fixed(11, 1), "all saints day", "all saints")
	add(fixed(11, 5), "guy fawkes", "guy fawkes night", "bonfire night")
	add(fixed(2, 14), "valentines", "valentines day", "valentine day", "st valentines day")
	add(fixed(3, 17), "st patricks day", "saint patricks day", "st pattys day", "st paddys day", "st patricks", "paddys day", "patricks day")
	add(fixed(6, 19), "juneteenth")
	add(fixed(5, 5), "cinco de mayo")
	add(fixed(2, 2), "groundhog day")
	add(fixed(4, 1), "april fools", "april fools day", "april fool day")
	add(fixed(4, 22), "earth day")
	add(fixed(6, 14), "flag day")
	add(fixed(11, 11), "veterans day", "veteran day", "armistice day", "remembrance day")
	add(fixed(7, 1), "canada day")
	add(fixed(1, 26), "australia day")
	add(fixed(4, 25), "anzac day")
	add(floating(11, 4, 4), "thanksgiving", "thanksgiving day", "turkey day")
	add(holiday{month: 11, nth: 4, weekday: 4, offset: 1}, "black friday")
	add(floating(1, 3, 1), "mlk day", "mlk", "mlk jr day", "martin luther king day", "martin luther king jr day", "martin luther king")
	add(floating(2, 3, 1), "presidents day", "president day")
	add(floating(5, -1, 1), "memorial day")
	add(floating(9, 1, 1), "labor day", "labour day")
	add(floating(10, 2, 1), "columbus day", "indigenous peoples day")
	add(floating(5, 2, 0), "mothers day", "mother day")
	add(floating(6, 3, 0), "fathers day", "father day")
	add(ofEaster(0), "easter", "easter sunday", "easter day")
	add(ofEaster(1), "easter monday")
	add(ofEaster(-2), "good friday")
	add(ofEaster(-3), "maundy thursday")
	add(ofEaster(-7), "palm sunday")
	add(ofEaster(-46), "ash wednesday")
	add(ofEaster(-47), "mardi gras", "shrove tuesday", "pancake day")
	add(ofEaster(39), "ascension day")
	add(ofEaster(49), "pentecost", "whit sunday")
	return by
}()

// matchHoliday returns the longest holiday name at s[i:] and where it ends.
func matchHoliday(s string, i int) (holiday, int, bool) {
	c := s[i] | 0x20
	if c < 'a' || c > 'z' {
		return holiday{}, 0, false
	}
	for _, name := range holidaysByLetter[c-'a'] {
		if end, ok := matchPhrase(s, i, name); ok {
			return holidayNames[name], end, true
		}
	}
	return holiday{}, 0, false
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
		default:
			return 0, false
		}
	}
	if size := skippable(s, i); size > 0 && s[i] != '.' && !letterAt(s, i+size) && !digitAt(s, i+size) {
		i += size // the apostrophe of "New Years'"
	}
	if letterAt(s, i) {
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
