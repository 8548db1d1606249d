package view

import (
	"strings"
	"unicode/utf8"
)

// builder makes a view.
type builder struct {
	source string
	main   run
	aside  []aside
	seen   map[asideKey]int
}

// run is a text in the making, and where its bytes stand: at and end of parts
// count from its beginning.
type run struct {
	text   strings.Builder
	parts  []part
	angles []int // where it has a "<" that the source has as an entity
}

// aside is a run that stands behind the main text.
type aside struct {
	run
	bases  []int
	escape escape
	code   bool
}

type asideKey struct {
	raw    string
	escape escape
	code   bool
}

// keep adds bytes that stand in the source as they are.
func (r *run) keep(source string, from, to int) {
	if from >= to {
		return
	}
	at := r.text.Len()
	r.text.WriteString(source[from:to])
	if n := len(r.parts); n > 0 && !r.parts[n-1].atom && r.parts[n-1].stop == from && r.parts[n-1].end == at {
		r.parts[n-1].stop, r.parts[n-1].end = to, at+to-from
		return
	}
	r.parts = append(r.parts, part{at: at, end: at + to - from, src: from, stop: to})
}

// atom adds text that something else in the source stands for.
func (r *run) atom(text string, from, to int) {
	if text == "" {
		return
	}
	at := r.text.Len()
	r.text.WriteString(text)
	r.parts = append(r.parts, part{at: at, end: at + len(text), src: from, stop: to, atom: true})
}

// made adds a byte that has no place in the source, unless it stands there
// already.
func (r *run) made(c byte) {
	if s := r.text.String(); s != "" && s[len(s)-1] != c {
		r.text.WriteByte(c)
	}
}

// apart adds a blank behind a digit, where another number begins that is not part of
// the first.
func (r *run) apart() {
	if s := r.text.String(); s != "" && isDigit(s[len(s)-1]) {
		r.text.WriteByte(' ')
	}
}

// put adds a run of the source that stands behind the main text, read by read,
// which gets its bytes; equal ones are added once.
func (b *builder) put(from, to int, e escape, code bool, read func(r *run, source string)) {
	raw := b.source[from:to]
	if strings.TrimSpace(raw) == "" {
		return
	}
	key := asideKey{raw, e, code}
	if i, ok := b.seen[key]; ok {
		b.aside[i].bases = append(b.aside[i].bases, from)
		return
	}
	b.seen[key] = len(b.aside)
	b.aside = append(b.aside, aside{bases: []int{from}, escape: e, code: code})
	read(&b.aside[len(b.aside)-1].run, raw)
}

// asIs reads bytes as they are.
func asIs(r *run, source string) { r.keep(source, 0, len(source)) }

// text puts the view together.
func (b *builder) text(format Format) *Text {
	t := &Text{Format: format, source: b.source}
	var s strings.Builder
	e := asHTML
	if format == RTF {
		e = asRTF
	}
	add := func(r *run, bases []int, e escape) {
		seg := segment{at: s.Len(), bases: bases, parts: r.parts, escape: e}
		for i := range seg.parts {
			seg.parts[i].at += seg.at
			seg.parts[i].end += seg.at
		}
		s.WriteString(r.text.String())
		seg.end = s.Len()
		t.segments = append(t.segments, seg)
	}
	add(&b.main, []int{0}, e)
	for i := range b.aside {
		if a := &b.aside[i]; a.code && speaks(a.text.String()) {
			a.code = false
		}
	}
	for _, code := range []bool{false, true} {
		if code {
			t.Code = s.Len()
		}
		for i := range b.aside {
			if a := &b.aside[i]; a.code == code && a.text.Len() > 0 {
				if s.WriteByte('\n'); len(t.segments) == 1 {
					s.WriteByte('\n')
				}
				add(&a.run, a.bases, a.escape)
			}
		}
	}
	t.Text = s.String()
	return t
}

// valid reports whether decoded bytes are text.
func valid(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }

// fewestWords is how many words in a row are somebody's sentence, and no code.
const fewestWords = 6

// speaks tells whether code holds running words, as comments do: they are for the
// network, too.
func speaks(code string) bool {
	row, letters := 0, 0
	for i := 0; i < len(code); i++ {
		switch c := code[i]; {
		case kindOf(c) != isOther || c >= utf8.RuneSelf:
			letters++
		case c == ' ' && letters > 0:
			if row++; row == fewestWords-1 && i+1 < len(code) && kindOf(code[i+1]) != isOther {
				return true
			}
			letters = 0
		case (c == ',' || c == '.') && letters > 0 && i+1 < len(code) && code[i+1] == ' ':
		default:
			row, letters = 0, 0
		}
	}
	return false
}
