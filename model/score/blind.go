package score

import (
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/token"
)

// Measures that ignore types: they tell what a reader of the output can still
// see, and what he has lost.

// countText counts the tokens of the whole text, those of package token with
// line ends left out. A token is PHI to one side if one of its spans overlaps
// the token by a byte at least.
func (s *Scorer) countText(text string) {
	s.text = token.Tokenize(s.text[:0], text)
	c := &s.sums[blindColumn]
	g, y := 0, 0
	n := 0
	for _, t := range s.text {
		if t.Class == token.Newline {
			continue
		}
		n++
		add(c, touches(s.unions[goldSide], &g, int(t.Start), int(t.End)),
			touches(s.unions[systemSide], &y, int(t.Start), int(t.End)))
	}
	s.tokens += n
	s.over.FreeTokens += n - c.TP - c.FN
	s.over.LostTokens += c.FP
}

// countCharacters counts the code points that the spans of either side cover,
// and recall by document.
func (s *Scorer) countCharacters(text string) {
	c := &s.sums[characterColumn]
	exposed := false
	sweep(s.unions[goldSide], s.unions[systemSide], func(start, end int, g, sys bool) {
		n := utf8.RuneCountInString(text[start:end])
		switch {
		case g && sys:
			c.TP += n
		case sys:
			c.FP += n
		default:
			c.FN += n
			exposed = exposed || hasAlphanumeric(text[start:end])
		}
	})
	if len(s.spans[goldSide]) == 0 {
		return
	}
	s.documents.WithPHI++
	if !exposed {
		s.documents.Covered++
	}
	if s.sums[strictColumns[0]].FN == 0 {
		s.documents.Strict++
	}
	at, touched := 0, true
	for _, x := range s.spans[goldSide] {
		touched = touched && (x.start == x.end || touches(s.unions[systemSide], &at, x.start, x.end))
	}
	if touched {
		s.documents.Touched++
	}
}

// sweep calls f for each stretch of bytes that a or b or both cover.
func sweep(a, b []interval, f func(start, end int, inA, inB bool)) {
	at := 0
	for len(a) > 0 || len(b) > 0 {
		inA := len(a) > 0 && a[0].start <= at
		inB := len(b) > 0 && b[0].start <= at
		if !inA && !inB {
			at = nearest(a, b, func(i interval) int { return i.start })
			continue
		}
		next := nearest(a, b, func(i interval) int {
			if i.start > at {
				return i.start
			}
			return i.end
		})
		f(at, next, inA, inB)
		at = next
		if len(a) > 0 && a[0].end <= at {
			a = a[1:]
		}
		if len(b) > 0 && b[0].end <= at {
			b = b[1:]
		}
	}
}

func nearest(a, b []interval, of func(interval) int) int {
	switch {
	case len(a) == 0:
		return of(b[0])
	case len(b) == 0:
		return of(a[0])
	default:
		return min(of(a[0]), of(b[0]))
	}
}
