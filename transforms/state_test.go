package transforms_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

type datedRow struct {
	NoteID    string `parquet:"note_id"`
	PatientID string `parquet:"patient_id"`
	Day       int32  `parquet:"note_date,date"`
	Text      string `parquet:"text"`
}

// nightOptions returns the options of a night over some rows.
func nightOptions(t *testing.T, dir, night string, rows ...datedRow) pipeline.Options {
	t.Helper()
	t.Setenv("PALIMPSEST_TRANSFORMS_STATE_KEY", "the key of the tests' states, of fifty bytes, too")
	o := options(t, dir, write(t, dir, night+".parquet", rows))
	o.Model, o.DateColumns = "../onnx/models/en-clinical-fast", []string{"note_date"}
	o.State, o.StateKey, o.Night, o.Dated = filepath.Join(dir, "state"), "env:PALIMPSEST_TRANSFORMS_STATE_KEY", night, true
	return o
}

func prepare(o pipeline.Options) (transforms.Config, error) {
	cfg, err := pipeline.NewConfig(o)
	if err == nil {
		cfg, _, err = pipeline.Prepare(context.Background(), cfg)
	}
	return cfg, err
}

func runNight(t *testing.T, o pipeline.Options) (transforms.Config, transforms.Report) {
	t.Helper()
	cfg, log := runJob(t, o)
	r, err := pipeline.ReadReport(t.Context(), cfg.Output)
	if err != nil {
		t.Fatalf("%v\n%s", err, log)
	}
	return cfg, r
}

var (
	noteA = datedRow{"a", "p", 17_000, "Mr. Zebulon Quackenbush was seen on 3/4/2016."}
	noteB = datedRow{"b", "p", 17_400, "Zebulon is well."}
	noteC = datedRow{"c", "q", 17_800, "Dr. Ottoline Farnsworth will call him."}
)

// A night that was stopped after its notes were tagged does not tag them again, and
// leaves nothing of that work once it is done.
func TestFinishedShardsAreNotTaggedAgain(t *testing.T) {
	dir := t.TempDir()
	o := nightOptions(t, dir, "n1", noteA, noteB)
	o.MaxMissing = 100
	cfg, err := prepare(o)
	if err != nil {
		t.Fatal(err)
	}
	// Stopped at its end: by a foreign file where its notes are to be.
	if err := os.MkdirAll(filepath.Join(cfg.Output, "notes"), 0o755); err != nil {
		t.Fatal(err)
	}
	cfg.Gates.Quarantined = -1
	var log bytes.Buffer
	if err := pipeline.Run(t.Context(), cfg, &log); err == nil || fault.Of(err) != fault.Refused {
		t.Fatalf("it was not stopped: %v", err)
	}
	work, err := filepath.Glob(filepath.Join(dir, "state", "work", "000001", "*"))
	if err != nil || len(work) != 1 {
		t.Fatalf("the work of %d shards is kept: %v", len(work), err)
	}
	defer transforms.Poison("", "")() // no text can be tagged any more
	_, report := runNight(t, o)
	if report.RowsOut != 2 || report.Spans == 0 {
		t.Errorf("%d notes are released, with %d spans", report.RowsOut, report.Spans)
	}
	if _, err := os.Stat(filepath.Join(dir, "state", "work")); err == nil {
		t.Error("the work is left")
	}
	// All is remembered: the whole table again, and a new key.
	o = nightOptions(t, dir, "n2", noteA, noteB)
	o.SeedEpoch = 1
	if _, report = runNight(t, o); report.RowsOut != 2 || report.Nights.Removed != 2 || report.Nights.Added != 2 {
		t.Errorf("the night of another key: %d notes, %+v", report.RowsOut, report.Nights)
	}
}

