package pipeline

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// What a user may leave out, and what must not go out for it.

type person struct {
	ID   string `parquet:"patient_id"`
	Name string `parquet:"name"`
	MRN  string `parquet:"mrn"`
	Born string `parquet:"birth_date"`
}

type visit struct {
	Start time.Time `parquet:"start,timestamp"`
	Ward  string    `parquet:"ward"`
}

type part struct {
	Title string `parquet:"title"`
	Body  string `parquet:"body"`
}

type wideNote struct {
	NoteID   int64     `parquet:"note_id"`
	Patient  string    `parquet:"patient_id"`
	Day      int32     `parquet:"note_date,date"`
	When     time.Time `parquet:"note_datetime,timestamp"`
	Title    string    `parquet:"note_title"`
	Text     string    `parquet:"text"`
	Born     int32     `parquet:"born"`
	Extra    string    `parquet:"extra"`
	Comments []string  `parquet:"comments,list"`
	Parts    []part    `parquet:"parts,list"`
	Visit    visit     `parquet:"visit"`
}

const wideName = "Zebulon Quackenbush"

func wideNotes() []wideNote {
	var all []wideNote
	for i := range 120 {
		day := time.Date(2019, 3, 4, 0, 0, 0, 0, time.UTC).AddDate(0, 0, i)
		all = append(all, wideNote{
			NoteID: int64(5000 + i), Patient: "p1", Day: int32(day.Unix() / 86400), When: day.Add(10 * time.Hour), Title: "Progress note",
			Text: "Mr. " + wideName + " was seen on " + day.Format("01/02/2006") + ".",
			Born: int32(i), Extra: "stable", Comments: []string{fmt.Sprint("Spoke with ", wideName, " about the result of test ", i, " today."),
				"Nothing else."},
			Parts: []part{{"HPI", "Mr. Quackenbush feels well."}}, Visit: visit{day, "north"},
		})
	}
	return all
}

func wideOptions(t *testing.T, rows []wideNote) Options {
	t.Helper()
	dir := t.TempDir()
	o := testOptions(dir, writeParquet(t, dir, "notes.parquet", rows))
	o.Identifiers = writeParquet(t, dir, "people.parquet", []person{{"p1", wideName, "MRN8814421", "1950-05-06"}})
	o.OtherColumns, o.AcceptColumns, o.MaxQuarantined = "refuse", nil, 1
	return o
}

// decided is what a careful user writes.
var decided = []string{"note_date=note_date", "note_datetime=date", "note_title=keep", "born=keep", "extra=keep",
	"comments=text", "parts.list.element.body=text", "parts=keep", "visit=keep", "visit.start=date"}

