package check

import (
	"bytes"
	"context"
	"encoding/base64"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
	"github.com/palimpsest-deid/palimpsest/tools/omop/database"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

const keyVariable = "PALIMPSEST_CHECK_TEST_KEY"

func TestMain(m *testing.M) {
	os.Setenv(keyVariable, "a key of the tests: fifty bytes or so, never to be seen")
	os.Exit(m.Run())
}

// run runs the command with a key and places of its own.
func run(t *testing.T, dir string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	sound := []string{"--key=env:" + keyVariable, "--output=" + filepath.Join(dir, "out"), "--private_beside_output", "--private=" +
		filepath.Join(dir, "held"), "--execution_provider=cpu"}
	status = Main(context.Background(), append(sound, args...), nil, &out, &errs)
	return status, out.String(), errs.String()
}

// examples are the settings of make run.
var examples = []string{"--config=../../examples/config.yaml", "--input=../../examples/notes.parquet",
	"--identifiers=../../examples/identifiers.parquet"}

// files lists what is below a folder.
func files(t *testing.T, dir string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		all = append(all, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

type row struct {
	ID      string `parquet:"note_id"`
	Patient string `parquet:"patient_id"`
	Text    string `parquet:"text"`
}

func write[T any](t *testing.T, path string, rows []T) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := parquet.WriteFile(path, rows); err != nil {
		t.Fatal(err)
	}
	return path
}

// spanish are notes in another language than the default model's.
func spanish(t *testing.T) []row {
	t.Helper()
	raw, err := os.ReadFile("../../model/language/testdata/es.txt")
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	for i, text := range strings.Split(string(raw), "%%\n") {
		rows = append(rows, row{string(rune('a' + i)), "p1", text})
	}
	return rows
}

// All that is to be known of the examples is told, with the columns, and nothing
// is written.
func TestExamples(t *testing.T) {
	dir := t.TempDir()
	status, stdout, stderr := run(t, dir, append(examples, "--sample=5")...)
	if status != 0 || stderr != "" {
		t.Fatalf("status %d: %s%s", status, stdout, stderr)
	}
	for _, want := range []string{
		"278 notes, 1 file, ", "  written_at                    required INT64 (TIMESTAMP)    date         shifted\n",
		"which has the id ", "en-clinical, version ", "for notes in English", "runs on cpu, ONNX Runtime ",
		"of 48 patients", "MEDICALRECORD      48          48                       0",
		"of 278 notes, 276 (99.3 %) are of a patient whom they name, 0 of one whom they do not, 2 have no patient id",
		"of the patients of these notes, 48 are named and 0 are not",
		"English, mostly: of the words of 200 sampled notes, 9", "plain, in 200 sampled notes", "they span 4,332 days",
		"sampled dates as 3/4/2014", "in 5 notes, ", " spans (network ", "known ", "PATIENT ",
		"time: about ", "memory: about ", "below --output=", "The job would run; nothing was written.\n",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("it does not say %q", want)
		}
	}
	if left := files(t, dir); len(left) != 1 {
		t.Errorf("it wrote %q", left)
	}
	if t.Failed() {
		t.Log(stdout)
	}
	again, _, _ := func() (string, string, int) {
		s, o, e := run(t, dir, append(examples, "--sample=5")...)
		return o, e, s
	}()
	steady := func(s string) string { s, _, _ = strings.Cut(s, "About what it takes"); return s } // its speed, and disks, vary
	if steady(again) != steady(stdout) {
		t.Errorf("it says something else the second time:\n%s", again)
	}
	checkSilence(t, stdout)
}

// checkSilence fails where a known identifier of the examples was printed.
func checkSilence(t *testing.T, printed string) {
	t.Helper()
	object, err := storage.Open(t.Context(), "../../examples/identifiers.parquet")
	if err != nil {
		t.Fatal(err)
	}
	defer object.Close()
	f, err := table.Open(object, object.Size(), "identifiers.parquet")
	if err != nil {
		t.Fatal(err)
	}
	var columns []table.TextColumn
	for _, name := range []string{"name", "mrn", "phone", "birth_date"} {
		columns = append(columns, table.TextColumn{Name: name, Lists: true, Dates: true})
	}
	texts, err := f.Texts(columns...)
	if err != nil {
		t.Fatal(err)
	}
	values := 0
	err = texts.Each(t.Context(), func(r *table.TextRow) error {
		for _, all := range r.Values {
			for _, v := range all {
				if values++; strings.Contains(printed, v) {
					t.Errorf("it printed a value of the known identifiers")
				}
			}
		}
		return nil
	})
	if err != nil || values < 100 {
		t.Errorf("%d values, %v", values, err)
	}
}

// An OMOP database whose tables are called as such tables are needs a preset and
// the columns of person.
func TestOMOP(t *testing.T) {
	dir := t.TempDir()
	if err := database.Write(t.Context(), dir, "../../examples/notes.parquet",
		database.Size{Notes: 3000, Files: 10, Persons: 500, Days: 14}); err != nil {
		t.Fatal(err)
	}
	settings := []string{"--input=" + dir + "/note", "--preset=omop-note", "--identifiers=" + dir + "/person.parquet",
		"--identifier_columns=" + database.PersonColumns}
	status, stdout, stderr := run(t, dir, settings...)
	if status != 0 {
		t.Fatalf("status %d: %s%s", status, stdout, stderr)
	}
	for _, want := range []string{"3,000 notes, 10 files, ", "note_datetime          optional INT64 (TIMESTAMP)    date         shifted",
		"MEDICALRECORD     500         500", "of 3,000 notes, 3,000 (100.0 %)", "they span 14 days", "--date_shift_scope=document",
		"in 20 notes, "} {
		if !strings.Contains(stdout, want) {
			t.Errorf("it does not say %q", want)
		}
	}
	if status, stdout, _ := run(t, dir, append(settings, "--date_shift_scope=document", "--sample=0")...); status != 0 ||
		strings.Contains(stdout, "warning: whoever knows") || strings.Contains(stdout, "What is found") {
		t.Errorf("status %d: %s", status, stdout)
	}
	if t.Failed() {
		t.Log(stdout)
	}
}

// What would stop the job is told as the job tells it, with its status, beside what
// could be found out.
func TestWhatStopsTheJob(t *testing.T) {
	dir := t.TempDir()
	english := write(t, dir+"/english/a.parquet", []row{{"a", "p1", "The patient was seen in the clinic today. No fever and no pain."}})
	other := write(t, dir+"/spanish/a.parquet", spanish(t))
	empty := write(t, dir+"/empty/a.parquet", []row{})
	strangers := write(t, dir+"/strangers.parquet", []struct {
		ID   string `parquet:"patient_id"`
		Name string `parquet:"name"`
	}{{"p9", "Zebulon Quackenbush"}})
	kept := write(t, dir+"/kept/a.parquet", []struct {
		row
		Remark string `parquet:"remark"`
		Code   string `parquet:"code"`
	}{{row{"a", "p1", "The patient was seen in the clinic today."}, "call (505) 555-0143", "N17.9"}})
	for name, log := range map[string]string{"delta": "_delta_log/00000000000000000000.json", "iceberg": "metadata/v3.metadata.json",
		"hudi": ".hoodie/hoodie.properties"} {
		write(t, filepath.Join(dir, name, "data", "a.parquet"), []row{{"a", "p1", "text"}})
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name, log)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, log), []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	full := t.TempDir()
	if err := os.WriteFile(full+"/somebody's", []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		args   []string
		status int
		errs   string // on stderr
		says   string // on stdout
	}{
		{"plain", []string{"--input=" + english}, 0, "", "1 note, 1 file, "},
		{"no settings", nil, 64, "--input is missing", ""},
		{"a misspelt flag", []string{"--sampel=3"}, 64, "did you mean --sample?", ""},
		{"show into a file", []string{"--input=" + english, "--show"}, 64, "on a terminal only", ""},
		{"a number that is none", []string{"--input=" + english, "--sample=-1"}, 64, "not below 0", ""},
		{"a runner that there is not", []string{"--input=" + english, "--runner=abacus"}, 64, "--runner=abacus: write direct",
			"1 note, 1 file, "},
		{"another runner", []string{"--input=" + english, "--runner=flink", "--endpoint=localhost:1"}, 0, "", "for each worker"},
		{"columns without a role", []string{"--input=../../examples/notes.parquet"}, 64, "  columns:\n    encounter_id: ", "English, mostly"},
		{"no key there", []string{"--input=" + english, "--key=env:NO_SUCH_VARIABLE"}, 64, "the variable is not set here", "1 note, 1 file, "},
		{"a full output", []string{"--input=" + english, "--output=" + full}, 64, "is not empty", "1 note, 1 file, "},
		{"another language", []string{"--input=" + other}, 65,
			"the notes are in Spanish (of a sample of 3 notes: 100 % Spanish), the model en-clinical in English",
			"warning: the model is for English"},
		{"another language, allowed", []string{"--input=" + other, "--language_check=warn"}, 0, "", "warning: the model is for English"},
		{"its model", []string{"--input=" + other, "--model=es-meddocan"}, 0, "", "Spanish, as far as 3 sampled notes tell"},
		{"a phone number in a kept column", []string{"--input=" + kept, "--keep_columns=remark,code"}, 65,
			`column "remark", which is kept: 1 values hold a phone number`, "1 note, 1 file"},
		{"no rows", []string{"--input=" + empty}, 65, "the input has no rows", "0 notes, 1 file"},
		{"no rows, allowed", []string{"--input=" + empty, "--allow_empty"}, 0, "", "0 notes, 1 file"},
		{"no file", []string{"--input=" + dir + "/none*"}, 65, "no file matches", "en-clinical, version "},
		{"identifiers of others", []string{"--input=" + english, "--identifiers=" + strangers}, 65, "none of its 1 patients has a note",
			"of 1 note, 0 (0.0 %) are of a patient whom they name, 1 of one whom they do not"},
		{"two reasons", []string{"--input=" + other, "--output=" + full}, 64, "the notes are in Spanish", "3 notes, 1 file"},
		{"Delta by folder", []string{"--input=" + dir + "/delta"}, 65, "delta_scan('" + dir + "/delta')", ""},
		{"Delta by glob", []string{"--input=" + dir + "/delta/data/*.parquet"}, 65, "delta_scan('" + dir + "/delta')", ""},
		{"Delta by file", []string{"--input=" + dir + "/delta/data/a.parquet"}, 65, "delta_scan('" + dir + "/delta')", ""},
		{"Iceberg by glob", []string{"--input=" + dir + "/iceberg/**/*.parquet"}, 65, "iceberg_scan('" + dir + "/iceberg')", ""},
		{"Hudi by file", []string{"--input=" + dir + "/hudi/data/a.parquet"}, 65, `load("` + dir + `/hudi")`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			own := t.TempDir()
			defer func() { // the process's, so those of the next test
				for _, name := range []string{"runner", "endpoint"} {
					if err := flag.Set(name, ""); err != nil {
						t.Error(err)
					}
				}
			}()
			status, stdout, stderr := run(t, own, append(c.args, "--other_columns=refuse")...)
			if status != c.status || !strings.Contains(stderr, c.errs) || !strings.Contains(stdout, c.says) || (status == 0) != (stderr == "") ||
				(status == 0) != strings.Contains(stdout, "The job would run") {
				t.Errorf("status %d, want %d, %q and %q:\n%s\n%s", status, c.status, c.errs, c.says, stdout, stderr)
			}
			if left := files(t, own); len(left) != 1 {
				t.Errorf("it wrote %q", left)
			}
		})
	}
}

