package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/phi/marked"
)

const folder = "../../examples"

func readExamples(t *testing.T) tables {
	t.Helper()
	ex, err := read(os.DirFS(folder), "source")
	if err != nil {
		t.Fatal(err)
	}
	return ex
}

// TestCommitted holds the committed files to their sources.
func TestCommitted(t *testing.T) {
	for _, folder := range []string{folder, folder + "/unseen", folder + "/heldout", folder + "/varied"} {
		out := t.TempDir()
		if err := run([]string{"--source", folder + "/source", "--out", out}, io.Discard, io.Discard); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"notes.parquet", "identifiers.parquet", "gold.parquet"} {
			want, err := os.ReadFile(filepath.Join(out, name))
			if err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(filepath.Join(folder, name))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s/%s is not what its sources give; run: make examples", folder, name)
			}
		}
	}
	var stats bytes.Buffer
	if err := run([]string{"--source", folder + "/source", "--stats"}, &stats, io.Discard); err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(filepath.Join(folder, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(readme, stats.Bytes()) {
		t.Error("examples/README.md has other counts than the sources; put in what this prints: go run ./tools/examples --stats")
	}
}

// TestSourcesRoundTrip marks every note again and compares with its file.
func TestSourcesRoundTrip(t *testing.T) {
	files, err := filepath.Glob(folder + "/source/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no sources (%v)", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p, err := marked.Parse(filepath.Base(file), data)
		if err != nil {
			t.Fatal(err)
		}
		if want := p.ID + ".txt"; filepath.Base(file) != want {
			t.Errorf("%s holds patient %s", file, p.ID)
		}
		lines := strings.SplitAfter(string(data), "\n")
		for i, n := range p.Notes {
			text, err := marked.Mark(n.Text, n.Spans)
			if err != nil {
				t.Errorf("%s, note %d: %v", file, i+1, err)
			}
			if rest := strings.Join(lines[n.Line-1:], ""); !strings.HasPrefix(rest, text+"\n") {
				t.Errorf("%s, note %d is not the same after unmarking and marking", file, i+1)
			}
			if i > 0 && n.Written.Before(p.Notes[i-1].Written) {
				t.Errorf("%s, note %d was written before the one above it", file, i+1)
			}
		}
	}
}

func TestExamples(t *testing.T) {
	ex := readExamples(t)
	if len(ex.notes) < 120 || len(ex.known) < 30 {
		t.Errorf("%d notes of %d patients, want at least 120 of 30", len(ex.notes), len(ex.known))
	}
	kinds := map[string]int{}
	texts := map[string][]rune{}
	noPatient, interleaved := 0, 0
	for i, n := range ex.notes {
		kinds[n.NoteType]++
		id := strconv.FormatInt(n.NoteID, 10)
		if texts[id] != nil {
			t.Errorf("note id %s twice", id)
		}
		texts[id] = []rune(n.Text)
		if n.PatientID == nil {
			noPatient++
		}
		if i > 0 {
			if n.WrittenAt < ex.notes[i-1].WrittenAt {
				t.Errorf("row %d was written before row %d", i, i-1)
			}
			if n.NoteID/100 != ex.notes[i-1].NoteID/100 {
				interleaved++
			}
		}
		if strings.Contains(n.Text, "[[") || strings.TrimSpace(n.Text) == "" {
			t.Errorf("note %s has marks or no text", id)
		}
		if n.AdmittedAt != nil && (*n.AdmittedAt > n.NoteDate || n.EncounterID == nil) {
			t.Errorf("note %s was admitted after it, or in no encounter", id)
		}
		if n.StayDays != nil && (*n.StayDays < 1 || *n.AdmittedAt+*n.StayDays != n.NoteDate) {
			t.Errorf("note %s has a length of stay that its dates do not give", id)
		}
	}
	for _, kind := range []string{
		"discharge summary", "nursing note", "radiology report", "pathology report", "psychiatry note",
		"optometry and ophthalmology note", "referral letter", "telephone encounter",
	} {
		if kinds[kind] < 5 {
			t.Errorf("%d notes of type %s, want at least 5", kinds[kind], kind)
		}
	}
	if noPatient != nullPatients {
		t.Errorf("%d notes have no patient id, want %d", noPatient, nullPatients)
	}
	if interleaved < len(ex.notes)/2 {
		t.Errorf("patients change %d times in %d rows: the rows should interleave them", interleaved, len(ex.notes))
	}
	parts := map[string]int{}
	var before goldRow
	for _, g := range ex.gold {
		parts[g.Split]++
		text := texts[g.DocumentID]
		if g.DocumentID == before.DocumentID && g.Start < before.End || g.Start < 0 || g.End <= g.Start || int(g.End) > len(text) {
			t.Fatalf("span %d to %d of note %s is out of order or of the text", g.Start, g.End, g.DocumentID)
		}
		if s := string(text[g.Start:g.End]); s != strings.TrimSpace(s) || strings.Contains(s, "\n") {
			t.Errorf("span %d to %d of note %s has blanks at its edges or two lines", g.Start, g.End, g.DocumentID)
		}
		if _, err := phi.ParseType(g.Type); err != nil {
			t.Error(err)
		}
		before = g
	}
	for _, part := range splits {
		if parts[part] < 500 {
			t.Errorf("%d spans in part %s, want at least 500", parts[part], part)
		}
	}
}

// TestWriteFile reads a table back, in row groups of the wanted size.
func TestWriteFile(t *testing.T) {
	ex := readExamples(t)
	file := filepath.Join(t.TempDir(), "notes.parquet")
	if err := writeFile(file, ex.notes, 40); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(f.RowGroups()), (len(ex.notes)+39)/40; got != want {
		t.Errorf("%d row groups, want %d", got, want)
	}
	rows, err := parquet.Read[noteRow](bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != len(ex.notes) {
		t.Fatalf("%d rows, want %d", len(rows), len(ex.notes))
	}
	for i, r := range rows {
		w := ex.notes[i]
		if r.NoteID != w.NoteID || r.Text != w.Text || r.WrittenAt != w.WrittenAt || (r.PatientID == nil) != (w.PatientID == nil) ||
			!slices.Equal(r.Codes, w.Codes) || len(r.Orders) != len(w.Orders) || len(r.Scores) != len(w.Scores) {
			t.Errorf("row %d came back changed", i)
		}
	}
}

func TestNoteType(t *testing.T) {
	for kind, want := range map[string]string{
		"GP telephone consultation":               "telephone encounter",
		"speech-language pathology evaluation":    "therapy note",
		"surgical pathology":                      "pathology report",
		"newborn nursery note":                    "clinic note",
		"nurse coordinator letter to school":      "letter",
		"Discharge Summary":                       "discharge summary",
		"optometry school screening referral":     "referral letter",
		"interventional radiology procedure note": "operative and procedure report",
	} {
		if got, err := noteType(kind); got != want || err != nil {
			t.Errorf("%s: got %q, %v, want %q", kind, got, err, want)
		}
	}
	if got, err := noteType("SECRET"); err == nil || strings.Contains(err.Error(), "SECRET") {
		t.Errorf("an unknown kind gives %q, %v, want an error that does not quote it", got, err)
	}
}

func TestNoteID(t *testing.T) {
	if id, err := noteID("p017", 2); id != 1_001_703 || err != nil {
		t.Errorf("got %d, %v, want 1001703", id, err)
	}
	if id, err := noteID("f017", 2); id != 1_001_703 || err != nil {
		t.Errorf("got %d, %v, want 1001703 for another letter too", id, err)
	}
	for _, id := range []string{"", "17", "p", "p0", "px", "p10000"} {
		if _, err := noteID(id, 0); err == nil {
			t.Errorf("%q is taken", id)
		}
	}
}

func TestEncounters(t *testing.T) {
	at := func(day int) time.Time { return time.Date(2020, 3, day, 12, 0, 0, 0, time.UTC) }
	p := marked.Patient{ID: "p001", Notes: []marked.Note{
		{Kind: "emergency department note", Written: at(1)}, // admitted here
		{Kind: "nursing shift note", Written: at(4)},
		{Kind: "discharge summary", Written: at(6)},
		{Kind: "telephone encounter", Written: at(8)}, // after the stay
		{Kind: "telephone encounter", Written: at(20)},
		{Kind: "clinic letter", Written: at(30)},
	}}
	got, err := encounters(p)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct{ id, inpatient bool }{{true, true}, {true, true}, {true, true}, {}, {}, {true, false}} {
		if (got[i].id != 0) != want.id || got[i].inpatient() != want.inpatient {
			t.Errorf("note %d: got %+v, want %+v", i, got[i], want)
		}
	}
	if got[0] != got[2] || got[0].id == got[5].id || !got[0].admitted.Equal(at(1)) {
		t.Errorf("the stay's notes differ: %+v", got)
	}
}

func TestReadSplit(t *testing.T) {
	patients := []marked.Patient{{ID: "p1"}, {ID: "p2"}}
	for _, test := range []struct{ name, json, want string }{
		{"good", `{"train": ["p1"], "dev": [], "test": ["p2"]}`, ""},
		{"in two parts", `{"train": ["p1"], "dev": ["p1"], "test": ["p2"]}`, "in train and in dev"},
		{"in none", `{"train": ["p1"]}`, "p2 is in no part"},
		{"unknown part", `{"train": ["p1", "p2"], "valid": []}`, `no part is named "valid"`},
		{"not JSON", `x`, "split.json: "},
	} {
		t.Run(test.name, func(t *testing.T) {
			part, err := readSplit(fstest.MapFS{"split.json": {Data: []byte(test.json)}}, "split.json", patients)
			if test.want == "" {
				if err != nil || part["p1"] != "train" || part["p2"] != "test" {
					t.Errorf("got %v, %v", part, err)
				}
			} else if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
	eight := make([]marked.Patient, 8)
	for i := range eight {
		eight[i].ID = "p" + strconv.Itoa(i)
	}
	part, err := readSplit(fstest.MapFS{}, "split.json", eight)
	if err != nil || part["p5"] != "train" || part["p6"] != "dev" || part["p7"] != "test" {
		t.Errorf("without a file: %v, %v", part, err)
	}
}

func TestRunRefuses(t *testing.T) {
	for _, test := range []struct {
		name, want string
		args       []string
	}{
		{"argument", "unexpected argument", []string{"x"}},
		{"flag", "not defined", []string{"--x"}},
		{"rows", "--row_group_rows is 0", []string{"--row_group_rows", "0"}},
		{"source", "no .txt file", []string{"--source", "none/there"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := run(test.args, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
	var help bytes.Buffer
	if err := run([]string{"--help"}, io.Discard, &help); err != nil || !strings.Contains(help.String(), "row_group_rows") {
		t.Errorf("help is %q, %v", help.String(), err)
	}
}
