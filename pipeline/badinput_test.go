package pipeline

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"golang.org/x/sys/unix"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

type note struct {
	NoteID    *string `parquet:"note_id,optional"`
	PatientID *string `parquet:"patient_id,optional"`
	Text      []byte  `parquet:"text,optional"`
	N         int32   `parquet:"n"`
}

func ptr[T any](v T) *T { return &v }

// secretName stands in the texts of bad notes: no error and no log may say it.
const secretName = "Zebulon Quackenbush"

// Rows that cannot be processed go to quarantine with a reason; all others are
// released; nothing is lost.
func TestBadRowsAreQuarantined(t *testing.T) { onEachRunner(t, testBadRows) }

func testBadRows(t *testing.T) {
	dir := t.TempDir()
	text := func(s string) []byte { return []byte("Patient: " + secretName + "\n" + s) }
	first := []note{
		{ptr("a"), ptr("p1"), text("Seen on 3/4/2019."), 1},
		{ptr("b"), ptr("p1"), []byte{}, 2},                                              // empty
		{ptr("c"), ptr("p1"), nil, 3},                                                   // null text
		{nil, ptr("p1"), text("no id"), 4},                                              // null document id
		{ptr("d"), nil, text("no patient"), 5},                                          // its own patient
		{ptr("a"), ptr("p2"), text("the id again"), 6},                                  // duplicate within the file
		{ptr("e"), ptr("p2"), text("bad \xff\xfe bytes"), 7},                            // invalid UTF-8
		{ptr("f"), ptr("p2"), text(strings.Repeat("word ", 4<<20)), 8},                  // 20 MB
		{ptr("g"), ptr("p2"), text(strings.Repeat("x", 1<<20)), 9},                      // one token of 1 MB
		{ptr("h"), ptr("p2"), text(strings.Repeat("1.2.840.10008.", 20_000)), 10},       // a long dotted number
		{ptr("i"), ptr("p2"), text(strings.Repeat("a@", 100_000) + "\u0000\u2028"), 11}, // control characters
	}
	second := []note{
		{ptr("d"), ptr("p3"), text("an id of the other file"), 12},
		{ptr("z"), ptr("p3"), text("good"), 13},
	}
	writeParquet(t, dir, "one.parquet", first, parquet.Compression(&parquet.Snappy))
	writeParquet(t, dir, "two.parquet", second)
	defer unix.Umask(unix.Umask(0)) // which must not open what is private
	cfg, report, log := run(t, testOptions(dir, filepath.Join(dir, "*.parquet")), func(c *transforms.Config) { c.ShardBytes = 1 })
	checkModes(t, cfg.Private)
	want := map[string]int64{
		deid.ReasonNoDocumentID: 1, transforms.ReasonDuplicateID: 2,
		deid.ReasonInvalidUTF8: 1, deid.ReasonTooLarge: 1,
	}
	if fmt.Sprint(report.Reasons) != fmt.Sprint(want) || report.RowsOut != 8 || report.RowsIn != 13 {
		t.Errorf("reasons %v, %d of %d rows out; want %v, 8 of 13", report.Reasons, report.RowsOut, report.RowsIn, want)
	}
	if report.WithoutID != 1 {
		t.Errorf("%d notes without a patient id, want 1", report.WithoutID)
	}
	var numbers []int32
	for _, r := range readParquet[note](t, filepath.Join(cfg.Output, "notes", "*.parquet")) {
		numbers = append(numbers, r.N)
		if strings.Contains(string(r.Text), "Quackenbush") {
			t.Errorf("row %d: the name is in the output", r.N)
		}
	}
	if got := fmt.Sprint(numbers); got != "[1 2 3 5 9 10 11 13]" {
		t.Errorf("rows %s were released", got)
	}
	type held struct {
		note
		Reason string `parquet:"reason"`
	}
	reasons := map[int32]string{}
	for _, r := range readParquet[held](t, filepath.Join(cfg.Private, "quarantine", "*.parquet")) {
		reasons[r.N] = r.Reason
		if r.N == 7 && string(r.Text) != string(first[6].Text) {
			t.Error("the quarantined row is not the original")
		}
	}
	if fmt.Sprint(reasons) != fmt.Sprint(map[int32]string{4: "null_document_id", 6: "duplicate_document_id", 7: "invalid_utf8",
		8: "too_large", 12: "duplicate_document_id"}) {
		t.Errorf("in quarantine: %v", reasons)
	}
	if !strings.Contains(log, "duplicate") && !strings.Contains(log, "repeat a document id") {
		t.Errorf("the summary does not mention duplicates:\n%s", log)
	}
	if strings.Contains(log, "Quackenbush") {
		t.Error("the log holds text of a note")
	}
}

// checkModes fails unless a folder and all below it are their owner's alone.
func checkModes(t *testing.T, dir string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		want := os.FileMode(0o700)
		if !d.IsDir() {
			want = 0o600
			files++
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %o, want %o", path, info.Mode().Perm(), want)
		}
		return nil
	})
	if err != nil || files < 3 {
		t.Errorf("%d private files, %v", files, err)
	}
}

