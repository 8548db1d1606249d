package corpus

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// read returns all documents of a corpus.
func read(t *testing.T, format, path string, o ReadOptions) []Document {
	t.Helper()
	var out []Document
	for d, err := range Read(context.Background(), format, path, o) {
		if err != nil {
			t.Fatalf("reading %s: %v", format, err)
		}
		out = append(out, d)
	}
	return out
}

// readError returns the error that reading ends with.
func readError(format, path string, o ReadOptions) error {
	for _, err := range Read(context.Background(), format, path, o) {
		if err != nil {
			return err
		}
	}
	return nil
}

// write writes documents into a new folder.
func write(t *testing.T, format string, documents []Document, o WriteOptions) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "corpus")
	w, err := NewWriter(context.Background(), format, folder, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range documents {
		if err := w.Write(d); err != nil {
			t.Fatalf("writing %s: %v", format, err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return folder
}

// files returns the content of each file of a folder.
func files(t *testing.T, folder string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out[e.Name()] = string(data)
	}
	return out
}

// folderOf writes files into a new folder.
func folderOf(t *testing.T, content map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, data := range content {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// essence is what every format keeps of a document: texts, offsets, labels.
func essence(documents []Document) string {
	var b strings.Builder
	documents = slices.Clone(documents)
	slices.SortFunc(documents, func(a, b Document) int { return cmp.Compare(a.ID, b.ID) })
	for _, d := range documents {
		fmt.Fprintf(&b, "%q %q\n", d.ID, d.Text)
		var lines []string
		for _, a := range d.Annotations {
			lines = append(lines, fmt.Sprintf("  %05d %05d %q %v\n", a.Start, a.End, a.Label, a.Fragments))
		}
		slices.Sort(lines)
		b.WriteString(strings.Join(lines, ""))
	}
	return b.String()
}

// span returns the annotation of the n-th occurrence (from 0) of a surface.
func span(text, surface, label string, n int) Annotation {
	at := 0
	for range n {
		at += strings.Index(text[at:], surface) + len(surface)
	}
	i := strings.Index(text[at:], surface)
	if i < 0 {
		panic("no such surface")
	}
	return Annotation{Start: at + i, End: at + i + len(surface), Label: label}
}

// traps returns hand-made documents with what trips readers up. None crosses
// annotations, which in-line XML cannot hold, or has what only some can.
func traps() []Document {
	document := func(id, text string, annotations ...Annotation) Document {
		return Document{ID: id, Text: text, Annotations: annotations, Source: id}
	}
	mark := func(text string, pairs ...string) []Annotation {
		var out []Annotation
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, span(text, pairs[i], pairs[i+1], 0))
		}
		return out
	}
	texts := map[string]string{
		"bom":       "\ufeffAnna Berg came on 3 May.\n",
		"crlf":      "Name: Anna\r\nBerg\r\nDate: 3 May\r\n\rAge: 40\n",
		"nonbmp":    "😀 Zoë 𝒜𝒹𝒶 rang 🏥 at 14/02.\n",
		"combining": "Zoe\u0308 A\u030angstro\u0308m, 3 May\n",
		"leading":   "\n\n\nRecord date: 2075-03-14\n\n",
		"entities":  "Smith & Sons <smith@a.example> said \"it's\" &amp; ]]> 5 > 3 ]]]]>> 3 May",
		"blanks":    "  Anna \t Berg  \n\t3 May \n ",
		"separator": "Anna\u2028Berg\u0085 3 May\u00a0x\u200b.",
		"empty":     "",
		"newlines":  "\n\n",
	}
	return []Document{
		document("bom", texts["bom"], append(mark(texts["bom"], "Anna Berg", "PATIENT", "3 May", "DATE"),
			span(texts["bom"], "\ufeffAnna Berg", "OTHER", 0))...),
		document("crlf", texts["crlf"], mark(texts["crlf"], "Anna\r\nBerg", "PATIENT", "3 May", "DATE", "40", "AGE")...),
		document("nonbmp", texts["nonbmp"], mark(texts["nonbmp"], "14/02", "DATE", "𝒜𝒹𝒶", "PATIENT", "🏥", "HOSPITAL")...),
		document("combining", texts["combining"], mark(texts["combining"], "Zoe\u0308 A\u030angstro\u0308m", "PATIENT", "Zoe", "DOCTOR",
			"\u0308m", "OTHER", "3 May", "DATE")...),
		document("leading", texts["leading"], mark(texts["leading"], "2075-03-14", "DATE", "\n\n\n", "OTHER")...),
		document("entities", texts["entities"], mark(texts["entities"], "Smith & Sons", "ORGANIZATION", "<smith@a.example>", "EMAIL", "\"it's\"",
			"OTHER", "]]> 5 >", "LOCATION-OTHER", "3 May", "date")...),
		document("blanks", texts["blanks"], mark(texts["blanks"], "Anna \t Berg  \n\t", "PATIENT", "3 May ", "DATE")...),
		document("separator", texts["separator"], mark(texts["separator"], "Anna\u2028Berg\u0085", "PATIENT", "May\u00a0x\u200b", "DATE")...),
		document("nested", "University Hospital of Leith, Leith", // nested, touching, equal
			Annotation{Start: 0, End: 28, Label: "HOSPITAL"}, Annotation{Start: 23, End: 28, Label: "CITY"},
			Annotation{Start: 0, End: 10, Label: "ORGANIZATION"}, Annotation{Start: 10, End: 11, Label: "OTHER"},
			Annotation{Start: 11, End: 19, Label: "OTHER"}, Annotation{Start: 30, End: 35, Label: "CITY"},
			Annotation{Start: 30, End: 35, Label: "CITY"}),
		document("empty", texts["empty"]),
		document("newlines", texts["newlines"]),
		document("unmarked", "No identifiers here."),
	}
}
