package dates

import (
	"strings"
	"unicode/utf8"
)

// maxAtoms bounds what one expression may hold, and so the parser's work.
const maxAtoms = 24

// maxBytes bounds the length of one expression.
const maxBytes = 160

type atomKind byte

// The kinds are letters, so that a run of atoms reads as a shape ("WnMy").
const (
	atomNumber      atomKind = 'n' // one or two digits
	atomYear        atomKind = 'y' // four digits
	atomApostrophe  atomKind = 'a' // '14
	atomDecade      atomKind = 'D' // 1970s, 80s
	atomOrdinal     atomKind = 'o' // 4th
	atomOrdinalWord atomKind = 'O' // fourth
	atomMonth       atomKind = 'M'
	atomWeekday     atomKind = 'W'
	atomSeason      atomKind = 'S'
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
	roleDecade
	roleHoliday
)

// atom is one part of an expression that a shift may change.
type atom struct {
	kind       atomKind
	role       role
	fixed      bool // cut out of a run of digits: its width never changes
	start, end int  // bytes of the expression
	val        int
	holiday    holiday
	owner      int // index of its end in the form
}

func (a atom) width() int { return a.end - a.start }

func letterAt(s string, i int) bool {
	return i < len(s) && (s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z')
}

func digitAt(s string, i int) bool { return i < len(s) && s[i] >= '0' && s[i] <= '9' }

// lex cuts s into atoms. gaps[i] is what stands before atom i, and the last
// one what stands after all; see gapClass.
func lex(s string) (atoms []atom, gaps []byte, ok bool) {
	last := 0 // end of the last atom
	add := func(a atom) bool {
		var before atomKind
		if len(atoms) > 0 {
			before = atoms[len(atoms)-1].kind
		}
		g, good := gapClass(s[last:a.start], before)
		atoms, gaps, last = append(atoms, a), append(gaps, g), a.end
		return good && len(atoms) <= maxAtoms
	}
	for i := 0; i < len(s); {
		switch {
		case digitAt(s, i):
			var split [3]atom
			n := lexDigits(s, i, &split)
			for _, a := range split[:n] {
				if !add(a) {
					return nil, nil, false
				}
			}
			if n == 0 {
				return nil, nil, false
			}
			i = last
		case letterAt(s, i):
			end, kind, val, holiday, isAtom, good := lexWord(s, i)
			if !good {
				return nil, nil, false
			}
			if isAtom && !add(atom{kind: kind, start: i, end: end, val: val, holiday: holiday}) {
				return nil, nil, false
			}
			i = end
		default:
			if size := apostrophe(s, i); size > 0 {
				if j := i + size; digitAt(s, j) && digitAt(s, j+1) && !digitAt(s, j+2) {
					a := atom{kind: atomApostrophe, start: i, end: j + 2, val: number(s[j : j+2])}
					if end, ok := decadeSuffix(s, a.end); ok && a.val%10 == 0 {
						a.kind, a.end = atomDecade, end
					}
					if !add(a) {
						return nil, nil, false
					}
					i = a.end
					continue
				}
				i += size
				continue
			}
			_, size := utf8.DecodeRuneInString(s[i:])
			i += size
		}
	}
	if len(atoms) == 0 {
		return nil, nil, false
	}
	g, good := gapClass(s[last:], atoms[len(atoms)-1].kind)
	return atoms, append(gaps, g), good
}

// lexWord reads the word at i: an atom, or a soft or joining word.
func lexWord(s string, i int) (end int, kind atomKind, val int, h holiday, isAtom, ok bool) {
	if h, end, found := matchHoliday(s, i); found {
		return end, atomHoliday, 0, h, true, true
	}
	for end = i; letterAt(s, end); {
		end++
	}
	w := strings.ToLower(s[i:end])
	if w == "d" && strings.EqualFold(s[i:min(i+5, len(s))], "d.o.b") {
		return i + 5, 0, 0, holiday{}, false, true
	}
	if end < len(s) && s[end] == '-' && (w == "twenty" || w == "thirty") {
		e := end + 1
		for letterAt(s, e) {
			e++
		}
		if v, found := words[strings.ToLower(s[i:e])]; found {
			return e, v.kind, v.val, holiday{}, true, true
		}
	}
	if v, found := words[w]; found {
		return end, v.kind, v.val, holiday{}, true, true
	}
	return end, 0, 0, holiday{}, false, soft[w] || joins[w] != 0
}

// lexDigits reads the run of digits at i and returns the number of atoms: 1,
// 3 for a run-together date, 0 for none.
func lexDigits(s string, i int, out *[3]atom) int {
	end := i
	for digitAt(s, end) {
		end++
	}
	n := end - i
	if n <= 2 {
		out[0] = atom{kind: atomNumber, start: i, end: end, val: number(s[i:end])}
		if end+2 <= len(s) && !letterAt(s, end+2) {
			switch strings.ToLower(s[end : end+2]) {
			case "st", "nd", "rd", "th":
				out[0].kind, out[0].end = atomOrdinal, end+2
			}
		}
	}
	if n == 4 {
		out[0] = atom{kind: atomYear, start: i, end: end, val: number(s[i:end])}
	}
	if n == 2 || n == 4 {
		if e, ok := decadeSuffix(s, end); ok && out[0].val%10 == 0 && (n == 2 || out[0].val >= 1000) {
			out[0].kind, out[0].end = atomDecade, e
		}
	}
	switch n {
	case 1, 2, 4:
		return 1
	case 6, 8:
		return splitRun(s, i, end, out)
	}
	return 0
}

// splitRun cuts yyyymmdd, mmddyyyy, mmddyy, yyyymm or ddmmyy(yy).
func splitRun(s string, i, end int, out *[3]atom) int {
	cut := func(k int, widths ...int) int {
		for j, w := range widths {
			kind := atomNumber
			if w == 4 {
				kind = atomYear
			}
			out[j] = atom{kind: kind, fixed: true, start: k, end: k + w, val: number(s[k : k+w])}
			k += w
		}
		return len(widths)
	}
	plausible := func(y int) bool { return y >= 1800 && y <= 2299 }
	two := func(k int) int { return number(s[i+k : i+k+2]) }
	if end-i == 8 {
		if y := number(s[i : i+4]); plausible(y) && two(4) <= 12 && two(6) <= 31 {
			return cut(i, 4, 2, 2)
		}
		return cut(i, 2, 2, 4)
	}
	a, b := two(0), two(2)
	if y := number(s[i : i+4]); (a > 12 || b > 31 || b == 0) && plausible(y) && two(4) >= 1 && two(4) <= 12 {
		return cut(i, 4, 2)
	}
	return cut(i, 2, 2, 2)
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

// Classes of gaps other than their own character ('/', '-', '.', ',').
const (
	gapNone  = '_' // nothing
	gapSpace = ' ' // blanks, brackets, soft words
	gapRange = 'R' // "to", "through", an en dash
	gapList  = 'L' // "and", "&"
)

// gapClass names what stands between two atoms; before is the kind of the
// atom before it, 0 for none. ok is false where it cannot be part of a date.
func gapClass(g string, before atomKind) (class byte, ok bool) {
	if g == "" {
		return gapNone, true
	}
	class = gapSpace
	set := func(c byte) bool {
		switch {
		case class == gapSpace, class == '.', class == c:
			class = c
		case class == gapRange || class == gapList: // "2013, and", "- to"
		case c == gapRange || c == gapList:
			class = c
		default:
			return c == '.' || c == ','
		}
		return true
	}
	for i := 0; i < len(g); {
		if letterAt(g, i) {
			end := i
			for letterAt(g, end) {
				end++
			}
			if c := joins[strings.ToLower(g[i:end])]; c != 0 && !set(c) {
				return 0, false
			}
			i = end
			continue
		}
		r, size := utf8.DecodeRuneInString(g[i:])
		good := true
		switch r {
		case ' ', '\t', '\n', '\r', '\u00a0', '\u202f', '(', ')', '[', ']', '\'', '`', '\u2018', '\u2019', ':', '~', '"', '@':
		case '/', '\\', '\u2044', '\u2215', '\uff0f', '|':
			good = set('/')
		case '-', '\u2010', '\u2011', '\u2212', '_':
			if class == '-' {
				class = gapRange
			} else {
				good = set('-')
			}
		case '\u2013', '\u2014', '\u2192':
			good = set(gapRange)
		case ',', ';':
			good = set(',')
		case '&', '+':
			good = set(gapList)
		case '.':
			good = set('.')
		default:
			good = false
		}
		if !good {
			return 0, false
		}
		i += size
	}
	// The full stop of an abbreviation is not a separator; nor is one with a
	// blank after a word ("Mar. 4").
	if class == '.' && before != atomNumber && before != atomYear {
		class = gapSpace
	}
	return class, true
}
