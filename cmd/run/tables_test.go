package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/tools/omop/database"
)

// measurement is a row of the table of that name.
type measurement struct {
	ID       int64   `parquet:"measurement_id"`
	PersonID int64   `parquet:"person_id"`
	Concept  int32   `parquet:"measurement_concept_id"`
	Date     *int32  `parquet:"measurement_date,optional,date"`
	Value    float64 `parquet:"value_as_number"`
	VisitID  *int64  `parquet:"visit_occurrence_id,optional"`
}

// omop makes an OMOP database of 300 notes and 50 persons, of whom some are older than
// 89 and some have measurements and no note, and returns its folder.
func omop(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := database.Write(t.Context(), dir, "../../examples/notes.parquet", database.Size{Notes: 300, Files: 2, Persons: 50}); err != nil {
		t.Fatal(err)
	}
	var rows []measurement
	for i := range 400 {
		day, visit := int32(14_610+i*53%5400), int64(7_000_000+i%30)
		m := measurement{ID: int64(9_000_000 + i), PersonID: int64(100_000 + i*7%50), Concept: 3_004_249, Date: &day, Value: float64(i),
			VisitID: &visit}
		if i%11 == 0 {
			m.VisitID = nil
		}
		if i%13 == 0 {
			m.Date = nil
		}
		rows = append(rows, m)
	}
	if err := parquet.WriteFile(filepath.Join(dir, "measurement.parquet"), rows); err != nil {
		t.Fatal(err)
	}
	return dir
}

// joined is what joined.py prints.
type joined struct {
	Joined           int `json:"joined"`
	KeysLost         int `json:"keys_lost"`
	KeysKept         int `json:"keys_kept"`
	Intervals        int `json:"intervals"`
	IntervalsChanged int `json:"intervals_changed"`
	NotShifted       int `json:"not_shifted"`
	Above89          int `json:"above_89"`
	Oldest           int `json:"oldest"`
	AgesChanged      int `json:"ages_changed"`
}

func join(t *testing.T, python, before string, after ...string) (j joined) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), python, "testdata/joined.py", before, strings.Join(after, ","))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &j)
	}
	if err != nil {
		t.Fatalf("%v %s", err, out)
	}
	return j
}

const (
	noteTable = `
input: BEFORE/note
preset: omop-note
identifiers: BEFORE/person.parquet
identifier_columns: [` + database.PersonColumns + `]
`
	otherTables = `
  person: {input: BEFORE/person.parquet, preset: omop-person}
  visit_occurrence: {input: BEFORE/visit_occurrence.parquet, preset: omop-visit}
  measurement: {input: BEFORE/measurement.parquet, preset: omop-measurement}
`
)

// Notes, persons, visits and measurements join by every key as they did before, and
// every interval between two dates of a person is as it was, released by one run or by
// two: but that nobody is older than 90 by the last date that any of the tables tells.
func TestTablesJoin(t *testing.T) {
	python := os.Getenv("PALIMPSEST_PYTHON")
	if python == "" {
		python = "python3"
	}
	if out, err := exec.Command(python, "-c", "import duckdb").CombinedOutput(); err != nil {
		t.Skipf("no reader: %s cannot import duckdb (%v %s); set PALIMPSEST_PYTHON to one that can", python, err, strings.TrimSpace(string(out)))
	}
	before, dir := omop(t), t.TempDir()
	// release runs the program with a configuration and returns the output.
	release := func(name, config string, more ...string) string {
		file := filepath.Join(dir, name+".yaml")
		out := filepath.Join(dir, "released", name)
		config += "\noutput: " + out + "\nprivate: " + filepath.Join(dir, "held", name) + "\nkey: env:PALIMPSEST_TEST_KEY\n" +
			"extract_end: 2024-12-31\nrow_order: keep\n"
		if err := os.WriteFile(file, []byte(strings.ReplaceAll(config, "BEFORE", before)), 0o600); err != nil {
			t.Fatal(err)
		}
		args := append([]string{"--config=" + file}, more...)
		_, log, code := program(t, []string{"PALIMPSEST_TEST_KEY=" + strings.Repeat("a key of tests ", 4)}, args...)
		if code != 0 {
			t.Fatalf("%s: exit status %d\n%s", name, code, log)
		}
		return out
	}
	const model = "--model=../../onnx/models/en-clinical-fast"
	check := func(j joined) {
		t.Helper()
		if j.Joined < 1000 || j.KeysLost != 0 || j.KeysKept != 0 {
			t.Errorf("%d rows join; %d no longer or newly; %d keys are as before", j.Joined, j.KeysLost, j.KeysKept)
		}
		if j.Intervals < 1000 || j.IntervalsChanged != 0 || j.NotShifted != 0 {
			t.Errorf("of %d intervals %d have changed; %d dates have not", j.Intervals, j.IntervalsChanged, j.NotShifted)
		}
		if j.Above89 == 0 || j.Oldest != 90 || j.AgesChanged != 0 {
			t.Errorf("%d persons were above 89; the oldest is %d now; the ages of %d are wrong", j.Above89, j.Oldest, j.AgesChanged)
		}
	}
	one := release("one", noteTable+"tables:"+otherTables, model)
	check(join(t, python, before, one))
	// By runs apart, each of which reads the days of the other's tables. The second has
	// no texts, and asks for no model.
	only := strings.ReplaceAll(otherTables, "}", ", release: false}")
	notes := release("notes", noteTable+"tables:"+only, model)
	others := release("others", "tables:"+otherTables+"  note: {input: BEFORE/note, preset: omop-note, release: false}\n", "--model=nowhere",
		"--onnxruntime=nowhere")
	check(join(t, python, before, notes, others))
	for _, table := range []string{"person/person", "visit_occurrence/visit_occurrence", "measurement/measurement"} {
		name := table + ".parquet-00000-of-00001.parquet"
		a, err := os.ReadFile(filepath.Join(one, name))
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(others, name))
		if err != nil || string(a) != string(b) {
			t.Errorf("%s differs between one run and two: %v", table, err)
		}
	}
}
