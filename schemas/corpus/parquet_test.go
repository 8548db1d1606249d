package corpus

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// tableOf writes rows as a Parquet file of small row groups.
func tableOf[T any](t *testing.T, file string, rows []T) string {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[T](&b)
	for group := range slices.Chunk(rows, 2) {
		if _, err := w.Write(group); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

type intNote struct {
	ID   uint32 `parquet:"row_id"`
	Who  *int64 `parquet:"subject"`
	Body string `parquet:"body"`
}

// findingsOf writes findings as the job does.
func findingsOf(t *testing.T, file string, findings ...table.Finding) string {
	t.Helper()
	var b bytes.Buffer
	w := table.NewFindingsWriter(&b)
	if err := w.Write(findings); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestFindings joins findings in several files and any order with notes whose
// ids are integers.
func TestFindings(t *testing.T) {
	dir := t.TempDir()
	who := int64(-7)
	notes := tableOf(t, filepath.Join(dir, "n.parquet"), []intNote{{9, &who, "Zoë came"}, {4_000_000_000, nil, "x 3 May"}, {1, &who, ""},
		{2, nil, "Anna"}})
	find := func(id, column string, start, end int64, source string) table.Finding {
		return table.Finding{DocumentID: id, TextColumn: column, Start: start, End: end, OutputStart: 99, OutputEnd: 100, Type: "PATIENT",
			Source: source, Score: 0.5}
	}
	a := find("9", "body", 0, 3, "network")
	b := find("4000000000", "body", 2, 7, "rules")
	c := find("2", "body", 0, 4, "sweep")
	other := find("9", "title", 50, 60, "network")
	for name, order := range map[string][][]table.Finding{
		"in order":       {{a, other}, {b, c}},
		"other order":    {{c, other}, {b, a}},
		"runs are split": {{a, b}, {c, other}, {a}},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			for i, findings := range order {
				findingsOf(t, filepath.Join(folder, strconv.Itoa(i)+".parquet"), findings...)
			}
			o := ReadOptions{Annotations: folder, DocumentIDColumn: "row_id", PatientIDColumn: "subject", TextColumn: "body"}
			documents := read(t, Parquet, notes, o)
			if len(documents) != 4 {
				t.Fatalf("%d documents, want 4", len(documents))
			}
			d := documents[0]
			if d.ID != "9" || d.Patient != "-7" || d.Annotations[0].End != 4 || d.Annotations[0].Tagger != "network" ||
				d.Annotations[0].Score != 0.5 {
				t.Errorf("got %+v", d)
			}
			if name == "runs are split" && len(d.Annotations) != 2 {
				t.Errorf("a run is lost: %+v", d.Annotations)
			}
			if d := documents[1]; d.ID != "4000000000" || d.Patient != "" || d.Annotations[0].Tagger != "rules" {
				t.Errorf("got %+v", d)
			}
			if len(documents[2].Annotations) != 0 || len(documents[3].Annotations) != 1 {
				t.Errorf("got %+v", documents[2:])
			}
		})
	}
	// Reading can end early.
	file := findingsOf(t, filepath.Join(dir, "f.parquet"), a, b, c)
	for d, err := range Read(context.Background(), Parquet, notes,
		ReadOptions{Annotations: file, DocumentIDColumn: "row_id", TextColumn: "body"}) {
		if err != nil || d.ID != "9" {
			t.Errorf("got %v, %v", d, err)
		}
		break
	}
	for name, test := range map[string]struct {
		findings []table.Finding
		want     string
	}{
		"unknown at the end":   {[]table.Finding{a, find("77", "body", 0, 1, "rules")}, "row 1 is of a document that the notes do not have"},
		"unknown at the start": {[]table.Finding{find("77", "body", 0, 1, "rules"), a}, "row 0 is of a document"},
		"out of range": {[]table.Finding{find("9", "body", 0, 9, "rules")},
			"row 0 has the offsets 0 to 9, which are out of range: the text has 8"},
		"not of the column":     {[]table.Finding{other}, `no row is of the text column "body"`},
		"negative":              {[]table.Finding{find("9", "body", -1, 2, "rules")}, "row 0: the document id, the type, the start or the end"},
		"too large for offsets": {[]table.Finding{a, find("9", "body", 1, 1<<40, "rules")}, "row 1: "},
	} {
		file := findingsOf(t, filepath.Join(dir, "bad.parquet"), test.findings...)
		err := readError(Parquet, notes, ReadOptions{Annotations: file, DocumentIDColumn: "row_id", TextColumn: "body"})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", name, err, test.want)
		}
	}
}