// A first name that only an earlier night's note tells is replaced tonight.
func TestAnEarlierNightsNameIsSwept(t *testing.T) {
	dir := t.TempDir()
	runNight(t, nightOptions(t, dir, "n1", noteA))
	b := noteB
	b.Text = "Started Zebulon 5 mg daily." // which no tagger takes for a name
	for _, state := range []bool{true, false} {
		o := nightOptions(t, dir, fmt.Sprint("n2", state), b)
		if !state {
			o.State, o.StateKey, o.Night, o.Dated, o.Output = "", "", "", false, filepath.Join(dir, "alone")
			o.Private = filepath.Join(dir, "alone-private")
		}
		cfg, _ := runNight(t, o)
		rows := read[datedRow](t, filepath.Join(cfg.Output, "notes", "*.parquet"))
		if len(rows) != 1 || strings.Contains(strings.ToLower(rows[0].Text), "zebulon") == state {
			t.Errorf("with a state %v: %+v; only with one the name is to be replaced", state, rows)
		}
	}
}

// Files that were seen wholly are not read again, unless they change, something else
// decides the release, or notes are to be reissued. One with a row in quarantine is.
func TestSeenFiles(t *testing.T) {
	dir := t.TempDir()
	again := noteA
	again.Text += " Again."
	night := func(name string, want int64, change func(o *pipeline.Options)) {
		t.Helper()
		o := nightOptions(t, dir, "unused", noteA)
		o.Night, o.Input = name, []string{dir + "/in/*.parquet"}
		if change != nil {
			change(&o)
		}
		if _, report := runNight(t, o); report.RowsIn != want {
			t.Errorf("%s: %d rows were read, want %d", name, report.RowsIn, want)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "in"), 0o755); err != nil {
		t.Fatal(err)
	}
	in := func(name string, rows ...datedRow) { write(t, filepath.Join(dir, "in"), name+".parquet", rows) }
	in("a", noteA, noteB)
	in("b", noteC)
	night("n1", 3, nil)
	in("c", datedRow{"d", "q", 17_900, "Well."}, datedRow{"", "q", 17_900, "Well."})
	night("n2", 2, nil)
	night("n3", 2, nil) // of the file with a row in quarantine
	in("a", noteB, again)
	night("n4", 4, nil)
	in("c", datedRow{"d", "q", 17_900, "Well."})
	night("n5", 1, nil)
	night("n6", 2, nil) // the first, for its schema
	night("n7", 4, func(o *pipeline.Options) { o.Reissue = true })
	night("n8", 4, func(o *pipeline.Options) { o.Replacement = "tag" })
	night("n9", 4, func(o *pipeline.Options) { o.SeedEpoch = 1 })
}

// A column that is pseudonymised from tonight on is so in older notes, too, by --reissue,
// though nothing that is written in them changes. One that is dropped changes its rows.
func TestReissueForAColumn(t *testing.T) {
	type wide struct {
		datedRow
		Ward string `parquet:"ward"`
	}
	dir := t.TempDir()
	night := func(name string, change func(o *pipeline.Options)) transforms.Report {
		o := nightOptions(t, dir, "unused", noteA)
		o.Night, o.Input = name, []string{write(t, dir, "wide.parquet", []wide{{noteA, "4B"}})}
		change(&o)
		_, report := runNight(t, o)
		return report
	}
	night("n1", func(o *pipeline.Options) { o.KeepColumns = []string{"ward"} })
	if r := night("n2", func(o *pipeline.Options) { o.IDColumns = []string{"ward"} }); r.Nights.Differing != 1 || r.RowsOut != 0 {
		t.Errorf("without --reissue: %+v", r.Nights)
	}
	if r := night("n3", func(o *pipeline.Options) { o.IDColumns, o.Reissue = []string{"ward"}, true }); r.Nights.Replaced != 1 {
		t.Errorf("with it: %+v", r.Nights)
	}
	if r := night("n4", func(o *pipeline.Options) { o.DropColumns = []string{"ward"} }); r.Nights.Replaced != 1 {
		t.Errorf("dropped: %+v", r.Nights)
	}
}

// Of two nights at once the second to end is refused, and sees the first when it runs
// again.
func TestTwoNightsAtOnce(t *testing.T) {
	dir := t.TempDir()
	runNight(t, nightOptions(t, dir, "n1", noteA))
	late := nightOptions(t, dir, "n3", noteC)
	cfg, err := prepare(late)
	if err != nil {
		t.Fatal(err)
	}
	runNight(t, nightOptions(t, dir, "n2", noteB))
	err = pipeline.Run(t.Context(), cfg, &bytes.Buffer{})
	if err == nil || !strings.Contains(err.Error(), "another night was committed") {
		t.Fatalf("the late night: %v", err)
	}
	if _, err := os.Stat(filepath.Join(cfg.Output, "_SUCCESS")); err == nil {
		t.Error("it has _SUCCESS")
	}
	if _, report := runNight(t, late); report.Nights.Released != 3 {
		t.Errorf("run again: %+v", report.Nights)
	}
}

