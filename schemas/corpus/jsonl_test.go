package corpus

import (
	"strings"
	"testing"
)

// TestJSONLines holds what is written to its form, and to what tables lack:
// the patient and the split of a document without annotations.
func TestJSONLines(t *testing.T) {
	documents := []Document{
		{ID: "n1", Patient: "p1", Split: "dev", Text: "Zoë <b> & 😀 on 3 May\n", Source: "x", Annotations: []Annotation{
			{Start: 0, End: 4, Label: "PATIENT"}, {Start: 19, End: 24, Label: "DATE"},
		}},
		{ID: "n2", Patient: "p2", Source: "x"},
	}
	folder := write(t, JSONL, documents, WriteOptions{Split: "train"})
	want := `{"id":"n1","patient":"p1","split":"dev","text":"Zoë <b> & 😀 on 3 May\n",` +
		`"annotations":[{"start":0,"end":3,"label":"PATIENT"},{"start":15,"end":20,"label":"DATE"}]}` + "\n" +
		`{"id":"n2","patient":"p2","split":"train","text":"","annotations":[]}` + "\n"
	if got := files(t, folder)["notes.jsonl"]; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	back := read(t, JSONL, folder+"/notes.jsonl", ReadOptions{})
	kept := func(d Document, patient, split string) bool { return d.Patient == patient && d.Split == split }
	if essence(back) != essence(documents) || !kept(back[0], "p1", "dev") || !kept(back[1], "p2", "train") {
		t.Errorf("came back as %+v", back)
	}
	// The marked notes of the examples and MEDDOCAN's kind of text go through it whole.
	marked := read(t, Marked, "../../examples/unseen/source", ReadOptions{})
	through := read(t, JSONL, write(t, JSONL, marked, WriteOptions{}), ReadOptions{})
	if essence(through) != essence(marked) || len(through) != 120 || through[7].Patient != marked[7].Patient {
		t.Error("marked notes are not the same after JSON lines")
	}
}

func TestJSONLinesRefuse(t *testing.T) {
	const form = "n.jsonl:2: not one JSON object with id and text"
	annotated := func(a string) string { return `{"id": "a", "text": "SECRET", "annotations": [` + a + `]}` }
	for _, test := range []struct{ name, line, want string }{
		{"no JSON", `SECRET`, form},
		{"other fields", `{"id": "a", "text": "SECRET", "spans": []}`, form},
		{"number for text", `{"id": "a", "text": 98765432109}`, form},
		{"no text", `{"id": "a"}`, form},
		{"no id", `{"text": "SECRET"}`, form},
		{"two values", `{"id": "a", "text": ""} {"id": "b", "text": "SECRET"}`, form},
		{"not UTF-8", "{\"id\": \"a\", \"text\": \"SECRET\xff\"}", "n.jsonl:2: the line is not UTF-8"},
		{"past the end", annotated(`{"start": 0, "end": 7, "label": "X"}`), "n.jsonl:2: annotation number 1 has the offsets 0 to 7"},
		{"no label", annotated(`{"start": 0, "end": 1}`), "n.jsonl:2: annotation number 1 lacks"},
		{"no end", annotated(`{"start": 0, "label": "X"}`), "n.jsonl:2: annotation number 1 lacks"},
		{"the same id", `{"id": "first", "text": "SECRET"}`, "n.jsonl:2: the document's id is that of an earlier one"},
	} {
		t.Run(test.name, func(t *testing.T) {
			folder := folderOf(t, map[string]string{"n.jsonl": `{"id": "first", "text": ""}` + "\n" + test.line + "\n"})
			err := readError(JSONL, folder, ReadOptions{})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			} else if strings.Contains(err.Error(), "SECRET") || strings.Contains(err.Error(), "98765432109") {
				t.Errorf("the error quotes the text: %v", err)
			}
		})
	}
}

func TestCoNLL(t *testing.T) {
	lines := []string{
		"Ada\tB-person", "Lund\tI-person", "\u2019s\tO", "Rome\tB-location,B-group", "Oslo\tB-location", "Bergen\tI-group", "", "",
		"no\tO", "Kyiv\tI-location", "", "",
	}
	want := []Document{
		{ID: "w-1", Text: "Ada Lund \u2019s Rome Oslo Bergen", Annotations: []Annotation{
			{Start: 0, End: 8, Label: "person"}, {Start: 14, End: 18, Label: "location"},
			{Start: 19, End: 23, Label: "location"}, {Start: 24, End: 30, Label: "group"},
		}},
		{ID: "w-2", Text: "no Kyiv", Annotations: []Annotation{{Start: 3, End: 7, Label: "location"}}},
	}
	for _, end := range []string{"\n", "\r\n"} {
		got := read(t, CoNLL, folderOf(t, map[string]string{"w.conll": strings.Join(lines, end)}), ReadOptions{})
		if essence(got) != essence(want) {
			t.Errorf("got\n%s\nwant\n%s", essence(got), essence(want))
		}
	}
	for _, line := range []string{"SECRET B-person", "SECRET\tperson", "SECRET\tB-", "\tO", "SECRET\tX-person"} {
		err := readError(CoNLL, folderOf(t, map[string]string{"w.conll": "a\tO\n" + line}), ReadOptions{})
		if err == nil || !strings.Contains(err.Error(), "w.conll:2: not a token") || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%q gives %v", line, err)
		}
	}
}