// While another job is at work on the output, the job would not run.
func TestLocked(t *testing.T) {
	dir := t.TempDir()
	in := write(t, dir+"/a.parquet", []row{{"a", "p1", "No fever."}})
	o := pipeline.DefaultOptions()
	o.Input, o.Output, o.Private, o.Beside, o.Key = []string{in}, dir+"/out", dir+"/held", true, "env:"+keyVariable
	cfg, err := pipeline.NewConfig(o)
	if err != nil {
		t.Fatal(err)
	}
	cfg.RunID = cfg.NewRun()
	if err := transforms.Acquire(t.Context(), cfg, ""); err != nil {
		t.Fatal(err)
	}
	before := files(t, dir)
	status, stdout, stderr := run(t, dir, "--input="+in, "--sample=0")
	if status != 75 || !strings.Contains(stderr, "another job has been at work on it since") || !strings.Contains(stdout, "1 note, 1 file") {
		t.Errorf("status %d: %s%s", status, stdout, stderr)
	}
	if after := files(t, dir); !slices.Equal(before, after) {
		t.Errorf("there were %q, and are %q", before, after)
	}
}

// Of a mixed table the shares are told.
func TestMixedLanguages(t *testing.T) {
	dir := t.TempDir()
	rows := spanish(t)
	for i := range 8 {
		rows = append(rows,
			row{string(rune('k' + i)), "p2", "The patient was seen in the clinic today with pain in the left knee. She has no fever and " +
				"will return in two weeks for an exam of the knee."})
	}
	status, stdout, stderr := run(t, dir, "--input="+write(t, dir+"/in/a.parquet", rows), "--sample=0")
	if status != 0 || !strings.Contains(stdout, "English, mostly: of the words of 11 sampled notes, 71 % English, 29 % Spanish") {
		t.Errorf("status %d: %s%s", status, stdout, stderr)
	}
}

