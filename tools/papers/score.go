package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
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
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// set is a folder of example notes, and the part of its split.json to take; ""
// for all.
type set struct{ name, folder, part string }

// speed is what a system takes by itself, without what is around it.
type speed struct {
	tokens int
	cpu    time.Duration
}

// score runs a system over some sets. Notes of other parts are not kept.
func (y system) score(ctx context.Context, sets []set, models []string) (*score.Scorer, speed, error) {
	s := score.New(score.Options{})
	var all []tagger.Text
	for _, of := range sets {
		gold, patients, err := of.read(ctx)
		if err != nil {
			return nil, speed{}, err
		}
		cfg, err := of.configuration(ctx, models)
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
			doc := score.Document{ID: of.name + "/" + id, Text: d.text, Gold: d.gold}
			for _, p := range spans[id] {
				doc.System = append(doc.System, score.Annotation{Start: p.Start, End: p.End, Category: p.Type.Category(), Label: p.Type.String()})
			}
			if _, err := s.Add(doc); err != nil {
				return nil, speed{}, err
			}
		}
	}
	took, err := measure(models, all)
	return s, took, err
}

// annotated is a note as annotators left it.
type annotated struct {
	text string
	gold []score.Annotation
}

// read returns the notes of the set's part, and their patients.
func (of set) read(ctx context.Context) (map[string]annotated, map[string]bool, error) {
	split := map[string][]string{}
	if of.part != "" {
		raw, err := os.ReadFile(filepath.Join(of.folder, "split.json"))
		if err == nil {
			err = json.Unmarshal(raw, &split)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	notes, patients := map[string]annotated{}, map[string]bool{}
	for d, err := range corpus.Read(ctx, corpus.Parquet, of.folder, corpus.ReadOptions{}) {
		if err != nil {
			return nil, nil, err
		}
		if of.part != "" && d.Split != of.part && !slices.Contains(split[of.part], d.Patient) {
			continue
		}
		if d.Patient == "" {
			d.Patient = deid.OrphanPatient(d.ID)
		}
		patients[d.Patient] = true
		gold := []score.Annotation{}
		for _, a := range d.Annotations {
			t, err := phi.ParseType(a.Label)
			if err != nil {
				return nil, nil, err
			}
			gold = append(gold, score.Annotation{Start: a.Start, End: a.End, Category: t.Category(), Label: a.Label})
		}
		notes[d.ID] = annotated{d.Text, gold}
	}
	return notes, patients, nil
}

// configuration returns a job's configuration with default settings, but that models by
// themselves are scored as their cards are, without a bias. Rules alone have the small
// network beside them, whose spans are not looked at.
func (of set) configuration(ctx context.Context, models []string) (transforms.Config, error) {
	const key = "PALIMPSEST_PAPERS_KEY"
	if err := os.Setenv(key, strings.Repeat("no surrogate is drawn here ", 2)); err != nil {
		return transforms.Config{}, err
	}
	if len(models) == 0 {
		models = []string{"en-clinical-fast"}
	}
	o := pipeline.DefaultOptions()
	o.Input, o.Identifiers = []string{filepath.Join(of.folder, "notes.parquet")}, filepath.Join(of.folder, "identifiers.parquet")
	o.Model, o.Key, o.Output, o.Private, o.Beside = strings.Join(models, ","), "env:"+key, "unused", "unused-private", true
	cfg, err := pipeline.NewConfig(o)
	if err != nil {
		return cfg, err
	}
	cfg.Columns.Others = table.OthersAsIs // nothing is released
	return pipeline.PrepareTaggers(ctx, cfg)
}

// measure tags texts with the models once more, on one goroutine, and tells the
// processor's time, which hardly depends on what else the machine does.
func measure(models []string, texts []tagger.Text) (speed, error) {
	var u tagger.Union
	for _, dir := range models {
		m, err := onnx.LoadModel(func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, name)) })
		if err != nil {
			return speed{}, err
		}
		running, err := m.Run(onnx.Setup{Device: onnx.Device{Provider: onnx.CPU}})
		if err != nil {
			return speed{}, fmt.Errorf("model %s: %w", dir, err)
		}
		u = append(u, tagger.Member{Name: m.Name, Tagger: running.Tagger})
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
