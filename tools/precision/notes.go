package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/score"
	"github.com/palimpsest-deid/palimpsest/model/tagger"
	"github.com/palimpsest-deid/palimpsest/model/token"
	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
	"github.com/palimpsest-deid/palimpsest/tools/annotated"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// part is the sets of notes that are scored together.
type part struct {
	title string
	sets  []set
}

// set is a folder of notes and the part of its split.json to take; "" for all.
type set struct{ folder, part, format string }

// note is a note as annotators left it.
type note struct {
	set, id, patient string
	gold             []score.Annotation
	text             tagger.Text
}

// parts returns what a model of a language is scored on.
func (s settings) parts(language string) []part {
	switch {
	case language == "es":
		return []part{{"MEDDOCAN, dev", []set{{s.spanish, "", corpus.Brat}}}}
	case s.confirm:
		return []part{{"Held-out notes", []set{{"examples/heldout", "", corpus.Parquet}}},
			{"Unseen notes, hard to read", []set{{"examples/unseen", "", corpus.Parquet}}}}
	}
	return []part{{"Dev: examples and varied notes", []set{{"examples", "dev", corpus.Parquet}, {"examples/varied", "dev", corpus.Parquet}}}}
}

func (p part) read(ctx context.Context) ([]note, error) {
	var notes []note
	for _, s := range p.sets {
		split, err := annotated.Set{Folder: s.folder, Part: s.part}.Split()
		if err != nil {
			return nil, err
		}
		for d, err := range corpus.Read(ctx, s.format, s.folder, corpus.ReadOptions{}) {
			if err != nil {
				return nil, err
			}
			if s.part != "" && d.Split != s.part && !slices.Contains(split[s.part], d.Patient) {
				continue
			}
			n := note{set: s.folder, id: d.ID, patient: d.Patient, text: tagger.Text{Text: d.Text, Tokens: token.Tokenize(nil, d.Text)}}
			for _, a := range d.Annotations {
				of := score.Annotation{Start: a.Start, End: a.End, Label: a.Label}
				if t, err := phi.ParseType(a.Label); err == nil {
					of.Category = t.Category()
				}
				n.gold = append(n.gold, of)
			}
			notes = append(notes, n)
		}
	}
	return notes, nil
}

// byNetwork returns what a model by itself finds in each note, in its own types.
func byNetwork(m model, notes []note) ([][]score.Annotation, error) {
	out := make([][]score.Annotation, 0, len(notes))
	for chunk := range slices.Chunk(notes, 64) {
		texts := make([]tagger.Text, len(chunk))
		for i, n := range chunk {
			texts[i] = n.text
		}
		found, err := m.tagger.TagKinds(texts)
		if err != nil {
			return nil, err
		}
		for _, of := range found {
			var all []score.Annotation
			for _, f := range of {
				a := score.Annotation{Start: f.Start, End: f.End, Label: f.Kind}
				if t, err := phi.ParseType(f.Kind); err == nil {
					a.Category = t.Category()
				}
				all = append(all, a)
			}
			out = append(out, all)
		}
	}
	return out, nil
}

// byJob returns what the job with default settings and known identifiers finds.
func byJob(ctx context.Context, m model, p part, notes []note) ([][]score.Annotation, error) {
	out := make([][]score.Annotation, len(notes))
	for _, s := range p.sets {
		cfg, err := annotated.Set{Folder: s.folder}.Configuration(ctx, m.dir, annotated.OnCPU)
		if err != nil {
			return nil, err
		}
		at := map[string]int{}
		var ids, patients, texts []string
		for i, n := range notes {
			if n.set == s.folder {
				at[n.id] = i
				ids, patients, texts = append(ids, n.id), append(patients, n.patient), append(texts, n.text.Text)
			}
		}
		study, err := transforms.NewStudyOfPatients(ctx, cfg, ids, patients, texts)
		if err != nil {
			return nil, err
		}
		for _, t := range study.Run(deid.Setting{Steps: deid.AllSteps(), Known: true}, nil) {
			i, ok := at[t.Document]
			if !ok {
				return nil, fmt.Errorf("%s: the job speaks of a note that was not asked for", s.folder)
			}
			for _, f := range t.Spans {
				out[i] = append(out[i], score.Annotation{Start: f.Start, End: f.End, Category: f.Type.Category(), Label: f.Type.String()})
			}
		}
	}
	return out, nil
}