func TestNothingGoesOutThatNobodyDecided(t *testing.T) {
	change := func(edit func(*wideNote)) func([]wideNote) {
		return func(rows []wideNote) {
			for i := range rows {
				edit(&rows[i])
			}
		}
	}
	one := func(edit func(*wideNote)) func([]wideNote) {
		return func(rows []wideNote) { edit(&rows[100]) }
	}
	for _, c := range []struct {
		name   string
		rows   func([]wideNote)
		change func(*Options)
		status fault.Status
		want   []string
	}{
		{"no roles at all", nil, func(o *Options) { o.Columns = nil }, fault.Settings, []string{
			"note_datetime", "note_title", "comments.list.element", "parts.list.element.body", "visit.start", "--other_columns=drop",
			"  columns:\n    note_date: date\n    note_datetime: date\n    note_title: keep\n",
			"comments.list.element: text", "TIMESTAMP"}},
		{"the others kept", nil, func(o *Options) { o.Columns, o.OtherColumns = nil, "keep" }, fault.Settings,
			[]string{"note_date:", "note_datetime:", "visit.start:"}},
		{"a struct kept, and not its date", nil, func(o *Options) { o.Columns = slices.Clone(o.Columns[:9]) }, fault.Settings,
			[]string{"visit.start: date"}},
		{"a role that is none", nil, func(o *Options) { o.Columns = append(slices.Clone(o.Columns), "text=scrub") }, fault.Settings,
			[]string{"write one of text, document_id"}},
		{"two roles", nil, func(o *Options) { o.DropColumns = []string{"extra"} }, fault.Settings,
			[]string{`column "extra" has the roles keep and drop`}},
		{"a name in what is kept", one(func(n *wideNote) { n.Title = "Letter of Mr. Quackenbush" }), nil, fault.Refused,
			[]string{`column "note_title", which is kept: 1 values hold a known identifier`, "nothing was published"}},
		{"a record number in what is kept", one(func(n *wideNote) { n.Extra = "mrn8814421" }), nil, fault.Refused,
			[]string{`column "extra"`, "known identifier"}},
		{"a birth date as an integer", one(func(n *wideNote) { n.Born = 19500506 }), nil, fault.Refused,
			[]string{`column "born"`, "known identifier"}},
		{"dates as integers", change(func(n *wideNote) { n.Born = int32(20190304 + n.NoteID%20) }), nil, fault.Refused,
			[]string{`column "born"`, "read as dates"}},
		{"a phone in what is kept", one(func(n *wideNote) { n.Extra = "call 617-555-0142" }), nil, fault.Refused,
			[]string{`column "extra"`, "a phone number"}},
		{"names in what is kept", change(func(n *wideNote) { n.Extra = "Dr. Ottoline Farnsworth, MD" }), nil, fault.Refused,
			[]string{`column "extra"`, "a person's name in 1 of 1 different values", "--accept_columns=extra"}},
		{"names that are accepted", change(func(n *wideNote) { n.Extra = "Dr. Ottoline Farnsworth, MD" }),
			func(o *Options) { o.AcceptColumns = []string{"extra"} }, fault.Done, nil},
		{"dates that are none", nil, func(o *Options) {
			o.Columns = append(slices.Clone(o.Columns[:4]), append([]string{"extra=date"}, o.Columns[5:]...)...)
		},
			fault.Refused, []string{`column "extra": 120 of 120 dates cannot be read`}},
		{"rows in quarantine", func(rows []wideNote) { rows[7].NoteID, rows[9].NoteID = rows[8].NoteID, rows[8].NoteID }, nil, fault.Refused,
			[]string{"2 of 120 rows are in quarantine (duplicate_document_id 2)", "--max_quarantined=1%"}},
		{"rows in quarantine, allowed", func(rows []wideNote) { rows[7].NoteID, rows[9].NoteID = rows[8].NoteID, rows[8].NoteID },
			func(o *Options) { o.MaxQuarantined = 2 }, fault.Done, nil},
		{"patients unknown", func(rows []wideNote) { rows[3].Patient = "p2" }, func(o *Options) { o.MaxMissing = 0.5 }, fault.Refused,
			[]string{"1 of 120 notes are of patients whom the known identifiers do not name"}},
		{"all decided", nil, nil, fault.Done, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows := wideNotes()
			if c.rows != nil {
				c.rows(rows)
			}
			o := wideOptions(t, rows)
			o.Columns = decided
			if c.change != nil {
				c.change(&o)
			}
			cfg, _, _, err := tryRun(o, nil)
			if _, wrong := err.(interface{ Unwrap() []error }); c.status == fault.Settings && wrong {
				err = fault.Mark(fault.Settings, err) // of the settings by themselves, as the command does
			}
			if got := fault.Of(err); got != c.status && !(c.status == fault.Settings && cfg.Output == "") {
				t.Fatalf("exit status %d, want %d: %v", got, c.status, err)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("the message lacks %q:\n%v", want, err)
				}
			}
			if err != nil {
				for _, secret := range []string{"Quackenbush", "8814421", "Farnsworth", "555-0142", "1950"} {
					if strings.Contains(err.Error(), secret) {
						t.Errorf("the message quotes %q:\n%v", secret, err)
					}
				}
				if _, there := os.Stat(filepath.Join(o.Output, "notes")); there == nil {
					t.Error("notes were published")
				}
				if left, _ := filepath.Glob(filepath.Join(o.Output, "*")); len(left) > 0 {
					t.Errorf("left in the output: %q", left)
				}
				return
			}
			checkReleased(t, cfg)
		})
	}
}

