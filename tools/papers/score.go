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

// score runs a system over some sets. Models by themselves tag the notes as the job's
// detection does, without a bias; what is around them is a study of the job.
func (y system) score(ctx context.Context, sets []set, models []string) (*score.Scorer, speed, error) {
	notes, err := readNotes(ctx, sets)
	if err != nil {
		return nil, speed{}, err
	}
	var found map[string][]phi.Span
	var took speed
	if y.job || len(models) == 0 {
		found, err = y.study(ctx, sets, models)
	} else {
		found, took, err = y.alone(notes, models)
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
func (y system) study(ctx context.Context, sets []set, models []string) (map[string][]phi.Span, error) {
	if y.vote {
		models = append([]string{"vote:" + models[0]}, models[1:]...)
	}
	spans := map[string][]phi.Span{}
	for _, of := range sets {
		_, patients, err := of.read(ctx)
		if err != nil {
			return nil, err
		}
		cfg, err := of.configuration(ctx, models)
		if err != nil {
			return nil, err
		}
		study, err := transforms.NewStudy(ctx, cfg, func(p string) bool { return patients[p] })
		if err != nil {
			return nil, err
		}
		if y.job {
			for _, t := range study.Run(deid.Setting{Steps: deid.AllSteps(), Known: true}, nil) {
				spans[of.name+"/"+t.Document] = t.Spans
			}
			continue
		}
		for _, t := range study.Tagged() {
			key := of.name + "/" + study.Document(t)
			for _, f := range merge.Combine(t.Input.Text, t.Input.Tokens, slices.Clone(t.Rules), merge.Options{Guard: true}) {
				spans[key] = append(spans[key], f.Span)
			}
		}
	}
	return spans, nil
}

// alone returns what models find, by note.key, on one goroutine, and the processor's
// time, which hardly depends on what else the machine does.
func (y system) alone(notes []note, models []string) (map[string][]phi.Span, speed, error) {
	found, took := map[string][]phi.Span{}, speed{}
	tags, err := ready(models, y.vote)
	if err != nil {
		return nil, took, err
	}
	before := used()
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
	took.cpu = used() - before
	return found, took, nil
}

// ready makes models ready to tag, as one.
func ready(dirs []string, vote bool) (tagger.Tagger, error) {
	var u tagger.Union
	for _, dir := range dirs {
		m, err := onnx.LoadModel(func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, name)) })
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

// used returns the processor's time that the process has had.
func used() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
