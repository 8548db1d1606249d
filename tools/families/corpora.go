package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules"
	"github.com/palimpsest-deid/palimpsest/model/score"
	"github.com/palimpsest-deid/palimpsest/tools/annotated"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// corpora are some sets of notes, read and tagged once.
type corpora struct {
	language string
	names    []string
	studies  []*deid.Study
	gold     []map[string][]score.Annotation // by document, of each study
	without  map[string][]*deid.Study        // studies with other rules, by the families left out
	coarse   func(phi.Type) phi.Type         // the type that annotations have in place of one; nil for the same
}

// open reads and tags the notes of some sets.
func open(ctx context.Context, sets []annotated.Set, model string) (*corpora, error) {
	c := &corpora{language: "en", without: map[string][]*deid.Study{}}
	for _, s := range sets {
		cfg, err := s.Configuration(ctx, model)
		if err != nil {
			return nil, err
		}
		notes, patients, err := s.Read(ctx)
		if err != nil {
			return nil, err
		}
		gold := map[string][]score.Annotation{}
		for id, n := range notes {
			gold[id] = n.Gold
		}
		study, err := transforms.NewStudy(ctx, cfg, func(p string) bool { return patients[p] })
		if err != nil {
			return nil, err
		}
		c.names, c.studies, c.gold = append(c.names, s.Name), append(c.studies, study), append(c.gold, gold)
	}
	return c, nil
}

// altered returns the same notes with other texts, tagged anew. What is
// annotated keeps its place, so change must keep the length of a text.
func (c *corpora) altered(change func(string) string) (*corpora, error) {
	other := &corpora{language: c.language, names: c.names, gold: c.gold, without: map[string][]*deid.Study{}}
	for _, s := range c.studies {
		t, err := s.Altered(change)
		if err != nil {
			return nil, err
		}
		other.studies = append(other.studies, t)
	}
	return other, nil
}

// result is what one row scored: on all sets together, and on each.
type result struct {
	all  *tally
	each []*tally
}

// run runs the steps behind the taggers as a row says, and scores.
func (c *corpora) run(r row) (*result, error) {
	studies, err := c.ruled(r.families)
	if err != nil {
		return nil, err
	}
	setting := deid.Setting{Known: true, Merge: r.merge, ExactNames: r.exactNames}
	setting.Steps, setting.Known = r.steps(), !r.unknown
	out := &result{all: newTally()}
	for k, study := range studies {
		each := newTally()
		out.each = append(out.each, each)
		seen := 0
		for _, t := range study.Run(setting, nil) {
			gold, ok := c.gold[k][t.Document]
			if !ok {
				return nil, fmt.Errorf("%s: a text has no annotations", c.names[k])
			}
			seen++
			d := score.Document{ID: c.names[k] + "/" + t.Document, Text: t.Text, Gold: gold}
			for _, s := range t.Spans {
				if c.coarse != nil {
					s.Type = c.coarse(s.Type)
				}
				d.System = append(d.System, score.Annotation{Start: s.Start, End: s.End, Category: s.Type.Category(), Label: s.Type.String(),
					Score: s.Score})
			}
			for _, to := range []*tally{out.all, each} {
				if err := to.add(d); err != nil {
					return nil, err
				}
			}
		}
		if seen != len(c.gold[k]) {
			return nil, fmt.Errorf("%s: %d of %d annotated notes were tagged", c.names[k], seen, len(c.gold[k]))
		}
	}
	return out, nil
}

// ruled returns the studies with some families of rules left out.
func (c *corpora) ruled(without []string) ([]*deid.Study, error) {
	if len(without) == 0 {
		return c.studies, nil
	}
	key := strings.Join(without, ",")
	if c.without[key] == nil {
		r, err := rules.Without(c.language, without...)
		if err != nil {
			return nil, err
		}
		for _, s := range c.studies {
			c.without[key] = append(c.without[key], s.WithRules(r.NewMatcher()))
		}
	}
	return c.without[key], nil
}

// notes returns how many notes each set has, for the page.
func (c *corpora) notes() string {
	var all []string
	for k, name := range c.names {
		all = append(all, fmt.Sprintf("%d %s notes", len(c.gold[k]), name))
	}
	return strings.Join(all, " and ")
}