// checkReleased looks for what the wide notes hold in every byte that is
// released, and that their texts, also those in lists, were rewritten.
func checkReleased(t *testing.T, cfg transforms.Config) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(cfg.Output, "notes", "*.parquet"))
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(raw), "Quackenbush") {
			t.Errorf("a name is in %s", name)
		}
	}
	out := readParquet[wideNote](t, filepath.Join(cfg.Output, "notes", "*.parquet"))
	if len(out) < 118 {
		t.Fatalf("%d rows", len(out))
	}
	for _, n := range out {
		if n.When.Unix()/86400 != int64(n.Day) || n.Visit.Start.Unix()/86400 != int64(n.Day) {
			t.Errorf("dates of one row moved apart: %v, %v, %v", n.Day, n.When, n.Visit.Start)
		}
		if strings.Contains(n.Comments[0]+n.Parts[0].Body+n.Text, "Quackenbush") || !strings.HasPrefix(n.Comments[0], "Spoke with ") ||
			n.Comments[1] != "Nothing else." || n.Parts[0].Title != "HPI" || n.Visit.Ward != "north" {
			t.Errorf("texts: %q, %q, %q", n.Text, n.Comments, n.Parts)
		}
	}
	type found struct {
		Column  string `parquet:"text_column"`
		Element string `parquet:"element"`
	}
	at := map[found]int{}
	for _, f := range readParquet[found](t, filepath.Join(cfg.Private, "findings", "*.parquet")) {
		at[f]++
	}
	for _, want := range []found{{"text", ""}, {"comments", "0"}, {"parts.list.element.body", "0"}} {
		if at[want] == 0 {
			t.Errorf("no finding at %v: %v", want, at)
		}
	}
}

