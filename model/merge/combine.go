package merge

import (
	"slices"
	"strings"
	"unicode"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
	"github.com/palimpsest-deid/palimpsest/model/veto"
)

// Options say how the spans of one text are brought together. The zero value
// merges by Union and the default weights, and does nothing else.
type Options struct {
	Mode    Mode     // "" for Union
	Weights *Weights // nil for the default
	Correct bool     // mend types by their context
	Repair  bool     // widen names that were found in part
	Guard   bool     // drop what the network alone found and what is medicine, and a rule's ends where the network's differ
	Trace   func(phi.Event)

	// What follows is for measuring what each part brings; see docs/families.md.
	Without Part     // parts left out
	Vetoes  veto.Set // vetoes left out
	Words   bool     // Clip and Yield cut no word in two
	Confirm bool     // where a rule by words only confirms the network, the network's span stands alone

	looks *int // counts what is looked at of other spans, for tests
}

// Part is one or several of the small decisions that Combine makes, as bits.
type Part uint8

// The parts, in the order of their work.
const (
	Parted  Part = 1 << iota // names are cut where a sentence ends within them
	Ends                     // a rule's ends give way to the network's
	Clip                     // the network's weak spans give way to sure patterns
	Yield                    // rules by words give way to the network where it is sure of another type
	Within                   // known names give way within longer names of institutions and streets
	Legible                  // spans without letter or digit are dropped
	Whole                    // dates are those that can be moved
	Cues                     // what stands around a span is noted
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
	if o.has(Parted) {
		spans = parted(text, spans)
	}
	if o.Guard {
		spans = veto.Guard(text, tokens, spans, o.Vetoes, o.Trace, o.looks)
		if o.has(Ends) {
			spans = ends(text, spans, o)
		}
	}
	if o.Confirm {
		spans = confirm(spans, o)
	}
	if o.has(Clip) {
		spans = clip(text, spans, o)
	}
	if o.has(Yield) {
		spans = yield(text, spans, o)
	}
	if o.has(Within) {
		spans = within(text, spans, o)
	}
	merged := merge(spans, o.Mode, w, o.Trace)
	if o.has(Legible) {
		merged = legible(text, merged, o)
	}
	if o.has(Whole) {
		merged = whole(text, merged, o)
	}
	if o.Repair {
		merged = repair(text, tokens, merged, o.Trace)
	}
	found := make([]phi.Found, len(merged))
	for i, s := range merged {
		found[i].Span = s
	}
	if o.has(Cues) {
		readContext(text, tokens, found, o)
	}
	return found
}

// legible drops spans without a letter or digit, such as the comma that is left
// of a date in parts: nothing in them tells anything.
func legible(text string, spans []phi.Span, o Options) []phi.Span {
	return slices.DeleteFunc(spans, func(s phi.Span) bool {
		if strings.ContainsFunc(text[s.Start:s.End], func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
			return false
		}
		if o.Trace != nil {
			o.Trace(phi.Event{Step: "merge", Before: s, Why: "it has no letter or digit"})
		}
		return true
	})
}
