package score

import (
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// i2b2File is one file of the fixtures.
type i2b2File struct {
	Text string `xml:"TEXT"`
	Tags struct {
		List []struct {
			XMLName xml.Name
			Start   int    `xml:"start,attr"`
			End     int    `xml:"end,attr"`
			Text    string `xml:"text,attr"`
			Type    string `xml:"TYPE,attr"`
		} `xml:",any"`
	} `xml:"TAGS"`
}

func readI2B2(t *testing.T, path string) (text string, list []Annotation) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var f i2b2File
	if err := xml.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	var at []int // byte of each code point
	for i := range f.Text {
		at = append(at, i)
	}
	at = append(at, len(f.Text))
	for _, tag := range f.Tags.List {
		a := Annotation{Start: at[tag.Start], End: at[tag.End], Category: tag.XMLName.Local, Label: tag.Type}
		if got := f.Text[a.Start:a.End]; got != tag.Text {
			t.Fatalf("%s: offsets %d-%d hold %q, not %q", path, tag.Start, tag.End, got, tag.Text)
		}
		list = append(list, a)
	}
	return f.Text, list
}

// fixtures reads the documents that both sides have, as the script does.
func fixtures(t *testing.T) []Document {
	t.Helper()
	paths, err := filepath.Glob("testdata/i2b2/system/*.xml")
	if err != nil || len(paths) == 0 {
		t.Fatal("no fixtures", err)
	}
	var documents []Document
	for _, path := range paths {
		d := Document{ID: strings.TrimSuffix(filepath.Base(path), ".xml")}
		d.Text, d.System = readI2B2(t, path)
		var text string
		text, d.Gold = readI2B2(t, filepath.Join("testdata/i2b2/gold", filepath.Base(path)))
		if text != d.Text {
			t.Fatalf("%s: texts differ", d.ID)
		}
		documents = append(documents, d)
	}
	return documents
}

