package transforms_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

type row struct {
	NoteID    string `parquet:"note_id"`
	PatientID string `parquet:"patient_id"`
	Text      string `parquet:"text"`
}

// write writes rows to a file below dir and returns its path.
func write[T any](t *testing.T, dir, name string, rows []T) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := parquet.WriteFile(path, rows); err != nil {
		t.Fatal(err)
	}
	return path
}

// read reads the rows of all files that match.
func read[T any](t *testing.T, pattern string) (all []T) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		rows, err := parquet.ReadFile[T](path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, rows...)
	}
	return all
}

// options returns those of a job below dir, with the shipped model.
func options(t *testing.T, dir, input string) pipeline.Options {
	t.Helper()
	t.Setenv("PALIMPSEST_TRANSFORMS_KEY", "a key of the tests: fifty bytes or so, never to be seen")
	o := pipeline.DefaultOptions()
	o.Beside = true
	o.Input, o.Output, o.Private = []string{input}, filepath.Join(dir, "out"), filepath.Join(dir, "private")
	o.Key, o.Model, o.ExecutionProvider = "env:PALIMPSEST_TRANSFORMS_KEY", "../onnx/models/en-clinical", "cpu"
	o.MaxQuarantined = 100
	return o
}

// runJob runs a whole job on Prism and returns its configuration and log.
func runJob(t *testing.T, o pipeline.Options) (transforms.Config, string) {
	t.Helper()
	ctx := context.Background()
	cfg, err := pipeline.NewConfig(o)
	if err != nil {
		t.Fatal(err)
	}
	if cfg, _, err = pipeline.Prepare(ctx, cfg); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	if err := pipeline.Run(ctx, cfg, &log); err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	return cfg, log.String()
}