// Input that cannot be right stops the job before any work, with a message
// that says what to do, and leaves no output.
func TestBadInputIsRefused(t *testing.T) {
	dir := t.TempDir()
	good := writeParquet(t, dir, "good.parquet", []note{{ptr("a"), ptr("p"), []byte("Seen by " + secretName), 1}})
	raw, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	type wrong struct {
		NoteID  string   `parquet:"note_id"`
		Patient string   `parquet:"patient_id"`
		Text    float64  `parquet:"text"`
		List    []string `parquet:"list,list"`
	}
	wrongType := writeParquet(t, dir, "wrong.parquet", []wrong{{"a", "p", 1, nil}})
	type strangers struct {
		Name string `parquet:"name"`
	}
	table := writeParquet(t, dir, "identifiers.parquet", []strangers{{secretName}})
	renamed := writeParquet(t, dir, "renamed.parquet", []struct {
		ID   string `parquet:"patient_id"`
		Name string `parquet:"FULL_NAME"`
	}{{"p", secretName}})
	type known struct {
		ID   string `parquet:"patient_id"`
		Name string `parquet:"name"`
	}
	others := writeParquet(t, dir, "others.parquet", []known{{"P", secretName}})
	empty := writeParquet(t, dir, "empty.parquet", []known{{"p", ""}})
	truncated := write("truncated.parquet", raw[:len(raw)-20])
	notParquet := write("letter.parquet", []byte("Dear "+secretName))
	full := filepath.Join(dir, "full")
	if err := os.MkdirAll(full, 0o700); err != nil {
		t.Fatal(err)
	}
	write("full/file", nil)
	badModel := filepath.Join(dir, "model")
	if err := os.CopyFS(badModel, os.DirFS(model)); err != nil {
		t.Fatal(err)
	}
	write("model/vocabulary.txt", []byte("changed"))
	shortKey := write("key", []byte("too short\n"))
	data := map[string]bool{ // which of the cases the data is to blame for, and no setting
		"no file matches": true, "missing column": true, "missing date column": true, "wrong column type": true,
		"truncated": true, "not Parquet": true, "unknown store": true, "identifiers without patients": true,
		"an unknown column of identifiers": true, "identifiers of others": true, "empty identifiers": true,
	}
	for _, c := range []struct {
		name   string
		change func(*Options)
		want   []string
	}{
		{"no input", func(o *Options) { o.Input = nil }, []string{"--input is missing"}},
		{"no file matches", func(o *Options) { o.Input = []string{dir + "/none-*.parquet"} }, []string{"none-*.parquet", "no file matches"}},
		{"missing column", func(o *Options) { o.TextColumn = []string{"body"} }, []string{good, `"body"`, "note_id", "text"}},
		{"missing date column", func(o *Options) { o.DateColumns = []string{"when"} }, []string{good, `"when"`}},
		{"wrong column type", func(o *Options) { o.Input = []string{wrongType} }, []string{wrongType, `"text"`}},
		{"truncated", func(o *Options) { o.Input = []string{truncated} }, []string{truncated, "truncated"}},
		{"not Parquet", func(o *Options) { o.Input = []string{notParquet} }, []string{notParquet, "not a Parquet file"}},
		{"output not empty", func(o *Options) { o.Output = full }, []string{full, "not empty"}},
		{"private not empty", func(o *Options) { o.Private = full }, []string{full, "not empty"}},
		{"output inside input", func(o *Options) { o.Input, o.Output = []string{dir}, filepath.Join(dir, "scrubbed") },
			[]string{"inside", "name another place"}},
		{"private inside output", func(o *Options) { o.Private = filepath.Join(o.Output, "private") },
			[]string{"--private", "inside", "name another place"}},
		{"output inside private", func(o *Options) { o.Private = filepath.Dir(o.Output) }, []string{"inside"}},
		{"no key", func(o *Options) { o.Key = "" }, []string{"--key is missing", "file:PATH"}},
		{"a key as a flag", func(o *Options) { o.Key = testKey }, []string{"--key must name where the key is"}},
		{"key not set", func(o *Options) { o.Key = "env:PALIMPSEST_NO_SUCH_KEY" }, []string{"PALIMPSEST_NO_SUCH_KEY", "not set"}},
		{"short key", func(o *Options) { o.Key = "file:" + shortKey }, []string{shortKey, "at least 32", "palimpsest key new"}},
		{"missing key file", func(o *Options) { o.Key = "file:" + dir + "/none" }, []string{dir + "/none"}},
		{"wrong digest", func(o *Options) { o.Model = badModel }, []string{badModel, "vocabulary.txt", "SHA-256"}},
		{"no such model", func(o *Options) { o.Model = "xx-none" }, []string{"--model=xx-none"}},
		{"not a model", func(o *Options) { o.Model = full }, []string{full, "not a model directory"}},
		{"a provider that cannot run the graphs", func(o *Options) { o.ExecutionProvider = "tensorrt" },
			[]string{"--execution_provider=tensorrt", "cuda"}},
		{"no such GPU", func(o *Options) { o.CUDADevice = -1 }, []string{"--cuda_device=-1"}},
		{"no such memory", func(o *Options) { o.CUDAMemoryMB = -1 }, []string{"--cuda_memory_mb=-1"}},
		{"no GPU", func(o *Options) { o.Model, o.ExecutionProvider, o.CUDADevice, o.CUDAMemoryMB = inFull, "cuda", 1, 100 },
			[]string{"execution provider cuda", "GPU build"}},
		{"unknown provider", func(o *Options) { o.ExecutionProvider = "tpu" }, []string{"--execution_provider=tpu", "cuda"}},
		{"cuda without CUDA", func(o *Options) { o.Model, o.ExecutionProvider = inFull, "cuda" },
			[]string{"execution provider cuda", "cpu or auto"}},
		{"8 bits on CUDA", func(o *Options) { o.ExecutionProvider = "cuda" }, []string{"8 bits", "such as en-clinical-accurate"}},
		{"unknown replacement", func(o *Options) { o.Replacement = "stars" }, []string{"--replacement=stars", "mask"}},
		{"a column twice", func(o *Options) { o.DropColumns = []string{"text"} }, []string{`"text"`, "the roles text and drop"}},
		{"no workers", func(o *Options) { o.Workers = -1 }, []string{"--workers=-1", "at least 0"}},
		{"no days", func(o *Options) { o.DateShiftMaxDays = -1 }, []string{"--date_shift_days=-1"}},
		{"unknown direction", func(o *Options) { o.DateShiftDirection = "future" }, []string{"--date_shift_direction=future", "past or both"}},
		{"unknown order", func(o *Options) { o.DayOrder = "dmy" }, []string{"--day_order=dmy", "day_first"}},
		{"no day", func(o *Options) { o.ExtractEnd = "2019" }, []string{"--extract_end=2019", "YYYY-MM-DD"}},
		{"unknown store", func(o *Options) { o.Input = []string{"az://bucket/x.parquet"} }, []string{"az", "gs://"}},
		{"identifiers without patients", func(o *Options) { o.Identifiers = table }, []string{table, "patient_id"}},
		{"an unknown column of identifiers", func(o *Options) { o.Identifiers = renamed },
			[]string{renamed, "did you mean name?", "--identifier_columns name=FULL_NAME"}},
		{"identifiers of others", func(o *Options) { o.Identifiers = others }, []string{others, "none of its 1 patients has a note", "1 notes"}},
		{"empty identifiers", func(o *Options) { o.Identifiers = empty }, []string{empty, "1 patients and 0 values"}},
		{"identifiers without ids of notes", func(o *Options) { o.Identifiers, o.PatientIDColumn = others, "" },
			[]string{others, "--patient_id_column"}},
		{"roles without identifiers", func(o *Options) { o.IdentifierColumns = []string{"name=x"} }, []string{"--identifiers, which is missing"}},
		{"no such role", func(o *Options) { o.Identifiers, o.IdentifierColumns = others, []string{"nmae=x"} },
			[]string{"--identifier_columns", "did you mean name?"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := testOptions(t.TempDir(), good)
			c.change(&o)
			_, _, log, err := tryRun(o, nil)
			if err == nil {
				t.Fatal("the job ran")
			}
			if got := fault.Of(err); (got == fault.Refused) != data[c.name] {
				t.Errorf("its exit status is %d", got)
			}
			for _, w := range c.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("the error lacks %q: %v", w, err)
				}
			}
			for _, secret := range []string{"Quackenbush", testKey} {
				if strings.Contains(err.Error()+log, secret) {
					t.Errorf("the error or the log says %q", secret)
				}
			}
			if o.Output != full {
				if entries, err := os.ReadDir(o.Output); err == nil && len(entries) > 0 {
					t.Errorf("there is output: %v", entries)
				}
			}
		})
	}
}

