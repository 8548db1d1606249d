package merge

import (
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// misread puts the ends of names and places that lie within a word that a scanner misread
// at the ends of the word: tokens end where letters meet digits, and so do the spans of
// "Trex1er" and "YALlNl". What is another span's stays so.
//
// spans are disjoint and in order, and are changed.
func misread(text string, spans []phi.Span, o Options) []phi.Span {
	for i := range spans {
		s := &spans[i]
		if c := s.Type.Category(); c != "NAME" && c != "LOCATION" || s.Type == phi.ZIP || s.Type == phi.Room || s.Type == phi.Username {
			continue
		}
		before := *s
		if from, _, ok := misreadAt(text, s.Start); ok {
			if i > 0 {
				yield(text, &spans[i-1], from)
				from = max(from, spans[i-1].End)
			}
			s.Start = from
		}
		if _, to, ok := misreadAt(text, s.End); ok {
			if s.End = to; i+1 < len(spans) {
				s.End = min(to, spans[i+1].Start)
			}
		}
		if *s != before && o.Trace != nil {
			o.Trace(phi.Event{Step: "merge", Before: before, After: *s, Why: "a word that was misread is whole"})
		}
	}
	return spans
}

// yield takes a word that begins at byte from, and that the next span has the rest of,
// from a span that begins before it: "12 Quarry Rd H0" before "USTON".
func yield(text string, s *phi.Span, from int) {
	if s.Start < from && from < s.End && legible(text[s.Start:from]) {
		s.End = s.Start + len(strings.TrimRight(text[s.Start:from], " \t\r\n,"))
	}
}

// misreadAt returns the word around byte i, if that lies within one that was misread and
// that is no part of a date or number.
func misreadAt(text string, i int) (from, to int, ok bool) {
	if i == 0 || i == len(text) || !isAlnum(text[i-1]) || !isAlnum(text[i]) {
		return i, i, false
	}
	for from = i; from > 0 && isAlnum(text[from-1]); from-- {
	}
	for to = i; to < len(text) && isAlnum(text[to]); to++ {
	}
	joined := digit(text[from]) && from > 0 && strings.IndexByte("/-.:#", text[from-1]) >= 0 ||
		digit(text[to-1]) && to+1 < len(text) && strings.IndexByte("/-.:", text[to]) >= 0 && digit(text[to+1])
	return from, to, !joined && names.Misread(text[from:to])
}

// isAlnum reports whether a byte is of a letter or a digit.
func isAlnum(c byte) bool {
	return digit(c) || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 0x80
}
