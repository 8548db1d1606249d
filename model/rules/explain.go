package rules

import (
	"cmp"
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// Match is one accepted match of one rule, before rules are weighed against
// each other.
type Match struct {
	phi.Span
	Rule string // its name in the pack
}

// Matches returns the accepted matches of all rules in a text, overlaps
// included, by start, end and rule: what Tag resolves into spans.
func (m *Matcher) Matches(text string, tokens []token.Token) []Match {
	m.find(text, tokens)
	out := make([]Match, len(m.found))
	for i, c := range m.found {
		out[i] = Match{phi.Span{Start: c.Start, End: c.End, Type: c.Type, Tagger: phi.Rules, Score: c.Score}, m.rules.name(c.Rule)}
	}
	slices.SortFunc(out, func(a, b Match) int {
		return cmp.Or(a.Start-b.Start, a.End-b.End, cmp.Compare(a.Rule, b.Rule))
	})
	return out
}

// name returns a rule's name by its number among all of the pack.
func (r *Rules) name(n int) string {
	if n < len(r.pack.Rules) {
		return r.pack.Rules[n].Name
	}
	if n -= len(r.pack.Rules); n < len(r.pack.Triggered) {
		return r.pack.Triggered[n].Name
	}
	return "a word list of the site"
}
