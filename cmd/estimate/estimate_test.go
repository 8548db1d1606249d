package estimate

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/cmd/review/store"
	"github.com/palimpsest-deid/palimpsest/model/gate"
	"github.com/palimpsest-deid/palimpsest/model/review"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

type row struct {
	ID      string `parquet:"note_id"`
	Patient string `parquet:"patient_id"`
	Text    string `parquet:"text"`
}

// job writes what a job leaves of notes "Dr. Moth, Cy Vale", of which it replaced
// Moth by Lund, and returns its places.
func job(t *testing.T, notes int) (f store.Flags) {
	t.Helper()
	dir := t.TempDir()
	f = store.Flags{Inputs: filepath.Join(dir, "in.parquet"), Output: filepath.Join(dir, "release", "out"), Private: filepath.Join(dir,
		"private")}
	for _, folder := range []string{filepath.Join(f.Output, "notes"), filepath.Join(f.Private, "findings")} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	var in, out []row
	var findings []table.Finding
	for i := range notes {
		id := fmt.Sprint("n", i)
		in = append(in, row{id, fmt.Sprint("p", i/2), "Dr. Moth, Cy Vale"})
		out = append(out, row{id, "x", "Dr. Lund, Cy Vale"})
		findings = append(findings, table.Finding{DocumentID: id, TextColumn: "text", Start: 4, End: 8, OutputStart: 4, OutputEnd: 8,
			Type:   "DOCTOR",
			Source: "rules", Score: 0.9})
	}
	for name, rows := range map[string][]row{f.Inputs: in, filepath.Join(f.Output, "notes", "in.parquet"): out} {
		if err := parquet.WriteFile(name, rows); err != nil {
			t.Fatal(err)
		}
	}
	if err := parquet.WriteFile(filepath.Join(f.Private, "findings", "in.parquet"), findings); err != nil {
		t.Fatal(err)
	}
	configure(t, f, "one")
	if err := os.WriteFile(filepath.Join(f.Output, "_SUCCESS"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return f
}

func configure(t *testing.T, f store.Flags, digest string) {
	t.Helper()
	manifest := fmt.Sprintf(`{"configuration_digest": %q, "configuration": {"keep_ids": true, "columns": {"DocumentID": "note_id",
		"PatientID": "patient_id", "Text": ["text"]}}}`, digest)
	if err := os.WriteFile(filepath.Join(f.Output, "manifest.json"), []byte(manifest), 0o600); err != nil {
		t.Fatal(err)
	}
}

// reviewed reviews the first so many notes of a sample of all: in each, Moth was
// rightly replaced, and in one of ten Cy Vale was missed. Who reviews sees Lund
// in all blind notes.
func reviewed(t *testing.T, f store.Flags, notes, first int) {
	t.Helper()
	reviewedBy(t, f, "ann", notes, first, 10)
}

// reviewedBy is reviewed by a reviewer for whom Cy Vale was missed in one note of so
// many.
func reviewedBy(t *testing.T, f store.Flags, name string, notes, first, every int) {
	t.Helper()
	j, folder, err := f.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r, err := store.Open(t.Context(), j, folder, &store.Wanted{Notes: notes, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	log, err := r.Append(name, false)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	for i := range first {
		var events []review.Event
		if r.Sample.Notes[i].Blind {
			events = append(events, review.Event{Kind: review.Missed, Start: 4, End: 8, Type: "DOCTOR"}, review.Event{Kind: review.Reveal})
		}
		events = append(events, review.Event{Kind: review.Judge, Verdict: review.Right})
		if i%every == 0 {
			events = append(events, review.Event{Kind: review.Missed, Start: 10, End: 17, Type: "PATIENT"})
		}
		for _, e := range append(events, review.Event{Kind: review.Finish}) {
			if err := log.Add(i, e, review.Complete(&r.Sample.Notes[i])); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func run(f store.Flags, more ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = Main(context.Background(), append([]string{"--output", f.Output, "--private", f.Private}, more...), nil, &out, &errs)
	return status, out.String(), errs.String()
}

// 40 notes of 60 are reviewed; in 4 one of two identifiers is left.
func TestEstimate(t *testing.T) {
	f := job(t, 60)
	reviewed(t, f, 50, 40)
	file := filepath.Join(t.TempDir(), "estimate.json")
	status, stdout, stderr := run(f, "--json", file, "--bound", "200")
	if status != 0 || !strings.Contains(stdout, "40 of 50 notes of the sample are reviewed") || !strings.Contains(stdout,
		"more notes are needed") {
		t.Fatalf("status %d: %s%s", status, stdout, stderr)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var e Estimate
	if err := json.Unmarshal(raw, &e); err != nil {
		t.Fatal(err)
	}
	if e.Digest != "one" || e.Notes != 40 || e.Open != 10 || e.Release != 60 || e.All.Found != 40 || e.All.Missed != 4 ||
		e.ReviewerNotes != 8 ||
		e.ReviewerSeen != 8 || e.Bound == nil || e.Bound.MoreNotes < 1 {
		t.Errorf("the estimate is %s", raw)
	}
	if _, err := time.Parse(time.DateOnly, e.Reviewed); err != nil || len(e.Settings) != 64 {
		t.Errorf("a gate cannot tell what it holds for: %s", raw)
	}
	if _, err := gate.ReadEstimate(raw, gate.Settings{Settings: e.Settings}); err != nil {
		t.Error(err)
	}
	if l, r := e.All.Left, e.All.Recall; math.Abs(l.Point-100) > 1e-9 || l.Low >= 100 || l.High <= 100 || math.Abs(r.Point-40.0/44) > 1e-9 {
		t.Errorf("100 are left per 1,000 notes and 40/44 found; the estimate is %+v and %+v", l, r)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if again, _, _ := run(f, "--json", file); again != 0 {
		t.Error("a second estimate fails")
	}
	if status, stdout, _ := run(f, "--bound", "50"); status != 0 || !strings.Contains(stdout, "No number of notes") {
		t.Errorf("a bound below the estimate: status %d: %s", status, stdout)
	}
}

// Two reviewers differ where something was missed, and nobody has decided: the estimate
// says that it is too low, and a gate takes it no more than the report does.
func TestDisputedNotes(t *testing.T) {
	f := job(t, 20)
	reviewedBy(t, f, "ann", 20, 20, 5)
	reviewedBy(t, f, "bob", 20, 20, 10)
	file := filepath.Join(t.TempDir(), "estimate.json")
	status, stdout, stderr := run(f, "--json", file)
	if status != 0 || !strings.Contains(stdout, "WARNING: more is left than this says. In 2 notes") {
		t.Errorf("status %d: %s%s", status, stdout, stderr)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var e Estimate
	if err := json.Unmarshal(raw, &e); err != nil {
		t.Fatal(err)
	}
	if _, err := gate.ReadEstimate(raw, gate.Settings{Settings: e.Settings}); err == nil || !strings.Contains(err.Error(), "--adjudicate") {
		t.Errorf("a gate takes it: %v", err)
	}
}

// An estimate holds for what it was made of, and says so of anything else.
func TestRefusals(t *testing.T) {
	f := job(t, 20)
	if status, _, stderr := run(f); status != 64 || !strings.Contains(stderr, "there is no sample yet") {
		t.Errorf("without a sample: status %d: %s", status, stderr)
	}
	reviewed(t, f, 10, 1)
	if status, _, stderr := run(f); status != 65 || !strings.Contains(stderr, "it takes two at least") || !strings.Contains(stderr, "Enter") {
		t.Errorf("one note: status %d: %s", status, stderr)
	}
	reviewed(t, f, 10, 10)
	if status, _, stderr := run(f); status != 0 {
		t.Errorf("status %d: %s", status, stderr)
	}
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"--json", filepath.Join(f.Output, "estimate.json")}, 64, "lies inside the output"},
		{[]string{"--json", f.Output + "/../../private"}, 64, "it is a directory"},
		{[]string{"--private", filepath.Join(t.TempDir(), "none")}, 64, "is not there"},
		{[]string{"--reviews", filepath.Join(t.TempDir(), "none")}, 64, "there is no sample yet"},
	} {
		if status, stdout, stderr := run(f, c.args...); status != c.status || stdout != "" || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: status %d: %s%s", c.args, status, stdout, stderr)
		}
	}
	log := filepath.Join(f.Private, "review", "reviewer.ann.jsonl")
	whole, err := os.ReadFile(log)
	if err == nil {
		err = os.WriteFile(log, append(whole, "junk\n"...), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := run(f); status != 65 || !strings.Contains(stderr, "no decision that this program has written") {
		t.Errorf("a line that is no decision: status %d: %s", status, stderr)
	}
	if err := os.WriteFile(log, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	configure(t, f, "two")
	if status, stdout, stderr := run(f); status != 65 || stdout != "" || !strings.Contains(stderr, "another model, version, policy") ||
		strings.Count(stderr, "\n") != 1 {
		t.Errorf("a release of other settings: status %d: %s%s", status, stdout, stderr)
	}
	if status, _, stderr := run(f, "--bound", "-1"); status != 64 {
		t.Errorf("a bound below 0: status %d: %s", status, stderr)
	}
}