func TestForms(t *testing.T) {
	lines := base64.StdEncoding.EncodeToString([]byte("Patient seen today for knee pain. To return in two weeks."))
	for text, want := range map[string][]form{
		"Pt seen today; temp < 38, BP > 120/80, a < b":     nil,
		`{\rtf1\ansi Seen today.}`:                         {rtf},
		"<!DOCTYPE html><html><body>Seen</body></html>":    {html},
		"Seen <b>today</b> by<br/>Dr. Hale":                {html},
		"One <b>bold</b> word":                             {html},
		"Ren&eacute;e":                                     {html},
		"RenÃ©e":                                           {mojibake},
		`<?xml version="1.0"?><ClinicalDocument/>`:         {cda},
		"\uFEFF <ClinicalDocument xmlns='urn:hl7-org:v3'>": {cda},
		lines[:40] + "\r\n" + lines[40:] + "\r\n":          {encoded},
		strings.Repeat("ACETAMINOPHEN", 8):                 nil,
		"Caf\xe9, 38 \xb0C":                                {windows},
		"Caf\x81":                                          {invalid},
		"\xff\xfeS\x00e\x00e\x00n\x00":                     {invalid},
		"S\x00e\x00e\x00n\x00":                             {wide},
		"Seen\x00\x00":                                     nil,
		`{"note":"Seen\ntoday"}`:                           {escaped},
		"Dictated today\n{\\rtf1\\ansi Seen}":              {mixed},
		"38 \uFFFDC":                                       {replaced},
		`{\rtf1 caf` + "\xe9 \uFFFD}":                      {rtf, windows, replaced},
		"":                                                 nil,
	} {
		if got := formOf(text); !slices.Equal(got, want) {
			t.Errorf("formOf(%q) = %q, want %q", text, got, want)
		}
	}
	dir := t.TempDir()
	in := write(t, dir+"/a.parquet", []row{{"a", "p", `{\rtf1 Seen}`}, {"b", "p", "Caf\xe9"}, {"c", "p", "plain"}})
	status, stdout, stderr := run(t, dir, "--input="+in)
	if status != 0 || !strings.Contains(stdout, "1 of 3 sampled notes look like RTF: read as RTF") ||
		!strings.Contains(stdout, "1 of 3 sampled notes hold bytes that") ||
		!strings.Contains(stdout, "1 of 3 sampled notes would go to quarantine: invalid_utf8") {
		t.Errorf("status %d: %s%s", status, stdout, stderr)
	}
}

