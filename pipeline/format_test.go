package pipeline

import (
	"fmt"
	"html"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/view"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// knownOf returns the known identifiers of the examples' patients.
func knownOf(t *testing.T) map[string]lexicon.Identifiers {
	t.Helper()
	f, err := os.Open(exampleIdentifiers)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	known, err := table.OpenIdentifiers(f, info.Size(), exampleIdentifiers, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]lexicon.Identifiers{}
	if err := known.Each(t.Context(), func(p lexicon.Identifiers) error { all[p.PatientID] = p; return nil }); err != nil {
		t.Fatal(err)
	}
	return all
}

// asHTML writes a note as an editor might: with marks within words, entities, and the
// patient where no reader looks.
func asHTML(r *rand.Rand, text, name, mail string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<html><head><title>%s</title><meta name=author content='%s'><style>p.a{font:12px}</style>\n", html.EscapeString(name),
		html.EscapeString(name))
	fmt.Fprintf(&b, "<script>var who = \"%s\";</script></head><body class=MsoNormal><!-- for %s --><p title=\"%s\">", name, name,
		html.EscapeString(name))
	fmt.Fprintf(&b, "<a href=\"mailto:%s?subject=%s\">mail</a><br>\n", mail, strings.ReplaceAll(name, " ", "%20"))
	for _, c := range text {
		switch {
		case c == '\n':
			b.WriteString("<br>\n")
		case c > 127 && r.IntN(2) == 0:
			fmt.Fprintf(&b, "&#x%x;", c)
		case c == ' ' && r.IntN(10) == 0:
			b.WriteString("&nbsp;")
		case unicode.IsLetter(c) && r.IntN(12) == 0:
			fmt.Fprintf(&b, "<span style=\"font-size:%dpt\">%c</span>", 10+r.IntN(3), c)
		case unicode.IsLetter(c) && r.IntN(40) == 0:
			fmt.Fprintf(&b, "&#%d;", c)
		default:
			b.WriteString(html.EscapeString(string(c)))
		}
	}
	return b.String() + "</p></body></html>"
}

// asRTF does the same in RTF.
func asRTF(r *rand.Rand, text, name, _ string) string {
	var b strings.Builder
	plain := func(s string) {
		for _, c := range s {
			switch {
			case c == '\n':
				b.WriteString("\\par\r\n")
			case c == '\\' || c == '{' || c == '}':
				b.WriteString("\\" + string(c))
			case c > 127 && c < 256 && r.IntN(2) == 0:
				fmt.Fprintf(&b, "\\'%02x", c)
			case c > 127:
				fmt.Fprintf(&b, "\\u%d?", int16(c))
			case unicode.IsLetter(c) && r.IntN(12) == 0:
				fmt.Fprintf(&b, "{\\b %c}", c)
			case unicode.IsLetter(c) && r.IntN(40) == 0:
				fmt.Fprintf(&b, "\\'%02x", c)
			case unicode.IsLetter(c) && r.IntN(40) == 0:
				fmt.Fprintf(&b, "\r\n%c", c)
			case unicode.IsLetter(c) && r.IntN(40) == 0:
				fmt.Fprintf(&b, "\\b0%c", c)
			default:
				b.WriteRune(c)
			}
		}
	}
	b.WriteString(`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fswiss Arial;}}{\info{\author `)
	plain(name)
	b.WriteString(`}{\title Letter on `)
	plain(name)
	b.WriteString(`}{\creatim\yr2014\mo3\dy12\hr9\min5}}\pard\f0\fs20 `)
	plain(text)
	b.WriteString(`{\v hidden: `)
	plain(name)
	b.WriteString("}}")
	return b.String()
}

