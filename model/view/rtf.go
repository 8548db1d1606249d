package view

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// mostGroups is far above any real nesting and keeps a text of braces small in memory.
const mostGroups = 10_000

// group is the state of an RTF group.
type group struct {
	to       *run // where its text goes
	page     int  // code page of its font
	skip     int  // characters behind a \u that stand for it
	fonts    bool // it is, or is in, the table of fonts
	font     int  // of that table, or the current one
	from     int  // where its aside begins in the source; -1 for the main text
	code     bool
	path     bool // of a file, which may have words behind its backslashes
	pairs    bool // of texts that are groups of their own
	apart    bool // from what stands around it
	raised   bool // above or below the line
	running  bool // text that is read, beside the main text, and no address
	date     bool
	dateFrom int // of a group of a date, where its first number begins
	ymd      [3]int
}

// rtfReader reads RTF into a builder.
type rtfReader struct {
	*builder
	s      string
	i      int
	stack  []group
	group  // the current one
	ansi   int
	deff   int // the font of text that names none
	fontCP map[int]int
	high   rune // first half of a pair of \u
	owed   int  // characters to skip behind a \u
	last   rune // that it stands for
	tight  bool
	bad    bool // text stands within a date
	moved  bool // text began or ceased to stand above or below the line
}

// rtf reads the source as RTF.
func (b *builder) rtf() error {
	r := &rtfReader{builder: b, s: b.source, ansi: 1252, fontCP: map[int]int{}}
	r.group = group{to: &b.main, page: ofDefault, skip: 1, from: -1}
	for r.i < len(r.s) {
		if err := r.next(); err != nil {
			return err
		}
		if r.bad {
			return ErrUnreadable
		}
	}
	if len(r.stack) == 0 {
		return nil
	}
	if r.code {
		return ErrUnreadable
	}
	for len(r.stack) > 0 { // groups that nothing closes, of which one may have taken in the text
		r.close(len(r.s))
	}
	for i := range r.aside {
		r.aside[i].code = false
	}
	return nil
}

// next reads one mark or character.
func (r *rtfReader) next() error {
	switch c := r.s[r.i]; c {
	case '{':
		if len(r.stack) == mostGroups {
			return ErrUnreadable
		}
		r.stack = append(r.stack, r.group)
		if r.pairs {
			r.to.made('\n')
		}
		r.group.apart, r.group.raised = false, false
		r.owed, r.tight = 0, false
		r.i++
	case '}':
		r.owed, r.tight = 0, false
		if len(r.stack) > 0 {
			r.close(r.i)
		}
		r.i++
	case '\\':
		return r.control()
	case '\r', '\n':
		r.i++ // says nothing, and ends a control word
		r.tight = false
	case 0: // some programs end their texts so
		if strings.Trim(r.s[r.i:], "\x00 \t\r\n") != "" {
			return ErrEmbedded
		}
		r.i = len(r.s)
	default:
		n := 1
		if c >= utf8.RuneSelf {
			_, n = utf8.DecodeRuneInString(r.s[r.i:])
		}
		if r.owed > 0 && r.standsIn(rune(c)) {
			r.owed--
			r.extend(r.i + n)
			r.i += n
			break
		}
		r.owed = 0
		start := r.i
		for r.i += n; r.i < len(r.s) && strings.IndexByte("{}\\\r\n\x00", r.s[r.i]) < 0; r.i++ {
		}
		r.keep(start, r.i)
	}
	return nil
}

// keep adds text that stands in the source as it is.
func (r *rtfReader) keep(from, to int) {
	n := len(r.to.parts)
	r.bad = r.bad || r.dateFrom > 0
	r.between(r.s[from])
	if r.from >= 0 && !r.running { // it may be an address
		words(r.to, r.s, from, to, percents)
	} else {
		r.to.keep(r.s, from, to)
	}
	if r.tight && len(r.to.parts) > n {
		r.to.parts[n].tight = true
	}
	r.tight = false
}

// between adds a blank between two numbers of which one is raised.
func (r *rtfReader) between(c byte) {
	if r.moved && isDigit(c) {
		r.to.apart()
	}
	r.moved = false
}

// put adds text that the source has between from and to in other words.
func (r *rtfReader) put(text string, from, to int) {
	n := len(r.to.parts)
	r.bad = r.bad || r.dateFrom > 0
	r.between(text[0])
	r.to.atom(text, from, to)
	if r.tight && len(r.to.parts) > n {
		r.to.parts[n].tight = true
	}
}

// extend makes the last atom reach to an end: what stands in for it where it
// cannot be shown is part of it.
func (r *rtfReader) extend(to int) {
	if n := len(r.to.parts); n > 0 && r.to.parts[n-1].atom {
		r.to.parts[n-1].stop = to
	}
}