func scoreAll(t testing.TB, options Options, documents ...Document) *Scorer {
	t.Helper()
	s := New(options)
	for _, d := range documents {
		if _, err := s.Add(d); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestI2B2Counts(t *testing.T) {
	r := scoreAll(t, Options{}, fixtures(t)...).Result()
	data, err := os.ReadFile("testdata/i2b2/expected_counts.txt")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, list := range [][]Metric{r.Metrics, r.ByCategory} {
		for _, m := range list {
			if m.Official != "" {
				got = append(got, fmt.Sprintf("%-28s docs=%d TP=%d FP=%d FN=%d", m.Official, r.Documents, m.TP, m.FP, m.FN))
			}
		}
	}
	want := strings.Split(strings.TrimSpace(string(data)), "\n")
	if len(got) != len(want) || len(want) != 42 {
		t.Fatalf("%d reports, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("report %d:\ngot  %s\nwant %s", i+1, got[i], want[i])
		}
	}
}

func TestI2B2Report(t *testing.T) {
	r := scoreAll(t, Options{}, fixtures(t)...).Result()
	want, err := os.ReadFile("testdata/i2b2/expected_port_output.txt")
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(r.I2B2Report(""), "\n")
	for i, line := range strings.Split(string(want), "\n") {
		if i >= len(got) || got[i] != line {
			t.Fatalf("line %d:\ngot  %q\nwant %q", i+1, got[min(i, len(got)-1)], line)
		}
	}
}

// find returns the metric of a measure and subset.
func find(t *testing.T, r *Result, measure Measure, subset Subset) Metric {
	t.Helper()
	for _, m := range r.Metrics {
		if m.Measure == measure && m.Subset == subset {
			return m
		}
	}
	t.Fatalf("no metric %s over %s", measure, subset)
	return Metric{}
}

// The documented subset adds ID/IDNUM and ignores case: gold's ZX-4410/7, the
// system's two IDNUM tags (one of them right, the other on a MEDICALRECORD),
// and the system's "phone", which is right.
func TestHIPAADocumented(t *testing.T) {
	r := scoreAll(t, Options{}, fixtures(t)...).Result()
	for _, c := range []struct {
		measure Measure
		want    Counts
	}{
		{Strict, Counts{TP: 7, FP: 9, FN: 8}},       // the script's 5, 8, 9 and these
		{BinaryStrict, Counts{TP: 8, FP: 8, FN: 7}}, // the wrong IDNUM is found
		{BinaryToken, Counts{TP: 31, FP: 6, FN: 2}}, // the script's 22, 6, 8 and three times three tokens
	} {
		m := find(t, r, c.measure, HIPAADocumented)
		if m.Counts != c.want {
			t.Errorf("%s: got %+v, want %+v", c.measure, m.Counts, c.want)
		}
	}
}

func TestDuplicatesAndRelaxed(t *testing.T) {
	text := "Ann Bel Cid Dee Eve Ñandú Øre tail of the text"
	tag := func(label string, start, end int) Annotation {
		return Annotation{Start: start, End: end, Category: "NAME", Label: label}
	}
	for _, c := range []struct {
		name         string
		gold, system []Annotation
		strict       Counts
		relaxed      Counts
	}{
		{"exact duplicates collapse", []Annotation{tag("PATIENT", 0, 3), tag("patient", 0, 3)}, []Annotation{tag("PATIENT", 0, 3)},
			Counts{TP: 1}, Counts{TP: 1}},
		{"end off by two", []Annotation{tag("PATIENT", 0, 3)}, []Annotation{tag("PATIENT", 0, 5)},
			Counts{FP: 1, FN: 1}, Counts{TP: 1}},
		{"end off by three", []Annotation{tag("PATIENT", 0, 3)}, []Annotation{tag("PATIENT", 0, 6)},
			Counts{FP: 1, FN: 1}, Counts{FP: 1, FN: 1}},
		{"start off by one", []Annotation{tag("PATIENT", 0, 3)}, []Annotation{tag("PATIENT", 1, 3)},
			Counts{FP: 1, FN: 1}, Counts{FP: 1, FN: 1}},
		{"off by two code points of two bytes", []Annotation{tag("PATIENT", 20, 22)}, []Annotation{tag("PATIENT", 20, 24)},
			Counts{FP: 1, FN: 1}, Counts{TP: 1}},
		{"a set collapses its own, first in the file kept: 10, 12, 14 keep 10 and 14",
			[]Annotation{tag("PATIENT", 0, 12)}, []Annotation{tag("PATIENT", 0, 10), tag("PATIENT", 0, 12), tag("PATIENT", 0, 14)},
			Counts{TP: 1, FP: 2}, Counts{TP: 1}},
		{"12 first keeps 12 alone",
			[]Annotation{tag("PATIENT", 0, 15)}, []Annotation{tag("PATIENT", 0, 12), tag("PATIENT", 0, 10), tag("PATIENT", 0, 14)},
			Counts{FP: 3, FN: 1}, Counts{FP: 1, FN: 1}},
		{"TP is counted on the smaller set, here gold by another tag",
			[]Annotation{tag("PATIENT", 0, 12), tag("PATIENT", 20, 22)},
			[]Annotation{tag("PATIENT", 0, 10), tag("PATIENT", 0, 14), tag("PATIENT", 30, 33)},
			Counts{FP: 3, FN: 2}, Counts{TP: 1, FP: 1, FN: 1}},
		{"and here system: two gold tags equal to one",
			[]Annotation{tag("PATIENT", 0, 10), tag("PATIENT", 0, 14), tag("PATIENT", 30, 33)},
			[]Annotation{tag("PATIENT", 0, 12), tag("PATIENT", 20, 22)},
			Counts{FP: 2, FN: 3}, Counts{TP: 1, FP: 1, FN: 1}},
		{"of sets of one size, system's members are counted",
			[]Annotation{tag("PATIENT", 0, 12), tag("PATIENT", 20, 22)},
			[]Annotation{tag("PATIENT", 0, 10), tag("PATIENT", 0, 14)},
			Counts{FP: 2, FN: 2}, Counts{TP: 2, FN: 1}},
	} {
		r := scoreAll(t, Options{}, Document{ID: "1", Text: text, Gold: c.gold, System: c.system}).Result()
		if got := find(t, r, Strict, All).Counts; got != c.strict {
			t.Errorf("%s: strict %+v, want %+v", c.name, got, c.strict)
		}
		if got := find(t, r, Relaxed, All).Counts; got != c.relaxed {
			t.Errorf("%s: relaxed %+v, want %+v", c.name, got, c.relaxed)
		}
	}
}

func TestTokenQuirks(t *testing.T) {
	text := "Ñuñez -- O'Neil-Smith 4/12 --"
	at := func(s string) (int, int) {
		i := strings.Index(text, s)
		return i, i + len(s)
	}
	tag := func(category, label, s string) Annotation {
		start, end := at(s)
		return Annotation{Start: start, End: end, Category: category, Label: label}
	}
	for _, c := range []struct {
		name          string
		gold, system  Annotation
		token, binary Counts
	}{
		{"letters beyond ASCII part tokens", tag("NAME", "PATIENT", "Ñuñez"), tag("NAME", "PATIENT", "uñez"), Counts{TP: 2}, Counts{TP: 2}},
		{"case of the type matters to tokens", tag("NAME", "PATIENT", "O'Neil-Smith"), tag("NAME", "Patient", "O'Neil-Smith"),
			Counts{FP: 3, FN: 3}, Counts{TP: 3}},
		{"a tag without tokens yields an empty one at its end", tag("OTHER", "OTHER", "--"), tag("OTHER", "OTHER", " --"), Counts{TP: 1},
			Counts{TP: 1}},
		{"at its end, not at its start", tag("OTHER", "OTHER", "--"), tag("OTHER", "OTHER", "-- "), Counts{FP: 1, FN: 1}, Counts{FP: 1, FN: 1}},
		{"a cut token counts twice", tag("DATE", "DATE", "4/12"), tag("DATE", "DATE", "4/1"), Counts{TP: 1, FP: 1, FN: 1},
			Counts{TP: 1, FP: 1, FN: 1}},
	} {
		r := scoreAll(t, Options{}, Document{ID: "1", Text: text, Gold: []Annotation{c.gold}, System: []Annotation{c.system}}).Result()
		if got := find(t, r, Token, All).Counts; got != c.token {
			t.Errorf("%s: token %+v, want %+v", c.name, got, c.token)
		}
		if got := find(t, r, BinaryToken, All).Counts; got != c.binary {
			t.Errorf("%s: binary token %+v, want %+v", c.name, got, c.binary)
		}
	}
}

// Binary HIPAA filters by type first: a wrong type outside of the subset costs
// a miss there too.
func TestBinaryHIPAAFiltersByType(t *testing.T) {
	d := Document{ID: "1", Text: "Ann Lee", Gold: []Annotation{{End: 7, Category: "NAME", Label: "PATIENT"}},
		System: []Annotation{{End: 7, Category: "NAME", Label: "DOCTOR"}}}
	r := scoreAll(t, Options{}, d).Result()
	if got, want := find(t, r, BinaryStrict, HIPAAScript).Counts, (Counts{FN: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got, want := find(t, r, BinaryStrict, All).Counts, (Counts{TP: 1}); got != want {
		t.Errorf("all types: got %+v, want %+v", got, want)
	}
}

// The element PHI keeps its whole key in binary strict.
func TestBarePHIElement(t *testing.T) {
	one := []Annotation{{End: 3, Category: "PHI", Label: "PATIENT"}}
	other := []Annotation{{End: 3, Category: "PHI", Label: "DOCTOR"}}
	r := scoreAll(t, Options{}, Document{ID: "1", Text: "Ann", Gold: one, System: other}).Result()
	if got, want := find(t, r, BinaryStrict, All).Counts, (Counts{FP: 1, FN: 1}); got != want {
		t.Errorf("binary strict %+v, want %+v", got, want)
	}
	if got, want := find(t, r, BinaryToken, All).Counts, (Counts{TP: 1}); got != want {
		t.Errorf("binary token %+v, want %+v", got, want)
	}
}

// A document without PHI lowers macro precision and recall: of four documents
// scored against themselves, one without PHI gives .75.
func TestMacroOfGoldAgainstItself(t *testing.T) {
	var documents []Document
	for i := range 4 {
		d := Document{ID: strconv.Itoa(i), Text: "Ann"}
		if i > 0 {
			d.Gold = []Annotation{{End: 3, Category: "NAME", Label: "PATIENT"}}
			d.System = d.Gold
		}
		documents = append(documents, d)
	}
	m := find(t, scoreAll(t, Options{}, documents...).Result(), Strict, All)
	if m.Macro.Precision != .75 || m.Macro.Recall != .75 || m.Micro.F1 != 1 {
		t.Errorf("macro %+v, micro %+v", m.Macro, m.Micro)
	}
	if got := significant(m.Macro.PrecisionSD, 2); got != "0.43" { // sqrt(3)/4
		t.Errorf("deviation %s, want 0.43", got)
	}
}

// The expectations are what Python prints for "{:.4}" and "{:.2}".
func TestSignificant(t *testing.T) {
	for _, c := range []struct {
		x         float64
		four, two string
	}{
		{0, "0.0", "0.0"}, {1, "1.0", "1.0"}, {.5, "0.5", "0.5"}, {1. / 3, "0.3333", "0.33"},
		{12.3456, "12.35", "1.2e+01"}, {123.456, "123.5", "1.2e+02"}, {1234.5, "1.234e+03", "1.2e+03"},
		{999.96, "1e+03", "1e+03"}, {1e-05, "1e-05", "1e-05"}, {.0001, "0.0001", "0.0001"},
		{.00012345, "0.0001234", "0.00012"}, {.99999, "1.0", "1.0"}, {.999949, "0.9999", "1.0"}, {1e20, "1e+20", "1e+20"},
	} {
		if got := significant(c.x, 4); got != c.four {
			t.Errorf("significant(%v, 4) = %s, want %s", c.x, got, c.four)
		}
		if got := significant(c.x, 2); got != c.two {
			t.Errorf("significant(%v, 2) = %s, want %s", c.x, got, c.two)
		}
	}
}
