package pipeline

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// exampleRow is the part of the examples that the tests look at.
type exampleRow struct {
	NoteID    int64      `parquet:"note_id"`
	PatientID *string    `parquet:"patient_id,optional"`
	Text      *string    `parquet:"text,optional"`
	NoteDate  *int32     `parquet:"note_date,optional,date"`
	WrittenAt *time.Time `parquet:"written_at,optional,timestamp(microsecond)"`
}

// The invariants at the end of the design, on one run over the examples. The
// rewritten text is checked against the findings alone, not by the code that
// rewrote it.
func TestExamplesKeepTheInvariants(t *testing.T) { onEachRunner(t, testInvariants) }

func testInvariants(t *testing.T) {
	cfg, report, _ := run(t, exampleOptions(t.TempDir()), nil)
	in := readParquet[exampleRow](t, exampleNotes)
	out := readParquet[exampleRow](t, filepath.Join(cfg.Output, "notes", "*.parquet"))
	if report.Quarantined != 0 || int(report.RowsIn) != len(in) || len(out) != len(in) {
		t.Fatalf("%d rows in, %d out, %d quarantined; the files hold %d and %d", report.RowsIn, report.RowsOut, report.Quarantined, len(in),
			len(out))
	}
	findings := map[string][]table.Finding{}
	for _, f := range readParquet[table.Finding](t, filepath.Join(cfg.Private, "findings", "*.parquet")) {
		findings[f.DocumentID] = append(findings[f.DocumentID], f)
	}
	offsets := map[string]int32{}
	spans := 0
	for i := range in {
		id := fmt.Sprint(in[i].NoteID)
		if in[i].NoteID == out[i].NoteID {
			t.Errorf("note %s keeps its id", id)
		}
		spans += len(findings[id])
		checkText(t, id, []rune(*in[i].Text), []rune(*out[i].Text), findings[id])
		if in[i].PatientID == nil {
			if out[i].PatientID != nil {
				t.Errorf("note %s: a null patient id became one", id)
			}
			continue
		}
		if *in[i].PatientID == *out[i].PatientID {
			t.Errorf("note %s keeps its patient id", id)
		}
		if in[i].NoteDate == nil {
			continue
		}
		offset := *out[i].NoteDate - *in[i].NoteDate
		if first, ok := offsets[*in[i].PatientID]; ok && first != offset {
			t.Errorf("note %s moves by %d days, another of the patient by %d", id, offset, first)
		}
		offsets[*in[i].PatientID] = offset
		if offset == 0 || offset%7 != 0 {
			t.Errorf("note %s moves by %d days", id, offset)
		}
		if in[i].WrittenAt != nil {
			if moved := out[i].WrittenAt.Sub(*in[i].WrittenAt); moved != time.Duration(offset)*24*time.Hour {
				t.Errorf("note %s: the timestamp moves by %v, the date by %d days", id, moved, offset)
			}
		}
	}
	if int64(spans) != report.Spans || spans < 4000 {
		t.Errorf("%d findings, the report says %d; the examples hold more than 4,000 marks", spans, report.Spans)
	}
	distinct := map[int32]bool{}
	for _, o := range offsets {
		distinct[o] = true
	}
	if len(distinct) < len(offsets)*3/4 {
		t.Errorf("%d patients share %d offsets", len(offsets), len(distinct))
	}
}

// checkText checks that text outside of the findings is unchanged, and that
// none of their surfaces stands where it stood, but for those that may.
func checkText(t *testing.T, id string, in, out []rune, findings []table.Finding) {
	t.Helper()
	from, to := int64(0), int64(0)
	for _, f := range findings {
		if f.Start < from || f.End <= f.Start || f.OutputStart < to || f.OutputEnd < f.OutputStart {
			t.Fatalf("note %s: findings overlap or are out of order at %d", id, f.Start)
		}
		if string(in[from:f.Start]) != string(out[to:f.OutputStart]) {
			t.Errorf("note %s: text before %d changed", id, f.Start)
		}
		if surface := string(in[f.Start:f.End]); surface == string(out[f.OutputStart:f.OutputEnd]) && !mayStay(f.Type, surface) {
			t.Errorf("note %s: the %s at %d survives", id, f.Type, f.Start)
		}
		from, to = f.End, f.OutputEnd
	}
	if string(in[from:]) != string(out[to:]) {
		t.Errorf("note %s: the end of the text changed", id)
	}
}

