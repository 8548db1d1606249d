package pipeline

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// The other modes of replacement release every note too, and what stands at
// each finding is what they promise.
func TestModesOfReplacement(t *testing.T) {
	masked := regexp.MustCompile(`^[Xx0\P{L}]*$`)
	for _, c := range []struct {
		name   string
		change func(*Options)
		check  func(typ, before, after string) bool
	}{
		{"tag", func(o *Options) { o.Replacement = "tag" }, func(typ, _, after string) bool { return after == "["+typ+"]" }},
		{"mask", func(o *Options) { o.Replacement = "mask" }, func(_, before, after string) bool {
			return len([]rune(before)) == len([]rune(after)) && masked.MatchString(after)
		}},
		{"document", func(o *Options) { o.Consistency = "document" }, func(typ, before, after string) bool {
			return after != "" && (before != after || mayStay(typ, before))
		}},
		{"markov", func(o *Options) { o.Consistency, o.MarkovChange, o.Doctors = "markov", 0.5, "institution" },
			func(typ, before, after string) bool {
				return after != "" && (before != after || mayStay(typ, before))
			}},
		{"season", func(o *Options) { o.DateShiftPolicy, o.DateShiftMaxDays, o.SeedEpoch = "season", 7320, 3 },
			func(_, _, after string) bool { return after != "" }},
		{"limited", func(o *Options) { o.HIPAAMode = "limited" }, func(typ, before, after string) bool {
			switch typ {
			case "DATE", "AGE", "CITY", "STATE", "ZIP", "COUNTRY":
				return before == after
			}
			return before != after
		}},
		{"plain days", func(o *Options) { o.DateShiftPolicy = "plain" }, func(_, _, after string) bool { return after != "" }},
	} {
		o := exampleOptions(t.TempDir())
		c.change(&o)
		cfg, report, _ := run(t, o, nil)
		if report.RowsOut != report.RowsIn || report.Spans == 0 {
			t.Errorf("%s: %d of %d rows out: %v", c.name, report.RowsOut, report.RowsIn, report.Reasons)
			continue
		}
		in := readParquet[exampleRow](t, exampleNotes)
		out := readParquet[exampleRow](t, filepath.Join(cfg.Output, "notes", "*.parquet"))
		texts := map[string][2][]rune{}
		for i := range in {
			texts[strconv.FormatInt(in[i].NoteID, 10)] = [2][]rune{[]rune(*in[i].Text), []rune(*out[i].Text)}
		}
		wrong := 0
		for _, f := range readParquet[table.Finding](t, filepath.Join(cfg.Private, "findings", "*.parquet")) {
			x := texts[f.DocumentID]
			if !c.check(f.Type, string(x[0][f.Start:f.End]), string(x[1][f.OutputStart:f.OutputEnd])) {
				wrong++
			}
		}
		if wrong > 0 {
			t.Errorf("%s: %d of %d findings are not replaced as promised", c.name, wrong, report.Spans)
		}
	}
}

// Ids can be kept, columns dropped, and several texts of a row processed.
func TestColumnsAreHandledAsConfigured(t *testing.T) {
	type in struct {
		ID      int32  `parquet:"id"`
		Who     string `parquet:"who"`
		History string `parquet:"history"`
		Plan    string `parquet:"plan"`
		Secret  string `parquet:"secret"`
		Seen    string `parquet:"seen"`
	}
	type out struct {
		ID      int32  `parquet:"id"`
		Who     string `parquet:"who"`
		History string `parquet:"history"`
		Plan    string `parquet:"plan"`
		Seen    string `parquet:"seen"`
	}
	dir := t.TempDir()
	visits := []in{
		{7, "p", "Mr. Zebulon Quackenbush, seen 3/4/2019.", "Call Mr. Quackenbush at (505) 555-0143.", "x", "2019-03-04"},
		{8, "p", "No change.", "Quackenbush to return.", "y", "unknown"},
	}
	for i := range 20 { // or too many dates could not be read
		visits = append(visits, in{int32(9 + i), "p", "", "", "", "2019-03-04"})
	}
	path := writeParquet(t, dir, "visits.parquet", visits)
	o := testOptions(dir, path)
	o.DocumentIDColumn, o.PatientIDColumn, o.TextColumn = "id", "who", []string{"history", "plan"}
	o.DateColumns, o.DropColumns, o.IDs = []string{"seen"}, []string{"secret"}, "keep"
	cfg, report, _ := run(t, o, nil)
	rows := readParquet[out](t, filepath.Join(cfg.Output, "notes", "*.parquet"))
	if len(rows) != 22 || rows[0].ID != 7 || rows[0].Who != "p" {
		t.Fatalf("rows are %+v", rows)
	}
	for _, r := range rows {
		if strings.Contains(r.History+r.Plan, "Quackenbush") || strings.Contains(r.Plan, "555-0143") {
			t.Errorf("the row still says who it is: %+v", r)
		}
	}
	if rows[0].Seen == "2019-03-04" || len(rows[0].Seen) != 10 || rows[1].Seen != "xxxxxxx" {
		t.Errorf("dates are %q and %q", rows[0].Seen, rows[1].Seen)
	}
	if report.Dates["shifted"] != 21 || report.Dates["masked"] != 1 {
		t.Errorf("dates are counted as %v", report.Dates)
	}
	if found, err := filepath.Glob(filepath.Join(cfg.Output, "notes", "*")); err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
}
