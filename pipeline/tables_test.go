package pipeline

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

type visitRow struct {
	Visit   int64    `parquet:"visit_id"`
	Who     *string  `parquet:"patient_id,optional"`
	Start   *int32   `parquet:"start,optional,date"`
	End     string   `parquet:"end"`
	Unit    int32    `parquet:"unit"`
	Results []result `parquet:"results,list"`
}

type result struct {
	Code  int32   `parquet:"code"`
	Value float64 `parquet:"value"`
}

func visitOptions(dir, file string) Options {
	o := testOptions(dir)
	o.Input, o.Model, o.ONNXRuntime = nil, "nowhere", "nowhere" // none is asked for
	o.Tables = []TableOptions{{Name: "visit", Input: []string{file}, OtherColumns: "refuse", Release: true, Columns: []string{
		"visit_id=id", "patient_id=patient_id", "start=date", "end=date", "unit=keep", "results=keep"}}}
	return o
}

func pointer[T any](v T) *T { return &v }

// A run of one table without texts needs no model: dates of a patient move together, and
// as the patient's notes do in a run of their own; nulls stay, a row of nobody is held
// back, lists are kept, and what stands in the manifest is there, on each runner and
// however the work is cut.
func TestATableWithoutTexts(t *testing.T) { onEachRunner(t, testATableWithoutTexts) }

func testATableWithoutTexts(t *testing.T) {
	dir := t.TempDir()
	rows := []visitRow{
		{1, pointer("p1"), pointer(int32(17959)), "2019-03-05 10:00", 7, []result{{1, 2.5}, {2, 3}}},
		{2, pointer("p2"), pointer(int32(17960)), "2019-03-06", 7, nil},
		{3, pointer("p1"), nil, "", 8, []result{{1, 2.5}}},
		{4, nil, pointer(int32(17961)), "2019-03-06", 9, nil},
		{5, pointer(" "), pointer(int32(17961)), "2019-03-06", 9, nil},
	}
	for i := range 200 {
		rows = append(rows, visitRow{int64(100 + i), pointer("p3"), pointer(int32(17_000 + i*31%97)), "2018-01-01", 3, nil})
	}
	file := writeParquet(t, dir, "a.parquet", rows)
	cfg, report, _ := run(t, visitOptions(filepath.Join(dir, "one"), file), nil)
	if report.RowsIn != 0 || len(report.Tables) != 1 {
		t.Fatalf("%+v", report)
	}
	got := report.Tables[0]
	if got.Name != "visit" || got.RowsIn != 205 || got.RowsOut != 203 || !maps.Equal(got.Reasons,
		map[string]int64{transforms.ReasonNoPatientID: 2}) {
		t.Errorf("%+v", got)
	}
	out := readParquet[visitRow](t, filepath.Join(cfg.Output, "visit", "*.parquet"))
	held := readParquet[visitRow](t, filepath.Join(cfg.Private, "quarantine", "visit", "*.parquet"))
	if len(out) != 203 || len(held) != 2 || held[0].Visit != 4 {
		t.Fatalf("%d rows are released, %d held back", len(out), len(held))
	}
	if *out[0].Who != *out[2].Who || *out[0].Who == "p1" || out[0].Visit == 1 || out[0].Unit != 7 ||
		!slices.Equal(out[0].Results, rows[0].Results) {
		t.Errorf("%+v", out[0])
	}
	if out[2].Start != nil || out[2].End != "" {
		t.Errorf("nulls became dates: %+v", out[2])
	}
	note := writeParquet(t, dir, "notes.parquet", []linkedNote{{"n", "p1", "Seen on 03/05/2019.", 17960}})
	o := testOptions(filepath.Join(dir, "notes"), note)
	o.Model, o.DateColumns = "../onnx/models/en-clinical-fast", []string{"note_date"}
	ofNotes, _, _ := run(t, o, nil)
	seen := readParquet[linkedNote](t, filepath.Join(ofNotes.Output, "notes", "*.parquet"))[0]
	offset := *out[0].Start - 17959
	if seen.Seen-17960 != offset || seen.Who != *out[0].Who || offset == 0 {
		t.Errorf("the note moves by %d days and is of %s, the visit by %d and of %s", seen.Seen-17960, seen.Who, offset, *out[0].Who)
	}

	var m transforms.Manifest
	raw, err := os.ReadFile(filepath.Join(cfg.Output, transforms.ManifestFile))
	if err == nil {
		err = json.Unmarshal(raw, &m)
	}
	all := digests(t, cfg.Output)
	if err != nil || len(m.Outputs) != 1 || all["out/"+m.Outputs[0].Name] != m.Outputs[0].Digest || m.Inputs[0].Name != "visit/a.parquet" ||
		len(m.Tables) != 1 || len(m.Tables[0].Columns) != 7 || len(m.Columns) != 0 {
		t.Errorf("%v %+v", err, m)
	}
	if _, err := os.Stat(filepath.Join(cfg.Output, transforms.SuccessFile)); err != nil {
		t.Error(err)
	}
	again, _, _ := run(t, visitOptions(filepath.Join(dir, "two"), file), func(c *transforms.Config) {
		c.Workers, c.Buckets, c.ShardBytes = 1,
			1, 1
	})
	if !maps.Equal(digests(t, again.Output, again.Private), digests(t, cfg.Output, cfg.Private)) {
		t.Error("the files depend on how the work is cut")
	}
}

