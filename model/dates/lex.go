package dates

import "unicode/utf8"

// maxAtoms bounds what one expression may hold, and so the parser's work.
const maxAtoms = 24

// maxBytes bounds the length of one expression.
const maxBytes = 160

type atomKind byte

// The kinds are letters, so that a run of atoms reads as a shape ("WnMy").
const (
	atomNumber      atomKind = 'n' // one or two digits
	atomYear        atomKind = 'y' // four digits
	atomYearWord    atomKind = 'Y' // two thousand nine
	atomApostrophe  atomKind = 'a' // '14
	atomDecade      atomKind = 'D' // 1970s, 80s
	atomOrdinal     atomKind = 'o' // 4th
	atomOrdinalWord atomKind = 'O' // fourth
	atomMonth       atomKind = 'M'
	atomWeekday     atomKind = 'W'
	atomSeason      atomKind = 'S'
	atomQuarter     atomKind = 'Q' // Q1, 1Q, first quarter
	atomHoliday     atomKind = 'H'
)

// role is what an atom stands for.
type role uint8

const (
	roleNone role = iota
	roleYear
	roleMonth
	roleDay
	roleFirst  // first of two numbers whose order is open
	roleSecond // second of them
	roleBare   // a number alone, known only from its neighbours
	roleWeekday
	roleSeason
	roleQuarter
	roleDecade
	roleHoliday
	roleYearTo // the 14 of winter 2013-14
	numRoles
)

// atom is one part of an expression that a shift may change.
type atom struct {
	kind       atomKind
	role       role
	fixed      bool // cut out of a run of digits: its width never changes
	suffix     int8 // bytes behind an ordinal's digits
	owner      int8 // index of its end in the form
	start, end int16
	val        int32
	holiday    int16 // index into holidays
	spelling   *spelling
}

func (a *atom) width() int { return int(a.end - a.start) }

func letterAt(s string, i int) bool {
	return i < len(s) && (s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z')
}

func digitAt(s string, i int) bool { return i < len(s) && s[i] >= '0' && s[i] <= '9' }

// Classes of gaps other than their own character ('/', '-', '.', ',').
const (
	gapNone  = '_' // nothing
	gapSpace = ' ' // blanks, brackets, soft words, times of day
	gapRange = 'R' // "to", "through", an en dash
	gapList  = 'L' // "and", "&"
)

// lexer cuts an expression into atoms and the gaps around them: gaps[i] is the
// class of what stands before atom i, and the last one of what stands after
// all.
type lexer struct {
	s     string
	ref   *Reference
	atoms []atom
	gaps  []byte
	class byte  // of the gap so far, gapNone for an empty one
	langs uint8 // languages that know all words so far
	clock bool  // the last thing was a time of day
	at    bool  // the last thing was "at" or "@"
	years bool  // the last word was "años" or "década": 90 is a decade
}

// add appends an atom; false where the gap before it or their number is wrong.
func (l *lexer) add(a atom) bool {
	l.closeGap()
	l.atoms = append(l.atoms, a)
	l.class = gapNone
	l.clock, l.at, l.years = false, false, false
	return len(l.atoms) <= maxAtoms
}

// closeGap enters the gap before the next atom. The full stop of an
// abbreviation is not a separator.
func (l *lexer) closeGap() {
	if l.class == '.' && (len(l.atoms) == 0 || l.atoms[len(l.atoms)-1].kind != atomNumber && l.atoms[len(l.atoms)-1].kind != atomYear) {
		l.class = gapSpace
	}
	l.gaps = append(l.gaps, l.class)
}

// set enters a separator into the gap; false for two that contradict.
func (l *lexer) set(c byte) bool {
	switch {
	case l.class == gapNone, l.class == gapSpace, l.class == '.', l.class == c:
		l.class = c
	case l.class == gapRange || l.class == gapList: // "2013, and", "- to"
	case c == gapRange || c == gapList:
		l.class = c
	default:
		return c == '.' || c == ','
	}
	return true
}

func (l *lexer) blank() {
	if l.class == gapNone {
		l.class = gapSpace
	}
}

// run cuts the whole expression; false where it holds what no date does.
func (l *lexer) run() bool {
	s := l.s
	l.class = gapNone
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c >= '0' && c <= '9':
			if end := l.time(i); end > i {
				l.blank()
				l.clock, i = true, end
				continue
			}
			end, ok := l.digits(i)
			if !ok {
				return false
			}
			i = end
		case c|0x20 >= 'a' && c|0x20 <= 'z' || c >= utf8.RuneSelf:
			end, ok := l.wordOrMark(i)
			if !ok {
				return false
			}
			i = end
		default:
			end, ok := l.mark(i)
			if !ok {
				return false
			}
			i = end
		}
	}
	l.closeGap()
	l.dashes()
	return len(l.atoms) > 0
}

