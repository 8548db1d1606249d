package veto

import (
	"github.com/palimpsest-deid/palimpsest/model/cues"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// Guard drops the spans that the network alone found where the text is
// medicine by its shape ("4/5" behind "strength") or by a list of phrases
// ("Rose bengal"). What a rule, the known identifiers or the sweep found, or overlaps,
// stays, and so does a name whose context says beyond doubt that it is one.
// spans need no order; their array is used again. The shapes of without are
// passed over.
func Guard(text string, tokens []token.Token, spans []phi.Span, without Set, trace func(phi.Event), looks *int) []phi.Span {
	var others []phi.Span
	for _, s := range spans {
		if s.Tagger != phi.Network {
			others = append(others, s)
		}
	}
	found := phi.NewOverlaps(others, looks)
	out := spans[:0]
	for _, s := range spans {
		if why := vetoed(text, tokens, s, found, without); why == "" {
			out = append(out, s)
		} else if trace != nil {
			trace(phi.Event{Step: "guards", Before: s, Why: why})
		}
	}
	return out
}

// Medicine reports whether a span is medicine by its shape or its words, as Guard
// would find of one of the network's that stands alone.
func Medicine(text string, tokens []token.Token, s phi.Span) bool {
	s.Tagger = phi.Network
	return vetoed(text, tokens, s, phi.NewOverlaps(nil, nil), 0) != ""
}

// vetoed returns why a span is medicine, or "". others are those of other taggers.
func vetoed(text string, tokens []token.Token, s phi.Span, others *phi.Overlaps, without Set) string {
	if s.Tagger != phi.Network || others.Any(s) {
		return ""
	}
	i, j := cues.TokensOf(tokens, s.Start, s.End)
	if i > j {
		return ""
	}
	for k := i; k <= j; k++ {
		if tokens[k].Class == token.Newline {
			return ""
		}
	}
	cue := cues.Told(text, tokens, i, j, s.Type)
	if category := s.Type.Category(); !without.has(0) && (category == "NAME" || category == "LOCATION" || category == "DATE" ||
		category == "PROFESSION") {
		if ok, sure := clinicalPhrase(text, tokens, i, j); ok && (!cue || sure) {
			return phraseWhy
		}
	}
	if s.Type.Category() == "CONTACT" {
		return ""
	}
	p := newSpot(text, tokens, i, j)
	for k, shape := range shapes {
		if (!cue || shape.cued) && !without.has(k+1) && shape.holds(p, s.Type) {
			return shape.why
		}
	}
	return ""
}

// shapes are tried in this order.
var shapes = []struct {
	why   string
	holds func(p *spot, t phi.Type) bool
	cued  bool // also where its context says that the span is PHI
}{
	{"a fraction of medicine", isFraction, false},
	{"a gene or variant", isGene, false},
	{"an abbreviation of medicine", isAbbreviation, false},
	{"the name of a drug", isDrug, false},
	{"a disease or scale called after somebody", isEponym, false},
	{"a fall to the ground", isTumble, false},
	{"a measured value", isValue, false},
	{"a picture of the retina", isTomography, false},
	{"ranks and degrees", isRank, true},
}

// phraseWhy is the reason of the list of phrases, which goes before the shapes.
const phraseWhy = "a phrase of medicine"

// Set is some of the shapes, and the list of phrases: bit k is that of
// Reasons()[k].
type Set uint32

func (s Set) has(k int) bool { return s>>k&1 != 0 }

// Reasons returns what Guard gives as reasons: one for the list of phrases, one
// for each shape.
func Reasons() []string {
	all := []string{phraseWhy}
	for _, s := range shapes {
		all = append(all, s.why)
	}
	return all
}
