package pipeline

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// exampleNote is a note of the examples.
type exampleNote struct {
	NoteID    string    `parquet:"note_id"`
	PatientID *string   `parquet:"patient_id,optional"`
	Text      string    `parquet:"text"`
	Date      time.Time `parquet:"note_date,date"`
}

// lineRow is a row of a note that lies over several.
type lineRow struct {
	NoteID    string    `parquet:"note_id"`
	Line      *int32    `parquet:"line,optional"`
	PatientID *string   `parquet:"patient_id,optional"`
	Text      *string   `parquet:"text,optional"`
	Date      time.Time `parquet:"note_date,date"`
}

// inLines cuts notes at random places, within words too, and leaves some lines null
// or empty.
func inLines(r *rand.Rand, notes []exampleNote) (rows []lineRow) {
	for _, n := range notes {
		line := int32(r.IntN(2))
		add := func(text *string) {
			rows = append(rows, lineRow{n.NoteID, ptr(line), n.PatientID, text, n.Date})
			line++
		}
		for text := n.Text; text != ""; {
			k := min(len(text), 20+r.IntN(200))
			for k < len(text) && !utf8.RuneStart(text[k]) {
				k++
			}
			add(ptr(text[:k]))
			text = text[k:]
			switch r.IntN(20) {
			case 0:
				add(nil)
			case 1:
				add(ptr(""))
			}
		}
	}
	return rows
}

// A note in lines is released as the note in one row is, however it was cut and
// wherever its rows stand in the file; the lines of a release are as many as those of
// the input, with the same numbers, and what was found has the same places.
func TestLinesAreOneNote(t *testing.T) {
	dir := t.TempDir()
	notes := readParquet[exampleNote](t, exampleNotes)[:90]
	whole := writeParquet(t, dir, "whole.parquet", notes)
	options := func(name, input string) Options {
		o := testOptions(filepath.Join(dir, name), input)
		o.Model, o.Identifiers, o.DateColumns = fastModel, exampleIdentifiers, []string{"note_date"}
		return o
	}
	cfg, _, _ := run(t, options("whole-out", whole), nil)
	want := readParquet[exampleNote](t, filepath.Join(cfg.Output, "notes", "*.parquet"))
	wantFindings := readParquet[table.Finding](t, filepath.Join(cfg.Private, "findings", "*.parquet"))
	r := rand.New(rand.NewPCG(1, 2))
	rows := inLines(r, notes)
	backwards, shuffled := slices.Clone(rows), slices.Clone(rows)
	slices.Reverse(backwards)
	r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	var regrouped map[string]string
	for _, c := range []struct {
		name  string
		rows  []lineRow
		order string
		shard int64
	}{
		{"in order", rows, "keep", 1}, // shards of one row group, but where a note lies over two
		{"backwards", backwards, "keep", 1 << 30},
		{"shuffled", shuffled, "keep", 1 << 30},
		{"in order, regrouped", rows, "shuffle", 1 << 30},
		{"shuffled, regrouped", shuffled, "shuffle", 1 << 30},
	} {
		input := writeParquet(t, dir, "lines.parquet", c.rows, parquet.MaxRowsPerRowGroup(100))
		o := options(c.name, input)
		o.LineColumn, o.RowOrder = "line", c.order
		cfg, report, said := run(t, o, func(cfg *transforms.Config) { cfg.ShardBytes = c.shard })
		if report.Quarantined > 0 || report.RowsOut != int64(len(rows)) {
			t.Fatalf("%s: %s", c.name, said)
		}
		if c.shard == 1 && report.Shards < 3 {
			t.Errorf("%s: %d shards", c.name, report.Shards)
		}
		out := readParquet[lineRow](t, filepath.Join(cfg.Output, "notes", "*.parquet"))
		byID := map[string][]lineRow{}
		for i, row := range out {
			byID[row.NoteID] = append(byID[row.NoteID], row)
			if c.order == "keep" && (*row.Line != *c.rows[i].Line || (row.Text == nil) != (c.rows[i].Text == nil)) {
				t.Fatalf("%s: row %d is another line", c.name, i)
			}
			if c.order == "shuffle" && i > 0 && out[i-1].NoteID == row.NoteID && *out[i-1].Line >= *row.Line {
				t.Fatalf("%s: row %d is out of order", c.name, i)
			}
		}
		for _, n := range want {
			all := byID[n.NoteID]
			slices.SortFunc(all, func(a, b lineRow) int { return int(*a.Line - *b.Line) })
			var text strings.Builder
			for _, row := range all {
				if row.Text != nil {
					text.WriteString(*row.Text)
				}
				if !row.Date.Equal(n.Date) || (row.PatientID == nil) != (n.PatientID == nil) || row.PatientID != nil && *row.PatientID != *n.PatientID {
					t.Errorf("%s: a line of %s has another date or patient", c.name, n.NoteID)
				}
			}
			if text.String() != n.Text {
				t.Errorf("%s: note %s is\n%s\nnot\n%s", c.name, n.NoteID, text.String(), n.Text)
			}
		}
		if c.order == "keep" {
			checkSameFindings(t, c.name, readParquet[table.Finding](t, filepath.Join(cfg.Private, "findings", "*.parquet")), wantFindings)
			continue
		}
		if got := digests(t, filepath.Join(cfg.Output, "notes")); regrouped == nil {
			regrouped = got
		} else if fmt.Sprint(got) != fmt.Sprint(regrouped) {
			t.Errorf("%s: the release depends on the order of the input's rows", c.name)
		}
	}
}

