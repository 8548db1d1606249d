package merge

import (
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/policy"
)

// ends drops the spans that rules found by words where the network found the
// same and sees other ends: rules know cues, the network where a name stops.
// Of 44 words that rules for places and institutions added to what an earlier
// network had found in 857 notes new to both, 2 were PHI; of people 15 of 74,
// so there only what is no name by its letters goes. Two dates of the
// network's within one of a rule's are the ends of a range, which is two
// dates, unless they are one date, cannot be read apart or leave a digit out.
// The rest stays: what only a rule found, and where a pattern says more than
// its words.
//
// spans need no order; their array is used again.
func ends(text string, spans []phi.Span, o Options) []phi.Span {
	var network []phi.Span
	for _, s := range spans {
		if s.Tagger == phi.Network {
			network = append(network, s)
		}
	}
	if len(network) == 0 {
		return spans
	}
	found := phi.NewOverlaps(network, o.looks) // sorted: which of two is met first must not depend on their order
	out := spans[:0]
	for _, s := range spans {
		by, ok := phi.Span{}, false
		if s.Tagger == phi.Rules {
			by, ok = bounded(text, s, found)
		}
		if !ok {
			out = append(out, s)
			continue
		}
		if o.Trace != nil {
			o.Trace(phi.Event{Step: "guards", Before: s, After: by, Why: "the network is trusted more about where it ends"})
		}
	}
	return out
}

// bounded returns the network's span that tells the ends of a rule's, if one does.
func bounded(text string, s phi.Span, network *phi.Overlaps) (phi.Span, bool) {
	category := s.Type.Category()
	var parts []string // of a date, as the network found them
	var last phi.Span
	at, missed := s.Start, false // a digit of the rule's date that the network did not take for one
	for n := range network.Of(s) {
		switch {
		case (category == "NAME" || category == "LOCATION") && !patterned(s.Type) && n.Type.Category() == category &&
			n.Score >= policy.DoubtfulEnds:
			more := text[s.Start:max(s.Start, n.Start)] + " " + text[min(s.End, n.End):s.End]
			place := category == "LOCATION"
			if place && strings.ContainsAny(more, digits) {
				return n, false // a house, a flat or a suite
			}
			return n, (n.Start != s.Start || n.End != s.End) && (place && !named(more) || nameless(more))
		case s.Type == phi.Date && n.Type == phi.Date && s.Start <= n.Start && n.End <= s.End:
			missed = missed || strings.ContainsAny(text[at:max(at, n.Start)], digits)
			parts, last, at = append(parts, text[n.Start:n.End]), n, n.End
		}
	}
	missed = missed || strings.ContainsAny(text[at:s.End], digits)
	return last, len(parts) > 1 && !missed && !oneDate(text[s.Start:s.End], parts...)
}

const digits = "0123456789"

// nameless reports whether words are none that a name has: no capitals but
// those of degrees and titles.
func nameless(words string) bool {
	for _, w := range strings.FieldsFunc(words, func(r rune) bool { return r <= ' ' || r == ',' || r == '.' || r == '(' || r == ')' }) {
		if f := names.Fold(w); !names.Idle[f] && !names.Degrees[f] && !names.Titles[f] && w != strings.ToLower(w) {
			return false
		}
	}
	return true
}

// named reports whether one of the words ends the name of an institution, which
// the network may cut: "Wenfold District Hospital" of "... NHS Trust".
func named(words string) bool {
	for _, w := range strings.Fields(words) {
		if f := names.Fold(strings.Trim(w, ".,()")); names.HospitalHeads[f] || names.SchoolWords[f] || bodies[f] {
			return true
		}
	}
	return false
}

var bodies = names.Set(`nhs trust foundation group system health network services association partners associates ltd inc llc plc co
	company`)
