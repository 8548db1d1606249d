package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/merge"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/score"
	"github.com/palimpsest-deid/palimpsest/model/tagger"
	"github.com/palimpsest-deid/palimpsest/onnx"
	"github.com/palimpsest-deid/palimpsest/tools/annotated"
	"github.com/palimpsest-deid/palimpsest/tools/cputime"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// speed is what a system takes by itself, without what is around it.
type speed struct {
	tokens int
	cpu    time.Duration
}

// score runs a system over some sets. Models by themselves tag the notes as the job's
// detection does, without a bias; what is around them is a study of the job.
func (y system) score(ctx context.Context, sets []annotated.Set, models []string) (*score.Scorer, speed, error) {
	notes, err := readNotes(ctx, sets)
	if err != nil {
		return nil, speed{}, err
	}
	var found map[string][]phi.Span
	var took speed
	if y.job || len(models) == 0 {
		found, err = y.study(ctx, sets, models)
	} else {
		found, took, err = y.alone(ctx, notes, models)
	}
	if err != nil {
		return nil, speed{}, err
	}
	s := score.New(score.Options{})
	for _, n := range notes {
		doc := score.Document{ID: n.key(), Text: n.text.Text, Gold: n.gold, System: annotations(found[n.key()])}
		if _, err := s.Add(doc); err != nil {
			return nil, speed{}, err
		}
	}
	return s, took, nil
}

// study returns what the job finds in the notes of some sets, or its rules alone, by
// note.key.
func (y system) study(ctx context.Context, sets []annotated.Set, models []string) (map[string][]phi.Span, error) {
	if y.vote {
		models = append([]string{"vote:" + models[0]}, models[1:]...)
	}
	spans := map[string][]phi.Span{}
	for _, of := range sets {
		_, patients, err := of.Read(ctx)
		if err != nil {
			return nil, err
		}
		cfg, err := of.Configuration(ctx, scored(models))
		if err != nil {
			return nil, err
		}
		study, err := transforms.NewStudy(ctx, cfg, func(p string) bool { return patients[p] })
		if err != nil {
			return nil, err
		}
		if y.job {
			for _, t := range study.Run(deid.Setting{Steps: deid.AllSteps(), Known: true}, nil) {
				spans[of.Name+"/"+t.Document] = t.Spans
			}
			continue
		}
		for _, t := range study.Tagged() {
			key := of.Name + "/" + study.Document(t)
			for _, f := range merge.Combine(t.Input.Text, t.Input.Tokens, slices.Clone(t.Rules), merge.Options{Guard: true}) {
				spans[key] = append(spans[key], f.Span)
			}
		}
	}
	return spans, nil
}

// scored names the models of a study. Rules alone have the small network beside them,
// whose spans are not looked at.
func scored(models []string) string {
	if len(models) == 0 {
		return "en-clinical-fast"
	}
	return strings.Join(models, ",")
}

// alone returns what models find, by note.key, on one goroutine, and the processor's
// time, which hardly depends on what else the machine does.
func (y system) alone(ctx context.Context, notes []note, models []string) (map[string][]phi.Span, speed, error) {
	found, took := map[string][]phi.Span{}, speed{}
	tags, err := ready(ctx, models, y.vote)
	if err != nil {
		return nil, took, err
	}
	before := cputime.Used()
	for chunk := range slices.Chunk(notes, 64) {
		var texts []tagger.Text
		for _, n := range chunk {
			texts = append(texts, n.text)
			took.tokens += len(n.text.Tokens)
		}
		spans, err := tags.Tag(texts)
		if err != nil {
			return nil, took, err
		}
		for i, n := range chunk {
			found[n.key()] = spans[i]
		}
	}
	took.cpu = cputime.Used() - before
	return found, took, nil
}

// ready makes models ready to tag, as one.
func ready(ctx context.Context, dirs []string, vote bool) (tagger.Tagger, error) {
	var u tagger.Union
	for _, dir := range dirs {
		m, err := transforms.LoadModel(ctx, dir)
		if err != nil {
			return nil, err
		}
		running, err := m.Run(onnx.Setup{Device: onnx.Device{Provider: onnx.CPU}})
		if err != nil {
			return nil, fmt.Errorf("model %s: %w", dir, err)
		}
		u = append(u, tagger.Member{Name: m.Name, Tagger: running.Tagger})
	}
	if vote {
		return tagger.Vote{Members: u}, nil
	}
	return u, nil
}
