package deid

import (
	"strings"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/surrogate"
)

// Apply puts the replacements, which must be in order and disjoint, into a text,
// and notes in each where it stands. It panics if they are not: going on would
// release what should have been replaced.
func Apply(text string, all []surrogate.Replacement) string {
	size := len(text)
	at := 0
	for i := range all {
		r := &all[i]
		if r.Start < at || r.End < r.Start || r.End > len(text) {
			panic("deid: replacements overlap, are out of order or beyond the text")
		}
		at = r.End
		size += len(r.New) - (r.End - r.Start)
	}
	var b strings.Builder
	b.Grow(size)
	at = 0
	for i := range all {
		r := &all[i]
		b.WriteString(text[at:r.Start])
		r.OutStart = b.Len()
		b.WriteString(r.New)
		r.OutEnd = b.Len()
		at = r.End
	}
	b.WriteString(text[at:])
	return b.String()
}

// CodePoints converts ascending byte offsets of a text into offsets in Unicode
// code points, in one pass.
type CodePoints struct {
	text         string
	bytes, runes int
}

// NewCodePoints returns a converter for offsets of text.
func NewCodePoints(text string) *CodePoints { return &CodePoints{text: text} }

// At returns the code points before byte offset i, which must not be below the
// one asked before.
func (c *CodePoints) At(i int) int {
	c.runes += utf8.RuneCountInString(c.text[c.bytes:i])
	c.bytes = i
	return c.runes
}
