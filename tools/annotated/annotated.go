// Package annotated reads sets of annotated notes, and sets up the job's taggers for
// them, for the commands that measure systems on such sets.
package annotated

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/score"
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// Set is a folder of example notes, and the part of its split.json to take; "" for all.
type Set struct{ Name, Folder, Part string }

// Choose are the sets that things are chosen on; HeldOut and Unseen confirm a choice,
// once.
var (
	Choose  = []Set{{"examples", "examples", "dev"}, {"varied", "examples/varied", "dev"}}
	HeldOut = Set{"held-out", "examples/heldout", ""}
	Unseen  = Set{"unseen", "examples/unseen", ""}
)

// Note is a note as annotators left it.
type Note struct {
	Text    string
	Gold    []score.Annotation // in bytes
	Patient string
}

// Split returns the patients of each part that split.json names; none for a set of all notes.
func (s Set) Split() (patients map[string][]string, err error) {
	if s.Part == "" {
		return nil, nil
	}
	raw, err := os.ReadFile(filepath.Join(s.Folder, "split.json"))
	if err != nil {
		return nil, err
	}
	err = json.Unmarshal(raw, &patients)
	return patients, err
}

// Read returns the notes of the set's part by document, and their patients. Notes of
// other parts are not kept.
func (s Set) Read(ctx context.Context) (notes map[string]Note, patients map[string]bool, err error) {
	split, err := s.Split()
	if err != nil {
		return nil, nil, err
	}
	notes, patients = map[string]Note{}, map[string]bool{}
	for d, err := range corpus.Read(ctx, corpus.Parquet, s.Folder, corpus.ReadOptions{}) {
		if err != nil {
			return nil, nil, err
		}
		if s.Part != "" && d.Split != s.Part && !slices.Contains(split[s.Part], d.Patient) {
			continue
		}
		if d.Patient == "" {
			d.Patient = deid.OrphanPatient(d.ID)
		}
		patients[d.Patient] = true
		gold, err := Gold(d)
		if err != nil {
			return nil, nil, err
		}
		notes[d.ID] = Note{d.Text, gold, d.Patient}
	}
	return notes, patients, nil
}

// Gold returns a document's annotations, whose labels are names of types.
func Gold(d corpus.Document) ([]score.Annotation, error) {
	out := []score.Annotation{}
	for _, a := range d.Annotations {
		t, err := phi.ParseType(a.Label)
		if err != nil {
			return nil, err
		}
		out = append(out, score.Annotation{Start: a.Start, End: a.End, Category: t.Category(), Label: a.Label})
	}
	return out, nil
}

// Configuration returns a job's configuration for the set's notes; see Configuration.
func (s Set) Configuration(ctx context.Context, model string, change ...func(*pipeline.Options)) (transforms.Config, error) {
	return Configuration(ctx, model, filepath.Join(s.Folder, "notes.parquet"), filepath.Join(s.Folder, "identifiers.parquet"), change...)
}

// Configuration returns a job's configuration with default settings, ready to tag by a
// model, or several with commas between, but for what change sets. Nothing is released
// under it.
func Configuration(ctx context.Context, model, notes, identifiers string, change ...func(*pipeline.Options)) (transforms.Config, error) {
	const key = "PALIMPSEST_MEASURED_KEY"
	if err := os.Setenv(key, strings.Repeat("no surrogate is drawn here ", 2)); err != nil {
		return transforms.Config{}, err
	}
	o := pipeline.DefaultOptions()
	o.Input, o.Identifiers, o.Model = []string{notes}, identifiers, model
	o.Key, o.Output, o.Private, o.Beside = "env:"+key, "unused", "unused-private", true
	for _, c := range change {
		c(&o)
	}
	cfg, err := pipeline.NewConfig(o)
	if err != nil {
		return cfg, err
	}
	cfg.Columns.Others = table.OthersAsIs
	return pipeline.PrepareTaggers(ctx, cfg)
}

// OnCPU is a change of the configuration: what is measured is CPU time, or must be the
// same on every machine.
func OnCPU(o *pipeline.Options) { o.ExecutionProvider = "cpu" }
