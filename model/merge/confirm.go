package merge

import (
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/policy"
)

// confirm drops the spans of rules that are no sure patterns where the network
// found something with which they share a byte, and is not doubtful about it:
// there a rule only confirms, and moves neither ends nor type. Unlike ends, it
// asks neither for the same category nor what the bytes are that are lost.
func confirm(spans []phi.Span, o Options) []phi.Span {
	var network []phi.Span
	for _, s := range spans {
		if s.Tagger == phi.Network && s.Score >= policy.WeakNetwork {
			network = append(network, s)
		}
	}
	if len(network) == 0 {
		return spans
	}
	found := phi.NewOverlaps(network, o.looks)
	out := spans[:0:0]
	for _, s := range spans {
		if s.Tagger != phi.Rules || pattern(s) || !found.Any(s) {
			out = append(out, s)
		} else if o.Trace != nil {
			o.Trace(phi.Event{Step: "merge", Before: s, Why: "the rule only confirms what the network found"})
		}
	}
	return out
}
