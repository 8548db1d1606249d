package review

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/palimpsest-deid/palimpsest/cmd/browsertest"
	"github.com/palimpsest-deid/palimpsest/cmd/estimate"
	"github.com/palimpsest-deid/palimpsest/cmd/evaluate"
	"github.com/palimpsest-deid/palimpsest/cmd/review/robot"
	"github.com/palimpsest-deid/palimpsest/cmd/review/store"
	"github.com/palimpsest-deid/palimpsest/pipeline"
)

// unseen is a release of examples/unseen, of which gold knows all.
type unseen struct {
	flags store.Flags
	gold  robot.Gold
}

// scrub runs the job on the unseen notes.
func scrub(t *testing.T) unseen {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("PALIMPSEST_EXAMPLE_KEY", "this key is public and for the invented example notes only")
	t.Chdir("../..")
	defer t.Chdir("cmd/review")
	o, _, err := pipeline.ReadFile(t.Context(), "examples/unseen/config.yaml")
	if err != nil {
		t.Fatal(err)
	}
	o.Output, o.Private, o.ExecutionProvider = filepath.Join(dir, "release", "out"), filepath.Join(dir, "private"), "cpu"
	o.AcceptColumns = append(o.AcceptColumns, "note_title")
	cfg, err := pipeline.NewConfig(o)
	if err == nil {
		cfg, _, err = pipeline.Prepare(t.Context(), cfg)
	}
	if err == nil {
		err = pipeline.Run(t.Context(), cfg, io.Discard)
	}
	if err != nil {
		t.Fatal(err)
	}
	input, err := filepath.Abs("examples/unseen/notes.parquet")
	if err != nil {
		t.Fatal(err)
	}
	gold, err := robot.ReadGold("examples/unseen/gold.parquet")
	if err != nil {
		t.Fatal(err)
	}
	return unseen{store.Flags{Inputs: input, Output: o.Output, Private: o.Private, Key: o.Key}, gold}
}

// robot reviews a sample in a browser, and skips some marks.
func (u unseen) robot(t *testing.T, wanted store.Wanted, reviews string, skips float64) (marked, skipped int) {
	t.Helper()
	f := u.flags
	f.Reviews = reviews
	s := serve(t, f, wanted, "robot", false)
	defer s.stop()
	r := robot.Robot{Gold: u.gold, Skips: skips, Amid: func(b *robot.Browser, at int) {
		b.Keys("p", "p", "p", "o")
		b.Shoot(fmt.Sprintf("robot-%d", at))
		b.Keys("o")
	}}
	return r.Review(t, s.url, s.page.r.Sample.Notes, s.page.originals)
}

// The whole way: the job, a robot in a browser that marks what gold knows, and
// one that errs in one mark of ten; then gold annotations, which evaluate reads,
// and an estimate whose intervals hold the truth.
func TestRobotReviewsTheUnseenNotes(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the job and a browser for minutes")
	}
	browsertest.Chromium(t)
	u := scrub(t)

	// The truth, of all notes.
	f := u.flags
	f.Reviews = filepath.Join(t.TempDir(), "all")
	j, folder, err := f.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	whole, err := store.Open(t.Context(), j, folder, &store.Wanted{Notes: 1000, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	originals, err := whole.Originals(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	found, missed := u.gold.Truth(whole.Sample.Notes, originals)
	recall, left := float64(found)/float64(found+missed), 1000*float64(missed)/float64(len(whole.Sample.Notes))
	t.Logf("truth: %d notes, %d found, %d missed: recall %.4f, %.0f left per 1,000 notes", len(whole.Sample.Notes), found, missed, recall,
		left)

	for _, c := range []struct {
		name  string
		skips float64
	}{{"a robot that knows gold", 0}, {"a robot that errs in one mark of ten", 0.1}} {
		dir := t.TempDir()
		f.Reviews = filepath.Join(dir, "review")
		marked, skipped := u.robot(t, store.Wanted{Notes: 25, Seed: 3, Stratify: "note_type"}, f.Reviews, c.skips)
		args := []string{"--output", f.Output, "--private", f.Private, "--reviews", f.Reviews}
		file := filepath.Join(dir, "estimate.json")
		var out, errs bytes.Buffer
		if status := estimate.Main(context.Background(), append(args, "--json", file, "--bound", "100"), nil, &out, &errs); status != 0 {
			t.Fatalf("estimate: status %d: %s", status, errs.String())
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var e estimate.Estimate
		if err := json.Unmarshal(raw, &e); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d marks, %d skipped\n%s", c.name, marked, skipped, out.String())
		if !(e.All.Recall.Low <= recall && recall <= e.All.Recall.High && e.All.Left.Low <= left && left <= e.All.Left.High) {
			t.Errorf("%s: the intervals do not hold the truth, a recall of %.4f and %.0f left", c.name, recall, left)
		}
		if sees := e.Reviewer; sees == nil || sees.Low > 1-c.skips || sees.High < 1-c.skips {
			t.Errorf("%s sees %+v, which does not hold %.2f", c.name, sees, 1-c.skips)
		}
		if c.skips > 0 {
			continue
		}
		gold := filepath.Join(dir, "gold")
		if status, _, stderr := run(append(args, "--input", f.Inputs, "--export", gold)...); status != 0 {
			t.Fatalf("export: status %d: %s", status, stderr)
		}
		out.Reset()
		if status := evaluate.Main(context.Background(), []string{"--gold", filepath.Join(gold, "gold.parquet"), "--notes", f.Inputs,
			"--documents", filepath.Join(gold, "documents.txt"), "--system", f.Private, "--json", filepath.Join(dir, "scores.json"),
			"--bootstrap", "0"}, nil, &out, &errs); status != 0 {
			t.Errorf("evaluate: status %d: %s", status, errs.String())
		}
	}
}
