package report

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/cmd/attack"
	"github.com/palimpsest-deid/palimpsest/cmd/review/store"
	"github.com/palimpsest-deid/palimpsest/model/gate"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

func write(t *testing.T, v any, parts ...string) string {
	t.Helper()
	path := filepath.Join(parts...)
	raw, err := json.Marshal(v)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err == nil {
		err = os.WriteFile(path, raw, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// release writes what a job says of a release, and returns its settings' digest.
func makeRelease(t *testing.T, dir, name, program string) (settings string) {
	t.Helper()
	m := transforms.Manifest{ConfigDigest: "d" + program}
	m.Configuration.Program = program
	write(t, m, dir, name, transforms.ManifestFile)
	write(t, "", dir, name, transforms.SuccessFile)
	r := transforms.Report{Counts: schemas.NewCounts(), Gate: &gate.Verdict{Passed: true,
		Checks: []gate.Check{{What: "copies", Passed: true}}}}
	r.RowsIn, r.RowsOut = 10, 10
	write(t, r, dir, name, transforms.ReportFile)
	return m.Configuration.SettingsDigest()
}

func run(args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = Main(context.Background(), args, nil, &out, &errs)
	return status, out.String(), errs.String()
}

// flat is what was printed in one line.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }

func TestReport(t *testing.T) {
	dir := t.TempDir()
	settings := makeRelease(t, dir, "release/feb", "2")
	makeRelease(t, dir, "release/jan", "1")
	private := filepath.Join(dir, "private")
	write(t, transforms.GateReport{Listed: map[string]int64{"copies": 1}, Places: []transforms.GatePlace{{Check: "copies", Document: "n7"}}},
		private,
		transforms.GateFile)
	estimate := func(digest string) string {
		path := filepath.Join(dir, "estimate.json")
		text := fmt.Sprintf(`{"settings_digest": %q, "notes": 40, "patients": 20, "all": {"recall": {"point": 0.97, "low": 0.95, "high": 0.99},
			"left_per_1000_notes": {"point": 101, "low": 50, "high": 200}}}`, digest)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	found := attack.Result{Notes: 10, Patients: 3, Tokens: []attack.Tokens{{Kind: "names from no list", N: 4}}}
	args := []string{"--output", filepath.Join(dir, "release/feb"), "--private", private, "--estimate", estimate(settings),
		"--attack", write(t, found, dir, "attack.json"), "--former", filepath.Join(dir, "release/jan"), "--release_date", "2026-02-28"}
	for range 2 { // it may be written again
		status, stdout, stderr := run(args...)
		if status != 0 || !strings.Contains(stdout, "No known identifiers were given") {
			t.Fatalf("status %d: %s%s", status, stdout, stderr)
		}
	}
	file := filepath.Join(private, transforms.ReportPage)
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"28 February 2026", "<strong>101</strong>", "names from no list", "Program: 2, before 1", "n7"} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info, err)
	}
	// Notes were reviewed, and nobody has given the estimate.
	write(t, struct{}{}, private, store.SamplePath)
	without := append(append([]string{}, args[:4]...), "--to", filepath.Join(dir, "without.html"))
	if status, stdout, stderr := run(without...); status != 0 || !strings.Contains(stdout, "though notes were reviewed") ||
		strings.Contains(stdout, "Nobody has measured") {
		t.Errorf("status %d: %s%s", status, stdout, stderr)
	}
	// Whose release an attack was on, its file says; files of earlier versions have the number of notes alone.
	if status, stdout, _ := run(args...); status != 0 || !strings.Contains(flat(stdout), "does not say which release") {
		t.Errorf("an attack on no release by name: status %d: %s", status, stdout)
	}
	raw, err = os.ReadFile(filepath.Join(dir, "release/feb", transforms.ManifestFile))
	if err != nil {
		t.Fatal(err)
	}
	named := found
	named.Notes, named.Manifest = 7, fmt.Sprintf("%x", sha256.Sum256(raw)) // notes of several rows are counted once
	write(t, named, dir, "attack.json")
	if status, stdout, stderr := run(args...); status != 0 || strings.Contains(flat(stdout), "does not say which release") {
		t.Errorf("an attack on this release: status %d: %s%s", status, stdout, stderr)
	}
	named.Notes, named.Manifest = 10, strings.Repeat("0", 64)
	// What lies beside a manifest is no release until _SUCCESS stands there, and a trial is none to compare with.
	makeRelease(t, dir, "release/half", "1")
	if err := os.Remove(filepath.Join(dir, "release/half", transforms.SuccessFile)); err != nil {
		t.Fatal(err)
	}
	makeRelease(t, dir, "release/trial", "1")
	write(t, transforms.Manifest{Trial: "Of the first 5 notes."}, dir, "release/trial", transforms.ManifestFile)
	if err := os.Rename(filepath.Join(dir, "release/trial", transforms.SuccessFile),
		filepath.Join(dir, "release/trial", transforms.TrialFile)); err != nil {
		t.Fatal(err)
	}
	trial := []string{"--output", filepath.Join(dir, "release/trial"), "--private", private, "--to", filepath.Join(dir, "trial.html")}
	if status, stdout, stderr := run(trial...); status != 0 || !strings.Contains(stdout, "A trial run, and no release.") {
		t.Errorf("a trial: status %d: %s%s", status, stdout, stderr)
	}
	disputed := filepath.Join(dir, "disputed.json")
	text := fmt.Sprintf(`{"settings_digest": %q, "notes": 40, "disputed_notes": 3, "all": {"left_per_1000_notes": {"high": 200}}}`, settings)
	if err := os.WriteFile(disputed, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	found.Notes = 11
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"--estimate", estimate("another")}, 65, "another model, version, policy or other settings"},
		{[]string{"--attack", write(t, found, dir, "other.json")}, 65, "a release of 11 notes"},
		{[]string{"--attack", write(t, named, dir, "named.json")}, 65, "it is of another release"},
		{[]string{"--estimate", disputed}, 65, "palimpsest review --adjudicate"},
		{[]string{"--output", filepath.Join(dir, "release/half")}, 65, "it has no _SUCCESS"},
		{[]string{"--former", filepath.Join(dir, "release/half")}, 65, "it has no _SUCCESS"},
		{[]string{"--former", filepath.Join(dir, "release/trial")}, 65, "it is a trial of some notes"},
		{[]string{"--attack", file}, 65, "nothing that palimpsest attack"},
		{[]string{"--former", dir}, 65, "holds no finished release"},
		{[]string{"--release_date", "28.2."}, 64, "YYYY-MM-DD"},
		{[]string{"--to", filepath.Join(dir, "release/feb/x.html")}, 64, "lies inside the output"},
		{[]string{"--private", ""}, 64, "--private is missing"},
		{[]string{"--canaries", "/none"}, 65, "--canaries=/none"},
		{[]string{"--private", filepath.Join(dir, "none")}, 64, "is not there"},
		{[]string{"--private", dir}, 65, "whose findings are missing"},
	} {
		if status, _, stderr := run(append([]string{"--output", filepath.Join(dir, "release/feb"), "--private", private},
			c.args...)...); status != c.status ||
			!strings.Contains(stderr, c.want) {
			t.Errorf("%v: status %d: %s", c.args, status, stderr)
		}
	}
}