// Notes in HTML and RTF lose what is known of their patient wherever it stands, cut
// by marks, written as entities, in attributes, comments, hidden groups; all bytes
// outside of what was replaced stay, and the result is still HTML and RTF.
func TestNotesInHTMLAndRTF(t *testing.T) {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(3, 4))
	known := knownOf(t)
	var notes []exampleNote
	for i, n := range readParquet[exampleNote](t, exampleNotes) {
		if n.PatientID == nil || known[*n.PatientID].PatientID == "" || i%4 > 1 {
			continue
		}
		write := asHTML
		if i%4 == 1 {
			write = asRTF
		}
		mail := "xavier.quillfeather@example.org"
		n.Text = write(r, n.Text, known[*n.PatientID].Names[0], mail)
		notes = append(notes, n)
	}
	o := testOptions(dir, writeParquet(t, dir, "notes.parquet", notes))
	o.Model, o.Identifiers, o.DateColumns = fastModel, exampleIdentifiers, []string{"note_date"}
	cfg, report, said := run(t, o, nil)
	if report.Quarantined > 0 || len(notes) < 100 {
		t.Errorf("%d notes; %s", len(notes), said)
	}
	out := readParquet[exampleNote](t, filepath.Join(cfg.Output, "notes", "*.parquet"))
	checkInLines(t, dir, r, notes, out)
	byNote := map[string][]table.Finding{}
	for _, f := range readParquet[table.Finding](t, filepath.Join(cfg.Private, "findings", "*.parquet")) {
		if f.Type == "DATE" { // "Monday" may stay, and so may pieces of it, entities and all
			f.Type = "AGE"
		}
		byNote[f.DocumentID] = append(byNote[f.DocumentID], f)
	}
	for i, n := range out {
		before, err := view.New(notes[i].Text, view.Auto)
		if err != nil {
			t.Fatal(err)
		}
		after, err := view.New(n.Text, view.Auto)
		if err != nil || after.Format != before.Format {
			t.Fatalf("note %d is no %s any more", i, before.Format)
		}
		checkText(t, n.NoteID, []rune(notes[i].Text), []rune(n.Text), byNote[notes[i].NoteID])
		p := known[*notes[i].PatientID]
		p.Each(func(typ phi.Type, value string) {
			number := typ == phi.MedicalRecord || typ == phi.Phone || typ == phi.Email
			if len(value) < 6 || !number && !(typ == phi.Patient && strings.Contains(value, " ")) || fiction.MatchString(value) {
				return
			}
			for _, s := range []string{n.Text, after.Text} {
				if strings.Contains(s, value) {
					t.Errorf("note %d (%s) holds a %s of its patient", i, before.Format, typ)
				}
			}
		})
		if strings.Contains(n.Text, "quillfeather") || strings.Contains(n.Text, `\yr2014\mo3\dy12`) {
			t.Errorf("note %d (%s) holds an address or the day on which it was made", i, before.Format)
		}
		if strings.Count(n.Text, "<br>") != strings.Count(notes[i].Text, "<br>") || strings.Count(n.Text,
			"\\par") != strings.Count(notes[i].Text, "\\par") {
			t.Errorf("note %d (%s) has lost lines", i, before.Format)
		}
	}
}

// Texts that are no plain text, HTML or RTF go to quarantine, or are read as plain
// where that is asked for; in columns that are kept they stop the job.
func TestTextsThatAreNotPlain(t *testing.T) {
	dir := t.TempDir()
	rows := []note{
		{ptr("cda"), ptr("p1"), []byte(`<?xml version="1.0"?><ClinicalDocument><given>Zebulon</given></ClinicalDocument>`), 1},
		{ptr("base64"), ptr("p1"), []byte("UGF0aWVudDogWmVidWxvbiBRdWFja2VuYnVzaCwgc2VlbiBvbiAzLzQvMjAxOS4="), 2},
		{ptr("picture"), ptr("p1"), []byte(`{\rtf1 Seen.{\pict\pngblip 89504e47}}`), 3},
		{ptr("plain"), ptr("p1"), []byte("Seen today."), 4},
	}
	o := testOptions(dir, writeParquet(t, dir, "a.parquet", rows))
	o.Model = fastModel
	_, report, _ := run(t, o, nil)
	if fmt.Sprint(report.Reasons) != "map[text_not_plain:2 text_with_embedded_files:1]" || report.RowsOut != 1 {
		t.Errorf("%v, %d rows out", report.Reasons, report.RowsOut)
	}
	o.TextFormat, o.Output, o.Private = "plain", filepath.Join(dir, "plain"), filepath.Join(dir, "plain-private")
	if _, report, _ = run(t, o, nil); report.RowsOut != 4 {
		t.Errorf("%v, %d rows out", report.Reasons, report.RowsOut)
	}
	kept := testOptions(t.TempDir(), writeParquet(t, dir, "b.parquet", []struct {
		NoteID string `parquet:"note_id"`
		Text   string `parquet:"text"`
		Copy   string `parquet:"copy"`
	}{{"a", "Seen today.", string(rows[1].Text)}}))
	kept.Model, kept.PatientIDColumn = fastModel, ""
	if _, _, _, err := tryRun(kept, nil); err == nil || !strings.Contains(err.Error(),
		`column "copy", which is kept: 1 values are documents`) {
		t.Error(err)
	}
	kept.AcceptColumns, kept.Output = []string{"copy"}, kept.Output+"2"
	if _, _, _, err := tryRun(kept, nil); err != nil {
		t.Error(err)
	}
	o.TextFormat = "word"
	if _, err := NewConfig(o); err == nil || !slices.Contains(view.Settings(), "rtf") {
		t.Error("a format that there is not")
	}
}

// checkInLines fails unless the same notes, cut into lines within marks and entities
// too, are released as the whole ones were.
func checkInLines(t *testing.T, dir string, r *rand.Rand, notes, want []exampleNote) {
	t.Helper()
	o := testOptions(filepath.Join(dir, "lines"), writeParquet(t, dir, "lines.parquet", inLines(r, notes), parquet.MaxRowsPerRowGroup(500)))
	o.Model, o.Identifiers, o.DateColumns, o.LineColumn = fastModel, exampleIdentifiers, []string{"note_date"}, "line"
	cfg, report, said := run(t, o, nil)
	if report.Quarantined > 0 {
		t.Error(said)
	}
	joined := map[string]string{}
	for _, row := range readParquet[lineRow](t, filepath.Join(cfg.Output, "notes", "*.parquet")) {
		if row.Text != nil {
			joined[row.NoteID] += *row.Text
		}
	}
	for _, n := range want {
		if joined[n.NoteID] != n.Text {
			t.Errorf("note %s differs in lines", n.NoteID)
		}
	}
}
