package merge

import (
	"strings"
	"unicode"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/policy"
)

// confirmed drops the spans of rules that only confirm: all of whose letters
// and digits the network has in spans that it is not doubtful about. There the
// network alone says where spans end and what they are. A rule's span with a
// letter or digit of its own stays whole.
func confirmed(text string, spans []phi.Span, o Options) []phi.Span {
	var network []phi.Span
	for _, s := range spans {
		if s.Tagger == phi.Network && s.Score >= policy.Confirmed {
			network = append(network, s)
		}
	}
	if len(network) == 0 {
		return spans
	}
	found := phi.NewOverlaps(network, o.looks)
	out := spans[:0:0]
	for _, s := range spans {
		if s.Tagger != phi.Rules || !covers(text, s, found) {
			out = append(out, s)
		} else if o.Trace != nil {
			o.Trace(phi.Event{Step: "merge", Before: s, Why: "the rule only confirms what the network found"})
		}
	}
	return out
}

// covers reports whether every letter and digit of s lies within one of the others.
func covers(text string, s phi.Span, others *phi.Overlaps) bool {
	at := s.Start
	for by := range others.Of(s) {
		if by.Start > at && legible(text[at:by.Start]) {
			return false
		}
		at = max(at, by.End)
	}
	return at > s.Start && (at >= s.End || !legible(text[at:s.End]))
}

// legible reports whether s holds a letter or a digit.
func legible(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}
