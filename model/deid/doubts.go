package deid

import (
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
	"github.com/palimpsest-deid/palimpsest/model/veto"
)

// What the network is in doubt about (phi.Doubt) goes beside all else and never
// into it: it outranks nothing, is no evidence, and changes no span that would be
// there without it. It is tagged and not given a surrogate, so that a reader can
// tell a word that was lost from one that was replaced.
//
// What it thinks of two numbers (phi.Odds) is no finding at all. It tells whether they may
// be a date where others take them for one.

// findings returns the spans without the doubtful ones and without odds, and these. The array
// of spans stays as it is where there are none.
func findings(spans []phi.Span) (sure, doubts, odds []phi.Span) {
	if !slices.ContainsFunc(spans, func(s phi.Span) bool { return s.Tagger.Aside() }) {
		return spans, nil, nil
	}
	for _, s := range spans {
		switch s.Tagger {
		case phi.Doubt:
			doubts = append(doubts, s)
		case phi.Odds:
			odds = append(odds, s)
		default:
			sure = append(sure, s)
		}
	}
	return sure, doubts, odds
}

// doubts returns what the network is in doubt about in a text and what is neither
// medicine nor measured.
func (s Settings) doubts(text string, tokens []token.Token, spans []phi.Span, trace func(phi.Event)) []phi.Span {
	if !s.Has(StepGuards) {
		return spans
	}
	tell := func(x phi.Span, why string) {
		if trace != nil {
			trace(phi.Event{Step: "guards", Before: x, Why: why})
		}
	}
	var out []phi.Span
	for _, x := range spans {
		if veto.Medicine(text, tokens, x) {
			tell(x, "medicine")
			continue
		}
		pieces := veto.WithoutMeasurements(text, tokens, x)
		if len(pieces) != 1 || pieces[0] != x {
			tell(x, "a value that was measured")
		}
		for _, p := range pieces { // cut out, they may begin with a comma
			p.Start, p.End = trimmed(text, p)
			out = append(out, p)
		}
	}
	return out
}

// beside returns spans, disjoint and in order, with the doubts that overlap none
// of them, in order.
func beside(text string, spans, doubts []phi.Span) []phi.Span {
	if len(doubts) == 0 {
		return spans
	}
	taken := phi.NewOverlaps(slices.Clone(spans), nil)
	for _, d := range doubts {
		if !taken.Any(d) && strings.ContainsFunc(text[d.Start:d.End], letterOrDigit) {
			spans = append(spans, d)
		}
	}
	phi.Sort(spans)
	return spans
}

// setAside takes the doubtful spans and odds out of notes, and returns what puts them back.
func setAside(notes []*Note) (back func()) {
	aside := map[*Note][]phi.Found{}
	for _, n := range notes {
		if !slices.ContainsFunc(n.Spans, func(f phi.Found) bool { return f.Tagger.Aside() }) {
			continue
		}
		var sure []phi.Found
		for _, f := range n.Spans {
			if f.Tagger.Aside() {
				aside[n] = append(aside[n], f)
			} else {
				sure = append(sure, f)
			}
		}
		n.Spans = sure
	}
	return func() {
		for n, spans := range aside {
			n.Spans = append(n.Spans, spans...)
			sortFound(n.Spans)
		}
	}
}
