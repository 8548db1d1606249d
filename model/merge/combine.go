package merge

import (
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/cues"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
	"github.com/palimpsest-deid/palimpsest/model/veto"
)

// Options say how the spans of one text are brought together. The zero value
// merges by Union and the default weights, and does nothing else.
type Options struct {
	Mode    Mode     // "" for Union
	Weights *Weights // nil for the default
	Guard   bool     // drop what the network alone found and what is medicine, and a rule's ends where the network's differ
	Trace   func(phi.Event)

	// What follows is for measuring what each part brings; see docs/families.md.
	Without Part     // parts left out
	Vetoes  veto.Set // vetoes left out

	looks *int // counts what is looked at of other spans, for tests
}

// Part is one or several of the small decisions that Combine makes, as bits.
type Part uint16

// The parts, in the order of their work.
const (
	Ends      Part = 1 << iota // a rule's ends give way to the network's
	Confirmed                  // rules that only confirm the network give way to it
	Clip                       // the network's weak spans give way to sure patterns of other kinds
	Within                     // known names give way within longer names of institutions and streets
	Legible                    // spans without letter or digit are dropped
	Whole                      // dates are those that can be moved
	Cues                       // what stands around a span is noted
	Spelled                    // names spelt letter by letter are added
	Misread                    // words that a scanner misread are whole
)

func (o Options) has(p Part) bool { return o.Without&p == 0 }

// Combine resolves the spans of one text, whose tokens are given, into
// disjoint ones in order. The result does not depend on the order of spans,
// which it may change.
func Combine(text string, tokens []token.Token, spans []phi.Span, o Options) []phi.Found {
	w := o.Weights
	if w == nil {
		w = defaults
	}
	if o.Guard {
		spans = veto.Guard(text, tokens, spans, o.Vetoes, o.Trace, o.looks)
		if o.has(Ends) {
			spans = ends(text, spans, o)
		}
	}
	if o.has(Confirmed) {
		spans = confirmed(text, spans, o)
	}
	if o.has(Clip) {
		spans = clip(text, spans, o)
	}
	if o.has(Within) {
		spans = within(text, spans, o)
	}
	merged := merge(spans, o.Mode, w, o.Trace)
	if o.has(Legible) {
		merged = onlyLegible(text, merged, o)
	}
	if o.has(Whole) {
		merged = whole(text, merged, o)
	}
	if o.has(Misread) {
		merged = misread(text, merged, o)
	}
	if o.has(Spelled) {
		merged = spelled(text, merged, o)
	}
	found := make([]phi.Found, len(merged))
	for i, s := range merged {
		found[i].Span = s
	}
	if o.has(Cues) {
		readContext(text, tokens, found)
	}
	return found
}

// onlyLegible drops spans without a letter or digit, such as the comma that is
// left of a date in parts: nothing in them tells anything.
func onlyLegible(text string, spans []phi.Span, o Options) []phi.Span {
	return slices.DeleteFunc(spans, func(s phi.Span) bool {
		if legible(text[s.Start:s.End]) {
			return false
		}
		if o.Trace != nil {
			o.Trace(phi.Event{Step: "merge", Before: s, Why: "it has no letter or digit"})
		}
		return true
	})
}

// readContext notes of disjoint spans where what stands around them leaves no
// doubt that they are PHI, and of names the sex that it tells. No span is dropped, moved or changed.
func readContext(text string, tokens []token.Token, found []phi.Found) {
	for k := range found {
		f := &found[k]
		if i, j := cues.TokensOf(tokens, f.Start, f.End); i <= j {
			f.Cue = cues.Told(text, tokens, i, j, f.Type)
			if phi.IsPerson(f.Type) {
				f.Sex = cues.SexOf(text, tokens, i, j)
			}
		}
	}
}
