package corpus

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func i2b2File(text, tags string) string {
	return "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n<deIdi2b2>\n<TEXT><![CDATA[" + text + "]]></TEXT>\n<TAGS>\n" + tags +
		"</TAGS>\n</deIdi2b2>\n"
}

func TestI2B2Reads(t *testing.T) {
	var warned []string
	o := ReadOptions{Warn: func(s string) { warned = append(warned, s) }}
	folder := folderOf(t, map[string]string{
		"110-02mist.xml": "\ufeff" + i2b2File("\r\n\rZoë\r\nBerg ]]]]><![CDATA[> &amp;", `<NAME id="P0" start="2" end="10" `+
			`text="Zoë&#10;Berg" TYPE="Patient" comment="" />
<DISEASE id="D0" start="0" end="1" text="?" TYPE="X" comment="" />
<PHI start="2" end="5" text="Zoë" TYPE='A"&lt;B' extra="1" />
<ID id="P0" start="11" end="20" text="]]> &amp;amp;" TYPE="IDNUM"></ID>
`),
		"0001_gs.xml": "<x><TEXT>a &amp; b &#233;&#x1F600;</TEXT><TAGS><AGE id='P0' start='6' end='8' text='é&#128512;' " +
			"TYPE='AGE'/></TAGS></x>",
		"latin.xml":     "<?xml version='1.0' encoding='ISO-8859-1'?><x><TEXT>Zo\xeb</TEXT><TAGS/></x>",
		"no-tags.xml":   "<x><TEXT/></x>",
		"also-skip.txt": "x",
	})
	documents := read(t, I2B2, folder, o)
	if len(documents) != 4 {
		t.Fatalf("%d documents, want 4", len(documents))
	}
	if d := documents[0]; d.ID != "0001_gs" || d.Patient != "" || d.Text != "a & b é😀" || d.Annotations[0].Start != 6 ||
		d.Annotations[0].End != 12 {
		t.Errorf("got %+v", d)
	}
	d := documents[1]
	if d.ID != "110-02" || d.System != "mist" || d.Patient != "110" || d.Text != "\n\nZoë\nBerg ]]> &amp;" || len(d.Annotations) != 3 {
		t.Fatalf("got %+v", d)
	}
	for i, want := range []string{"Zoë\nBerg", "Zoë", "]]> &amp;"} {
		if a := d.Annotations[i]; d.Text[a.Start:a.End] != want {
			t.Errorf("annotation %d is %+v", i, a)
		}
	}
	if d.Annotations[0].Label != "Patient" || d.Annotations[1].Label != `A"<B` || d.Annotations[1].Category != "PHI" {
		t.Errorf("got %+v", d.Annotations)
	}
	if len(warned) != 1 || !strings.Contains(warned[0], "element 2 of TAGS") {
		t.Errorf("warnings are %q", warned)
	}
	if documents[2].Text != "Zoë" || documents[3].Text != "" {
		t.Errorf("got %q and %q", documents[2].Text, documents[3].Text)
	}
	got := files(t, write(t, I2B2, documents, WriteOptions{}))
	if want := i2b2File("\n\nZoë\nBerg ]]]]><![CDATA[> &amp;", `<NAME id="P0" start="2" end="10" text="Zoë&#10;Berg" TYPE="Patient" `+
		`comment="" />
<PHI id="P1" start="2" end="5" text="Zoë" TYPE="A&quot;&lt;B" comment="" />
<ID id="P2" start="11" end="20" text="]]&gt; &amp;amp;" TYPE="IDNUM" comment="" />
`); got["110-02mist.xml"] != want {
		t.Errorf("got\n%s\nwant\n%s", got["110-02mist.xml"], want)
	}
}