// Tables of the usual shapes, as their users would run them: the preset's name
// and nothing else about columns.
func TestPresetsRun(t *testing.T) {
	day := time.Date(2019, 3, 4, 0, 0, 0, 0, time.UTC)
	const text = "Mr. Zebulon Quackenbush was seen on 03/04/2019 by Dr. Ottoline Farnsworth."
	type omop struct {
		NoteID   int64     `parquet:"NOTE_ID"`
		Person   int64     `parquet:"PERSON_ID"`
		Date     int32     `parquet:"NOTE_DATE,date"`
		When     time.Time `parquet:"NOTE_DATETIME,timestamp"`
		Type     int32     `parquet:"NOTE_TYPE_CONCEPT_ID"`
		Title    string    `parquet:"NOTE_TITLE"`
		Text     string    `parquet:"NOTE_TEXT"`
		Provider *int64    `parquet:"PROVIDER_ID,optional"`
		Visit    int64     `parquet:"VISIT_OCCURRENCE_ID"`
		Source   string    `parquet:"NOTE_SOURCE_VALUE"`
	}
	type mimic struct {
		NoteID string    `parquet:"note_id"`
		Person int64     `parquet:"subject_id"`
		Stay   int64     `parquet:"hadm_id"`
		Type   string    `parquet:"note_type"`
		Seq    int32     `parquet:"note_seq"`
		Date   time.Time `parquet:"charttime,timestamp"`
		When   time.Time `parquet:"storetime,timestamp"`
		Text   string    `parquet:"text"`
	}
	type i2b2 struct {
		Encounter int64     `parquet:"encounter_num"`
		Person    int64     `parquet:"patient_num"`
		Concept   string    `parquet:"concept_cd"`
		Provider  string    `parquet:"provider_id"`
		Date      time.Time `parquet:"start_date,timestamp"`
		Modifier  string    `parquet:"modifier_cd"`
		Blob      string    `parquet:"observation_blob"`
		When      time.Time `parquet:"end_date,timestamp"`
		Row       int64     `parquet:"text_search_index"`
	}
	type fhir struct {
		ID     string    `parquet:"id"`
		Person string    `parquet:"subject_id"`
		Status string    `parquet:"status"`
		Type   string    `parquet:"type_code"`
		Date   time.Time `parquet:"date,timestamp"`
		Author string    `parquet:"author_id"`
		Title  string    `parquet:"content_title"`
		Text   string    `parquet:"content_text"`
		URL    string    `parquet:"content_url"`
		When   time.Time `parquet:"period_start,timestamp"`
	}
	provider := int64(77)
	for name, file := range map[string]func(dir string) string{
		"omop-note": func(dir string) string {
			return writeParquet(t, dir, "n.parquet", []omop{{81, 9001, 17959, day, 44814637, "Letter for Mr. Quackenbush", text, &provider, 4001,
				"EPIC-9001"}})
		},
		"mimic-iv-note": func(dir string) string {
			return writeParquet(t, dir, "n.parquet", []mimic{{"9001-DS-1", 9001, 4001, "DS", 1, day, day, text}})
		},
		"i2b2": func(dir string) string {
			return writeParquet(t, dir, "n.parquet", []i2b2{{4001, 9001, "LOINC:11506-3", "PRV:77", day, "@", text, day, 81}})
		},
		"fhir-documentreference": func(dir string) string {
			return writeParquet(t, dir, "n.parquet", []fhir{{"doc-81", "pat-9001", "current", "11506-3", day, "prac-77",
				"Letter for Mr. Quackenbush", text, "Binary/81", day}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			o := testOptions(dir, file(dir))
			o.Preset, o.OtherColumns, o.AcceptColumns = name, "refuse", nil
			cfg, report, _, err := tryRun(o, nil)
			if err != nil {
				t.Fatal(err)
			}
			roles := map[string]string{}
			for _, c := range report.Columns {
				roles[c.Role] += c.Path + " "
				if (c.Role == "date" || c.Role == "note_date" || c.Role == "patient_id" || c.Role == "document_id") && c.Changed != 1 {
					t.Errorf("%s, %s: %d values changed", c.Path, c.Role, c.Changed)
				}
			}
			for _, role := range []string{"text", "document_id", "patient_id", "note_date", "date"} {
				if roles[role] == "" {
					t.Errorf("no column is %s: %v", role, roles)
				}
			}
			files, _ := filepath.Glob(filepath.Join(cfg.Output, "notes", "*.parquet"))
			for _, f := range files {
				raw, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				for _, secret := range []string{"Quackenbush", "Farnsworth", "9001", "03/04/2019"} {
					if strings.Contains(string(raw), secret) {
						t.Errorf("%q is in what is released", secret)
					}
				}
			}
		})
	}
	t.Run("not such a table", func(t *testing.T) {
		o := wideOptions(t, wideNotes())
		o.Preset = "mimic-iv-note"
		if _, _, _, err := tryRun(o, nil); fault.Of(err) != fault.Settings || !strings.Contains(err.Error(), "note_datetime") {
			t.Errorf("%v", err)
		}
		o.Preset = "i2b2"
		if _, _, _, err := tryRun(o, nil); fault.Of(err) != fault.Settings || !strings.Contains(err.Error(),
			"it lacks observation_blob, text_search_index, tval_char") {
			t.Errorf("%v", err)
		}
	})
}

// A night without notes is a mistake, unless it is allowed.
func TestEmptyInput(t *testing.T) {
	o := wideOptions(t, nil)
	o.Columns = decided
	if _, _, _, err := tryRun(o, nil); fault.Of(err) != fault.Refused || !strings.Contains(err.Error(), "--allow_empty") {
		t.Errorf("%v", err)
	}
	o.AllowEmpty = true
	if _, report, _, err := tryRun(o, nil); err != nil || report.RowsOut != 0 {
		t.Errorf("%d rows, %v", report.RowsOut, err)
	}
}
