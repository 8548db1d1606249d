// Package view reads texts that are not plain, HTML and RTF, as plain text, and
// puts what replaces parts of that back into the source, of which every byte
// outside of them stays.
//
// A view is the text that a reader sees, marks left out and escapes decoded, and
// behind it, on lines of their own, all that no reader sees and that may hold
// names nevertheless: attributes, comments, hidden groups, titles, authors,
// scripts. What stands there more than once in the same bytes stands in the view
// once. Nothing of a source is out of sight but the words of the format itself.
//
// Offsets are bytes of UTF-8.
package view

import (
	"cmp"
	"errors"
	"slices"
	"sort"
	"strings"
	"unicode"
)

// Format says how a text is written.
type Format string

// The formats of texts. Those behind RTF are told, not read.
const (
	Plain  Format = "plain"
	HTML   Format = "html"
	RTF    Format = "rtf"
	XML    Format = "xml"
	Base64 Format = "base64"
	JSON   Format = "json"  // with escapes, or other text with letters that are; without, it is plain
	Mixed  Format = "mixed" // RTF behind other text, or quoted
)

// Auto is the setting by which each text's own bytes tell its format.
const Auto Format = "auto"

// Settings lists what a job's texts may be said to be.
func Settings() []string { return []string{string(Auto), string(Plain), string(HTML), string(RTF)} }

// Why a text has no view. The errors quote nothing of it.
var (
	ErrUnreadable = errors.New("view: the text is in a format that is not read")
	ErrEmbedded   = errors.New("view: the text holds pictures, files or other bytes that nobody can look into")
)

// Text is a source and what can be read of it.
type Text struct {
	Text   string // what can be read
	Code   int    // from here on Text is what machines read: styles, scripts, names of attributes
	Format Format

	source   string
	segments []segment // in order of Text; none of a plain text
}

// segment is one run of text: the main one, or one of those behind it.
type segment struct {
	at, end int    // in Text
	bases   []int  // where it stands in the source
	parts   []part // in order, those that have a place in the source
	escape  escape
}

// part is a run of bytes that stand in the source as they are, or an atom: one
// thing there, such as an entity, which is something else in Text.
type part struct {
	at, end   int // in Text
	src, stop int // in the source, from the segment's base on
	atom      bool
	tight     bool // right behind a control word that would take in what follows
}

// escape says how text is written at a place of the source.
type escape uint8

const (
	asHTML      escape = iota // between tags
	asAttribute               // quoted, or not
	asURL
	asCode // where nothing can be escaped: scripts, comments
	asRTF
	asRTFDate // \yr2014\mo3\dy12
)

// FormatOf returns the format that a source is read in by a setting: Auto, a format, or ""
// for plain.
func FormatOf(source string, setting Format) Format {
	switch setting {
	case Auto:
		return Of(source)
	case "":
		return Plain
	}
	return setting
}

// New reads a source as setting says, in the words of FormatOf.
func New(source string, setting Format) (*Text, error) {
	format := FormatOf(source, setting)
	b := builder{source: source, seen: map[asideKey]int{}}
	switch format {
	case Plain:
		return &Text{Text: source, Code: len(source), Format: Plain, source: source}, nil
	case HTML:
		if err := b.html(); err != nil {
			return nil, err
		}
	case RTF:
		if err := b.rtf(); err != nil {
			return nil, err
		}
	default:
		return nil, ErrUnreadable
	}
	t := b.text(format)
	if isEncoded(t.Text, format == RTF) || holdsRTF(t.Text) || holdsBase64(t.Text[:t.Code]) {
		return nil, ErrEmbedded
	}
	return t, nil
}

// Replacement is what stands in place of a part of Text: [Start, End) of it.
type Replacement struct {
	Start, End int
	New        string
}

// Edit is what stands in place of a part of the source, escaped as it must be
// there.
type Edit struct {
	Start, End int
	New        string
	Of         int // the index of the replacement that it is of
}

