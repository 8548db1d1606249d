// Package rewrite puts replacements into a text and says where they went.
package rewrite

import (
	"strings"
	"unicode/utf8"
)

// Edit replaces bytes Start to End (exclusive) of a text by New.
type Edit struct {
	Start, End int
	New        string
}

// Placed is where an edit's replacement stands.
type Placed struct {
	Start, End int // bytes of the new text; End is exclusive
}

// Apply makes the edits, which must be in order and disjoint, and returns the
// new text and the place of each replacement in it. It panics if they are not:
// going on would release what should have been replaced.
func Apply(text string, edits []Edit) (string, []Placed) {
	size := len(text)
	at := 0
	for _, e := range edits {
		if e.Start < at || e.End < e.Start || e.End > len(text) {
			panic("rewrite: edits overlap, are out of order or beyond the text")
		}
		at = e.End
		size += len(e.New) - (e.End - e.Start)
	}
	var b strings.Builder
	b.Grow(size)
	placed := make([]Placed, len(edits))
	at = 0
	for i, e := range edits {
		b.WriteString(text[at:e.Start])
		placed[i].Start = b.Len()
		b.WriteString(e.New)
		placed[i].End = b.Len()
		at = e.End
	}
	b.WriteString(text[at:])
	return b.String(), placed
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
