package dates

import "unicode/utf8"

// maxAtoms bounds what one expression may hold, and so the parser's work.
const maxAtoms = 24

// maxBytes bounds the length of one expression.
const maxBytes = 160

// lexer cuts an expression into atoms and the gaps around them: gaps[i] is the
// class of what stands before atom i, and the last one of what stands after
// all.
type lexer struct {
	s      string
	ref    *Reference
	atoms  []atom
	gaps   []byte
	class  byte  // of the gap so far, gapNone for an empty one
	langs  uint8 // languages that know all words so far
	clock  bool  // the last thing was a time of day
	at     bool  // the last thing was "at" or "@"
	unit   bool  // an English "day", "week" and so on stands before all atoms
	years  bool  // the last word was "años" or "década": 90 is a decade
	fiscal bool  // the last word was "FY" or "CY": 19 is a year
}

// add appends an atom; false where the gap before it or their number is wrong.
func (l *lexer) add(a atom) bool {
	l.closeGap()
	l.atoms = append(l.atoms, a)
	l.class = gapNone
	l.clock, l.at, l.years, l.fiscal = false, false, false, false
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
	if l.unit && len(l.atoms) == 1 && l.atoms[0].kind == atomNumber {
		return false // "day 3"
	}
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
	end := clockEnd(l.s, i, l.at && len(l.atoms) > 0 || l.complete())
	if end < len(l.s) && l.s[end] == '/' {
		return i
	}
	return end
}

// complete reports whether a whole date and a blank stand before, so that four
// digits are a time of day: "3/4/14 0915".
func (l *lexer) complete() bool {
	n := len(l.atoms)
	if n < 3 || l.class != gapSpace {
		return false
	}
	same := l.gaps[n-2] == l.gaps[n-1] && in(l.gaps[n-1], "/-.")
	switch string([]byte{byte(l.atoms[n-3].kind), byte(l.atoms[n-2].kind), byte(l.atoms[n-1].kind)}) {
	case "nnn", "nMn", "nny", "ynn":
		return same
	case "Mny", "Moy", "nMy", "oMy":
		return l.gaps[n-1] != gapRange && l.gaps[n-1] != gapList
	}
	return false
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
	if w.counts != 0 && l.class == gapSpace && len(l.atoms) > 0 {
		switch l.atoms[len(l.atoms)-1].kind {
		case atomNumber:
			if len(l.atoms) == 1 {
				return 0, false // "1 week", but not "March 4 night"
			}
		case atomOrdinal, atomOrdinalWord:
			if w.counts == 'w' && (len(l.atoms) < 2 || l.atoms[len(l.atoms)-2].kind != atomMonth) {
				return 0, false // "first week of March", but not "July 4th weekend"
			}
		}
	}
	l.unit = l.unit || w.counts != 0 && w.lang&inEnglish != 0 && len(l.atoms) == 0
	switch {
	case w.kind != 0:
		return end, l.add(atom{kind: w.kind, start: int16(i), end: int16(end), val: int32(w.val)})
	case w.join != 0:
		// "y" and "o" stand alone; in 2O14 the letter is a digit.
		ok = (end > i+1 || (i == 0 || l.class == gapSpace) && end < len(s) && (s[end] == ' ' || s[end] == 0xC2)) && l.set(w.join)
	case w.soft:
		l.blank()
		ok = true
	}
	l.clock = false
	l.at = equalFold(s[i:end], "at")
	l.fiscal = equalFold(s[i:end], "fy") || equalFold(s[i:end], "cy")
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
