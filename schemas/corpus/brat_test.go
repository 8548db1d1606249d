package corpus

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestBratReads(t *testing.T) {
	warned := []string{}
	o := ReadOptions{Warn: func(s string) { warned = append(warned, s) }}
	folder := folderOf(t, map[string]string{
		"b.txt": "\ufeffZoë Berg, née\nLund",
		"b.ann": "\ufeffT2\tNOMBRE_X 11 19\tnée Lund\r\n" + // brat writes a blank for a line end
			"T1\tPATIENT 1 4\tZoë\n\n" +
			"#1\tAnnotatorNotes T1\tfirst name\tonly\n#2\tAnnotatorNotes T1\tagain\n#3\tAnnotatorNotes T9\tof none\n" +
			"R1\tWife Arg1:T1 Arg2:T2\nA1\tNegated T1\n*\tEquiv T1 T2\nE1\tMove:T1\nfoo\n" +
			"T2\tPATIENT 5 9\n" +
			"T4\tPATIENT 5 5\t\n",
		"a.txt": "", "a.ann": "", "annotation.conf": "x", "a-1.txt": "x", "a-1.ann": "",
	})
	documents := read(t, Brat, folder, o)
	ids := ""
	for _, d := range documents {
		ids += d.ID + " "
	}
	if ids != "a a-1 b " {
		t.Fatalf("documents are %s", ids)
	}
	d := documents[2]
	want := []Annotation{
		{ID: "T2", Start: 14, End: 23, Label: "NOMBRE_X"},
		{ID: "T1", Start: 3, End: 7, Label: "PATIENT", Comment: "first name\tonly"},
		{ID: "T2", Start: 8, End: 12, Label: "PATIENT"},
		{ID: "T4", Start: 8, End: 8, Label: "PATIENT"},
	}
	if fmt.Sprint(d.Annotations) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", d.Annotations, want)
	}
	if len(d.Rest) != 7 {
		t.Errorf("%d other lines are kept, want 7: %q", len(d.Rest), d.Rest)
	}
	if len(warned) != 1 || !strings.Contains(warned[0], "b.ann:11: ") {
		t.Errorf("warnings are %q", warned)
	}

	// The id that repeats makes all be numbered anew, so what refers to them goes.
	warned = nil
	got := files(t, write(t, Brat, documents, WriteOptions{Warn: o.Warn}))["b.ann"]
	if want := "T1\tNOMBRE_X 11 19\tnée Lund\nT2\tPATIENT 1 4\tZoë\nT3\tPATIENT 5 9\tBerg\nT4\tPATIENT 5 5\t\n#4\tAnnotatorNotes " +
		"T2\tfirst name\tonly\nfoo\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if len(warned) != 6 {
		t.Errorf("%d warnings, want 6: %q", len(warned), warned)
	}

	d.Annotations = d.Annotations[:2]
	got = files(t, write(t, Brat, []Document{d}, WriteOptions{}))["b.ann"]
	for _, line := range []string{"R1\tWife Arg1:T1 Arg2:T2\n", "A1\tNegated T1\n", "#4\tAnnotatorNotes T1\tfirst name\tonly\n"} {
		if !strings.Contains(got, line) {
			t.Errorf("the line %q is lost: %q", line, got)
		}
	}
	if strings.Contains(got, "T9") {
		t.Errorf("a note on no annotation is written: %q", got)
	}
}

