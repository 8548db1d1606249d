package pipeline

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

type linkedNote struct {
	ID   string `parquet:"note_id"`
	Who  string `parquet:"patient_id"`
	Text string `parquet:"text"`
	Seen int32  `parquet:"note_date,date"`
}

type linkedVisit struct {
	Visit int64  `parquet:"visit_id"`
	Who   string `parquet:"patient_id"`
	Start int32  `parquet:"start,date"`
}

type linkRow struct {
	Patient string `parquet:"patient_id"`
	To      string `parquet:"linked_to"`
	Link    string `parquet:"link"`
}

func linkOptions(dir, notes, visits, links string) Options {
	o := testOptions(dir, notes)
	o.Model, o.DateColumns, o.PatientLinks = "../onnx/models/en-clinical-fast", []string{"note_date"}, links
	if visits != "" {
		o.Tables = []TableOptions{{Name: "visit", Input: []string{visits}, OtherColumns: "refuse", Release: true,
			Columns: []string{"visit_id=id", "patient_id=patient_id", "start=date"}}}
	}
	return o
}

// A mother and her newborn move alike, have one set of surrogates and two released ids; a
// merged record is one person, under the id that it was merged into. Neither the order of
// the table nor which of them has notes tonight changes a row, and nobody else's rows
// differ from those of a run without links.
func TestPatientLinks(t *testing.T) { onEachRunner(t, testPatientLinks) }

func testPatientLinks(t *testing.T) {
	dir := t.TempDir()
	notes := []linkedNote{
		{"1", "mother1", "Mrs. Zebulona Quackenbush was seen on 03/04/2019.", 17959},
		{"2", "newborn1", "Newborn of Mrs. Zebulona Quackenbush, seen 03/05/2019.", 17960},
		{"3", "old10001", "Mr. Ottokar Farnsworthy came on 03/04/2019.", 17959},
		{"4", "new1", "Mr. Ottokar Farnsworthy came again on 04/04/2019. Former number old10001.", 17990},
		{"5", "other1", "Mr. Basil Pumpernickel was seen on 03/04/2019.", 17959},
	}
	visits := []linkedVisit{{11, "newborn1", 17960}, {12, "old10001", 17959}, {13, "new1", 17990}, {14, "mother1", 17958},
		{15, "other1", 17950}}
	rows := []linkRow{{"newborn1", "mother1", table.LinkFamily}, {"old10001", "new1", table.LinkSame},
		{"never-seen", "other-never", table.LinkSame}}
	n, v := writeParquet(t, dir, "notes.parquet", notes), writeParquet(t, dir, "visits.parquet", visits)
	forwards := writeParquet(t, dir, "links.parquet", rows)
	slices.Reverse(rows)
	backwards := writeParquet(t, dir, "backwards.parquet", rows)

	release := func(name, notes, visits, links string) (out []linkedNote, moved []linkedVisit) {
		cfg, report, log := run(t, linkOptions(filepath.Join(dir, name), notes, visits, links), nil)
		if report.Quarantined != 0 {
			t.Fatalf("%v", report.Reasons)
		}
		if want := map[bool]int64{true: 4, false: 0}[links != ""]; notes == n && report.Linked != want {
			t.Errorf("%d notes of linked patients\n%s", report.Linked, log)
		}
		return readParquet[linkedNote](t, filepath.Join(cfg.Output, "notes", "*.parquet")),
			readParquet[linkedVisit](t, filepath.Join(cfg.Output, "visit", "*.parquet"))
	}
	alone, aloneVisits := release("alone", n, v, "")
	got, gotVisits := release("linked", n, v, forwards)
	again, againVisits := release("backwards", n, v, backwards)
	if !slices.Equal(got, again) || !slices.Equal(gotVisits, againVisits) {
		t.Errorf("the order of links matters:\n%v\n%v", got, again)
	}

	offset := func(i int) int32 { return got[i].Seen - notes[i].Seen }
	if offset(0) != offset(1) || offset(2) != offset(3) || got[4] != alone[4] || gotVisits[4] != aloneVisits[4] {
		t.Errorf("dates are %+v, without links %+v", got, alone)
	}
	if got[0] != alone[0] && got[0].Seen != alone[0].Seen || got[3].Seen != alone[3].Seen || got[1].Seen == alone[1].Seen {
		t.Errorf("the one that others are linked to does not lead: %+v, without links %+v", got, alone)
	}
	if got[0].Who == got[1].Who || got[1].Who != alone[1].Who || got[0].Who != alone[0].Who {
		t.Error("mother and newborn have not the ids that they have without links")
	}
	if got[2].Who != got[3].Who || got[3].Who != alone[3].Who {
		t.Error("a merged record is not one person")
	}
	for i, note := range []int{1, 2, 3, 0} {
		if gotVisits[i].Who != got[note].Who || gotVisits[i].Start-visits[i].Start != offset(note) {
			t.Errorf("visit %d is %+v, the patient's note %+v", i, gotVisits[i], got[note])
		}
	}
	name := func(i int, before, after string) string {
		_, rest, _ := strings.Cut(got[i].Text, before)
		name, _, _ := strings.Cut(rest, after)
		return name
	}
	if mrs := name(0, "Mrs. ", " was"); mrs == "" || mrs != name(1, "Mrs. ", ", seen") || strings.Contains(mrs, "Quackenbush") {
		t.Errorf("the mother is called %q and %q", mrs, name(1, "Mrs. ", ", seen"))
	}
	if mr := name(2, "Mr. ", " came"); mr == "" || mr != name(3, "Mr. ", " came") {
		t.Errorf("one person is called %q and %q", mr, name(3, "Mr. ", " came"))
	}
	if strings.Contains(got[3].Text, "old10001") {
		t.Errorf("a former record number stays: %q", got[3].Text)
	}

	tonight, _ := release("tonight", writeParquet(t, dir, "tonight.parquet", notes[1:3]), "", forwards)
	if !maps.Equal(byNote(tonight), byNote(got[1:3])) {
		t.Errorf("a night without the others: %v, want %v", tonight, got[1:3])
	}
}