// Edits returns what to do to the source so that the replacements, which are
// in order and disjoint, stand in Text. Where a part of Text stands in several
// pieces, as when a mark begins within a name, its replacement stands in place of
// the first, and the others go. What has no place in the source, such as the
// line end for a <br>, stays. Edits are in order of the source, disjoint.
func (t *Text) Edits(all []Replacement) []Edit {
	var edits []Edit
	if t.Format == Plain {
		for i, r := range all {
			edits = append(edits, Edit{r.Start, r.End, r.New, i})
		}
		return edits
	}
	s := 0
	for i, r := range all {
		for s < len(t.segments) && t.segments[s].end <= r.Start {
			s++
		}
		placed := false
		for k := s; k < len(t.segments) && t.segments[k].at < r.End; k++ {
			edits, placed = t.edit(edits, &t.segments[k], r, i, placed)
		}
	}
	slices.SortFunc(edits, func(a, b Edit) int { return cmp.Or(a.Start-b.Start, a.End-b.End) })
	return edits
}

// edit appends the edits of one replacement in one segment. placed says that the
// new text stands already, in a segment before.
func (t *Text) edit(edits []Edit, s *segment, r Replacement, of int, placed bool) ([]Edit, bool) {
	first := sort.Search(len(s.parts), func(k int) bool { return s.parts[k].end > r.Start })
	var pieces []Edit
	for k := first; k < len(s.parts) && s.parts[k].at < r.End; k++ {
		p := &s.parts[k]
		from, to := max(p.at, r.Start), min(p.end, r.End)
		e := Edit{p.src + from - p.at, p.src + to - p.at, "", of}
		before, after := "", ""
		if p.atom { // the rest of it stays
			e.Start, e.End = p.src, p.stop
			before, after = t.Text[p.at:from], t.Text[to:p.end]
		}
		text := before + after
		if !placed {
			text = before + r.New + after
			placed = true
		}
		e.New = t.escaped(s, p, e.Start, text)
		if n := len(pieces); n > 0 && pieces[n-1].End == e.Start {
			pieces[n-1].End, pieces[n-1].New = e.End, pieces[n-1].New+e.New
			continue
		}
		pieces = append(pieces, e)
	}
	for _, base := range s.bases {
		for _, e := range pieces {
			e.Start, e.End = base+e.Start, base+e.End
			edits = append(edits, e)
		}
	}
	return edits, placed
}

// escaped returns text as it is written at a place, from the segment's base on.
func (t *Text) escaped(s *segment, p *part, at int, text string) string {
	if text == "" {
		if p.tight && p.src == at && s.escape == asRTF {
			return " " // ends the control word before
		}
		return ""
	}
	before := byte(0)
	if i := s.bases[0] + at - 1; i >= 0 {
		before = t.source[i]
	}
	switch s.escape {
	case asHTML:
		return escapeHTML(text, before, "<>&")
	case asAttribute: // which may be without quotes
		return escapeHTML(text, before, "<>&\"'=` \t\r\n")
	case asURL:
		return escapeURL(text)
	case asRTF:
		if p.tight && p.src == at {
			return " " + escapeRTF(text)
		}
		return escapeRTF(text)
	case asRTFDate:
		return rtfDate(text)
	}
	return escapeCode(text)
}

// Holds reports whether released, which the edits of all made of the source, reads
// as it should: as Text does, with the replacements in it. Blanks and marks do
// not count, nor in which order things stand that no reader sees.
func (t *Text) Holds(released string, all []Replacement) bool {
	if t.Format == Plain {
		return true
	}
	other, err := New(released, t.Format)
	if err != nil {
		return false
	}
	want, got := t.native(all), other.native(nil)
	if want[0] != got[0] {
		return false
	}
	distinct := func(s []string) []string {
		s = slices.DeleteFunc(slices.Clone(s), func(x string) bool { return x == "" })
		slices.Sort(s)
		return slices.Compact(s)
	}
	return slices.Equal(distinct(want[1:]), distinct(got[1:]))
}

// native returns of each segment what stands in the source, without blanks, and
// with the replacements in it.
func (t *Text) native(all []Replacement) []string {
	out := make([]string, len(t.segments))
	placed := make([]bool, len(all))
	r := 0
	for i, s := range t.segments {
		var b strings.Builder
		for _, p := range s.parts {
			at := p.at
			for at < p.end {
				for r < len(all) && all[r].End <= at {
					r++
				}
				k := r
				if k == len(all) || all[k].Start >= p.end {
					b.WriteString(t.Text[at:p.end])
					break
				}
				if all[k].Start > at {
					b.WriteString(t.Text[at:all[k].Start])
				}
				if !placed[k] {
					b.WriteString(all[k].New)
					placed[k] = true
				}
				at = min(p.end, all[k].End)
			}
		}
		out[i] = strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) {
				return -1
			}
			return r
		}, b.String())
	}
	return out
}
