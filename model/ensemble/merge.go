// Package ensemble brings together what several taggers found: within one
// text, where spans overlap, and across all the texts of a patient, where a
// name that is sure in one note is looked for in the others.
package ensemble

import (
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// Merge resolves the spans of one text into disjoint ones, in order. Spans
// that share a byte become one span that covers them all, so that no byte of
// any of them survives; its type, tagger and score are those of the span that
// is trusted most. Spans that only touch stay apart: "Smith" and "4/12" in
// "Smith4/12" are two. The input is sorted in place; empty spans are dropped.
func Merge(spans []phi.Span) []phi.Span {
	phi.Sort(spans)
	merged := spans[:0]
	var best phi.Span // of the cluster that merged ends with
	for _, s := range spans {
		if s.End <= s.Start {
			continue
		}
		if n := len(merged); n > 0 && s.Start < merged[n-1].End {
			last := &merged[n-1]
			last.End = max(last.End, s.End)
			if outranks(s, best) {
				best = s
				last.Type, last.Tagger, last.Score = s.Type, s.Tagger, s.Score
			}
			continue
		}
		merged = append(merged, s)
		best = s
	}
	return merged
}

// outranks reports whether a decides the type of a cluster rather than b.
func outranks(a, b phi.Span) bool {
	if x, y := trust(a), trust(b); x != y {
		return x > y
	}
	if x, y := a.End-a.Start, b.End-b.Start; x != y {
		return x > y
	}
	if a.Score != b.Score {
		return a.Score > b.Score
	}
	return a.Type < b.Type
}

// sure is the score from which a rule names a type that nothing else has the
// form of, such as an e-mail address.
const sure = 0.9

func trust(s phi.Span) int {
	switch s.Tagger {
	case phi.Rules:
		if s.Score >= sure && patterned(s.Type) {
			return 4
		}
		return 1
	case phi.Census:
		return 3
	case phi.Network:
		return 2
	default:
		return 0
	}
}

// patterned reports whether a type is told by its form.
func patterned(t phi.Type) bool {
	switch t.Category() {
	case "CONTACT", "ID", "DATE", "AGE":
		return true
	}
	return t == phi.ZIP
}