// Dates that nothing tells the order of are counted, and an order is proposed where
// the notes with evidence agree; it is never taken by itself.
func TestDayOrder(t *testing.T) {
	dir := t.TempDir()
	var rows []row
	for i := range 6 {
		id := string(rune('a' + i))
		rows = append(rows, row{id, "p" + id, "Seen on 23/04/2014 in the clinic, and again on 03/05/2014."})
	}
	rows = append(rows, row{"z", "pz", "Seen on 03/04/2014 in the clinic."})
	in := "--input=" + write(t, dir+"/a.parquet", rows)
	for _, c := range []struct{ set, want string }{
		{"--day_order=auto", "in 1 nothing does, and they are read with the month first\n  6 of the 6 notes with evidence say otherwise: " +
			"consider --day_order=day_first"},
		{"--day_order=day_first", "in 1 nothing does, and they are read with the day first\n  6 of the 6 notes with evidence agree with that"},
	} {
		status, stdout, stderr := run(t, dir, in, c.set, "--sample=0")
		if status != 0 ||
			!strings.Contains(stdout, "7 sampled dates as 3/4/2014 can be read in two ways: in 6 of them the patient's notes tell that the day") ||
			!strings.Contains(stdout, c.want) {
			t.Errorf("%s: status %d: %s%s", c.set, status, stdout, stderr)
		}
	}
}

func TestWords(t *testing.T) {
	for n, want := range map[int64]string{1500: "2 KB", 2_500_000: "2 MB", 5_250_000_000: "5.2 GB", 1_234_000_000_000: "1,234 GB"} {
		if got := size(n); got != want {
			t.Errorf("size(%d) = %s, want %s", n, got, want)
		}
	}
}
