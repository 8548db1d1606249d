package corpus

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const fixtures = "testdata/i2b2"

var structured = []string{I2B2, I2B22006, Brat, JSONL, Parquet}

// TestPairs writes the traps in each format, reads them, writes them in each
// other one and reads them again: nothing that a format can hold changes.
func TestPairs(t *testing.T) {
	want := essence(traps())
	for _, from := range structured {
		folder := write(t, from, traps(), WriteOptions{})
		first := read(t, from, folder, ReadOptions{})
		if got := essence(first); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", from, got, want)
		}
		for _, to := range structured {
			t.Run(from+"/"+to, func(t *testing.T) {
				second := read(t, to, write(t, to, first, WriteOptions{}), ReadOptions{})
				if got := essence(second); got != want {
					t.Errorf("got\n%s\nwant\n%s", got, want)
				}
				back := write(t, from, second, WriteOptions{})
				if from == Brat && to != I2B22006 || from == I2B2 && to != I2B22006 { // which sorts
					for name, data := range files(t, folder) {
						if files(t, back)[name] != data {
							t.Errorf("%s is not the same after going there and back", name)
						}
					}
				}
				if got := essence(read(t, from, back, ReadOptions{})); got != want {
					t.Errorf("there and back: got\n%s\nwant\n%s", got, want)
				}
			})
		}
		texts := write(t, Text, first, WriteOptions{})
		for _, d := range traps() {
			if got := files(t, texts)[d.ID+".txt"]; got != d.Text {
				t.Errorf("%s to text: %s is %q, want %q", from, d.ID, got, d.Text)
			}
		}
		if got := read(t, Text, texts, ReadOptions{}); len(got) != len(first) {
			t.Errorf("%d texts, want %d", len(got), len(first))
		}
	}
}

// TestFixtures sends the i2b2 fixtures through each format and back to the byte.
func TestFixtures(t *testing.T) {
	documents := read(t, I2B2, fixtures, ReadOptions{})
	if len(documents) != 4 || documents[0].ID != "901-01" || documents[0].Patient != "901" || len(documents[0].Annotations) != 17 {
		t.Fatalf("the fixtures are read as %d documents, the first with %d annotations", len(documents), len(documents[0].Annotations))
	}
	if a := documents[0].Annotations[0]; documents[0].Text[a.Start:a.End] != "2075-03-14" || a.Start != 16 || a.ID != "P0" ||
		a.Category != "DATE" {
		t.Errorf("the first annotation is %+v", a)
	}
	if a := documents[2].Annotations[4]; documents[2].Text[a.Start:a.End] != "Ábalos" {
		t.Errorf("an annotation after letters of several bytes is %+v", a)
	}
	want := files(t, fixtures)
	for _, through := range structured {
		t.Run(through, func(t *testing.T) {
			got := files(t, write(t, I2B2, read(t, through, write(t, through, documents, WriteOptions{}), ReadOptions{}), WriteOptions{}))
			if len(got) != len(want) {
				t.Errorf("%d files, want %d", len(got), len(want))
			}
			for name, data := range want {
				if got[name] != data {
					t.Errorf("%s came back as\n%s\nwant\n%s", name, got[name], data)
				}
			}
		})
	}
}

// TestMarkedExamples compares the examples' two forms.
func TestMarkedExamples(t *testing.T) {
	marked := read(t, Marked, "../../examples/source", ReadOptions{})
	tables := read(t, Parquet, "../../examples", ReadOptions{})
	if len(marked) != 278 || len(tables) != len(marked) {
		t.Fatalf("%d marked notes and %d rows, want 278", len(marked), len(tables))
	}
	byText := map[string]Document{}
	for _, d := range tables {
		byText[d.Text] = d
		if d.Split != "train" && d.Split != "dev" && d.Split != "test" {
			t.Errorf("%s has the split %q", d.Source, d.Split)
		}
	}
	spans := 0
	for _, d := range marked {
		other := byText[d.Text]
		other.ID, spans = d.ID, spans+len(d.Annotations)
		if essence([]Document{other}) != essence([]Document{d}) {
			t.Errorf("%s: the marks are not those of gold.parquet", d.Source)
		}
	}
	if spans != 5710 {
		t.Errorf("%d marks, want 5710", spans)
	}
}

