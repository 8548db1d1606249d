package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/transforms"
)

const otherKey = "PALIMPSEST_OTHER_KEY"

// asManifest fails unless the notes that were published are those of the
// manifest, and returns the id of its key.
func asManifest(t *testing.T, dir string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, "out", transforms.ManifestFile))
	if err != nil {
		t.Fatal(err)
	}
	var m transforms.Manifest
	if err := json.Unmarshal(raw, &m); err != nil {
		t.Fatal(err)
	}
	got, files := written(t, dir), 0
	for _, f := range m.Outputs {
		if digest := got["/out/"+f.Name]; digest != f.Digest {
			t.Errorf("%s has the digest %q, the manifest says %q", f.Name, digest, f.Digest)
		}
		files++
	}
	if _, success := got["/out/_SUCCESS"]; files == 0 || !success {
		t.Errorf("%d files in the manifest, _SUCCESS %v", files, success)
	}
	for name := range got {
		if strings.Contains(name, transforms.TemporaryFolder) || strings.Contains(name, "palimpsest-tmp") ||
			strings.Contains(name, transforms.PublishingFile) {
			t.Errorf("%s is left", name)
		}
	}
	return m.Configuration.KeyID
}

// Of two jobs that are started together into one output one does all, and the
// other ends with 75 and one line, whatever their keys and private parts.
func TestTwoJobsIntoOneOutput(t *testing.T) {
	for _, c := range []struct {
		name   string
		second []string
	}{
		{"one key", nil},
		{"two keys", []string{"--key=env:" + otherKey}},
		{"two keys and private parts", []string{"--key=env:" + otherKey, "--private=elsewhere"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := invented(t)
			environ := []string{otherKey + "=another key of the tests, of fifty bytes or so, too"}
			ends := make(chan watched, 2)
			for i, args := range [][]string{nil, c.second} {
				go func() { ends <- runBeside(t, dir, fmt.Sprint(i), environ, args...) }()
			}
			a, b := <-ends, <-ends
			if a.state.ExitCode() != 75 {
				a, b = b, a
			}
			if a.state.ExitCode() != 75 || b.state.ExitCode() != 0 {
				t.Fatalf("exit statuses %d and %d:\n%s\n%s", a.state.ExitCode(), b.state.ExitCode(), a.said, b.said)
			}
			lines := strings.Split(strings.TrimSpace(a.said), "\n")
			if said := lines[len(lines)-1]; !strings.Contains(said, "another job has been at work on it since ") ||
				!strings.Contains(said, "wait for its end, or name another output") {
				t.Errorf("the user is told:\n%s", a.said)
			}
			t.Logf("%s", lines[len(lines)-1])
			if key := asManifest(t, dir); strings.Contains(lines[len(lines)-1], "with the key") &&
				!strings.Contains(lines[len(lines)-1], "with the key "+key) {
				t.Errorf("the release is of the key %s, but the user is told %s", key, lines[len(lines)-1])
			}
			if _, err := os.Stat(filepath.Join(dir, "elsewhere", transforms.TemporaryFolder)); err == nil {
				t.Error("temporary files are left")
			}
		})
	}
}

// What a job leaves that was killed goes to a run of the same job, which leaves
// what an undisturbed one does, and to nobody else: also where the columns' roles
// are a preset's, which the files complete.
func TestKilledJobIsRunAgain(t *testing.T) {
	preset := []string{"--preset=mimic-iv-note", "--columns=patient_id=patient_id"}
	for _, c := range []struct {
		name, phase string
		args        []string
	}{{"detect", "detect", nil}, {"rewrite", "rewrite", nil}, {"rewrite with a preset", "rewrite", preset}} {
		t.Run(c.name, func(t *testing.T) {
			undisturbed := invented(t)
			if w := runWatched(t, undisturbed, nil, nil, c.args...); w.state.ExitCode() != 0 {
				t.Fatal(w.said)
			}
			want := written(t, undisturbed)
			dir := invented(t)
			w := runWatched(t, dir, nil, []string{fmt.Sprintf("%s=%s:%d", signalAt, c.phase, syscall.SIGKILL)}, c.args...)
			if status, ok := w.state.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
				t.Fatalf("it was not killed: %v\n%s", w.state, w.said)
			}
			remove := "you may remove " + filepath.Join(dir, "out", transforms.TemporaryFolder)
			other := append(slices.Clone(c.args), "--key=env:"+otherKey)
			w = runWatched(t, dir, nil, []string{otherKey + "=another key of the tests, of fifty bytes or so, too"}, other...)
			if w.state.ExitCode() != 75 || strings.Count(w.said, "\n") != 1 ||
				!strings.Contains(w.said, "and was killed; run it again as it was") || !strings.Contains(w.said, remove) {
				t.Errorf("another key: exit status %d:\n%s", w.state.ExitCode(), w.said)
			}
			t.Logf("%s", w.said)
			if w = runWatched(t, dir, nil, nil, c.args...); w.state.ExitCode() != 0 {
				t.Fatalf("the same again:\n%s", w.said)
			}
			if got := written(t, dir); !maps.Equal(got, want) {
				t.Errorf("the second run wrote\n%v\nwant\n%v", got, want)
			}
			asManifest(t, dir)
		})
	}
}

// So does what a job of tables alone leaves, whose roles are a preset's.
func TestKilledJobOfTablesIsRunAgain(t *testing.T) {
	dir := t.TempDir()
	rows := make([]measurement, 300_000)
	for i := range rows {
		day := int32(14_610 + i*53%5400)
		rows[i] = measurement{ID: int64(i), PersonID: int64(i % 5000), Concept: 3_004_249, Date: &day, Value: float64(i % 100)}
	}
	table := filepath.Join(dir, "measurement.parquet")
	if err := parquet.WriteFile(table, rows, parquet.MaxRowsPerRowGroup(10_000)); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(dir, "job.yaml")
	job := fmt.Sprintf("tables:\n  measurement: {input: %s, preset: omop-measurement}\noutput: %s\nprivate: %s\n"+
		"key: env:PALIMPSEST_TEST_KEY\nprivate_beside_output: true\nshard_mb: 1\n",
		table, filepath.Join(dir, "out"), filepath.Join(dir, "out-private"))
	if err := os.WriteFile(config, []byte(job), 0o600); err != nil {
		t.Fatal(err)
	}
	environ := []string{"PALIMPSEST_TEST_KEY=" + testKey}
	kill := append([]string{watchFile + "=" + filepath.Join(dir, "watch"), fmt.Sprintf("%s=begun:%d", signalAt, syscall.SIGKILL)},
		environ...)
	if _, said, code := program(t, kill, "--config="+config); code != -1 {
		t.Fatalf("it was not killed: exit status %d\n%s", code, said)
	}
	if _, said, code := program(t, environ, "--config="+config); code != 0 {
		t.Errorf("the same again: exit status %d\n%s", code, said)
	}
}
