package deid

import (
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/policy"
)

// chances are what the network thinks of the pairs of numbers of a text (phi.Odds), in order.
type chances []phi.Span

// of returns the chance that a pair is a date; told is false for what is none, or where
// nothing is known of it.
func (c chances) of(s phi.Span) (chance float32, told bool) {
	k, ok := slices.BinarySearchFunc(c, s.Start, func(o phi.Span, start int) int { return o.Start - start })
	if !ok || c[k].End != s.End {
		return 0, false
	}
	return c[k].Score, true
}

// ruleOut reports whether the network all but rules out that a pair is a date.
func (c chances) ruleOut(s phi.Span) bool {
	chance, told := c.of(s)
	return told && chance < policy.NoDate
}

// ruledOut is why a pair is then none.
const ruledOut = "the network all but rules out that these numbers are a date"

// withoutRuledOut drops from spans, whose array it uses again, the pairs that a rule by words
// takes for dates and that the network rules out.
func withoutRuledOut(spans []phi.Span, odds chances, trace func(phi.Event)) []phi.Span {
	if len(odds) == 0 {
		return spans
	}
	return slices.DeleteFunc(spans, func(s phi.Span) bool {
		if s.Tagger != phi.Rules || s.Type != phi.Date || s.Score >= policy.SurePattern || !odds.ruleOut(s) {
			return false
		}
		if trace != nil {
			trace(phi.Event{Step: "rules", Before: s, Why: ruledOut})
		}
		return true
	})
}