// Where the rows of a table follow days they are regrouped, that table's alone.
func TestTablesAreRegroupedApart(t *testing.T) {
	dir := t.TempDir()
	var rows, still []visitRow
	for i := range 3000 {
		r := visitRow{int64(i), pointer([]string{"p1", "p2", "p3", "p4", "p5", "p6", "p7"}[i*11%7]), pointer(int32(14_000 + i)), "", 1, nil}
		rows = append(rows, r)
		r.Start = pointer(int32(14_000 + i*7919%3000))
		still = append(still, r)
	}
	o := visitOptions(dir, writeParquet(t, dir, "rising.parquet", rows))
	o.RowOrder = transforms.OrderAuto
	other := o.Tables[0]
	other.Name, other.Input = "other", []string{writeParquet(t, dir, "still.parquet", still)}
	o.Tables = append(o.Tables, other)
	cfg, report, _ := run(t, o, nil)
	if report.Tables[0].RowOrder.Taken != transforms.OrderShuffle || report.Tables[1].RowOrder.Taken != transforms.OrderKeep {
		t.Fatalf("%v, %v", report.Tables[0].RowOrder, report.Tables[1].RowOrder)
	}
	out := readParquet[visitRow](t, filepath.Join(cfg.Output, "visit", "part-*.parquet"))
	if len(out) != len(rows) || !slices.IsSortedFunc(out, func(a, b visitRow) int { return strings.Compare(*a.Who, *b.Who) }) {
		t.Errorf("%d rows, not by patient", len(out))
	}
	if kept := readParquet[visitRow](t, filepath.Join(cfg.Output, "other", "still*.parquet")); len(kept) != len(still) {
		t.Errorf("%d rows", len(kept))
	}
}

