package dates

import "unicode/utf8"

// digits reads the run of digits at i: a number, a year, an ordinal, a decade,
// a quarter, or a date in one piece.
func (l *lexer) digits(i int) (end int, ok bool) {
	s := l.s
	for end = i; digitAt(s, end); {
		end++
	}
	n := end - i
	a := atom{kind: atomNumber, start: int16(i), end: int16(end)}
	switch n {
	case 1, 2:
		a.val = int32(number(s[i:end]))
		if size := ordinalEnd(s, end); size > 0 {
			a.kind, a.suffix, a.end = atomOrdinal, int8(size), int16(end+size)
			if s[end] >= utf8.RuneSelf || s[end] == '.' {
				l.langs &= inSpanish
			}
			break
		}
		if n == 1 && a.val >= 1 && a.val <= 4 && end < len(s) && s[end]|0x20 == 'q' && !letterAt(s, end+1) {
			a.kind, a.end = atomQuarter, int16(end+1)
			break
		}
		if n == 2 && l.fiscal {
			a.kind = atomApostrophe
			break
		}
		if n == 2 && a.val%10 == 0 {
			if e, ok := decadeSuffix(s, end); ok {
				a.kind, a.end = atomDecade, int16(e)
			} else if l.years {
				a.kind = atomDecade
			}
		}
	case 4:
		a.kind, a.val = atomYear, int32(number(s[i:end]))
		if e, ok := decadeSuffix(s, end); ok && a.val%10 == 0 && a.val >= 1000 {
			a.kind, a.end = atomDecade, int16(e)
		} else if l.years && a.val%10 == 0 && a.val >= 1000 {
			a.kind = atomDecade
		}
	case 6, 8, 10, 12, 14:
		return l.splitRun(i, end)
	default:
		return 0, false
	}
	return int(a.end), l.add(a)
}

// ordinalEnd returns the size of "st", "nd", "rd", "th", "º" or ".º" at i, or 0.
func ordinalEnd(s string, i int) int {
	if i+2 <= len(s) && !letterAt(s, i+2) {
		switch s[i] | 0x20 {
		case 's', 'n', 'r', 't':
			switch string([]byte{s[i] | 0x20, s[i+1] | 0x20}) {
			case "st", "nd", "rd", "th":
				return 2
			}
		}
	}
	j := i
	if j < len(s) && s[j] == '.' {
		j++
	}
	if j+2 <= len(s) && s[j] == 0xC2 && (s[j+1] == 0xBA || s[j+1] == 0xAA || s[j+1] == 0xB0) { // º ª °
		return j + 2 - i
	}
	return 0
}

// splitRun cuts yyyymmdd with or without a time, mmddyyyy, ddmmyyyy, mmddyy,
// ddmmyy, yymmdd or yyyymm. Of six digits the order must be declared, or only
// one order possible.
func (l *lexer) splitRun(i, end int) (int, bool) {
	s := l.s
	cut := func(widths ...int) bool {
		k := i
		for _, w := range widths {
			a := atom{kind: atomNumber, fixed: true, start: int16(k), end: int16(k + w), val: int32(number(s[k : k+w]))}
			if w == 4 {
				a.kind = atomYear
			}
			if !l.add(a) {
				return false
			}
			k += w
		}
		return true
	}
	two := func(k int) int { return number(s[i+k : i+k+2]) }
	year := func(k int) bool { y := number(s[i+k : i+k+4]); return y >= plausibleFirst && y <= 2299 }
	if end-i >= 8 && year(0) && two(4) <= 12 && two(6) <= 31 {
		after := runTimeEnd(s, i+8)
		if end-i > 8 && after < end {
			return 0, false
		}
		return max(after, end), cut(4, 2, 2)
	}
	if end-i == 8 {
		return end, year(4) && cut(2, 2, 4)
	}
	if end-i != 6 {
		return 0, false
	}
	month := func(k int) bool { return two(k) >= 1 && two(k) <= 12 }
	day := func(k int) bool { return two(k) >= 1 && two(k) <= 31 }
	yearMonth := year(0) && month(4)
	switch mdy, dmy, ymd := month(0) && day(2), day(0) && month(2), month(2) && day(4); {
	case mdy || dmy:
		// The order of the numbers is decided as that of 3/4/14 is, but never guessed.
		if l.ref.DayFirst == Unknown && (mdy && dmy || ymd) {
			return 0, false
		}
		return end, cut(2, 2, 2)
	case yearMonth && !ymd:
		return end, cut(4, 2)
	}
	return 0, false
}

// decadeSuffix matches "s" or "'s" at i.
func decadeSuffix(s string, i int) (int, bool) {
	i += apostrophe(s, i)
	if i < len(s) && s[i]|0x20 == 's' && !letterAt(s, i+1) && !digitAt(s, i+1) {
		return i + 1, true
	}
	return 0, false
}

func number(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		n = n*10 + int(s[i]-'0')
	}
	return n
}
