package loop

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/palimpsest-deid/palimpsest/cmd/browsertest"
	estimated "github.com/palimpsest-deid/palimpsest/cmd/estimate"
	"github.com/palimpsest-deid/palimpsest/cmd/review/robot"
	"github.com/palimpsest-deid/palimpsest/cmd/review/store"
	"github.com/palimpsest-deid/palimpsest/model/estimate"
)

// loop is one way through all steps.
type loop struct {
	*testing.T
	seen seen
}

// TestLoop goes the whole way, for many minutes: make loop sets PALIMPSEST_LOOP.
func TestLoop(t *testing.T) {
	if os.Getenv("PALIMPSEST_LOOP") == "" {
		t.Skip("make loop runs this")
	}
	browsertest.Chromium(t)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(root)
	t.Setenv("PATH", filepath.Join(root, "bin")+":"+os.Getenv("PATH"))
	t.Setenv("PALIMPSEST_EXAMPLE_KEY", "this key is public and for the invented example notes only")
	l := &loop{t, seen{Outputs: map[string]string{}, Figures: map[string]figures{}}}
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	for _, s := range steps {
		began := time.Now()
		switch {
		case s.review != nil:
			l.review(s)
		default:
			l.command(s)
		}
		t.Logf("%s: %.0f s", s.name, time.Since(began).Seconds())
		l.after(s)
		if t.Failed() {
			t.FailNow()
		}
	}
	l.adaptation()
	if l.seen.Files, err = filesOf(folder); err != nil {
		t.Error(err)
	}
	if err := l.seen.write(); err != nil {
		t.Fatal(err)
	}
}

// command runs a step to its end.
func (l *loop) command(s step) {
	l.Helper()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(l.Context(), "bash", "-e", "-c", s.command)
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run()
	if got := cmd.ProcessState.ExitCode(); got != s.status {
		l.Fatalf("%s: status %d, want %d:\n%s", s.command, got, s.status, errs.String())
	}
	l.seen.Outputs[s.name] = strings.TrimRight(out.String(), "\n")
	if s.status != 0 {
		l.seen.Outputs[s.name] = strings.TrimRight(errs.String(), "\n")
	}
}

// review starts the program's server, lets a robot review in a browser, and ends the
// program as its reviewer does.
func (l *loop) review(s step) {
	l.Helper()
	cmd := exec.CommandContext(l.Context(), "bash", "-c", "exec "+s.command)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		l.Fatal(err)
	}
	url := ""
	for lines := bufio.NewScanner(out); url == "" && lines.Scan(); {
		if text := strings.TrimSpace(lines.Text()); strings.HasPrefix(text, "http://") {
			url = text
		}
	}
	if url == "" {
		_ = cmd.Wait()
		l.Fatalf("%s: it printed no address: %s", s.command, errs.String())
	}
	gold, err := robot.ReadGold(s.review.gold)
	if err != nil {
		l.Fatal(err)
	}
	r, originals := l.open(store.Flags{Config: s.option("--config"), Reviews: s.option("--reviews")}, nil)
	robot := robot.Robot{Gold: gold, Skips: s.review.skips}
	if s.review.pictures {
		robot.Amid = l.picture()
	}
	marked, skipped := robot.Review(l.T, url, r.Sample.Notes, originals)
	l.Logf("%s: %d marks, %d skipped", s.name, marked, skipped)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		l.Fatal(err)
	}
	_ = cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != s.status || errs.Len() > 0 {
		l.Errorf("%s: status %d, want %d: %s", s.command, got, s.status, errs.String())
	}
}

// open opens a review and reads its notes as they were.
func (l *loop) open(f store.Flags, wanted *store.Wanted) (*store.Review, [][]rune) {
	l.Helper()
	job, folder, err := f.Open(l.Context())
	if err != nil {
		l.Fatal(err)
	}
	r, err := store.Open(l.Context(), job, folder, wanted)
	if err != nil {
		l.Fatal(err)
	}
	originals, err := r.Originals(l.Context())
	if err != nil {
		l.Fatal(err)
	}
	return r, originals
}

// after checks what must hold after a step.
func (l *loop) after(s step) {
	l.Helper()
	switch s.name {
	case "estimate", "estimate-second":
		l.estimate(s, unseenGold, 0)
	case "estimate-erring":
		l.estimate(s, unseenGold, 0.1)
	case "estimate-house", "estimate-adapted":
		l.estimate(s, houseGold, 0)
	case "refused", "stale", "refused-house":
		if _, err := os.Stat(filepath.Join(s.option("--output"), "notes")); err == nil {
			l.Errorf("%s: a refused release has notes", s.name)
		}
		want := "share found, by the lower end of the estimate"
		if s.name == "stale" {
			want = "another model, version, policy or other settings"
		}
		if !strings.Contains(l.seen.Outputs[s.name], want) {
			l.Errorf("%s: the refusal does not say %q: %s", s.name, want, l.seen.Outputs[s.name])
		}
	case "passed", "passed-house":
		if _, err := os.Stat(filepath.Join(s.option("--output"), "_SUCCESS")); err != nil {
			l.Errorf("%s: %v", s.name, err)
		}
	case "report":
		l.report()
	}
}