func TestI2B2Refuses(t *testing.T) {
	tag := func(s string) string { return i2b2File("Zoë SECRET", s) }
	for _, test := range []struct{ name, file, want string }{
		{"other text", tag(`<DATE id="P0" start="4" end="10" text="SECRES" TYPE="DATE" />`),
			`annotation "P0" has the offsets 4 to 10, where its text does not stand;`},
		{"bytes", tag(`<DATE id="P0" start="0" end="4" text="Zoë" TYPE="DATE" />`), "if offsets were bytes"},
		{"past the end", tag(`<DATE id="P7" start="4" end="11" text="SECRET" TYPE="DATE" />`),
			`annotation "P7" has the offsets 4 to 11, which are out of range: the text has 10`},
		{"no id", tag(`<DATE start="4" end="11" TYPE="DATE" />`), "annotation number 1 has"},
		{"no start", tag(`<DATE id="P0" end="10" text="SECRET" TYPE="DATE" />`), "no start and end"},
		{"no type", tag(`<DATE id="P0" start="4" end="10" text="SECRET" />`), "no TYPE"},
		{"no text", "<x><TAGS/></x>", "0 TEXT elements"},
		{"two texts", "<x><TEXT>SECRET</TEXT><TEXT/></x>", "2 TEXT elements"},
		{"in-line", "<x><TEXT><PHI TYPE='A'>SECRET</PHI></TEXT></x>", "i2b2-2006"},
		{"comment", "<x><TEXT>SECRET<!-- x --></TEXT></x>", "comment or processing"},
		{"cut", "<x><TEXT>SECRET", "unexpected EOF"},
		{"empty", "", "0 TEXT"},
		{"not XML", "SECRET", "0 TEXT"},
		{"mismatch", "<x><SECRET></x>", "not well-formed"},
		{"control", "<x><TEXT>SECRET\x01</TEXT></x>", "illegal character code"},
		{"not UTF-8", "<x><TEXT>SECRET\xff</TEXT></x>", "invalid UTF-8"},
		{"entity", "<x><TEXT>&SECRET;</TEXT></x>", "invalid character entity"},
		{"encoding", "<?xml version='1.0' encoding='SECRET'?><x/>", "not known"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := readError(I2B2, folderOf(t, map[string]string{"1-1.xml": test.file}), ReadOptions{})
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "1-1.xml") {
				t.Errorf("got %v, want %q", err, test.want)
			}
			if err != nil && strings.Contains(err.Error(), "SECRE") {
				t.Errorf("the error quotes the file: %v", err)
			}
		})
	}
	two := folderOf(t, map[string]string{"1-1a.xml": tag(""), "1-1b.xml": tag("")})
	if err := readError(I2B2, two, ReadOptions{}); err == nil || !strings.Contains(err.Error(), "ids must differ") {
		t.Errorf("two systems' files of a record: got %v", err)
	}
}

// TestRecordNames names files as the official script wants them.
func TestRecordNames(t *testing.T) {
	documents := []Document{{ID: "1001703", Source: "a"}, {ID: "110-02", System: "mist", Source: "b"}}
	for names, o := range map[string]WriteOptions{
		"1001703-01.xml 110-02mist.xml": {RecordNames: true},
		"1001703.xml 110-02mist.xml":    {},
	} {
		folder := write(t, I2B2, documents, o)
		for _, name := range strings.Fields(names) {
			if _, ok := files(t, folder)[name]; !ok {
				t.Errorf("there is no %s", name)
			}
		}
	}
	w, err := NewWriter(t.Context(), I2B2, t.TempDir(), WriteOptions{RecordNames: true})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for i, id := range []string{"7", "7-01"} {
		if err := w.Write(Document{ID: id, Source: "c"}); (err != nil) != (i == 1) {
			t.Errorf("the name 7-01.xml for a second time: got %v", err)
		}
	}
	if err := w.Write(Document{ID: "p017-03", Source: "c"}); err == nil || !strings.Contains(err.Error(), "c: the document's id is neither") {
		t.Errorf("got %v", err)
	}
}

const records = `<?xml version="1.0"?>
<ROOT>
<RECORD ID="641">
<HEAD><TEXT>no</TEXT></HEAD>
<TEXT>
<PHI TYPE="HOSPITAL">CTMC &amp; <PHI TYPE="LOCATION">Leith</PHI></PHI><PHI TYPE="DATE">3 May</PHI>

Zo` + "\u00eb\r\n" + `x</TEXT>
</RECORD>
<RECORD ID="640"><TEXT></TEXT></RECORD>
</ROOT>`

