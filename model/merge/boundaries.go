package merge

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/policy"
)

// clip takes from the network's weak spans what a sure pattern of another kind
// has, so that "Z stamp", taken for a name, does not widen the timestamp that
// ends in Z and spoil its form. Of one kind, they are one thing: the longer
// span is a number or date that the pattern found in part, unless only the
// pattern's can be read as a date ("2-15-24" of "2-15-24 / 9th grade").
func clip(text string, spans []phi.Span, o Options) []phi.Span {
	return cut(text, spans, pattern, func(s, by phi.Span) bool {
		return s.Tagger == phi.Network && s.Score < policy.WeakNetwork && (s.Type.Category() != by.Type.Category() ||
			s.Type == phi.Date && spoils(text[min(s.Start, by.Start):max(s.End, by.End)], text[by.Start:by.End]))
	}, o)
}

// spoils reports whether a date has its day, month and year, and cannot be read in
// the longer text that holds it.
func spoils(longer, date string) bool {
	r, full := dates.Read(date)
	_, whole := dates.Read(longer)
	return full && r.Days && r.Years == r.Dates && !whole
}

// pattern reports whether a rule is sure of a span by its form.
func pattern(s phi.Span) bool {
	return s.Tagger == phi.Rules && s.Score >= policy.SurePattern && patterned(s.Type)
}

// cut takes from the spans that give way to another what that one has, if it
// holds. What is left of them stays, each part a span of its own, without what
// tells nothing: see appendTrimmed. No word is cut in two: where a scanner made
// "(905) 555-0ll2" of a number, the pattern ends within it.
func cut(text string, spans []phi.Span, holds func(phi.Span) bool, gives func(s, by phi.Span) bool, o Options) []phi.Span {
	var holders []phi.Span
	for _, s := range spans {
		if holds(s) {
			holders = append(holders, s)
		}
	}
	if len(holders) == 0 {
		return spans
	}
	found := phi.NewOverlaps(holders, o.looks)
	out := spans[:0:0]
	for _, s := range spans {
		whole := true
		for h := range found.Of(s) {
			if h.End <= s.Start || !gives(s, h) {
				continue // what it has was taken from s already, or it takes nothing
			}
			if h.Start > s.Start && inWord(text, h.Start) || h.End < s.End && inWord(text, h.End) {
				continue
			}
			whole = false
			if h.Start > s.Start {
				before := s
				before.End = h.Start
				out = appendTrimmed(out, text, before)
			}
			s.Start = min(h.End, s.End)
		}
		if whole {
			out = append(out, s)
		} else {
			out = appendTrimmed(out, text, s)
		}
	}
	return out
}

// inWord reports whether letters or digits stand on both sides of byte i.
func inWord(text string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i:])
	return (unicode.IsLetter(before) || unicode.IsDigit(before)) && (unicode.IsLetter(after) || unicode.IsDigit(after))
}

// places tell nothing alone: what is left of "Ward 8" when its number is a room's.
var places = names.Set("ward room rm bed unit bay floor")

// appendTrimmed appends s without blanks at its edges and, of a date, without the signs
// there; but nothing where that leaves a single letter of a date, or one of places.
func appendTrimmed(dst []phi.Span, text string, s phi.Span) []phi.Span {
	part, edges := text[s.Start:s.End], " \t"
	if s.Type == phi.Date {
		edges = " \t/,-"
	}
	s.Start += len(part) - len(strings.TrimLeft(part, edges))
	s.End = s.Start + len(strings.Trim(part, edges))
	if s.Type == phi.Date && s.End-s.Start < 2 && !(s.Start < s.End && digit(text[s.Start])) {
		return dst // the l of "Col", which a scanner left; a digit may be a day
	}
	if s.Start < s.End && !(s.End-s.Start < 6 && places[strings.ToLower(text[s.Start:s.End])]) {
		dst = append(dst, s)
	}
	return dst
}
