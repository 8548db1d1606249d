package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules"
	"github.com/palimpsest-deid/palimpsest/model/score"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// addition is what a rule finds that the network does not, in words.
type addition struct {
	matches      int
	right, wrong int // words outside of all of the network's spans: PHI and not
}

// additions writes, for each rule, what it adds to the network, before rules
// are weighed against each other, guards and merging.
func (c *corpora) additions(w io.Writer) {
	by := map[string]*addition{}
	r, err := rules.New(c.language)
	if err != nil {
		return
	}
	m := r.NewMatcher()
	for k, s := range c.studies {
		for _, t := range s.Tagged() {
			gold := c.gold[k][s.Document(t)]
			for _, x := range m.Matches(t.Input.Text, t.Input.Tokens) {
				a := by[x.Rule]
				if a == nil {
					a = &addition{}
					by[x.Rule] = a
				}
				a.matches++
				for _, word := range t.Input.Tokens {
					at := phi.Span{Start: int(word.Start), End: int(word.End)}
					if at.End <= x.Start || x.End <= at.Start || !token.IsWord(word.Class) ||
						slices.ContainsFunc(t.Network, func(n phi.Span) bool {
							return !n.Tagger.Aside() && n.Start < at.End && at.Start < n.End
						}) {
						continue
					}
					if slices.ContainsFunc(gold, func(g score.Annotation) bool { return g.Start < at.End && at.Start < g.End }) {
						a.right++
					} else {
						a.wrong++
					}
				}
			}
		}
	}
	c.writeAdditions(w, by)
}

func (c *corpora) writeAdditions(w io.Writer, by map[string]*addition) {
	fmt.Fprintf(w, "\n## What rules add to the network\n\nWords outside of all of the network's spans in the matches of each family's "+
		"rules, on the same notes: "+
		"how many of them are PHI, and how many are not, before guards and merging. A word that two rules find counts twice.\n\n"+
		"| family | matches | words added | of them PHI | not | more wrong than right | silent here |\n|---|--:|--:|--:|--:|---|--:|\n")
	for _, f := range rules.Families(c.language) {
		var sum addition
		var bad []string
		silent := 0
		for _, name := range rules.Names(c.language, f) {
			a := by[name]
			if a == nil {
				silent++
				continue
			}
			sum.matches, sum.right, sum.wrong = sum.matches+a.matches, sum.right+a.right, sum.wrong+a.wrong
			if a.wrong > a.right {
				bad = append(bad, fmt.Sprintf("%s (%d:%d)", name, a.right, a.wrong))
			}
		}
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %s | %d of %d |\n", f, sum.matches, sum.right+sum.wrong, sum.right, sum.wrong,
			listed(bad), silent, len(rules.Names(c.language, f)))
	}
}

func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