// What is wrong with a table stops the job before any work, or before it publishes, and
// says which table it is.
func TestTablesThatAreRefused(t *testing.T) {
	dir := t.TempDir()
	type person struct {
		Who    string   `parquet:"patient_id"`
		Born   int32    `parquet:"birth_date,date"`
		Remark string   `parquet:"remark"`
		Days   []int32  `parquet:"days,list"`
		Names  []string `parquet:"names,list"`
	}
	file := writeParquet(t, dir, "person.parquet", []person{{"p1", -9000, "Patient in a wheel chair of his own", []int32{1}, []string{"x"}}})
	with := func(columns ...string) func(*Options) { return func(o *Options) { o.Tables[0].Columns = columns } }
	for name, test := range map[string]struct {
		change func(*Options)
		status fault.Status
		want   []string
	}{
		"a column without a role": {with("patient_id=patient_id", "birth_date=date"), fault.Settings,
			[]string{"table person: nobody has decided what becomes of 3 columns", "tables:\n    person:\n      columns:\n        remark: drop",
				"other_columns: drop"}},
		"a text": {with("patient_id=patient_id", "remark=text"), fault.Settings,
			[]string{`table person: column "remark" cannot have the role text`}},
		"dates of nobody": {with("patient_id=id", "birth_date=date", "remark=drop", "days=drop", "names=drop"), fault.Settings,
			[]string{`table person: the column "birth_date" holds dates, and no column has the role patient_id`}},
		"births without an end": {with("patient_id=patient_id", "birth_date=date", "remark=drop", "days=drop", "names=drop"), fault.Settings,
			[]string{`table person: the column "birth_date" holds days of birth`, "--extract_end=YYYY-MM-DD"}},
		"a list that moves": {with("patient_id=patient_id", "birth_date=drop", "remark=drop", "days=date", "names=drop"), fault.Refused,
			[]string{"table person: ", `column "days" is a list`}},
		"a column that is not there": {with("patient_id=patient_id", "visit=id"), fault.Refused,
			[]string{`table person: `, `there is no id column "visit"`}},
		"a name": {func(o *Options) { o.Tables[0].Name = "../person" }, fault.Settings,
			[]string{"table ../person: a table's name becomes that of a folder"}},
		"notes":    {func(o *Options) { o.Tables[0].Name = "Notes" }, fault.Settings, []string{"the folder notes is taken"}},
		"no input": {func(o *Options) { o.Tables[0].Input = nil }, fault.Settings, []string{"table person: input is missing"}},
		"offsets of documents": {func(o *Options) { o.DateShiftScope = "document" }, fault.Settings,
			[]string{"--date_shift_scope=document moves each note by itself"}},
		"nothing released": {func(o *Options) { o.Tables[0].Release = false }, fault.Settings, []string{"none of them is released"}},
		"a preset of notes": {func(o *Options) { o.Tables[0].Preset, o.Tables[0].Columns = "i2b2", []string{"remark=text"} },
			fault.Settings, []string{"cannot have the role text"}},
	} {
		o := visitOptions(filepath.Join(dir, strings.ReplaceAll(name, " ", "-")), file)
		o.Tables[0].Name = "person"
		test.change(&o)
		_, _, _, err := tryRun(o, nil)
		if err == nil {
			t.Errorf("%s: it runs", name)
			continue
		}
		if status := fault.Of(fault.Mark(fault.Settings, err)); status != test.status {
			t.Errorf("%s: exit status %d: %v", name, status, err)
		}
		for _, want := range test.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q is not in: %v", name, want, err)
			}
		}
	}
}

// Kept strings of a table are looked at as those of notes are: so a model is needed, and
// what stands in them stops the release.
func TestKeptStringsOfATable(t *testing.T) {
	dir := t.TempDir()
	type lab struct {
		Who     string `parquet:"patient_id"`
		Comment string `parquet:"comment"`
	}
	var rows []lab
	for range 20 {
		rows = append(rows, lab{"p1", "call 617-555-0142"})
	}
	o := visitOptions(dir, writeParquet(t, dir, "lab.parquet", rows))
	o.Tables[0].Name, o.Tables[0].Columns = "lab", []string{"patient_id=patient_id", "comment=keep"}
	if _, _, _, err := tryRun(o, nil); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("no model is asked for: %v", err)
	}
	o.Model, o.ONNXRuntime = "../onnx/models/en-clinical-fast", ""
	_, _, _, err := tryRun(o, nil)
	if fault.Of(err) != fault.Refused ||
		!strings.Contains(err.Error(), `table lab: column "comment", which is kept: 20 values hold a phone number`) {
		t.Errorf("%v", err)
	}
}