// TestGoldOfOthers reads gold as other programs write it: wider integers,
// strings without dictionary, nulls, no text column.
func TestGoldOfOthers(t *testing.T) {
	type gold struct {
		ID    int64   `parquet:"document_id"`
		Start int64   `parquet:"start"`
		End   *int32  `parquet:"end"`
		Type  *string `parquet:"type"`
		Split string  `parquet:"split"`
		More  []int64 `parquet:"more,list"`
	}
	type note struct {
		ID   *string `parquet:"note_id"`
		Text *string `parquet:"text"`
	}
	id, text, label, end := "12", "Anna", "PATIENT", int32(4)
	dir := t.TempDir()
	tableOf(t, filepath.Join(dir, notesFile), []note{{&id, &text}})
	tableOf(t, filepath.Join(dir, goldFile), []gold{{ID: 12, End: &end, Type: &label, Split: "dev", More: []int64{1, 2}},
		{ID: 12, Start: 1, End: &end, Type: &label, Split: "dev"}})
	d := read(t, Parquet, dir, ReadOptions{})
	if len(d) != 1 || len(d[0].Annotations) != 2 || d[0].Split != "dev" || d[0].Annotations[1].Start != 1 {
		t.Errorf("got %+v", d)
	}
	if d := read(t, Parquet, dir, ReadOptions{Annotations: "none"}); len(d[0].Annotations) != 0 {
		t.Errorf("got %+v", d)
	}
	for name, rows := range map[string][]gold{
		"row 1: the document id, the type": {{ID: 12, End: &end, Type: &label}, {ID: 12, End: &end}},
		"row 0: the document id":           {{ID: 12, Type: &label}},
		"row 1 puts its document":          {{ID: 12, End: &end, Type: &label, Split: "dev"}, {ID: 12, End: &end, Type: &label, Split: "test"}},
	} {
		tableOf(t, filepath.Join(dir, goldFile), rows)
		if err := readError(Parquet, dir, ReadOptions{}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("got %v, want %q", err, name)
		}
	}
	tableOf(t, filepath.Join(dir, goldFile), []note{{&id, &text}})
	if err := readError(Parquet, dir, ReadOptions{}); err == nil ||
		!strings.Contains(err.Error(), `no column "document_id"; the columns are: note_id, text`) {
		t.Errorf("no gold: got %v", err)
	}
	bad := "SECRET\xff"
	tableOf(t, filepath.Join(dir, goldFile), []gold{})
	for _, notes := range [][]note{{{nil, &text}}, {{&id, &bad}}, {{&id, &text}, {&id, &text}}} {
		tableOf(t, filepath.Join(dir, notesFile), notes)
		if err := readError(Parquet, dir, ReadOptions{}); err == nil || !strings.Contains(err.Error(), "notes.parquet: row ") ||
			strings.Contains(err.Error(), "SECRET") {
			t.Errorf("got %v", err)
		}
	}
	tableOf(t, filepath.Join(dir, notesFile), []note{{&id, nil}})
	if d := read(t, Parquet, dir, ReadOptions{}); d[0].Text != "" {
		t.Errorf("a null text is read as %q", d[0].Text)
	}
	if err := os.WriteFile(filepath.Join(dir, goldFile), []byte("PAR1 SECRET PAR1"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := readError(Parquet, dir, ReadOptions{}); err == nil {
		t.Error("a damaged file is taken")
	}
}

// TestRowGroups writes more text than a row group holds.
func TestRowGroups(t *testing.T) {
	var documents []Document
	text := strings.Repeat("Anna came. ", 1<<20) // 11 MiB
	for i := range 7 {
		documents = append(documents, Document{ID: strconv.Itoa(i), Text: text[i:], Source: "x",
			Annotations: []Annotation{{Start: 11 - i, End: 15 - i, Label: "PATIENT"}}})
	}
	folder := write(t, Parquet, documents, WriteOptions{Split: "test"})
	f, err := os.Open(filepath.Join(folder, notesFile))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	file, err := table.Open(f, info.Size(), f.Name())
	if err != nil {
		t.Fatal(err)
	}
	if got := len(file.RowGroups()); got != 3 {
		t.Errorf("%d row groups, want 3", got)
	}
	i := 0
	for d, err := range Read(context.Background(), Parquet, folder, ReadOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		if a := d.Annotations[0]; d.ID != strconv.Itoa(i) || d.Text != documents[i].Text || d.Text[a.Start:a.End] != "Anna" || d.Split != "test" {
			t.Errorf("document %d came back changed", i)
		}
		i++
	}
}

// FuzzGold damages a gold file: reading it must end, with or without an error.
func FuzzGold(f *testing.F) {
	gold, err := os.ReadFile("../../examples/gold.parquet")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(100, byte(7), 2000, byte(1))
	f.Add(len(gold)-500, byte(255), len(gold)-100, byte(3))
	f.Fuzz(func(t *testing.T, at int, x byte, at2 int, y byte) {
		data := slices.Clone(gold)
		if at < 0 || at >= len(data) || at2 < 0 || at2 >= len(data) {
			return
		}
		data[at] ^= x
		data[at2] ^= y
		file, err := table.Open(bytes.NewReader(data), int64(len(data)), "gold.parquet")
		if err != nil {
			return
		}
		if spans, err := file.Texts(spanColumns...); err == nil {
			_ = spans.Each(t.Context(), func(*table.TextRow) error { return nil })
		}
	})
}
