// Command explain tells what happened to one note on its way: which tagger,
// which rule, which census value or which step produced each span, and what
// was overruled and why. It runs the job's own functions over the notes of the
// note's patient, and writes nothing. What it prints holds the original text.
//
// With --components it measures instead what each step adds, on annotated
// notes: see docs/components.md.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

func main() {
	slog.SetLogLoggerLevel(slog.LevelWarn) // which provider runs the network is no news here
	options := pipeline.DefaultOptions()
	fs := flag.NewFlagSet("explain", flag.ExitOnError)
	options.Register(fs)
	document := fs.String("document", "", "document id of a note of --input")
	file := fs.String("file", "", "a text file to explain instead, - for standard input")
	asJSON := fs.Bool("json", false, "print JSON")
	components := fs.String("components", "", "measure what each step adds and write the tables to this file")
	gold := fs.String("gold", "examples/gold.parquet", "annotations for --components")
	fs.Usage = func() {
		fmt.Fprint(fs.Output(), `explain tells which tagger, rule, census value or step produced each span of a
note, and what was overruled. It prints the original text: run it only where
the input may be seen.

  go run ./cmd/explain --config examples/config.yaml --document 1000123
  go run ./cmd/explain --file note.txt
  go run ./cmd/explain --config examples/config.yaml --components docs/components.md

Besides the settings of the job it takes
  --document ID, --file PATH (- for standard input), --json,
  --components PATH, --gold PATH
`)
	}
	_ = fs.Parse(os.Args[1:])
	err := func() error {
		ctx := context.Background()
		if len(fs.Args()) > 0 {
			return fmt.Errorf("%q is no setting", fs.Args()[0])
		}
		cfg, err := prepare(ctx, &options, fs)
		if err != nil {
			return err
		}
		if *components != "" {
			var out bytes.Buffer
			if err := measure(ctx, &out, cfg, *gold); err != nil {
				return err
			}
			if err := os.MkdirAll(filepath.Dir(*components), 0o755); err != nil {
				return err
			}
			return os.WriteFile(*components, out.Bytes(), 0o644)
		}
		return explain(ctx, os.Stdout, os.Stderr, cfg, *document, *file, *asJSON)
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, "explain:", err)
		os.Exit(1)
	}
}

// prepare makes the job's configuration. Nothing is replaced and nothing
// written, so neither a key nor an output is asked for.
func prepare(ctx context.Context, o *pipeline.Options, fs *flag.FlagSet) (transforms.Config, error) {
	if err := o.ApplyFile(ctx, fs); err != nil {
		return transforms.Config{}, err
	}
	const key = "PALIMPSEST_EXPLAIN_KEY"
	if err := os.Setenv(key, strings.Repeat("no surrogate is drawn here ", 2)); err != nil {
		return transforms.Config{}, err
	}
	o.Key, o.Output, o.Private = "env:"+key, "unused", ""
	if len(o.Input) == 0 {
		o.Input = []string{"unused.parquet"}
	}
	cfg, err := pipeline.NewConfig(*o)
	if err != nil {
		return cfg, err
	}
	cfg, _, err = pipeline.PrepareTaggers(ctx, cfg)
	return cfg, err
}

// maxText bounds a text that comes from a file.
const maxText = 64 << 20

func explain(ctx context.Context, w, warn io.Writer, cfg transforms.Config, document, file string, asJSON bool) error {
	var study *deid.Study
	switch {
	case (document == "") == (file == ""):
		return fmt.Errorf("name one note: --document ID or --file PATH")
	case file != "":
		in := io.Reader(os.Stdin)
		if file != "-" {
			f, err := os.Open(file)
			if err != nil {
				return err
			}
			defer f.Close()
			in = f
		}
		text, err := io.ReadAll(io.LimitReader(in, maxText))
		if err != nil {
			return err
		}
		document = "text"
		cfg.Census = ""
		if study, err = transforms.NewStudyOfText(ctx, cfg, document, string(text)); err != nil {
			return err
		}
	default:
		patient, err := transforms.PatientOf(ctx, cfg, document)
		if err != nil {
			return err
		}
		if study, err = transforms.NewStudy(ctx, cfg, func(p string) bool { return p == patient }); err != nil {
			return err
		}
	}
	var steps []deid.Event
	texts := study.Run(deid.Setting{Steps: cfg.Steps, Known: true}, func(s deid.Event) {
		if s.Document == document {
			steps = append(steps, s)
		}
	})
	if reason := study.Failure(document); reason != "" {
		return fmt.Errorf("the job puts this note into quarantine: %s", reason)
	}
	fmt.Fprintln(warn, "What follows holds original text of the note, protected health information included. Do not keep or share it.")
	var stories []story
	for _, t := range texts {
		if t.Document == document {
			stories = append(stories, tellText(cfg, t, steps)...)
		}
	}
	if asJSON {
		return writeJSON(w, stories)
	}
	return writeText(w, stories)
}
