package main

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"github.com/palimpsest-deid/palimpsest/model/score"
	"github.com/palimpsest-deid/palimpsest/model/tagger"
	"github.com/palimpsest-deid/palimpsest/model/token"
	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
)

// spanish are the systems of the Spanish table, models by themselves.
var spanish = []system{
	{name: "BiLSTM-CRF", models: []string{"es-meddocan"}},
	{name: "BiLSTM-CRF, contextual string embeddings", models: []string{"es-contextual"}},
	{name: "Feature CRF", models: []string{"es-crf"}},
	{name: "CRF + BiLSTM-CRF", models: []string{"es-meddocan", "es-crf"}},
}

// meddocan scores models on MEDDOCAN's dev part by its official metric.
func (s settings) meddocan(ctx context.Context, out *bytes.Buffer) error {
	if _, err := os.Stat(s.spanish); err != nil {
		fmt.Fprintln(os.Stderr, "papers: MEDDOCAN's dev part is passed over, as it is missing")
		return nil
	}
	out.WriteString("\n## MEDDOCAN, dev, by its official metric\n\nModels by themselves, without rules, in MEDDOCAN's own types.\n\n" +
		"| system | entities P | R | F1 | spans F1 | merged F1 |\n|---|--:|--:|--:|--:|--:|\n")
	for _, y := range spanish {
		if !s.rows.MatchString(y.name) {
			continue
		}
		dirs, ok := s.find(y.models)
		if !ok {
			continue
		}
		r, err := s.scoreSpanish(ctx, dirs)
		if err != nil {
			return fmt.Errorf("%s: %w", y.name, err)
		}
		fmt.Fprintf(out, "| %s | %.1f | %.1f | %.1f | %.1f | %.1f |\n", y.name, 100*r.NER.Micro.Precision, 100*r.NER.Micro.Recall,
			100*r.NER.Micro.F1, 100*r.Spans.Micro.F1, 100*r.Merged.Micro.F1)
	}
	return nil
}

func (s settings) scoreSpanish(ctx context.Context, dirs []string) (score.MEDDOCAN, error) {
	u, err := ready(ctx, dirs, false)
	if err != nil {
		return score.MEDDOCAN{}, err
	}
	scorer := score.New(score.Options{})
	for d, err := range corpus.Read(ctx, corpus.Brat, s.spanish, corpus.ReadOptions{}) {
		if err != nil {
			return score.MEDDOCAN{}, err
		}
		found, err := u.TagKinds([]tagger.Text{{Text: d.Text, Tokens: token.Tokenize(nil, d.Text)}})
		if err != nil {
			return score.MEDDOCAN{}, err
		}
		doc := score.Document{ID: d.ID, Text: d.Text}
		for _, a := range d.Annotations {
			doc.Gold = append(doc.Gold, score.Annotation{Start: a.Start, End: a.End, Label: a.Label})
		}
		for _, f := range found[0] {
			doc.System = append(doc.System, score.Annotation{Start: f.Start, End: f.End, Label: f.Kind})
		}
		if _, err := scorer.Add(doc); err != nil {
			return score.MEDDOCAN{}, err
		}
	}
	return scorer.Result().MEDDOCAN, nil
}
