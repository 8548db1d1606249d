package merge

import (
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/policy"
)

// within drops the known names and towns that stand within what the network takes for
// the longer name of an institution or a street: "Cruz" of "Santa Cruz Pecan
// Growers" is no person there, the patient's "Irvington" of "Irvington Tech" no town,
// and would make the whole of it one. The longer
// span covers every byte of the name, and its surrogate keeps no word that is
// a name of the patient's. A span that is longer by titles or small letters
// alone does not count, and none that a kind of release may leave as it is,
// such as a city. As about ends, the network need not be sure: a wrong type
// costs the surrogate its plausibility and hides no less.
//
// Only for Union, where nothing that is found is lost.
func within(text string, spans []phi.Span, o Options) []phi.Span {
	if o.Mode != Union && o.Mode != "" {
		return spans
	}
	var longer []phi.Span
	known := false
	for _, s := range spans {
		known = known || s.Tagger == phi.Known && nameable(s.Type)
		if s.Tagger == phi.Network && s.Score >= policy.DoubtfulEnds && isNamedThing(s.Type) {
			longer = append(longer, s)
		}
	}
	if !known || len(longer) == 0 {
		return spans
	}
	found := phi.NewOverlaps(longer, o.looks)
	out := spans[:0:0]
	for _, s := range spans {
		by, ok := phi.Span{}, false
		if s.Tagger == phi.Known && nameable(s.Type) {
			by, ok = enclosing(text, s, found)
		}
		if !ok {
			out = append(out, s)
		} else if o.Trace != nil {
			o.Trace(phi.Event{Step: "merge", Before: s, After: by, Why: "it is part of a longer name that is no person's"})
		}
	}
	return out
}

// nameable reports whether institutions are called after what a type is of.
func nameable(t phi.Type) bool { return phi.IsPerson(t) || t == phi.City || t == phi.State }

// isNamedThing reports whether a type is of things that are called by names
// and words, and that no kind of release leaves as they are.
func isNamedThing(t phi.Type) bool {
	switch t {
	case phi.Hospital, phi.Organization, phi.Department, phi.LocationOther, phi.Street:
		return true
	}
	return false
}

// enclosing returns the span that s is a part of, with words of its own beside s.
func enclosing(text string, s phi.Span, longer *phi.Overlaps) (phi.Span, bool) {
	for h := range longer.Of(s) {
		if h.Start <= s.Start && s.End <= h.End && !nameless(text[h.Start:s.Start]+" "+text[s.End:h.End]) {
			return h, true
		}
	}
	return phi.Span{}, false
}
