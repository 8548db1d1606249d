// Package lines joins a note that a table has in several rows, and cuts it again
// where it was cut.
//
// Offsets are bytes, ends exclusive.
package lines

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Most is the highest number that a line may have. What is above it is an id,
// which must not be released as the number of a line.
const Most = 100_000

// Line is one row's part of a note.
type Line struct {
	Number int64
	Text   string
	Null   bool
}

// Note is the lines of a note, in the order of their numbers, as one text. Between
// two lines stands the separator or, where a number is missing, a line end at
// least: what followed may lack its beginning, and must not be read as part of the word
// before.
type Note struct {
	Text string

	lines        []Line
	starts, ends []int
}

// Join joins lines, which are in order.
func Join(lines []Line, separator string) *Note {
	n := &Note{lines: lines, starts: make([]int, len(lines)), ends: make([]int, len(lines))}
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteString(between(lines[i-1], l, separator))
		}
		n.starts[i] = b.Len()
		b.WriteString(l.Text)
		n.ends[i] = b.Len()
	}
	n.Text = b.String()
	return n
}

func between(a, b Line, separator string) string {
	if b.Number != a.Number+1 && !strings.HasSuffix(separator, "\n") {
		return separator + "\n"
	}
	return separator
}

// Gaps returns how many times a number does not follow the one before.
func (n *Note) Gaps() (gaps int) {
	for i := 1; i < len(n.lines); i++ {
		if n.lines[i].Number != n.lines[i-1].Number+1 {
			gaps++
		}
	}
	return gaps
}

// Len returns how many lines the note has.
func (n *Note) Len() int { return len(n.lines) }

// Within counts the places at which the note is cut, and those of them with a letter
// or digit on both sides: cuts within words or, where a blank or line end is lost at
// each, between them.
func (n *Note) Within() (cuts, within int) {
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for i := 1; i < len(n.lines); i++ {
		a, b := n.lines[i-1].Text, n.lines[i].Text
		if a == "" || b == "" {
			continue
		}
		cuts++
		last, _ := utf8.DecodeLastRuneInString(a)
		first, _ := utf8.DecodeRuneInString(b)
		if word(last) && word(first) {
			within++
		}
	}
	return cuts, within
}

// Piece is a part of the text of a note, [Start, End), and what stands in its
// place.
type Piece struct {
	Start, End int
	New        string
}

// Cut is a note after it was rewritten, cut as it was before.
type Cut struct {
	Lines  []string // in the order of the note's; "" of those that are null
	Text   string   // joined again
	Starts []int    // of each piece, where it stands in Text
	Of     []int    // of each piece, the index of the line that has it
}

// Cut puts pieces, in order and disjoint, into the note. What replaces a piece that lies
// over several lines stands wholly in the line in which the piece begins, and the
// others lose their part of it: nothing of what was there stays, and nothing is
// said twice.
func (n *Note) Cut(pieces []Piece) Cut {
	c := Cut{Lines: make([]string, len(n.lines)), Starts: make([]int, len(pieces)), Of: make([]int, len(pieces))}
	parts := make([]strings.Builder, len(n.lines))
	keep := func(from, to int) { // what stands outside of pieces
		for i := sort.Search(len(n.ends), func(i int) bool { return n.ends[i] > from }); i < len(n.lines) && n.starts[i] < to; i++ {
			if a, b := max(from, n.starts[i]), min(to, n.ends[i]); a < b {
				parts[i].WriteString(n.Text[a:b])
			}
		}
	}
	at := 0
	for k, p := range pieces {
		keep(at, p.Start)
		at = p.End
		c.Of[k] = n.lineAt(p.Start)
		c.Starts[k] = parts[c.Of[k]].Len()
		parts[c.Of[k]].WriteString(p.New)
	}
	keep(at, len(n.Text))
	var b strings.Builder
	starts := make([]int, len(parts))
	for i := range parts {
		if i > 0 {
			b.WriteString(n.Text[n.ends[i-1]:n.starts[i]])
		}
		starts[i] = b.Len()
		c.Lines[i] = parts[i].String()
		b.WriteString(c.Lines[i])
	}
	c.Text = b.String()
	for k := range pieces {
		c.Starts[k] += starts[c.Of[k]]
	}
	return c
}

// lineAt returns the line in which a byte of the text stands or, if it stands
// between two, the one before it that is not null.
func (n *Note) lineAt(at int) int {
	i := sort.Search(len(n.ends), func(i int) bool { return n.ends[i] > at })
	if i < len(n.lines) && n.starts[i] <= at {
		return i
	}
	for i--; i > 0 && n.lines[i].Null; i-- {
	}
	if i < 0 || n.lines[i].Null {
		for i = 0; i < len(n.lines)-1 && n.lines[i].Null; i++ {
		}
	}
	return i
}
