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

	looks *int // counts what is looked at of other spans, for tests
}

// Combine resolves the spans of one text, whose tokens are given, into
// disjoint ones in order. The result does not depend on the order of spans,
// which it may change.
func Combine(text string, tokens []token.Token, spans []phi.Span, o Options) []phi.Found {
	w := o.Weights
	if w == nil {
		w = defaults
	}
	spans = parted(text, spans)
	if o.Guard {
		spans = ends(text, veto.Guard(text, tokens, spans, o.Trace, o.looks), o)
	}
	spans = within(text, yield(text, clip(text, spans, o), o), o)
	merged := legible(text, merge(spans, o.Mode, w, o.Trace), o)
	if o.Repair {
		merged = repair(text, tokens, merged, o.Trace)
	}
	found := make([]phi.Found, len(merged))
	for i, s := range merged {
		found[i].Span = s
	}
	readContext(text, tokens, found, o)
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
