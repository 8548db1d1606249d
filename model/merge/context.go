package merge

import (
	"github.com/palimpsest-deid/palimpsest/model/cues"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// readContext notes of disjoint spans where what stands around them leaves no
// doubt and, with o.Correct, mends their types by it (Lee et al. 2017, section
// 3.3.4, second step). No span is dropped or moved: a wrong type costs a
// surrogate its plausibility, a dropped span somebody's privacy. The paper
// drops states that no dictionary has; here they become cities.
func readContext(text string, tokens []token.Token, found []phi.Found, o Options) {
	for k := range found {
		f := &found[k]
		i, j := cues.TokensOf(tokens, f.Start, f.End)
		if i > j {
			continue
		}
		typ, cue, why := cues.ContextType(text, tokens, i, j, f.Span)
		f.Cue = cue
		if typ == f.Type || !o.Correct {
			continue
		}
		before := f.Span
		f.Type = typ
		if o.Trace != nil {
			o.Trace(phi.Event{Step: "correction", Before: before, After: f.Span, Why: why})
		}
	}
}