// close ends the current group, whose text ends at an offset.
func (r *rtfReader) close(at int) {
	g := r.group
	r.group = r.stack[len(r.stack)-1]
	r.stack = r.stack[:len(r.stack)-1]
	r.moved = r.moved || g.raised
	if g.apart && r.group.to == g.to {
		g.to.made('\n')
	}
	if g.date && !r.group.date && g.dateFrom > 0 && g.ymd[0] > 0 {
		g.to.atom(fmt.Sprintf("%04d-%02d-%02d", g.ymd[0], max(1, g.ymd[1]), max(1, g.ymd[2])), g.dateFrom, at)
	}
	if g.from >= 0 && r.group.to != g.to {
		e := asRTF
		if g.date {
			e = asRTFDate
		}
		if strings.TrimSpace(g.to.text.String()) != "" {
			r.aside = append(r.aside, aside{run: run{parts: g.to.parts}, bases: []int{0}, escape: e, code: g.code})
			r.aside[len(r.aside)-1].text.WriteString(g.to.text.String())
		}
	}
}

// away sends the text of the current group behind the main text.
func (r *rtfReader) away(code bool) {
	if len(r.stack) == 0 {
		return
	}
	parent := &r.stack[len(r.stack)-1]
	if r.to == parent.to && !parent.code {
		r.to, r.from = &run{}, r.i
	}
	if r.to.text.Len() == 0 {
		r.code = r.code || code
	}
}

// control reads a control word or symbol.
func (r *rtfReader) control() error {
	start := r.i
	r.i++
	if r.i == len(r.s) {
		r.keep(start, r.i)
		return nil
	}
	c := r.s[r.i]
	if c|0x20 < 'a' || c|0x20 > 'z' {
		return r.symbol(start, c)
	}
	from := r.i
	for r.i < len(r.s) && r.s[r.i]|0x20 >= 'a' && r.s[r.i]|0x20 <= 'z' {
		r.i++
	}
	word := r.s[from:r.i]
	number, has := 0, false
	if d := r.i; d < len(r.s) && (r.s[d] == '-' || isDigit(r.s[d])) {
		for d++; d < len(r.s) && isDigit(r.s[d]); d++ {
		}
		if n, err := strconv.Atoi(r.s[r.i:d]); err == nil {
			number, has, r.i = n, true, d
		}
	}
	if len(word) > 32 || r.i-start > 44 || r.path && word != "u" {
		r.i = start + 1
		r.keep(start, r.i) // no word of RTF
		return nil
	}
	open := true // what follows could be taken in
	if r.i < len(r.s) && r.s[r.i] == ' ' {
		r.i++
		open = false
	}
	if r.owed > 0 {
		r.owed--
		r.extend(r.i)
		r.tight = open
		return nil
	}
	if strings.ToLower(word) != word { // few words of RTF have capitals, and names have
		r.bad = r.bad || r.dateFrom > 0
		to, code := from+len(word), true
		if kindOf(word[0]) == isCapital && !rtfCapitals[word] {
			to, code = len(strings.TrimRight(r.s[:r.i], " ")), false
		}
		b := run{}
		b.keep(r.s, from, to)
		r.aside = append(r.aside, aside{run: run{parts: b.parts}, bases: []int{0}, escape: asCode, code: code})
		r.aside[len(r.aside)-1].text.WriteString(r.s[from:to])
	}
	if n := max(number, -number); n > mostNumber && !longNumbers(word) {
		return ErrUnreadable // somebody's, behind a backslash
	}
	err := r.word(word, number, has, start)
	r.tight = open && r.owed == 0
	return err
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// symbol reads a control symbol, such as \'e9 and \~.
func (r *rtfReader) symbol(start int, c byte) error {
	r.i++
	if c >= utf8.RuneSelf { // \é: the mark alone
		r.i--
		return nil
	}
	if c == '\'' {
		if r.i+2 > len(r.s) {
			r.keep(start, r.i)
			return nil
		}
		v, err := strconv.ParseUint(r.s[r.i:r.i+2], 16, 8)
		if err != nil {
			r.keep(start, r.i)
			return nil
		}
		r.i += 2
		if r.owed > 0 {
			r.owed--
			r.extend(r.i)
			return nil
		}
		err = r.byte(byte(v), start)
		r.tight = false
		return err
	}
	if r.owed > 0 && c != '*' {
		r.owed--
		r.extend(r.i)
		return nil
	}
	switch c {
	case '\\', '{', '}':
		r.put(string(c), start, r.i)
	case '~':
		r.put(" ", start, r.i)
	case '_':
		r.put("-", start, r.i)
	case '-': // where a word may be cut
	case '\n', '\r':
		r.to.made('\n')
	case '*':
		r.away(false)
	case '|', ':':
	default:
		r.put(string(c), start, r.i)
	}
	r.tight = false
	return nil
}