// TestDiscontinuous writes an annotation in two pieces.
func TestDiscontinuous(t *testing.T) {
	folder := folderOf(t, map[string]string{
		"a.txt": "né Anna or\nOlof Berg\n",
		"a.ann": "T1\tPATIENT 3 7;16 20\tAnna Berg\nT2\tPATIENT 11 20\tOlof Berg\nT3\tPATIENT 8 15\tor Olof\n",
	})
	documents := read(t, Brat, folder, ReadOptions{})
	a := documents[0].Annotations[0]
	if a.Start != 4 || a.End != 21 || !slices.Equal(a.Fragments, []Fragment{{4, 8}, {17, 21}}) {
		t.Fatalf("got %+v", a)
	}
	if back := files(t, write(t, Brat, documents, WriteOptions{})); back["a.ann"] != files(t, folder)["a.ann"] {
		t.Errorf("brat came back as %q", back["a.ann"])
	}
	for _, format := range []string{I2B2, JSONL, Parquet} {
		for how, want := range map[string][][2]int{
			HullDiscontinuous:  {{4, 21}, {12, 21}, {9, 16}},
			SplitDiscontinuous: {{4, 8}, {17, 21}, {12, 21}, {9, 16}},
		} {
			var got [][2]int
			for _, a := range read(t, format, write(t, format, documents, WriteOptions{Discontinuous: how}), ReadOptions{})[0].Annotations {
				got = append(got, [2]int{a.Start, a.End})
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s, %s: got %v, want %v", format, how, got, want)
			}
		}
		w, err := NewWriter(context.Background(), format, t.TempDir(), WriteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(documents[0]); err == nil || !strings.Contains(err.Error(), `annotation "T1" is discontinuous`) {
			t.Errorf("%s: got %v, want an error", format, err)
		}
		if err := w.Abort(); err != nil {
			t.Error(err)
		}
	}
}

// TestComments carries remarks between the formats that have them.
func TestComments(t *testing.T) {
	d := Document{ID: "1-1", Text: "Anna, 3 May", Source: "x", Annotations: []Annotation{
		{Start: 6, End: 11, Label: "DATE", Category: "DATE", Comment: `day & "month"`}, {Start: 0, End: 4, Label: "PATIENT", Category: "NAME"},
	}}
	for _, format := range []string{I2B2, Brat, JSONL, Parquet} {
		got := read(t, format, write(t, format, []Document{d}, WriteOptions{}), ReadOptions{})[0]
		if got.Annotations[0].Comment != d.Annotations[0].Comment || got.Annotations[1].Comment != "" {
			t.Errorf("%s: got %+v", format, got.Annotations)
		}
	}
}

func TestWriterRefuses(t *testing.T) {
	ctx := context.Background()
	ok := Document{ID: "a", Text: "Zoë SECRET", Source: "somewhere"}
	with := func(change func(*Document)) Document {
		d := ok
		change(&d)
		return d
	}
	annotated := func(a Annotation) Document { return with(func(d *Document) { d.Annotations = []Annotation{a} }) }
	folders := []string{I2B2, Brat, Text}
	for _, test := range []struct {
		name, want string
		d          Document
		formats    []string
	}{
		{"no id", "no id", with(func(d *Document) { d.ID = "" }), WriteFormats()},
		{"slash", "cannot name a file", with(func(d *Document) { d.ID = "../SECRET" }), folders},
		{"dot", "cannot name a file", with(func(d *Document) { d.ID = ".." }), folders},
		{"control", "cannot name a file", with(func(d *Document) { d.ID = "a\n" }), folders},
		{"not UTF-8", "not UTF-8", with(func(d *Document) { d.Text = "SECRET\xff" }), WriteFormats()},
		{"past the end", "not within the text's 11", annotated(Annotation{ID: "T7", Start: 5, End: 12, Label: "DATE"}), WriteFormats()},
		{"backwards", "not within", annotated(Annotation{Start: 5, End: 4, Label: "DATE"}), WriteFormats()},
		{"in a character", "within a character", annotated(Annotation{Start: 0, End: 3, Label: "DATE"}), WriteFormats()},
		{"one piece", "two pieces", annotated(Annotation{Start: 0, End: 1, Label: "DATE", Fragments: []Fragment{{0, 1}}}), WriteFormats()},
		{"pieces overlap", "in order", annotated(Annotation{Start: 0, End: 5, Label: "DATE", Fragments: []Fragment{{0, 2}, {1, 5}}}),
			WriteFormats()},
		{"no type", "type", annotated(Annotation{Start: 0, End: 1}), structured},
		{"blank in the type", "brat cannot hold", annotated(Annotation{Start: 0, End: 1, Label: "A B"}), []string{Brat}},
		{"form feed", "U+000C at code point 4, which XML cannot hold", with(func(d *Document) { d.Text = "Zoë \fSECRET" }),
			[]string{I2B2, I2B22006}},
		{"noncharacter", "U+FFFE", with(func(d *Document) { d.Text = "\ufffe" }), []string{I2B2, I2B22006}},
		{"control in the type", "U+0001", annotated(Annotation{Start: 0, End: 1, Label: "\x01"}), []string{I2B2, I2B22006}},
		{"crossing", "crosses", with(func(d *Document) {
			d.Annotations = []Annotation{{Start: 0, End: 6, Label: "A"}, {Start: 5, End: 8, Label: "B"}}
		}), []string{I2B22006}},
	} {
		for _, format := range test.formats {
			t.Run(test.name+"/"+format, func(t *testing.T) {
				w, err := NewWriter(ctx, format, filepath.Join(t.TempDir(), "x"), WriteOptions{})
				if err != nil {
					t.Fatal(err)
				}
				defer w.Abort()
				err = w.Write(test.d)
				if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "somewhere") {
					t.Errorf("got %v, want %q", err, test.want)
				}
				if err != nil && strings.Contains(err.Error(), "SECRET") {
					t.Errorf("the error quotes the text: %v", err)
				}
			})
		}
	}
	for _, format := range WriteFormats() {
		w, err := NewWriter(ctx, format, t.TempDir(), WriteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(ok); err != nil {
			t.Fatal(err)
		}
		if err := w.Write(ok); err == nil || !strings.Contains(err.Error(), "ids must differ") {
			t.Errorf("%s: the same id twice gives %v", format, err)
		}
		_ = w.Abort()
	}
	if _, err := NewWriter(ctx, Marked, t.TempDir(), WriteOptions{}); err == nil || !strings.Contains(err.Error(), "no format") {
		t.Errorf("marked notes: got %v", err)
	}
	if _, err := NewWriter(ctx, Brat, t.TempDir(), WriteOptions{Discontinuous: "x"}); err == nil {
		t.Error("an unknown treatment of discontinuous annotations is taken")
	}
	full := folderOf(t, map[string]string{"x": ""})
	if _, err := NewWriter(ctx, Brat, full, WriteOptions{}); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("a folder that is not empty: got %v", err)
	}
}