// Offsets that one table supplies move the rows of the others; a patient of whom none is
// supplied does not move by a keyed one.
func TestSuppliedOffsetsMoveTables(t *testing.T) {
	dir := t.TempDir()
	type shifted struct {
		Who   string `parquet:"patient_id"`
		Shift *int64 `parquet:"shift,optional"`
	}
	offsets := writeParquet(t, dir, "person.parquet", []shifted{{"p1", pointer(int64(-21))}, {"p2", nil}, {"p3", pointer(int64(-14))}})
	visits := writeParquet(t, dir, "visits.parquet", []visitRow{{1, pointer("p1"), pointer(int32(17959)), "", 1, nil},
		{2, pointer("p2"), pointer(int32(17959)), "", 1, nil}, {3, pointer("p4"), pointer(int32(17959)), "", 1, nil}})
	o := visitOptions(dir, visits)
	o.Tables = append(o.Tables, TableOptions{Name: "person", Input: []string{offsets}, OtherColumns: "refuse", Release: true,
		Columns: []string{"patient_id=patient_id", "shift=offset"}})
	cfg, report, _ := run(t, o, nil)
	out := readParquet[visitRow](t, filepath.Join(cfg.Output, "visit", "*.parquet"))
	if len(out) != 1 || *out[0].Start != 17959-21 || report.Tables[0].Reasons[deid.ReasonDateOffset] != 2 ||
		report.Tables[1].Reasons[deid.ReasonDateOffset] != 1 {
		t.Errorf("%+v, %v, %v", out, report.Tables[0].Reasons, report.Tables[1].Reasons)
	}
}

// The mapping of tables in a configuration file is read strictly.
func TestTablesInAFile(t *testing.T) {
	for text, want := range map[string]string{
		"tables: [a]":                                                     "write the name of each table",
		"tables:\n  a: b.parquet":                                         "line 2: table a: write the name of each table",
		"tables:\n  a: {input: x}\n  A: {input: y}":                       "line 3: the table A is there twice",
		"tables:\n  a: {inputs: x}":                                       `table a: line 2: there is no setting "inputs"; did you mean "input"?`,
		"tables:\n  a:\n    input: x\n    columns: {b: {c: d}}":           "write a line COLUMN: ROLE",
		"tables:\n  a: {input: x, release: maybe}":                        "write true or false",
		"tables:\n  a: {input: [x, y], columns: {b: id}, release: false}": "",
	} {
		o := DefaultOptions()
		if _, err := o.apply([]byte(text), nil); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		} else if err == nil && (len(o.Tables) != 1 || o.Tables[0].Release || !slices.Equal(o.Tables[0].Input, []string{"x", "y"}) ||
			!slices.Equal(o.Tables[0].Columns, []string{"b=id"})) {
			t.Errorf("%+v", o.Tables)
		}
	}
}

// Notes in lines beside them take no first row from tables: of an id that is there again,
// the first row stays.
func TestTablesBesideNotesInLines(t *testing.T) {
	dir := t.TempDir()
	type line struct {
		NoteID    string `parquet:"note_id"`
		Line      int32  `parquet:"line"`
		PatientID string `parquet:"patient_id"`
		Text      string `parquet:"text"`
	}
	type visit struct {
		Visit     string `parquet:"visit_id"`
		PatientID string `parquet:"patient_id"`
		Unit      int32  `parquet:"unit"`
	}
	o := testOptions(dir, writeParquet(t, dir, "notes.parquet", []line{{"v1", 1, "p1", "He is "}, {"v1", 2, "p1", "well."}}))
	o.Model, o.LineColumn, o.IDs = fastModel, "line", "keep"
	o.Tables = []TableOptions{{Name: "visit", Input: []string{writeParquet(t, dir, "visits.parquet",
		[]visit{{"v1", "p1", 1}, {"v2", "p1", 2}, {"v1", "p1", 3}})}, OtherColumns: "refuse", Release: true,
		Columns: []string{"visit_id=document_id", "patient_id=patient_id", "unit=keep"}}}
	cfg, report, _ := run(t, o, nil)
	var units []int32
	for _, v := range readParquet[visit](t, filepath.Join(cfg.Output, "visit", "*.parquet")) {
		units = append(units, v.Unit)
	}
	if !slices.Equal(units, []int32{1, 2}) || !maps.Equal(report.Tables[0].Reasons, map[string]int64{transforms.ReasonDuplicateID: 1}) {
		t.Errorf("visits %v are released, %v", units, report.Tables[0].Reasons)
	}
	if report.RowsOut != 2 {
		t.Errorf("%d of 2 lines are released: %v", report.RowsOut, report.Reasons)
	}
}
