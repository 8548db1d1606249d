package flink

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// note is a note of the examples with few of its columns.
type note struct {
	ID      int64  `parquet:"note_id,optional"`
	Patient string `parquet:"patient_id,optional"`
	Date    int32  `parquet:"note_date,optional,date"`
	Text    string `parquet:"text,optional"`
}

// nights runs two nights with a state, the second with new and amended notes, known
// identifiers and reissues, in process and then on Flink: output, private part and
// state are the same.
func (s *site) nights(t *testing.T) {
	rows, err := parquet.ReadFile[note](filepath.Join(repository, "examples/notes.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	rows = rows[:40]
	if err := parquet.WriteFile(s.file("n1.parquet"), rows[:25]); err != nil {
		t.Fatal(err)
	}
	rows[3].Text += "\n\nAddendum: also seen by Dr. Ottoline Farnsworth, who spoke with his sister Philippa."
	if err := parquet.WriteFile(s.file("n2.parquet"), rows); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.file("state-key"), []byte("the key of the tests' states, of fifty bytes, too"), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(runner ...string) map[string]string {
		t.Helper()
		for _, night := range [][]string{
			{"--input=" + s.file("n1.parquet"), "--night=n1"},
			{"--input=" + s.file("n2.parquet"), "--night=n2", "--reissue", "--identifiers=examples/identifiers.parquet"},
		} {
			settings := append(append([]string{"--state=" + s.file("state"), "--state_key=file:" + s.file("state-key"), "--accept_dated_batches",
				"--date_columns=note_date"}, night...), runner...)
			if job := s.job(t, "nights", settings...); job.wait(t) != 0 {
				t.Fatalf("%v: exit code %d:\n%s", night, job.cmd.ProcessState.ExitCode(), job.log())
			}
		}
		places := []string{s.file("nights"), s.file("nights-private"), s.file("state")}
		all := digests(t, places...)
		for _, place := range places { // the next run has the same, as the state names them
			if err := os.RemoveAll(place); err != nil {
				t.Fatal(err)
			}
		}
		return all
	}
	want := run("--runner=direct")
	for _, name := range []string{"0/n2/changes.parquet", "1/n2/reissue.parquet", "2/head-000002.json"} {
		if want[name] == "" {
			t.Fatalf("there is no %s among %v", name, want)
		}
	}
	same(t, run(s.external("2")...), want)
}