// mayStay says which surfaces a shift by whole weeks may leave as they are: ages
// up to 89, and weekdays, months, years and days of a month that stand alone;
// and the country that a patient lives in.
func mayStay(typ, surface string) bool {
	switch typ {
	case "AGE":
		return true
	case "COUNTRY":
		return surface == "UK" || surface == "United Kingdom" || surface == "United States" || surface == "USA" || surface == "Canada"
	case "DATE":
		return !strings.ContainsAny(surface, "0123456789") ||
			regexp.MustCompile(`^\D*(\d{1,2}(st|nd|rd|th)?|(\d\d)?\d\ds?)$`).MatchString(surface)
	}
	return false
}

// However the work is cut and scheduled, and on either runner of one process,
// the output's bytes are the same.
func TestBytesDoNotDependOnScheduling(t *testing.T) {
	first, _, _ := run(t, exampleOptions(t.TempDir()), nil)
	want := digests(t, first.Output, first.Private)
	for name, change := range map[string]func(*transforms.Config){
		"one goroutine, small batches, one bucket": func(c *transforms.Config) {
			c.Workers, c.BatchBytes, c.Buckets, c.Positions = 1, 3000, 1, 150
		},
		"nothing remembered of windows":       func(c *transforms.Config) { c.WindowCache = 0 },
		"little remembered, in small batches": func(c *transforms.Config) { c.WindowCache, c.BatchBytes = 1<<14, 3000 },
		"many goroutines and buckets": func(c *transforms.Config) {
			c.Workers, c.BatchBytes, c.Buckets, c.Positions = 7, 20_000, 1000, 4000
		},
	} {
		second, _, _ := run(t, exampleOptions(t.TempDir()), change)
		got := digests(t, second.Output, second.Private)
		if !maps.Equal(got, want) {
			t.Errorf("%s: the files differ:\n%v\n%v", name, got, want)
		}
	}
	onRunner(t, onPrism, func(t *testing.T) {
		again, _, _ := run(t, exampleOptions(t.TempDir()), nil)
		if got := digests(t, again.Output, again.Private); !maps.Equal(got, want) {
			t.Errorf("the files differ:\n%v\n%v", got, want)
		}
	})
}

// Another shard size gives other files with the same rows in the same order.
func TestRowsDoNotDependOnShards(t *testing.T) {
	first, _, _ := run(t, exampleOptions(t.TempDir()), nil)
	second, report, _ := run(t, exampleOptions(t.TempDir()), func(c *transforms.Config) { c.ShardBytes = 1 })
	if report.Shards < 2 {
		t.Fatalf("%d shards: the examples should have several row groups", report.Shards)
	}
	a := rows(t, filepath.Join(first.Output, "notes", "*.parquet"))
	b := rows(t, filepath.Join(second.Output, "notes", "*.parquet"))
	if len(a) == 0 || len(a) != len(b) {
		t.Fatalf("%d and %d rows", len(a), len(b))
	}
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("row %d differs", i)
		}
	}
}

// rows returns every row of the files, all columns, as text.
func rows(t *testing.T, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, path := range paths {
		reader, err := parquet.ReadFile[any](path)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range reader {
			all = append(all, fmt.Sprint(r))
		}
	}
	return all
}

// Another key changes everything that is secret, and nothing else.
func TestAnotherKeyChangesEverything(t *testing.T) {
	first, _, _ := run(t, exampleOptions(t.TempDir()), nil)
	t.Setenv("PALIMPSEST_OTHER_KEY", strings.Repeat("another key ", 4))
	o := exampleOptions(t.TempDir())
	o.Key = "env:PALIMPSEST_OTHER_KEY"
	second, _, _ := run(t, o, nil)
	a := readParquet[exampleRow](t, filepath.Join(first.Output, "notes", "*.parquet"))
	b := readParquet[exampleRow](t, filepath.Join(second.Output, "notes", "*.parquet"))
	same := 0
	for i := range a {
		if a[i].NoteID == b[i].NoteID {
			t.Errorf("row %d has the same id under both keys", i)
		}
		if a[i].NoteDate != nil && *a[i].NoteDate == *b[i].NoteDate {
			same++
		}
	}
	if same > len(a)/10 {
		t.Errorf("%d of %d dates are the same under both keys", same, len(a))
	}
}
