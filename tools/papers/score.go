package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/merge"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/score"
	"github.com/palimpsest-deid/palimpsest/model/tagger"
	"github.com/palimpsest-deid/palimpsest/onnx"
	"github.com/palimpsest-deid/palimpsest/tools/annotated"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// speed is what a system takes by itself, without what is around it.
type speed struct {
	tokens int
	cpu    time.Duration
}

// score runs a system over some sets. Notes of other parts are not kept.
func (y system) score(ctx context.Context, sets []annotated.Set, models []string) (*score.Scorer, speed, error) {
	s := score.New(score.Options{})
	var all []tagger.Text
	for _, of := range sets {
		gold, patients, err := of.Read(ctx)
		if err != nil {
			return nil, speed{}, err
		}
		cfg, err := of.Configuration(ctx, scored(models))
		if err != nil {
			return nil, speed{}, err
		}
		study, err := transforms.NewStudy(ctx, cfg, func(p string) bool { return patients[p] })
		if err != nil {
			return nil, speed{}, err
		}
		spans := map[string][]phi.Span{}
		for _, t := range study.Tagged() {
			all = append(all, t.Input)
			id := study.Document(t)
			spans[id] = t.Network
			if len(models) == 0 {
				spans[id] = nil
				for _, f := range merge.Combine(t.Input.Text, t.Input.Tokens, slices.Clone(t.Rules), merge.Options{Guard: true}) {
					spans[id] = append(spans[id], f.Span)
				}
			}
		}
		if y.job {
			for _, t := range study.Run(deid.Setting{Steps: deid.AllSteps(), Known: true}, nil) {
				spans[t.Document] = t.Spans
			}
		}
		for id, d := range gold {
			doc := score.Document{ID: of.Name + "/" + id, Text: d.Text, Gold: d.Gold}
			for _, p := range spans[id] {
				doc.System = append(doc.System, score.Annotation{Start: p.Start, End: p.End, Category: p.Type.Category(), Label: p.Type.String()})
			}
			if _, err := s.Add(doc); err != nil {
				return nil, speed{}, err
			}
		}
	}
	took, err := measure(ctx, models, all)
	return s, took, err
}

// scored are the models whose spans are scored. Rules alone have the small network beside
// them, whose spans are not looked at.
func scored(models []string) string {
	if len(models) == 0 {
		return "en-clinical-fast"
	}
	return strings.Join(models, ",")
}

// union loads models to run beside one another, without a bias, as their cards score them.
func union(ctx context.Context, models []string) (u tagger.Union, err error) {
	for _, dir := range models {
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
	return u, nil
}

// measure tags texts with the models once more, on one goroutine, and tells the
// processor's time, which hardly depends on what else the machine does.
func measure(ctx context.Context, models []string, texts []tagger.Text) (speed, error) {
	u, err := union(ctx, models)
	if err != nil {
		return speed{}, err
	}
	took := speed{}
	before := used()
	for chunk := range slices.Chunk(texts, 64) {
		if _, err := u.Tag(chunk); err != nil {
			return took, err
		}
		for _, t := range chunk {
			took.tokens += len(t.Tokens)
		}
	}
	took.cpu = used() - before
	return took, nil
}

// used returns the processor's time that the process has had.
func used() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