// time returns the end of a time of day at s[i], or i.
func (l *lexer) time(i int) int {
	if i > 0 {
		switch l.s[i-1] {
		case ' ', '\t', '\n', '\r', '@', '(', '[', ',', ';', 0xA0: // the last: a no-break space
		case '-':
			if !l.clock && len(l.atoms) < 3 {
				return i
			}
		default:
			return i
		}
	}
	end := clockEnd(l.s, i, l.at && len(l.atoms) > 0)
	if end < len(l.s) && l.s[end] == '/' {
		return i
	}
	return end
}

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
	if l.ref.YearFirst {
		if yearMonth && !(month(2) && day(4)) {
			return end, cut(4, 2)
		}
		return end, cut(2, 2, 2)
	}
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

// wordOrMark reads the word at i, or a character beyond ASCII.
func (l *lexer) wordOrMark(i int) (end int, ok bool) {
	s := l.s
	if h, end, found := matchHoliday(s, i); found {
		if langs := holidays[h].langs; langs != 0 {
			l.langs &= langs
		}
		return end, l.add(atom{kind: atomHoliday, start: int16(i), end: int16(end), holiday: int16(h)})
	}
	end = letterEnd(s, i)
	if end == i {
		return l.mark(i)
	}
	switch c := s[i] | 0x20; {
	case end == i+1 && c == 'd' && len(s) >= i+5 && equalFold(s[i:i+1]+s[i+2:i+3]+s[i+4:i+5], "dob") && s[i+1] == '.' && s[i+3] == '.':
		l.blank()
		return i + 5, true
	case end == i+1 && c == 't' && i > 0 && digitAt(s, i-1) && digitAt(s, i+1):
		e := clockEnd(s, i+1, false)
		if e == i+1 {
			if e = runTimeEnd(s, i); e == i {
				return 0, false
			}
		}
		l.blank()
		l.clock = true
		return e, true
	case end == i+1 && c == 'q' && i+1 < len(s) && s[i+1] >= '1' && s[i+1] <= '4' && !digitAt(s, i+2):
		return i + 2, l.add(atom{kind: atomQuarter, start: int16(i), end: int16(i + 2), val: int32(s[i+1] - '0')})
	}
	w, found := lookUp(s[i:end])
	if !found {
		return end, l.quarterWord(s[i:end])
	}
	if w.number {
		if e, kind, val, sp, ok := spelled(s, i); ok {
			if w.lang != 0 {
				l.langs &= w.lang
			}
			a := atom{kind: kind, start: int16(i), end: int16(e), val: int32(val)}
			if sp != (spelling{}) {
				a.spelling = &sp
			}
			return e, l.add(a)
		}
	}
	if w.lang != 0 {
		l.langs &= w.lang
	}
	switch {
	case w.kind != 0:
		return end, l.add(atom{kind: w.kind, start: int16(i), end: int16(end), val: int32(w.val)})
	case w.join != 0:
		ok = l.set(w.join)
	case w.soft:
		l.blank()
		ok = true
	}
	l.clock = false
	l.at = equalFold(s[i:end], "at")
	l.years = w.years || l.years && (equalFold(s[i:end], "de") || equalFold(s[i:end], "los"))
	return end, ok
}