// Between _SUCCESS and the head a night may be killed: whoever opens the state next
// makes it the night's. A pending head whose output is not complete is nobody's.
func TestPendingHeads(t *testing.T) {
	dir := t.TempDir()
	rename := func(from, to string) {
		t.Helper()
		if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
			t.Fatal(err)
		}
	}
	runNight(t, nightOptions(t, dir, "n1", noteA))
	second := nightOptions(t, dir, "n2", noteA, noteB)
	runNight(t, second)
	rename("state/head-000002.json", "state/pending-000002-000001.json")
	third := nightOptions(t, dir, "n3", noteA, noteB, noteC)
	if cfg, err := prepare(third); err != nil || cfg.Nights.Generation != 2 {
		t.Fatalf("the state was not settled: %v", err)
	}
	if _, report := runNight(t, third); report.Unchanged != 2 || report.Nights.Added != 1 {
		t.Errorf("the third night: %d unchanged, %+v", report.Unchanged, report.Nights)
	}
	// Killed before _SUCCESS.
	rename("state/head-000003.json", "state/pending-000003-000001.json")
	rename("out/n3", "out-of-the-way")
	rename("private/n3", "private-out-of-the-way")
	if _, report := runNight(t, third); report.Unchanged != 2 || report.Nights.Added != 1 {
		t.Errorf("the third night, again: %d unchanged, %+v", report.Unchanged, report.Nights)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "state", "pending-*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// A state under another key, or with a file that is not its own, is refused with what
// to do; nothing of what it holds is said.
func TestDamagedStates(t *testing.T) {
	dir := t.TempDir()
	runNight(t, nightOptions(t, dir, "n1", noteA))
	next := nightOptions(t, dir, "n2", noteB)
	t.Setenv("PALIMPSEST_OTHER_KEY", "another key of the tests, of fifty bytes or so, too")
	for name, c := range map[string]struct {
		change func(o *pipeline.Options)
		said   string
	}{
		"another key":       {func(o *pipeline.Options) { o.StateKey = "env:PALIMPSEST_OTHER_KEY" }, "another --state_key"},
		"the job's own key": {func(o *pipeline.Options) { o.StateKey = o.Key }, "make another one"},
		"none":              {func(o *pipeline.Options) { o.StateKey = "" }, "--state_key is missing"},
		"a trial":           {func(o *pipeline.Options) { o.Limit = 5 }, "leave out --state"},
		"in the output":     {func(o *pipeline.Options) { o.State = o.Output + "/state" }, "lie in one another"},
		"a bad name":        {func(o *pipeline.Options) { o.Night = "../n" }, "write a name"},
		"no such list":      {func(o *pipeline.Options) { o.Withdrawn = "none.parquet" }, "--withdrawn"},
		"without a state":   {func(o *pipeline.Options) { o.State = "" }, "--state, which is missing"},
	} {
		o := next
		c.change(&o)
		if _, err := prepare(o); err == nil || !strings.Contains(err.Error(), c.said) || strings.Contains(err.Error(), "fifty bytes") {
			t.Errorf("%s: %v", name, err)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "state", "nights", "000001", "*"))
	if err != nil || len(files) < 2 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		damaged := bytes.Clone(raw)
		damaged[len(raw)/2] ^= 1
		if err := os.WriteFile(file, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		cfg, err := prepare(next)
		if err == nil {
			err = pipeline.Run(t.Context(), cfg, &bytes.Buffer{})
		}
		if err == nil || !strings.Contains(err.Error(), "restore the state from a copy") || strings.Contains(err.Error(), "Quackenbush") {
			t.Errorf("%s is damaged: %v", filepath.Base(file), err)
		}
		if err := os.WriteFile(file, raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	runNight(t, next)
}