// A file that is damaged inside fails the job, which publishes nothing.
func TestDamagedPagesPublishNothing(t *testing.T) { onEachRunner(t, testDamagedPages) }

func testDamagedPages(t *testing.T) {
	dir := t.TempDir()
	var notes []note
	for i := range 200 {
		notes = append(notes, note{ptr(fmt.Sprint(i)), ptr("p"), []byte("Seen by " + secretName + " on 3/4/2019."), int32(i)})
	}
	path := writeParquet(t, dir, "notes.parquet", notes, parquet.Compression(&parquet.Zstd))
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 100; i < len(raw)/2; i++ {
		raw[i] ^= 0x5a
	}
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	o := testOptions(dir, path)
	_, _, log, err := tryRun(o, nil)
	if err == nil {
		t.Fatal("the job ran")
	}
	if !strings.Contains(err.Error(), path) || strings.Contains(err.Error()+log, "Quackenbush") {
		t.Errorf("the error does not name the file, or says too much: %v", err)
	}
	if _, err := os.Stat(filepath.Join(o.Output, transforms.SuccessFile)); err == nil {
		t.Error("there is a _SUCCESS")
	}
	if left := readParquet[table.Finding](t, filepath.Join(o.Output, "notes", "*")); len(left) > 0 {
		t.Error("notes were published")
	}
}