func TestInline(t *testing.T) {
	path := folderOf(t, map[string]string{"train.xml": records})
	for _, path := range []string{path, path + "/train.xml"} {
		documents := read(t, I2B22006, path, ReadOptions{})
		want := essence([]Document{
			{ID: "641", Text: "\nCTMC & Leith3 May\n\nZoë\nx", Annotations: []Annotation{
				{Start: 1, End: 13, Label: "HOSPITAL"}, {Start: 8, End: 13, Label: "LOCATION"}, {Start: 13, End: 18, Label: "DATE"},
			}},
			{ID: "640"},
		})
		if got := essence(documents); got != want || documents[0].ID != "641" {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

func TestInlineRefuses(t *testing.T) {
	for _, test := range []struct{ name, file, want string }{
		{"no record", "<ROOT><TEXT>SECRET</TEXT></ROOT>", "no RECORD"},
		{"no id", "<R><RECORD><TEXT>SECRET</TEXT></RECORD></R>", "no ID"},
		{"no text", "<R><RECORD ID='1'>SECRET</RECORD></R>", "0 TEXT"},
		{"two texts", "<R><RECORD ID='1'><TEXT/><TEXT>SECRET</TEXT></RECORD></R>", "2 TEXT"},
		{"other element", "<R><RECORD ID='1'><TEXT><B>SECRET</B></TEXT></RECORD></R>", "not PHI"},
		{"no type", "<R><RECORD ID='1'><TEXT><PHI>SECRET</PHI></TEXT></RECORD></R>", "no TYPE"},
		{"comment", "<R><RECORD ID='1'><TEXT><!-- SECRET --></TEXT></RECORD></R>", "comment"},
		{"cut in a text", "<R><RECORD ID='1'><TEXT>SECRET", "unexpected EOF"},
		{"cut in a record", "<R><RECORD ID='1'>", "unexpected EOF"},
		{"cut after", "<R><RECORD ID='1'><TEXT/></RECORD>", "unexpected EOF"},
		{"same id", "<R><RECORD ID='1'><TEXT/></RECORD><RECORD ID='1'><TEXT/></RECORD></R>", "record 2: the document's id"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := readError(I2B22006, folderOf(t, map[string]string{"a.xml": test.file}), ReadOptions{})
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "a.xml") {
				t.Errorf("got %v, want %q", err, test.want)
			}
			if err != nil && strings.Contains(err.Error(), "SECRET") {
				t.Errorf("the error quotes the file: %v", err)
			}
		})
	}
}

// FuzzI2B2 checks that a file that is taken is written and taken again as the
// same.
func FuzzI2B2(f *testing.F) {
	f.Add([]byte(i2b2File("a\rb]]]]><![CDATA[>", `<ID start="0" end="3" text="a&#10;b" TYPE="x y"/>`)))
	f.Add([]byte("<x><TEXT>&#13;\n</TEXT><TAGS><PHI start='0' end='0' TYPE='\t'/></TAGS></x>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		quiet := ReadOptions{Warn: func(string) {}}
		d := Document{ID: "1-1", Source: "1-1.xml"}
		if parseI2B2(&d, data, &quiet) != nil {
			return
		}
		if err := d.Check(); err != nil {
			t.Fatal(err)
		}
		out, err := formatI2B2(&d, RefuseDiscontinuous)
		if err != nil {
			t.Fatal(err)
		}
		again := Document{ID: "1-1", Source: "1-1.xml"}
		if err := parseI2B2(&again, []byte(out), &quiet); err != nil {
			t.Fatalf("%q was written as %q: %v", data, out, err)
		}
		if essence([]Document{d}) != essence([]Document{again}) {
			t.Fatalf("%q was written as %q", data, out)
		}
	})
}

// FuzzInline does the same for in-line XML.
func FuzzInline(f *testing.F) {
	f.Add([]byte(records))
	f.Add([]byte("<R><RECORD ID='1'><TEXT>a<PHI TYPE='x'/>&#13;<PHI TYPE='x'>b<PHI TYPE='y'>b</PHI></PHI></TEXT></RECORD></R>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for d, err := range parseInline("a.xml", strings.NewReader(string(data))) {
			if err != nil {
				return
			}
			if err := d.Check(); err != nil {
				t.Fatal(err)
			}
			out, err := formatRecord(&d, RefuseDiscontinuous)
			if err != nil {
				t.Fatal(err)
			}
			for again, err := range parseInline("a.xml", strings.NewReader("<ROOT>"+out+"</ROOT>")) {
				if err != nil {
					t.Fatalf("%q was written as %q: %v", data, out, err)
				}
				if essence([]Document{d}) != essence([]Document{again}) {
					t.Fatalf("%q was written as %q", data, out)
				}
			}
		}
	})
}

// FuzzText sends a text with one annotation through every format that parses.
func FuzzText(f *testing.F) {
	f.Add("Zoë\r]]>\r\n&amp;", 1, 6)
	f.Add("\ufeff😀", 0, 1)
	f.Fuzz(func(t *testing.T, text string, start, end int) {
		if !utf8.ValidString(text) {
			return
		}
		o := NewOffsets(text)
		from, ok := o.Byte(start)
		to, ok2 := o.Byte(end)
		if !ok || !ok2 || from > to {
			return
		}
		d := Document{ID: "a", Text: text, Source: "a", Annotations: []Annotation{{Start: from, End: to, Label: "DATE"}}}
		quiet := ReadOptions{Warn: func(string) {}}
		ann, err := formatAnn(&d, quiet.Warn)
		if err != nil {
			t.Fatal(err)
		}
		got := Document{ID: "a", Text: text}
		if err := parseAnn(&got, "a.ann", ann, &quiet); err != nil || essence([]Document{got}) != essence([]Document{d}) {
			t.Fatalf("brat: %q (%v)", ann, err)
		}
		file, err := formatI2B2(&d, RefuseDiscontinuous)
		if err != nil {
			return // a character that XML cannot hold
		}
		got = Document{ID: "a"}
		if err := parseI2B2(&got, []byte(file), &quiet); err != nil || essence([]Document{got}) != essence([]Document{d}) {
			t.Fatalf("i2b2: %q (%v)", file, err)
		}
		record, err := formatRecord(&d, RefuseDiscontinuous)
		if err != nil {
			t.Fatal(err)
		}
		for got, err := range parseInline("a", strings.NewReader("<R>"+record+"</R>")) {
			if err != nil || essence([]Document{got}) != essence([]Document{d}) {
				t.Fatalf("in-line: %q (%v)", record, err)
			}
		}
	})
}
