package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules"
	"github.com/palimpsest-deid/palimpsest/model/score"
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// set is a folder of example notes, and the part of its split.json to take; ""
// for all.
type set struct{ name, folder, part string }

// corpora are some sets of notes, read and tagged once.
type corpora struct {
	language string
	names    []string
	studies  []*deid.Study
	gold     []map[string][]score.Annotation // by document, of each study
	without  map[string][]*deid.Study        // studies with other rules, by the families left out
	coarse   func(phi.Type) phi.Type         // the type that annotations have in place of one; nil for the same
}

// open reads and tags the notes of some sets. Notes of other parts are not kept.
func open(ctx context.Context, sets []set, model string) (*corpora, error) {
	c := &corpora{language: "en", without: map[string][]*deid.Study{}}
	for _, s := range sets {
		cfg, err := configuration(ctx, model, filepath.Join(s.folder, "notes.parquet"), filepath.Join(s.folder, "identifiers.parquet"))
		if err != nil {
			return nil, err
		}
		split := map[string][]string{}
		if s.part != "" {
			raw, err := os.ReadFile(filepath.Join(s.folder, "split.json"))
			if err == nil {
				err = json.Unmarshal(raw, &split)
			}
			if err != nil {
				return nil, err
			}
		}
		gold := map[string][]score.Annotation{}
		patients := map[string]bool{}
		for d, err := range corpus.Read(ctx, corpus.Parquet, s.folder, corpus.ReadOptions{}) {
			if err != nil {
				return nil, err
			}
			if s.part != "" && d.Split != s.part && !slices.Contains(split[s.part], d.Patient) {
				continue
			}
			if d.Patient == "" {
				d.Patient = deid.OrphanPatient(d.ID)
			}
			patients[d.Patient] = true
			gold[d.ID] = annotations(d)
		}
		study, err := transforms.NewStudy(ctx, cfg, func(p string) bool { return patients[p] })
		if err != nil {
			return nil, err
		}
		c.names, c.studies, c.gold = append(c.names, s.name), append(c.studies, study), append(c.gold, gold)
	}
	return c, nil
}

// configuration returns a job's configuration with default settings, ready to tag.
func configuration(ctx context.Context, model, notes, identifiers string) (transforms.Config, error) {
	const key = "PALIMPSEST_FAMILIES_KEY"
	if err := os.Setenv(key, strings.Repeat("no surrogate is drawn here ", 2)); err != nil {
		return transforms.Config{}, err
	}
	o := pipeline.DefaultOptions()
	o.Input, o.Identifiers, o.Model = []string{notes}, identifiers, model
	o.Key, o.Output, o.Private, o.Beside = "env:"+key, "unused", "unused-private", true
	cfg, err := pipeline.NewConfig(o)
	if err != nil {
		return cfg, err
	}
	cfg.Columns.Others = table.OthersAsIs // nothing is released
	cfg, err = pipeline.PrepareTaggers(ctx, cfg)
	return cfg, err
}

func annotations(d corpus.Document) []score.Annotation {
	out := []score.Annotation{}
	for _, a := range d.Annotations {
		t, _ := phi.ParseType(a.Label)
		out = append(out, score.Annotation{Start: a.Start, End: a.End, Category: t.Category(), Label: a.Label})
	}
	return out
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
