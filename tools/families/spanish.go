package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/phi/schemes"
	"github.com/palimpsest-deid/palimpsest/model/rules"
	"github.com/palimpsest-deid/palimpsest/model/score"
	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
	"github.com/palimpsest-deid/palimpsest/tools/annotated"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// meddocan measures the rules and the steps on MEDDOCAN's dev part, with its labels as i2b2 types;
// those that fit no such type are left out.
func (s settings) meddocan(ctx context.Context, w io.Writer) error {
	if _, err := os.Stat(s.spanish); err != nil {
		fmt.Fprintf(os.Stderr, "families: there are no notes in %s, so Spanish is passed over\n", s.spanish)
		return nil
	}
	c, err := openSpanish(ctx, s.spanish)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\n# Spanish\n\nMEDDOCAN's dev part, read by es-meddocan; each document is a patient's only one.\n")
	all := []row{{table: inRules, name: "all rules", drop: []string{deid.StepRules}}}
	for _, f := range rules.Families("es") {
		all = append(all, row{table: inRules, name: "rules: " + f, families: []string{f}})
	}
	for _, r := range rows() {
		if r.table == inSteps && !r.unknown && !r.exactNames {
			all = append(all, r)
		}
	}
	return c.tables(w, s.wanted(all))
}

func openSpanish(ctx context.Context, folder string) (*corpora, error) {
	cfg, err := annotated.Configuration(ctx, "es-meddocan", "unused.parquet", "")
	if err != nil {
		return nil, err
	}
	mapping := schemes.Between(schemes.MEDDOCAN, schemes.I2B2)
	gold := map[string][]score.Annotation{}
	var ids, texts []string
	for d, err := range corpus.Read(ctx, corpus.Brat, folder, corpus.ReadOptions{}) {
		if err == nil {
			_, err = corpus.Relabel(&d, mapping.Map)
		}
		if err != nil {
			return nil, err
		}
		if gold[d.ID], err = annotated.Gold(d); err != nil {
			return nil, err
		}
		ids, texts = append(ids, d.ID), append(texts, d.Text)
	}
	study, err := transforms.NewStudyOfTexts(ctx, cfg, ids, texts)
	if err != nil {
		return nil, err
	}
	return &corpora{
		language: "es", names: []string{"MEDDOCAN dev"}, studies: []*deid.Study{study},
		gold: []map[string][]score.Annotation{gold}, without: map[string][]*deid.Study{}, coarse: asMEDDOCAN,
	}, nil
}

// asMEDDOCAN returns the type that MEDDOCAN's annotations have in place of one
// that it does not tell apart: a postcode is a place there as a city is.
func asMEDDOCAN(t phi.Type) phi.Type {
	if label, ok := schemes.MEDDOCAN.Of(t); ok && label.Type != phi.None {
		return label.Type
	}
	return t
}