// checkSameFindings compares findings but for the lines that they are in.
func checkSameFindings(t *testing.T, name string, got, want []table.Finding) {
	t.Helper()
	keys := func(all []table.Finding) (keys []string) {
		for _, f := range all {
			f.Element = ""
			keys = append(keys, fmt.Sprint(f))
		}
		slices.Sort(keys)
		return keys
	}
	if !slices.Equal(keys(got), keys(want)) {
		t.Errorf("%s: %d findings are not the %d of whole notes", name, len(got), len(want))
	}
	if !slices.ContainsFunc(got, func(f table.Finding) bool { return f.Element != "" && f.Element != "0" }) {
		t.Errorf("%s: no finding says its line", name)
	}
}

// Rows that cannot be put together go to quarantine, all those of their note, each
// with the reason and where it stood.
func TestLinesThatCannotBeJoined(t *testing.T) {
	dir := t.TempDir()
	row := func(id string, line int32, patient, text string) lineRow {
		l := &line
		if line == -99 {
			l = nil
		}
		return lineRow{NoteID: id, Line: l, PatientID: &patient, Text: &text}
	}
	one := writeParquet(t, dir, "one.parquet", []lineRow{
		row("good", 1, "p1", "Seen by Dr. Quacken"), row("good", 2, "p1", "bush today."),
		row("twice", 1, "p1", "a"), row("twice", 1, "p1", "b"),
		row("null", 1, "p1", "a"), row("null", -99, "p1", "b"),
		row("negative", -1, "p1", "a"),
		row("an id", 44710815, "p1", "a"),
		row("two patients", 1, "p1", "a"), row("two patients", 2, "p2", "b"),
		row("gap", 1, "p1", "Seen by Dr. Quackenbush"), row("gap", 3, "p1", "Zebulon was there."),
		row("apart", 1, "p1", "Seen by Dr. Quacken"),
		row("", 1, "p1", "no id"), row("", 2, "p1", "no id"),
	})
	two := writeParquet(t, dir, "two.parquet", []lineRow{row("apart", 2, "p1", "bush today."), row("fine", 7, "p1", "Well.")})
	o := testOptions(dir, one, two)
	o.Model, o.LineColumn, o.KeepColumns = fastModel, "line", []string{"note_date"}
	o.IDs = "keep"
	cfg, report, said := run(t, o, nil)
	type held struct {
		lineRow
		Reason string `parquet:"reason"`
	}
	got := map[string][]string{}
	for _, h := range readParquet[held](t, filepath.Join(cfg.Private, "quarantine", "*.parquet")) {
		reason, where, _ := strings.Cut(h.Reason, ": ")
		if reason != "null_document_id" && !strings.Contains(where, ".parquet, row group 0, row ") {
			t.Errorf("%s: %q does not say where", h.NoteID, h.Reason)
		}
		got[h.NoteID] = append(got[h.NoteID], reason)
	}
	want := map[string][]string{"twice": {"line_repeated", "line_repeated"}, "null": {"line_number", "line_number"},
		"negative": {"line_number"}, "an id": {"line_number"}, "two patients": {"lines_differ", "lines_differ"},
		"apart": {"lines_apart", "lines_apart"}, "": {"null_document_id", "null_document_id"}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("in quarantine: %v", got)
	}
	if report.Reasons["lines_apart"] != 2 || report.LineGaps != 1 || !strings.Contains(said, "with missing lines") {
		t.Errorf("reasons %v, %d gaps, %s", report.Reasons, report.LineGaps, said)
	}
	out := readParquet[lineRow](t, filepath.Join(cfg.Output, "notes", "*.parquet"))
	if len(out) != 5 {
		t.Errorf("%d rows were released", len(out))
	}
	for _, row := range out {
		for _, part := range []string{"Quacken", "bush"} {
			if strings.Contains(*row.Text, part) {
				t.Errorf("line %d of %s holds a part of the name", *row.Line, row.NoteID)
			}
		}
	}
	if strings.Contains(said, "Quacken") {
		t.Error("the log holds text of a note")
	}
}

// Lists of texts and lines cannot both be parts of a note; nor can a column have two
// roles.
func TestLineColumnIsRefused(t *testing.T) {
	dir := t.TempDir()
	input := writeParquet(t, dir, "a.parquet", []struct {
		NoteID string   `parquet:"note_id"`
		Line   int32    `parquet:"line"`
		Text   []string `parquet:"text,list"`
	}{{"a", 1, []string{"x"}}})
	o := testOptions(dir, input)
	o.PatientIDColumn, o.LineColumn = "", "line"
	if _, _, _, err := tryRun(o, nil); err == nil || !strings.Contains(err.Error(), "a note is in lists or in rows, not in both") {
		t.Error(err)
	}
	o.LineColumn = "note_id"
	if _, err := NewConfig(o); err == nil || !strings.Contains(err.Error(), "document_id and line") {
		t.Error(err)
	}
}
