package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/pipeline"
)

// With --log=json every line of the log is JSON, and the last is the result, of a job
// that is done and of one that is refused; run.json says what a run was, and the
// metrics what it came to. None of them holds a word of the notes.
func TestWhatARunLeavesForPrograms(t *testing.T) {
	dir := t.TempDir()
	notes := filepath.Join(dir, "notes.parquet")
	rows, err := parquet.ReadFile[nightNote]("../../examples/notes.parquet")
	if err != nil {
		t.Fatal(err)
	}
	rows = append(rows[:20], rows[0]) // which repeats an id
	if err := parquet.WriteFile(notes, rows); err != nil {
		t.Fatal(err)
	}
	n := &nights{t: t, dir: dir}
	metrics := filepath.Join(dir, "palimpsest.prom")
	for _, c := range []struct {
		status  int
		args    []string
		metrics []string
	}{
		{65, nil, []string{"last_run_exit_status 65"}},
		{0, []string{"--max_quarantined=10"}, []string{"last_run_exit_status 0", "notes_in 21", "notes_released 20",
			`notes_quarantined{reason="duplicate_document_id"} 1`, `spans{type="DOCTOR"} [1-9]`, "last_success_timestamp_seconds [1-9]"}},
		{64, []string{"--max_quarantined=10"}, []string{"last_run_exit_status 64", "last_success_timestamp_seconds [1-9]"}},
		// the output is taken
	} {
		_, said, code := program(t, nightKeys, n.args(notes, "out", append(c.args, "--log=json", "--metrics="+metrics)...)...)
		if code != c.status {
			t.Fatalf("exit status %d, want %d:\n%s", code, c.status, said)
		}
		var last pipeline.Event
		lines := strings.Split(strings.TrimSpace(said), "\n")
		warned := false
		for _, line := range lines {
			last = pipeline.Event{}
			if err := json.Unmarshal([]byte(line), &last); err != nil || last.Time == "" || last.Level == "" || last.Event == "" {
				t.Fatalf("%q is no event: %v", line, err)
			}
			warned = warned || last.Level == "warning"
		}
		if last.Event != "result" || last.ExitStatus == nil || *last.ExitStatus != c.status || (last.Level == "error") != (c.status != 0) {
			t.Errorf("the last line is %s", lines[len(lines)-1])
		}
		if c.status == 0 && (last.Counts["rows_out"] != 20 || last.Counts["rows_quarantined"] != 1 || !warned) {
			t.Errorf("the result counts %v; warned: %v", last.Counts, warned)
		}
		raw, err := os.ReadFile(metrics)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range c.metrics {
			want = "(?m)^palimpsest_" + strings.NewReplacer("{", `\{`, "}", `\}`).Replace(want)
			if !regexp.MustCompile(want).Match(raw) {
				t.Errorf("the metrics lack %s:\n%s", want, raw)
			}
		}
		noWords(t, rows, said, string(raw))
	}
	raw, err := os.ReadFile(filepath.Join(dir, "out-private", pipeline.RunFile))
	if err != nil {
		t.Fatal(err)
	}
	var rec pipeline.Record
	if err := json.Unmarshal(raw, &rec); err != nil {
		t.Fatal(err)
	}
	if rec.Start == "" || rec.End < rec.Start || rec.Host == "" || rec.Versions["model"] == "" || rec.Settings["max_quarantined"] != "10" ||
		len(rec.Columns) != 7 || rec.Columns[6].Role != "text" || len(rec.Warnings) == 0 || rec.Counts["rows_in"] != 21 {
		t.Errorf("%s is\n%s", pipeline.RunFile, raw)
	}
	noWords(t, rows, string(raw))
	info, err := os.Stat(filepath.Join(dir, "out-private", pipeline.RunFile))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%s: %v, %v", pipeline.RunFile, info.Mode(), err)
	}
}

// noWords fails where what a program reads holds the key, or a patient's id.
func noWords(t *testing.T, rows []nightNote, all ...string) {
	t.Helper()
	for _, text := range all {
		if strings.Contains(text, testKey) {
			t.Error("the key is in it")
		}
		for _, r := range rows {
			if strings.Contains(text, r.Patient) {
				t.Errorf("a patient's id is in it:\n%s", text)
			}
		}
	}
}