// A panic of a tagger costs the note that it is about and nothing else: the job
// ends well, and nothing that the panic said is in its log. Package deid's tests
// let every other step panic.
func TestAPanicCostsItsNoteAlone(t *testing.T) {
	dir := t.TempDir()
	defer transforms.Poison("poison of network", "poison of rules")()
	var notes []row
	want := map[string]string{}
	for _, step := range []string{"network", "rules"} {
		for id, text := range map[string]string{"good": "He is well.", "bad": "He took a poison of " + step + ".", "good again": "He is well."} {
			notes = append(notes, row{step + " " + id, "of " + step, "Patient: Zebulon Quackenbush, seen on 3/4/2019. " + text})
			want[step+" "+id] = map[bool]string{true: "tagger_failed"}[id == "bad"]
		}
	}
	o := options(t, dir, write(t, dir, "notes.parquet", notes))
	cfg, log := runJob(t, o)
	got := map[string]string{}
	type held struct {
		row
		Reason string `parquet:"reason"`
	}
	for _, r := range read[held](t, filepath.Join(cfg.Private, "quarantine", "*.parquet")) {
		got[r.NoteID] = r.Reason
	}
	for id, reason := range want {
		if got[id] != reason {
			t.Errorf("%s: held back for %q, want %q", id, got[id], reason)
		}
	}
	released := read[row](t, filepath.Join(cfg.Output, "notes", "*.parquet"))
	if len(released)+len(got) != len(notes) {
		t.Errorf("%d of %d notes went out, %d were held back", len(released), len(notes), len(got))
	}
	for _, r := range released {
		if strings.Contains(r.Text, "Quackenbush") || strings.Contains(r.Text, "poison") {
			t.Error("a released note has the name, or should not be there")
		}
	}
	report, err := os.ReadFile(filepath.Join(cfg.Output, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	if s := log + string(report); strings.Contains(s, "Quackenbush") || strings.Contains(s, "poison of") {
		t.Error("the log or the report says what the panic said")
	}
}

// Where the network panics whatever it is given, the job fails, and says so
// without a word of the notes.
func TestAPanicOfTheNetworkItselfFailsTheJob(t *testing.T) {
	dir := t.TempDir()
	defer transforms.Poison("", "no text has this")()
	o := options(t, dir, write(t, dir, "notes.parquet", []row{{"a", "p", "Seen by Zebulon Quackenbush."}}))
	ctx := context.Background()
	cfg, err := pipeline.NewConfig(o)
	if err != nil {
		t.Fatal(err)
	}
	if cfg, _, err = pipeline.Prepare(ctx, cfg); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	err = pipeline.Run(ctx, cfg, &log)
	if err == nil || !strings.Contains(fmt.Sprint(err)+log.String(), "panicked") ||
		strings.Contains(fmt.Sprint(err)+log.String(), "Quackenbush") {
		t.Errorf("the job ended with %v", err)
	}
}

// gated returns the options of a job whose gate has a second reader.
func gated(t *testing.T, dir, input string) pipeline.Options {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	o := options(t, dir, input)
	o.Gate = filepath.Join(dir, "gate.yaml")
	if err := os.WriteFile(o.Gate, []byte("second_reader: {model: en-clinical-fast, at_most: 100000}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return o
}

// A released text that the second reader of a gate cannot read costs its note, all rows of
// it, and nothing else.
func TestAPanicOfTheSecondReaderCostsItsNoteAlone(t *testing.T) {
	defer transforms.PoisonReader("soup")()
	type line struct {
		NoteID    string `parquet:"note_id"`
		Line      int32  `parquet:"line"`
		PatientID string `parquet:"patient_id"`
		Text      string `parquet:"text"`
	}
	type held struct {
		NoteID string `parquet:"note_id"`
		Reason string `parquet:"reason"`
	}
	dir := t.TempDir()
	const name = "Patient: Zebulon Quackenbush, seen on 3/4/2019. He had "
	whole := gated(t, filepath.Join(dir, "whole"), write(t, dir, "whole.parquet",
		[]row{{"good", "p", name + "bread."}, {"bad", "p", name + "soup."}, {"good again", "q", name + "rice."}}))
	inLines := gated(t, filepath.Join(dir, "lines"), write(t, dir, "lines.parquet", []line{{"bad", 2, "p", "up."}, {"good", 1, "p", name},
		{"good", 2, "p", "bread."}, {"bad", 1, "p", name + "so"}}))
	inLines.LineColumn = "line"
	for rows, o := range map[int]pipeline.Options{1: whole, 2: inLines} {
		cfg, log := runJob(t, o)
		for _, r := range read[row](t, filepath.Join(cfg.Output, "notes", "*.parquet")) {
			if strings.Contains(r.Text, "soup") || strings.Contains(r.Text, "up.") || strings.Contains(r.Text, "Quackenbush") {
				t.Errorf("%s is released", r.NoteID)
			}
		}
		all := read[held](t, filepath.Join(cfg.Private, "quarantine", "*.parquet"))
		if len(all) != rows {
			t.Errorf("held back: %+v", all)
		}
		for _, h := range all {
			if h.NoteID != "bad" || h.Reason != "tagger_failed" {
				t.Errorf("held back: %+v", h)
			}
		}
		if released := len(read[row](t, filepath.Join(cfg.Output, "notes", "*.parquet"))); released != 2 {
			t.Errorf("%d rows are released", released)
		}
		if strings.Contains(log, "soup") {
			t.Error("the log says what the panic said")
		}
	}
}

// A second reader that panics whatever it is given fails the job.
func TestABrokenSecondReaderFailsTheJob(t *testing.T) {
	dir := t.TempDir()
	defer transforms.PoisonReader("")()
	ctx := context.Background()
	cfg, err := prepare(gated(t, dir, write(t, dir, "notes.parquet", []row{{"a", "p", "Seen by Zebulon Quackenbush."}})))
	if err != nil {
		t.Fatal(err)
	}
	err = pipeline.Run(ctx, cfg, &bytes.Buffer{})
	if err == nil || !strings.Contains(err.Error(), "second reader: network: it panicked") || strings.Contains(err.Error(), "Quackenbush") {
		t.Errorf("the job ended with %v", err)
	}
}
