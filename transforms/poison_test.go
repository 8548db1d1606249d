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