func TestBratRefuses(t *testing.T) {
	const text = "\ufeffSECRET née\r\n\r\nBerg"
	for _, test := range []struct{ name, ann, want string }{
		{"other text", "\nT3\tDATE 1 7\tSECRES\n", `a.ann:2: annotation "T3" has the offsets 1 to 7, where its text does not stand;`},
		{"mark not counted", "T1\tDATE 0 6\tSECRET", "if the byte-order mark"},
		{"bytes counted", "T1\tDATE 10 14\tnée", "if offsets were bytes"},
		{"line ends counted as one", "T1\tDATE 13 17\tBerg", "if a carriage return and line feed"},
		{"past the end", "T1\tDATE 1 20\tSECRET", "out of range: the text has 19 code points"},
		{"backwards", "T1\tDATE 7 1\tSECRET", "out of range"},
		{"huge", "T1\tDATE 1 99999999999999999999\tSECRET", "of the form"},
		{"negative", "T1\tDATE -1 7\tSECRET", "of the form"},
		{"no offsets", "T1\tDATE\tSECRET", "of the form"},
		{"one offset", "T1\tDATE 1\tSECRET", "of the form"},
		{"blanks for tabs", "T1 DATE 1 7 SECRET", "of the form T1"},
		{"no type", "T1\t 1 7\tSECRET", "of the form"},
		{"empty piece", "T1\tDATE 1 7;\tSECRET", "of the form"},
		{"pieces out of order", "T1\tDATE 8 11;1 7\tSECRET", "not in order"},
		{"pieces overlap", "T1\tDATE 1 7;3 9\tSECRET", "overlap"},
		{"no id", "T\tDATE 1 7\tSECRET", "of the form T1"},
		{"not UTF-8", "T1\tDATE 1 7\tSECRET\xff", "not UTF-8"},
	} {
		t.Run(test.name, func(t *testing.T) {
			folder := folderOf(t, map[string]string{"a.txt": text, "a.ann": test.ann})
			err := readError(Brat, folder, ReadOptions{})
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "a.ann") {
				t.Errorf("got %v, want %q", err, test.want)
			}
			if err != nil && (strings.Contains(err.Error(), "SECRE") || strings.Contains(err.Error(), "née")) {
				t.Errorf("the error quotes the text: %v", err)
			}
		})
	}
	for name, content := range map[string]map[string]string{
		"no .ann":        {"a.txt": "x", "a.ann": "", "b.txt": ""},
		"no .txt":        {"a.txt": "x", "a.ann": "", "b.ann": ""},
		"no .txt before": {"c.txt": "x", "c.ann": "", "b.ann": ""},
		"no .txt file":   {"b.ann": ""},
		"not UTF-8":      {"a.txt": "\xff", "a.ann": ""},
	} {
		if err := readError(Brat, folderOf(t, content), ReadOptions{}); err == nil ||
			!strings.Contains(err.Error(), strings.TrimSuffix(name, " before")) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestTrustOffsets(t *testing.T) {
	folder := folderOf(t, map[string]string{"a.txt": "Anna came", "a.ann": "T1\tPATIENT 0 4\tBert\nT2\tDATE 5 9\tcame\n"})
	var warned []string
	d := read(t, Brat, folder, ReadOptions{TrustOffsets: true, Warn: func(s string) { warned = append(warned, s) }})[0]
	if len(d.Annotations) != 2 || len(warned) != 1 || !strings.Contains(warned[0], `"T1"`) {
		t.Errorf("got %v and warnings %q", d.Annotations, warned)
	}
}

// FuzzAnn checks that what is taken is written and taken again as the same.
func FuzzAnn(f *testing.F) {
	f.Add("Zoë Berg\r\nLund", "T1\tPATIENT 0 3;4 8\tZoë Berg\n#1\tAnnotatorNotes T1\tx\nR1\tA Arg1:T1\n")
	f.Add("\ufeffa", "T1\tX 0 0\t\nT1\tX 1 2")
	f.Add("", "#\nT\n*\tE T1")
	f.Fuzz(func(t *testing.T, text, ann string) {
		if !utf8.ValidString(text) {
			return
		}
		quiet := func(string) {}
		d := Document{ID: "a", Text: text, Source: "a.txt"}
		if parseAnn(&d, "a.ann", ann, &ReadOptions{Warn: quiet}) != nil {
			return
		}
		if err := d.Check(); err != nil {
			t.Fatal(err)
		}
		out, err := formatAnn(&d, quiet)
		if err != nil {
			t.Fatal(err)
		}
		again := Document{ID: "a", Text: text, Source: "a.txt"}
		if err := parseAnn(&again, "a.ann", out, &ReadOptions{Warn: quiet}); err != nil {
			t.Fatalf("%q was written as %q: %v", ann, out, err)
		}
		if essence([]Document{d}) != essence([]Document{again}) {
			t.Fatalf("%q was written as %q", ann, out)
		}
		if twice, err := formatAnn(&again, quiet); err != nil || twice != out {
			t.Fatalf("written again, %q is %q (%v)", out, twice, err)
		}
	})
}