// TestAbort leaves nothing of a corpus that was given up, and all of one that
// was finished.
func TestAbort(t *testing.T) {
	for _, format := range WriteFormats() {
		folder := filepath.Join(t.TempDir(), "x")
		w, err := NewWriter(context.Background(), format, folder, WriteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range traps() {
			if err := w.Write(d); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Abort(); err != nil {
			t.Error(err)
		}
		entries, err := os.ReadDir(folder)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		if len(entries) > 0 {
			t.Errorf("%s: %d files are left, the first is %s", format, len(entries), entries[0].Name())
		}
		folder = filepath.Join(t.TempDir(), "x")
		if w, err = NewWriter(context.Background(), format, folder, WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		if err := w.Write(traps()[0]); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := w.Abort(); err != nil || len(files(t, folder)) == 0 {
			t.Errorf("%s: giving up after the end gives %v and leaves %d files", format, err, len(files(t, folder)))
		}
		if err := w.Write(traps()[1]); err == nil {
			t.Errorf("%s: a closed writer writes", format)
		}
	}
}

// TestDeterminism writes the same documents twice.
func TestDeterminism(t *testing.T) {
	for _, format := range WriteFormats() {
		a, b := files(t, write(t, format, traps(), WriteOptions{})), files(t, write(t, format, traps(), WriteOptions{}))
		for name, data := range a {
			if b[name] != data {
				t.Errorf("%s: %s differs", format, name)
			}
		}
	}
}

func TestReadRefusesFormats(t *testing.T) {
	if err := readError("x", "testdata", ReadOptions{}); err == nil || !strings.Contains(err.Error(), "i2b2, i2b2-2006, brat") {
		t.Errorf("got %v", err)
	}
	for _, format := range Formats() {
		if err := readError(format, t.TempDir(), ReadOptions{}); err == nil {
			t.Errorf("%s: an empty folder is taken", format)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, err := range Read(ctx, Parquet, "../../examples", ReadOptions{}) {
		if err == nil {
			t.Error("a cancelled reading goes on")
		}
	}
}
