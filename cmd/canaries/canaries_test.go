package canaries

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/gate"
	"github.com/palimpsest-deid/palimpsest/pipeline"
)

const key = "a key of the tests: fifty bytes or so, never to be seen"

// job writes the settings of a job over the examples.
func job(t *testing.T, more string) (config, dir string) {
	t.Helper()
	t.Setenv("PALIMPSEST_CANARIES_KEY", key)
	dir = t.TempDir()
	config = filepath.Join(dir, "job.yaml")
	text := fmt.Sprintf(`input: ../../examples/notes.parquet
output: %[1]s/release/out
private: %[1]s/private
key: env:PALIMPSEST_CANARIES_KEY
model: ../../onnx/models/en-clinical-fast
execution_provider: cpu
date_columns: note_date,written_at,admitted_at
id_columns: encounter_id
other_columns: keep
accept_columns: orders.list.element.code,note_title
`, dir) + more
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return config, dir
}

func run(args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = Main(context.Background(), args, nil, &out, &errs)
	return status, out.String(), errs.String()
}

// Nearly all is found, the counts are those of the same seed, no text is in the
// file, nothing is in the output, and a gate takes the file of the same job alone.
func TestCanaries(t *testing.T) {
	config, dir := job(t, "")
	status, stdout, stderr := run("--config", config, "--notes", "40")
	if status != 0 || !strings.Contains(stdout, "160 made-up identifiers were planted in copies of 40 notes") {
		t.Fatalf("status %d: %s%s", status, stdout, stderr)
	}
	file := filepath.Join(dir, "private", "canaries.json")
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var f gate.CanariesFile
	if err := json.Unmarshal(raw, &f); err != nil {
		t.Fatal(err)
	}
	planted := 0
	for _, c := range f.ByType {
		planted += c.Planted
	}
	if f.All.Planted != 160 || planted != 160 || f.All.Found < 150 || len(f.Missed) != 160-f.All.Found ||
		f.All.Share.Low >= f.All.Share.Point {
		t.Errorf("%s", raw)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info, err)
	}
	if entries, _ := os.ReadDir(filepath.Join(dir, "release")); len(entries) > 0 {
		t.Errorf("%v lies in the output", entries)
	}
	if status, _, stderr := run("--config", config, "--notes", "40"); status != 0 {
		t.Fatal(stderr)
	}
	if again, err := os.ReadFile(file); err != nil || !bytes.Equal(raw, again) {
		t.Errorf("the same seed gives other counts: %v", err)
	}
	prepared := func(more string, found float64) error {
		t.Helper()
		thresholds := filepath.Join(dir, "gate.yaml")
		if err := os.WriteFile(thresholds, fmt.Appendf(nil, "canaries: {file: %s, found: %g}\n", file, found), 0o600); err != nil {
			t.Fatal(err)
		}
		o, _, err := pipeline.ReadFile(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		o.Gate, o.Recall = thresholds, more
		cfg, err := pipeline.NewConfig(o)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = pipeline.Prepare(t.Context(), cfg)
		return err
	}
	if err := prepared("", 80); err != nil { // the private part holds the file, and the job may begin
		t.Error(err)
	}
	if err := prepared("", 100); fault.Of(err) != fault.Refused || !strings.Contains(err.Error(),
		"canaries found, by the lower end of the interval") {
		t.Error(err)
	}
	if err := prepared("high", 80); fault.Of(err) != fault.Refused || !strings.Contains(err.Error(), "run palimpsest canaries again") {
		t.Error(err)
	}
}

// A job that finds less is told from one that finds what it ought to.
func TestCanariesTellAWeakJob(t *testing.T) {
	config, dir := job(t, "steps: guards\npolicy: research-professions\n")
	file := filepath.Join(dir, "weak.json")
	if status, _, stderr := run("--config", config, "--notes", "30", "--json", file, "--model", "../../onnx/models/es-meddocan", "--steps",
		"guards",
		"--recall_bias", "-5"); status != 0 {
		t.Fatal(stderr)
	}
	raw, err := os.ReadFile(file)
	var f gate.CanariesFile
	if err != nil || json.Unmarshal(raw, &f) != nil || f.All.Planted < 100 || f.All.Found > f.All.Planted*99/100 {
		t.Errorf("%v: %+v", err, f.All)
	}
}

func TestRefusals(t *testing.T) {
	config, dir := job(t, "")
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"--config", config, "--notes", "0"}, 64, "--notes: write at least 1"},
		{[]string{"--config", config, "--json", filepath.Join(dir, "release/out/c.json")}, 64, "lies inside the output"},
		{[]string{"--config", config, "--key", "env:NONE_OF_THESE"}, 64, "NONE_OF_THESE"},
		{[]string{"--config", config, "more"}, 64, "belongs to no flag"},
		{nil, 64, "--input is missing"},
	} {
		if status, _, stderr := run(c.args...); status != c.status || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: status %d: %s", c.args, status, stderr)
		}
	}
}

// Nothing is planted in notes that are not plain, and that is said.
func TestCanariesOfPlainNotesAlone(t *testing.T) {
	type row struct {
		NoteID    string `parquet:"note_id"`
		PatientID string `parquet:"patient_id"`
		Text      string `parquet:"text"`
	}
	rows := []row{{"rtf", "p1", `{\rtf1 Seen with a cough.\par` + "\n" + `Home.}`}, {"html", "p1", "<p>Seen with a cough.</p>\n<p>Home.</p>"},
		{"plain", "p1", "Seen with a cough.\nHome."}}
	dir := t.TempDir()
	for name, c := range map[string]struct {
		rows []row
		want string
	}{
		"all": {rows, "4 made-up identifiers were planted in copies of 1 notes"}, "none": {rows[:2], "no notes in plain text"},
	} {
		config, own := job(t, "")
		input := filepath.Join(dir, name+".parquet")
		if err := parquet.WriteFile(input, c.rows); err != nil {
			t.Fatal(err)
		}
		settings := fmt.Sprintf("input: %s\noutput: %[2]s/release/out\nprivate: %[2]s/held\nkey: env:PALIMPSEST_CANARIES_KEY\n"+
			"model: ../../onnx/models/en-clinical-fast\nexecution_provider: cpu\n", input, own)
		if err := os.WriteFile(config, []byte(settings), 0o600); err != nil {
			t.Fatal(err)
		}
		status, stdout, stderr := run("--config", config)
		if !strings.Contains(stdout+stderr, c.want) || name == "all" && !strings.Contains(stdout, "Nothing was planted in 2 notes") {
			t.Errorf("%s: status %d: %s%s", name, status, stdout, stderr)
		}
	}
}