// estimate holds an estimate against the truth, and a reviewer's own recall against
// the share that he marked.
func (l *loop) estimate(s step, goldFile string, skips float64) {
	l.Helper()
	raw, err := os.ReadFile(s.option("--json"))
	if err != nil {
		l.Fatal(err)
	}
	var e estimated.Estimate
	if err := json.Unmarshal(raw, &e); err != nil {
		l.Fatal(err)
	}
	gold, err := robot.ReadGold(goldFile)
	if err != nil {
		l.Fatal(err)
	}
	whole, originals := l.open(store.Flags{Config: s.option("--config"), Reviews: filepath.Join(l.TempDir(), "all")},
		&store.Wanted{Notes: 1 << 20, Seed: 1})
	found, missed := gold.Truth(whole.Sample.Notes, originals)
	f := figures{Notes: e.Notes, Release: e.Release, Recall: float64(found) / float64(found+missed),
		Left: perNotes * float64(missed) / float64(len(whole.Sample.Notes)), Estimate: e.All, Reviewer: e.Reviewer}
	l.seen.Figures[s.name] = f
	if within := func(i estimate.Interval, v float64) bool { return i.Low <= v && v <= i.High }; !within(e.All.Recall, f.Recall) ||
		!within(e.All.Left, f.Left) {
		l.Errorf("%s: the intervals %+v do not hold the truth, a recall of %.4f and %.0f left", s.name, e.All, f.Recall, f.Left)
	} else if e.Reviewer == nil || !within(*e.Reviewer, 1-skips) {
		l.Errorf("%s: the reviewer sees %+v, which does not hold %.2f", s.name, e.Reviewer, 1-skips)
	}
	if skips == 0 {
		return
	}
	// What he overlooks raises what is left, and widens it, against an estimate of the
	// same decisions that takes him at his word.
	r, _ := l.open(store.Flags{Config: s.option("--config"), Reviews: s.option("--reviews")}, nil)
	outcomes, _, _, err := r.Outcomes()
	if err != nil {
		l.Fatal(err)
	}
	var notes []estimate.Note
	for _, o := range outcomes {
		n := o.Estimable()
		n.Blind = false
		notes = append(notes, n)
	}
	trusting := estimate.Of(notes).All
	if of := func(i estimate.Interval) float64 { return i.High - i.Low }; e.Reviewer.Point >= 1 ||
		e.All.Left.Point <= trusting.Left.Point || of(e.All.Left) <= of(trusting.Left) || e.All.Recall.Low >= trusting.Recall.Low {
		l.Errorf("%s: what the reviewer overlooks (%+v) is not in %+v; taken at his word, %+v", s.name, e.Reviewer, e.All, trusting)
	}
}

// perNotes is how many notes a count of what is left is told for.
const perNotes = 1000

// report checks that the page to sign quotes the estimate, the canaries and the gate.
func (l *loop) report() {
	l.Helper()
	page, err := os.ReadFile(filepath.Join(folder, "held/release/report.html"))
	if err != nil {
		l.Fatal(err)
	}
	f := l.seen.Figures["estimate-second"]
	for _, want := range []string{
		"Sign-off", "Privacy officer: name, signature, date",
		fmt.Sprintf("<strong>%.0f</strong> identifiers are left", f.Estimate.Left.Point),
		fmt.Sprintf("%.1f %%", 100*f.Estimate.Recall.Point),
		"share found, by the lower end of the estimate", "canaries found, by the lower end of the interval", "31 January 2026",
	} {
		if !bytes.Contains(page, []byte(want)) {
			l.Errorf("the report does not say %q", want)
		}
	}
	l.pictureOfReport(filepath.Join(folder, "held/release/report.html"))
}

// adaptation reads what adapting brought: a gain on the house, and a refusal of odd
// notes.
func (l *loop) adaptation() {
	l.Helper()
	for _, c := range []struct {
		file string
		to   *adaptation
	}{{filepath.Join(folder, "held/adapt.json"), &l.seen.House}, {filepath.Join(folder, "held/odd.json"), &l.seen.Odd}} {
		raw, err := os.ReadFile(c.file)
		if err == nil {
			err = json.Unmarshal(raw, c.to)
		}
		if err != nil {
			l.Fatal(err)
		}
	}
	if h := l.seen.House; !h.Better || h.Job.Recall.Low <= 0 {
		l.Errorf("the house is not adapted to: %+v", h)
	}
	if o := l.seen.Odd; o.Better || o.Why == "" {
		l.Errorf("the model adapted to odd notes is not refused: %+v", o)
	}
}