func byNote(all []linkedNote) map[string]linkedNote {
	m := map[string]linkedNote{}
	for _, n := range all {
		m[n.ID] = n
	}
	return m
}

// A table of links that says nothing clear stops the job before any work, with 65, names
// the row, and repeats no id.
func TestPatientLinksThatAreRefused(t *testing.T) {
	dir := t.TempDir()
	type number struct {
		Visit int64 `parquet:"visit_id"`
		Who   int64 `parquet:"patient_id"`
	}
	visits := writeParquet(t, dir, "visits.parquet", []number{{1, 11}, {2, 12}})
	for name, test := range map[string]struct {
		rows []linkRow
		want string
	}{
		"circle": {[]linkRow{{"11", "12", "family"}, {"12", "secret9", "family"}, {"secret9", "11", "family"}},
			"row 1: from its patient the links lead in a circle"},
		"itself": {[]linkRow{{"11", "12", "family"}, {"secret9", "secret9", "family"}}, "row 2: it links an id to itself"},
		"twice":  {[]linkRow{{"11", "12", "family"}, {"11", "secret9", "family"}}, "row 2: its patient is linked to another id already"},
		"empty":  {[]linkRow{{"11", "", "family"}}, "row 1: an id is null or empty"},
		"kind":   {[]linkRow{{"11", "12", "twin"}}, "write same_person for two ids of one person, or family"},
		"number": {[]linkRow{{"11", "secret9", "same_person"}},
			`an id in linked_to is no integer, as the patient ids in column "patient_id" are`},
	} {
		o := linkOptions(filepath.Join(dir, name), "", visits, writeParquet(t, dir, name+".parquet", test.rows))
		o.Input, o.DateColumns = nil, nil
		o.Tables[0].Columns = []string{"visit_id=id", "patient_id=patient_id"}
		_, _, _, err := tryRun(o, nil)
		if err == nil || fault.Of(err) != fault.Refused || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "secret9") {
			t.Errorf("%s: %v (exit status %d)", name, err, fault.Of(err))
		}
	}
	type missing struct {
		Patient string `parquet:"patient_id"`
		Other   string `parquet:"merged_into"`
	}
	o := linkOptions(filepath.Join(dir, "missing"), "", visits, writeParquet(t, dir, "missing.parquet", []missing{{"11", "12"}}))
	o.Input, o.DateColumns, o.Tables[0].Columns = nil, nil, []string{"visit_id=id", "patient_id=patient_id"}
	if _, _, _, err := tryRun(o, nil); err == nil || fault.Of(err) != fault.Refused || !strings.Contains(err.Error(), "linked_to") ||
		!strings.Contains(err.Error(), "merged_into") {
		t.Errorf("%v", err)
	}
}
