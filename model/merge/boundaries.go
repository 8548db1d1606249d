package merge

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/policy"
)

// clip takes from the network's weak spans what a sure pattern has, so that
// "Z stamp", taken for a name, does not widen the timestamp that ends in Z and
// spoil its form.
func clip(text string, spans []phi.Span, o Options) []phi.Span {
	return cut(text, spans, pattern,
		func(s, _ phi.Span) bool { return s.Tagger == phi.Network && s.Score < policy.WeakNetwork }, o)
}

// yield takes from what rules found by words what the network is sure of and
// holds to be something else, so that "WEDS PND CLINIC", taken for a hospital,
// does not widen a weekday.
func yield(text string, spans []phi.Span, o Options) []phi.Span {
	return cut(text, spans,
		func(s phi.Span) bool { return s.Tagger == phi.Network && s.Score >= policy.WeakNetwork },
		func(s, by phi.Span) bool { return s.Tagger == phi.Rules && !pattern(s) && s.Type != by.Type }, o)
}

// pattern reports whether a rule is sure of a span by its form.
func pattern(s phi.Span) bool {
	return s.Tagger == phi.Rules && s.Score >= policy.SurePattern && patterned(s.Type)
}

// cut takes from the spans that give way to another what that one has, if it
// holds. What is left of them stays, each part a span of its own: no byte is
// lost but blanks at the cut.
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
			if o.Words && (h.Start > s.Start && inWord(text, h.Start) || h.End < s.End && inWord(text, h.End)) {
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

// appendTrimmed appends s without blanks at its edges, if anything is left.
func appendTrimmed(dst []phi.Span, text string, s phi.Span) []phi.Span {
	part := text[s.Start:s.End]
	s.Start += len(part) - len(strings.TrimLeft(part, " \t"))
	s.End -= len(part) - len(strings.TrimRight(part, " \t"))
	if s.Start < s.End && !(s.End-s.Start < 6 && places[strings.ToLower(text[s.Start:s.End])]) {
		dst = append(dst, s)
	}
	return dst
}

// parted cuts the network's names where a sentence ends within them: "Grace
// Young. Grace" is two mentions.
func parted(text string, spans []phi.Span) []phi.Span {
	out := spans[:0:0]
	for _, s := range spans {
		for s.Tagger == phi.Network && phi.IsPerson(s.Type) {
			n, gap := sentenceEnd(text[s.Start:s.End])
			if n == 0 {
				break
			}
			first := s
			first.End = s.Start + n
			s.Start += n + gap
			out = append(out, first)
		}
		out = append(out, s)
	}
	return out
}

// sentenceEnd returns the bytes before the first full stop that ends a
// sentence, and those of it and the blanks behind; 0 if there is none. A stop
// behind an initial, a title or a degree ends none.
func sentenceEnd(s string) (n, gap int) {
	for i := 0; i < len(s); i++ {
		if s[i] != '.' && s[i] != '!' && s[i] != '?' {
			continue
		}
		rest := strings.TrimLeft(s[i+1:], " ")
		next, _ := utf8.DecodeRuneInString(rest)
		if len(rest) == len(s)-i-1 || !unicode.IsUpper(next) {
			continue
		}
		word := s[strings.LastIndexAny(s[:i], " -.")+1 : i]
		if f := names.Fold(word); utf8.RuneCountInString(f) < 4 || names.Titles[f] || names.Degrees[f] || names.Suffixes[f] {
			continue
		}
		return i, len(s) - i - len(rest)
	}
	return 0, 0
}
