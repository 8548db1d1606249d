package features

import (
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/token"
)

// findPlaces says of each token where it stands: in its chunk, line, section, note.
func (x *Extractor) findPlaces() {
	x.places = slices.Grow(x.places[:0], len(x.tokens))[:len(x.tokens)]
	clear(x.places)
	x.findChunks()
	var above, section *part
	lines := 0
	for start := 0; start < len(x.tokens); {
		end := start
		for end < len(x.tokens) && x.tokens[end].Class != token.Newline {
			end++
		}
		if end > start {
			x.findLine(start, end, lines, above, section)
			lines++
		}
		above = nil
		if end > start && x.of[end-1].word.text == ":" {
			above = x.wordsBefore(end-1, start)
			section = above
		} else if x.heading(start, end) {
			section = x.wordsBefore(end, start)
		}
		if end < len(x.tokens) { // the line end itself
			p := &x.places[end]
			p.first, p.length, p.back, p.line = x.count(end-start, 4), x.count((end-start)/3, 5), x.none, x.count(lines, 5)
			end++
		}
		start = end
	}
}

// findLine fills in the places of one line's tokens.
func (x *Extractor) findLine(start, end, lines int, above, section *part) {
	var label, last *part
	colon := start
	for i := start; i < end; i++ {
		p := &x.places[i]
		p.above, p.section = above, section
		p.first, p.length = x.count(i-start, 4), x.count((end-start)/3, 5)
		p.back, p.line = x.count(end-1-i, 3), x.count(lines, 5)
		p.label, p.last = label, last
		if label != nil {
			p.colon = x.count(i-colon, 6)
		}
		if x.of[i].word.text == ":" && i > start && x.of[i-1].letters {
			label, last, colon = x.wordsBefore(i, start), x.of[i-1].word, i+1
		}
	}
}

// wordsBefore returns up to three words that end before token i, not before start and
// not beyond a wide gap, as between columns.
func (x *Extractor) wordsBefore(i, start int) *part {
	from := i
	for from > start && i-from < 3 && x.of[from-1].letters && (from == i || x.tokens[from].Start-x.tokens[from-1].End < 2) {
		from--
	}
	if from == i {
		return nil
	}
	words := make([]string, 0, 3)
	for _, f := range x.of[from:i] {
		words = append(words, f.word.text)
	}
	return x.part(strings.Join(words, inner))
}

// heading reports whether a line looks like one: a few words in capitals.
func (x *Extractor) heading(start, end int) bool {
	if end == start || end-start > 6 {
		return false
	}
	letters := 0
	for _, t := range x.tokens[start:end] {
		switch t.Class {
		case token.Upper:
			letters += int(t.End - t.Start)
		case token.Symbol, token.Initial:
		default:
			return false
		}
	}
	return letters >= 3
}

// findChunks gives each token the shape of what stands between blanks around it.
func (x *Extractor) findChunks() {
	for start := 0; start < len(x.tokens); {
		end := start + 1
		for end < len(x.tokens) && !x.tokens[end].Space {
			end++
		}
		chunk := x.chunk(start, end)
		for i := start; i < end; i++ {
			x.places[i].chunk, x.places[i].inChunk = chunk, x.count(i-start, 8)
		}
		start = end
	}
}

// maxChunk bounds the tokens whose shapes are told.
const maxChunk = 10

func (x *Extractor) chunk(start, end int) *part {
	var b strings.Builder
	for i := start; i < min(end, start+maxChunk); i++ {
		if t := x.tokens[i]; t.Class == token.Digits {
			b.WriteString(strings.Repeat("d", int(min(t.End-t.Start, 6))))
		} else {
			b.WriteString(x.of[i].shape.text)
		}
	}
	if end-start > maxChunk {
		b.WriteByte('+')
	}
	return x.part(b.String())
}
