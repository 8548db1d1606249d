package pipeline

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/palimpsest-deid/palimpsest/model/deid"
)

type nightRow struct {
	ID    string `parquet:"note_id"`
	Who   string `parquet:"patient_id"`
	Text  string `parquet:"text"`
	Seen  int32  `parquet:"seen,date"`
	Birth string `parquet:"birth"`
	Shift int64  `parquet:"shift"`
}

type nightOut struct {
	ID    string `parquet:"note_id"`
	Who   string `parquet:"patient_id"`
	Text  string `parquet:"text"`
	Seen  int32  `parquet:"seen,date"`
	Birth string `parquet:"birth"`
}

func nightOptions(dir, file string) Options {
	o := testOptions(dir, file)
	o.DateColumns, o.NoteDateColumn, o.DateOffset = []string{"seen", "birth"}, "seen", "shift"
	return o
}

// Two nights of notes of one patient: the second names more people. Ids,
// surrogates and days are those of the first; the text's dates equal the
// columns'; a supplied offset moves them, and is not in the output.
func TestTwoNights(t *testing.T) {
	first := []nightRow{{"n1", "p1", "Mr. Zebulon Quackenbush, seen 03/04/2019, born 05/06/1950.", 17959, "1950-05-06", -21},
		{"n2", " ", "No change.", 17960, "", 35}}
	second := []nightRow{
		{"n3", "p1", "Mr. Quackenbush was seen with his wife, Mrs. Philippa Quackenbush, by Dr. Ottoline Farnsworth on 03/11/2019.", 17966,
			"1950-05-06", -21},
		{"n4", "p2", "Two offsets.", 17966, "", 7}, {"n5", "p2", "Two offsets.", 17966, "", 14}, {"n6", "p3", "None.", 17966, "", 0},
	}
	dir := t.TempDir()
	a := writeParquet(t, dir, "a.parquet", first)
	b := writeParquet(t, dir, "b.parquet", second)
	one, report, _ := run(t, nightOptions(filepath.Join(dir, "one"), a), nil)
	if report.WithoutID != 1 || report.DatesEqual < 2 || report.DatesDiffer != 0 {
		t.Errorf("a blank patient id is counted %d times, dates as %d equal and %d not", report.WithoutID, report.DatesEqual, report.DatesDiffer)
	}
	two, report, _ := run(t, nightOptions(filepath.Join(dir, "two"), b), nil)
	if report.Reasons[deid.ReasonDateOffset] != 3 || report.RowsOut != 1 {
		t.Errorf("contradicting and missing offsets: %v", report.Reasons)
	}
	x := readParquet[nightOut](t, filepath.Join(one.Output, "notes", "*.parquet"))
	y := readParquet[nightOut](t, filepath.Join(two.Output, "notes", "*.parquet"))
	if len(x) != 2 || len(y) != 1 {
		t.Fatalf("%d and %d rows", len(x), len(y))
	}
	if x[0].Who != y[0].Who || x[0].Who == "p1" || x[1].Who != " " {
		t.Errorf("patient ids are %q, %q and %q", x[0].Who, y[0].Who, x[1].Who)
	}
	if x[0].Seen != 17959-21 || y[0].Seen != 17966-21 || x[0].Birth != "1950-04-15" || y[0].Birth != x[0].Birth {
		t.Errorf("dates are %+v and %+v", x[0], y[0])
	}
	if !strings.Contains(x[0].Text, "02/11/2019") || !strings.Contains(x[0].Text, "04/15/1950") || !strings.Contains(y[0].Text, "02/18/2019") {
		t.Errorf("the texts are %q and %q", x[0].Text, y[0].Text)
	}
	family := strings.TrimSuffix(strings.Fields(x[0].Text)[2], ",")
	if strings.Count(y[0].Text, family) != 2 || strings.Contains(x[0].Text+y[0].Text, "Quackenbush") {
		t.Errorf("%s of the first night is not in the second: %q", family, y[0].Text)
	}
	again, _, _ := run(t, nightOptions(filepath.Join(dir, "again"), b), nil)
	if !maps.Equal(digests(t, two.Output), digests(t, again.Output)) {
		t.Error("the second night differs when run again")
	}
}

// Safe Harbor leaves years of dates and columns.
func TestSafeHarborOnExamples(t *testing.T) {
	o := exampleOptions(t.TempDir())
	o.HIPAAMode = "safe-harbor"
	cfg, report, _ := run(t, o, nil)
	if report.RowsOut != report.RowsIn || report.Dates["reduced_to_year"] == 0 || len(report.Dates) != 1 {
		t.Fatalf("%d of %d rows; date columns: %v", report.RowsOut, report.RowsIn, report.Dates)
	}
	in := readParquet[exampleRow](t, exampleNotes)
	for i, r := range readParquet[exampleRow](t, filepath.Join(cfg.Output, "notes", "*.parquet")) {
		if r.NoteDate == nil {
			continue
		}
		before, after := day(*in[i].NoteDate), day(*r.NoteDate)
		if after.Year() != before.Year() || after.YearDay() != 1 {
			t.Errorf("row %d: the year or the day of the year is wrong", i)
		}
	}
}

// Settings that contradict each other are refused before any work.
func TestReleaseSettings(t *testing.T) {
	for _, change := range []func(*Options){
		func(o *Options) { o.HIPAAMode, o.IDs = "safe-harbor", "keep" },
		func(o *Options) { o.HIPAAMode, o.DateOffset = "safe-harbor", "shift" },
		func(o *Options) { o.HIPAAMode, o.DateShiftScope = "limited", "document" },
		func(o *Options) { o.DateOffset, o.DateShiftScope = "shift", "document" },
		func(o *Options) { o.HIPAAMode = "hipaa" },
		func(o *Options) { o.SeedEpoch = -1 },
		func(o *Options) { o.Consistency, o.MarkovChange = "markov", 0 },
		func(o *Options) { o.DateSentinels = "drop" },
		func(o *Options) { o.DateOffset = "note_date" },
	} {
		o := exampleOptions(t.TempDir())
		change(&o)
		if _, err := NewConfig(o); err == nil {
			t.Errorf("accepted: %+v", o)
		}
	}
}

func day(d int32) time.Time { return time.Unix(int64(d)*86400, 0).UTC() }