// quarterWord turns the ordinal before "quarter" into one: "first quarter".
func (l *lexer) quarterWord(w string) bool {
	lang := uint8(inEnglish)
	switch {
	case equalFold(w, "quarter"), equalFold(w, "qtr"):
	case equalFold(w, "trimestre"):
		lang = inSpanish
	default:
		return false
	}
	if len(l.atoms) == 0 || l.class != gapSpace {
		return false
	}
	a := &l.atoms[len(l.atoms)-1]
	if a.kind != atomOrdinal && a.kind != atomOrdinalWord || a.val > 4 {
		return false
	}
	l.langs &= lang
	a.kind = atomQuarter // its own text stays the ordinal's
	l.class = gapNone
	return true
}

// mark reads one character that is neither letter nor digit.
func (l *lexer) mark(i int) (end int, ok bool) {
	s := l.s
	if size := apostrophe(s, i); size > 0 {
		j := i + size
		if !digitAt(s, j) {
			l.blank()
			return j, true
		}
		if !digitAt(s, j+1) || digitAt(s, j+2) {
			return 0, false // would be read as a year, were it of two digits
		}
		a := atom{kind: atomApostrophe, start: int16(i), end: int16(j + 2), val: int32(number(s[j : j+2]))}
		if end, ok := decadeSuffix(s, j+2); ok && a.val%10 == 0 {
			a.kind, a.end = atomDecade, int16(end)
		}
		return int(a.end), l.add(a)
	}
	r, size := rune(s[i]), 1
	if r >= utf8.RuneSelf {
		r, size = utf8.DecodeRuneInString(s[i:])
	}
	end, ok = i+size, true
	at, clock := false, false
	switch r {
	case ' ', '\t', '\n', '\r', '\u00a0', '\u202f', '\u2009', '\u3000':
		l.blank()
		at, clock = l.at, l.clock
	case '@':
		l.blank()
		at = true
	case '(', ')', '[', ']', '\'', '`', '~', '"':
		l.blank()
	case ':':
		// Between digits it is a time that does not exist.
		if i > 0 && digitAt(s, i-1) && digitAt(s, end) {
			return 0, false
		}
		l.blank()
	case '/', '\\', '\u2044', '\u2215', '\uff0f', '|':
		ok = l.set('/')
	case '-', '\u2010', '\u2011', '\u2212', '\uff0d', '_':
		clock = l.clock
		if l.class == '-' {
			l.class = gapRange
		} else {
			ok = l.set('-')
		}
	case '\u2012', '\u2013', '\u2014', '\u2015', '\u2192':
		ok = l.set(gapRange)
	case ',', ';':
		ok = l.set(',')
	case '&', '+':
		ok = l.set(gapList)
	case '.', '\uff0e':
		ok = l.set('.')
	default:
		return 0, false
	}
	l.at, l.clock = at, clock
	return end, ok
}

// dashes reads two equal dashes without blanks between the three parts of a
// full date as hyphens: 2014–03–04.
func (l *lexer) dashes() {
	for k := 1; k+1 < len(l.atoms); k++ {
		if l.gaps[k] != gapRange || l.gaps[k+1] != gapRange {
			continue
		}
		a, b, c := &l.atoms[k-1], &l.atoms[k], &l.atoms[k+1]
		first, second := l.s[a.end:b.start], l.s[b.end:c.start]
		if first != second || len(first) != 3 {
			continue
		}
		switch string([]byte{byte(a.kind), byte(b.kind), byte(c.kind)}) {
		case "ynn", "nny", "nnn", "nMy", "nMn", "Mny", "yMn":
			l.gaps[k], l.gaps[k+1] = '-', '-'
		}
	}
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
