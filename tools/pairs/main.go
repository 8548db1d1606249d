// Command pairs fits what tells two numbers that are a date (3/4) from two that are none: the
// weights of model/pairs. It runs the job over annotated notes that its network was not trained
// on, and prints how many dates would be left and how many other pairs taken, by cross-validation over
// patients, beside what the job does now. `make pairs` calls it.
//
//	go run ./tools/pairs --model en-clinical-accurate --fit DIR,DIR --judge DIR --out model/pairs/weights.go
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/pairs"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/phi/marked"
	"github.com/palimpsest-deid/palimpsest/model/score"
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/tools/annotated"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	slog.SetLogLoggerLevel(slog.LevelWarn)
	model := flag.String("model", "en-clinical-accurate", "a model that was not trained on the notes")
	fit := flag.String("fit", "examples:dev,examples/varied:dev", "folders to fit on, of Parquet files or of marked notes, with commas "+
		"between them; :dev is that part of split.json")
	judge := flag.String("judge", "", "further folders, on which the weights are judged alone")
	out := flag.String("out", "", "Go file to write; none by default")
	flag.Parse()
	if err := run(ctx, *model, *fit, *judge, *out); err != nil {
		fmt.Fprintln(os.Stderr, "pairs:", err)
		os.Exit(1)
	}
}

// sample is a pair of numbers of annotated notes.
type sample struct {
	set, patient string
	features     pairs.Features
	date         bool
}

func run(ctx context.Context, model, fit, judge, out string) error {
	var seen, unseen, others []sample
	for _, name := range strings.Split(fit, ",") {
		told, untold, err := read(ctx, model, name)
		if err != nil {
			return err
		}
		seen, unseen = append(seen, told...), append(unseen, untold...)
	}
	if judge != "" {
		for _, name := range strings.Split(judge, ",") {
			told, _, err := read(ctx, model, name)
			if err != nil {
				return err
			}
			others = append(others, told...)
		}
	}
	fmt.Print("Dates left and other pairs taken, of so many, by the chance from which a pair is a date. Where weights were " +
		"fitted: by cross-validation.\n\n")
	header()
	rows(seen, crossed(seen))
	weights := fitted(seen)
	rows(others, chances(others, weights))
	fmt.Print("\nWithout a network's chance:\n\n")
	header()
	rows(unseen, crossed(unseen))
	fmt.Println()
	alone := fitted(unseen)
	for i := range pairs.Count {
		fmt.Printf("%-40s %7.3f %7.3f\n", pairs.Name(i), weights[i], alone[i])
	}
	if out == "" {
		return nil
	}
	return os.WriteFile(out, code(weights, alone), 0o644)
}

// studied are annotated notes that taggers have run over.
type studied struct {
	name  string
	study *deid.Study
	notes map[string]annotated.Note // by document
}

// read returns the pairs of a set's notes, with the days that notes were written on and without:
// with the network's chances, and without them.
func read(ctx context.Context, model, name string) (told, untold []sample, err error) {
	folder, part, _ := strings.Cut(name, ":")
	set := annotated.Set{Name: filepath.Base(folder), Folder: folder, Part: part}
	open := table
	if _, err := os.Stat(filepath.Join(folder, "notes.parquet")); err != nil {
		open = source
	}
	s, err := open(ctx, set, model)
	if err != nil {
		return nil, nil, err
	}
	for _, undated := range []bool{false, true} {
		if undated {
			s.name += ", without days"
		}
		told = append(told, s.pairs(deid.Setting{NoDays: undated})...)
		untold = append(untold, s.pairs(deid.Setting{NoDays: undated, NoOdds: true})...)
		untold = append(untold, s.pairs(deid.Setting{NoDays: undated, NoNetwork: true})...)
	}
	return told, untold, nil
}

// table opens a set of Parquet files.
func table(ctx context.Context, set annotated.Set, model string) (*studied, error) {
	notes, patients, err := set.Read(ctx)
	if err != nil {
		return nil, err
	}
	cfg, err := set.Configuration(ctx, model, annotated.OnCPU, func(o *pipeline.Options) { o.DateColumns = []string{"note_date"} })
	if err != nil {
		return nil, err
	}
	study, err := transforms.NewStudy(ctx, cfg, func(p string) bool { return patients[p] })
	return &studied{set.Name, study, notes}, err
}

// source opens a folder of marked notes. Nothing is known of their patients beforehand.
func source(ctx context.Context, set annotated.Set, model string) (*studied, error) {
	cfg, err := annotated.Configuration(ctx, model, "unused.parquet", "", annotated.OnCPU)
	if err != nil {
		return nil, err
	}
	split, err := set.Split()
	if err != nil {
		return nil, err
	}
	patients, err := marked.ReadDir(os.DirFS(filepath.Dir(set.Folder)), set.Name)
	if err != nil {
		return nil, err
	}
	s := &studied{name: set.Name, notes: map[string]annotated.Note{}}
	var all []deid.Note
	var texts []string
	for _, p := range patients {
		if set.Part != "" && !slices.Contains(split[set.Part], p.ID) {
			continue
		}
		for i, n := range p.Notes {
			id := fmt.Sprintf("%s-%02d", p.ID, i+1)
			day := int(n.Written.Unix() / (24 * 60 * 60))
			all, texts = append(all, deid.Note{Document: id, Patient: p.ID, Day: day, Dated: true}), append(texts, n.Text)
			note := annotated.Note{Text: n.Text, Patient: p.ID}
			for _, m := range n.Spans {
				note.Gold = append(note.Gold, score.Annotation{Start: m.Start, End: m.End, Label: m.Type.String()})
			}
			s.notes[id] = note
		}
	}
	s.study, err = transforms.NewStudyOfNotes(ctx, cfg, all, texts)
	return s, err
}

// pairs returns the pairs that a run of the job judges.
func (s *studied) pairs(set deid.Setting) []sample {
	var all []sample
	set.Steps, set.Known = deid.AllSteps(), true
	set.Pairs = func(document string, _ int, g pairs.Group, f pairs.Features) {
		n, ok := s.notes[document]
		if !ok {
			return
		}
		x := sample{set: s.name, patient: n.Patient, features: f}
		for _, a := range n.Gold {
			if a.Start < g.End && g.Start < a.End {
				if a.Label != phi.Date.String() {
					return
				}
				x.date = true
			}
		}
		all = append(all, x)
	}
	s.study.Run(set, nil)
	return all
}
