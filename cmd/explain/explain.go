// Package explain tells what happened to one note on its way: which tagger,
// which rule, which known identifier or which step produced each span, and what
// was overruled and why. It runs the job's own functions over the notes of the
// note's patient, and writes nothing. What it prints holds the original text.
//
// With --components it measures instead what each step adds, on annotated
// notes: see docs/components.md.
package explain

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/pipeline/cli"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// what says what is to be explained, and how.
type what struct {
	document string // an id, of the input or released
	released bool   // the id is a released one
	file     string // a text file instead; - for in
	in       io.Reader
	asJSON   bool

	key string // reference to the job's key, which released ids are found by
}

var help = cli.Help{
	Command: "palimpsest explain",
	About: `
explain tells which tagger, rule, known identifier or step produced each span of a
note, and what was overruled. It prints the original text: run it only where
the input may be seen.

  palimpsest explain --config job.yaml --document 1001801
  palimpsest explain --file note.txt
`,
	Brief: []cli.Setting{
		{Flags: "--config FILE", Text: "the job's settings; any of them can be a flag here too"},
		{Flags: "--document ID", Text: "a note: its id in the input or, given the job's --key, in the output"},
		{Flags: "--released", Text: "--document is an id of the output and nothing else"},
		{Flags: "--file PATH", Text: "a text file instead of a note; - for standard input"},
		{Flags: "--json", Text: "print JSON"},
	},
}

// own are the settings that are not the job's.
var own = cli.Group{Title: "What is explained", Flags: []string{"document", "released", "file", "json", "components", "gold"}}

// Main runs the command and returns its exit status.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	slog.SetLogLoggerLevel(slog.LevelWarn) // which provider runs the network is no news here
	options := pipeline.DefaultOptions()
	w := what{in: stdin}
	fs := flag.NewFlagSet("explain", flag.ContinueOnError)
	options.Register(fs)
	fs.StringVar(&w.document, "document", "", "document id of a note: its own or, where --key is there, the one that it was released under")
	fs.BoolVar(&w.released, "released", false, "--document is a released id, even if a note of the input has the same")
	fs.StringVar(&w.file, "file", "", "a text file to explain instead, - for standard input")
	fs.BoolVar(&w.asJSON, "json", false, "print JSON")
	components := fs.String("components", "", "measure what each step adds, on annotated notes, and write the tables to this file")
	gold := fs.String("gold", "examples/gold.parquet", "annotations for --components")
	return options.Main(ctx, help, own, fs, args, stdout, stderr, func() error {
		w.key = options.Key
		return run(ctx, stdout, stderr, &options, w, *components, *gold)
	})
}

func run(ctx context.Context, stdout, stderr io.Writer, o *pipeline.Options, w what, components, gold string) error {
	if components == "" {
		if err := w.check(o); err != nil {
			return fault.Mark(fault.Settings, err)
		}
	}
	cfg, err := prepare(ctx, o)
	if err != nil {
		return fault.Mark(fault.Settings, err)
	}
	if components == "" {
		return explain(ctx, stdout, stderr, cfg, w)
	}
	var out bytes.Buffer
	if err := measure(ctx, &out, cfg, gold); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(components), 0o755); err != nil {
		return err
	}
	return os.WriteFile(components, out.Bytes(), 0o644)
}

func (w what) check(o *pipeline.Options) error {
	switch {
	case (w.document == "") == (w.file == ""):
		return errors.New("name one note: --document ID or --file PATH")
	case w.document != "" && len(o.Input) == 0:
		return errors.New("--input is missing: name the table that the note is in, or the job's --config")
	case w.released && w.document == "":
		return errors.New("--released is about --document, which is missing")
	case w.released && w.key == "":
		return errors.New("--key is missing: a released id is found by the key of the job")
	}
	return nil
}

// noTable stands for the input where a note comes from a file of text.
const noTable = "unused.parquet"

// prepare makes the job's configuration. Nothing is replaced and nothing
// written, so neither a key nor an output is asked for.
func prepare(ctx context.Context, o *pipeline.Options) (transforms.Config, error) {
	const key = "PALIMPSEST_EXPLAIN_KEY"
	if err := os.Setenv(key, strings.Repeat("no surrogate is drawn here ", 2)); err != nil {
		return transforms.Config{}, err
	}
	o.Key, o.Output, o.Private, o.Beside, o.Limit = "env:"+key, "unused", "unused-private", true, 0
	if len(o.Input) == 0 {
		o.Input = []string{noTable}
	}
	o.Tables = nil // of the notes alone anything can be told
	cfg, err := pipeline.NewConfig(*o)
	if err != nil {
		return cfg, err
	}
	cfg.Columns.Others = table.OthersAsIs // nothing is released
	if o.Input[0] != noTable {
		if cfg, err = pipeline.CompleteColumns(ctx, cfg); err != nil {
			return cfg, err
		}
	}
	cfg, err = pipeline.PrepareTaggers(ctx, cfg)
	return cfg, err
}

// find returns the note that --document means.
func (w what) find(ctx context.Context, warn io.Writer, cfg transforms.Config) (*transforms.Place, error) {
	var keys *surrogate.Keyring
	noKey := errors.New("no --key is given")
	if w.key != "" {
		keys, noKey = transforms.Keys(ctx, w.key, cfg.Epoch)
	}
	if w.released && noKey != nil {
		return nil, fault.Mark(fault.Settings, noKey)
	}
	original, released, err := transforms.FindNote(ctx, cfg, w.document, keys)
	switch {
	case err != nil:
		return nil, err
	case original != nil && !w.released:
		if released != nil {
			fmt.Fprintln(warn, "Another note was released under this id; --released explains that one.")
		}
		return original, nil
	case released != nil:
		fmt.Fprintf(warn, "In the input, the note has the id %s.\n", released.Document)
		return released, nil
	}
	err = fmt.Errorf("no note has the document id that was asked for, in column %q of %q", cfg.Columns.DocumentID, cfg.Inputs)
	if keys == nil {
		err = fmt.Errorf("%w; released ids could not be tried: %w", err, noKey)
	} else {
		err = fmt.Errorf("%w, nor was one released under it", err)
	}
	return nil, fault.Mark(fault.Settings, err)
}

// maxText bounds a text that comes from a file.
const maxText = 64 << 20

func explain(ctx context.Context, out, warn io.Writer, cfg transforms.Config, w what) error {
	var study *deid.Study
	document := "text"
	if w.file != "" {
		in := w.in
		if w.file != "-" {
			f, err := os.Open(w.file)
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
		cfg.Identifiers = ""
		if study, err = transforms.NewStudyOfTexts(ctx, cfg, []string{document}, []string{string(text)}); err != nil {
			return err
		}
	} else {
		place, err := w.find(ctx, warn, cfg)
		if err != nil {
			return err
		}
		document = place.Document
		if study, err = transforms.NewStudy(ctx, cfg, func(p string) bool { return p == place.Patient }); err != nil {
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
		return fault.Mark(fault.Refused, fmt.Errorf("the job puts this note into quarantine: %s", reason))
	}
	fmt.Fprintln(warn, "What follows holds original text of the note, protected health information included. Do not keep or share it.")
	var stories []story
	for _, t := range texts {
		if t.Document == document {
			stories = append(stories, tellText(cfg, t, steps)...)
		}
	}
	if w.asJSON {
		return writeJSON(out, stories)
	}
	return writeText(out, stories)
}
