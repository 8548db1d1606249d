package transforms_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/dates"
)

// Spanish notes say the day first. A month between two dates stays a month
// where a reader of English sees a day, which then moves otherwise.
func TestSpanishDatesAreReadDayFirst(t *testing.T) {
	dir := t.TempDir()
	const text = "Fecha de ingreso: 03/04/2014.\nFecha de alta: 03/05/2014.\nRevisión: 03/07/2014.\n"
	o := options(t, dir, write(t, dir, "notes.parquet", []row{{"a", "p1", text}, {"b", "p2", text}, {"c", "p3", text}}))
	o.Model = "../onnx/models/es-meddocan"
	cfg, _ := runJob(t, o)
	for _, r := range read[row](t, filepath.Join(cfg.Output, "notes", "*.parquet")) {
		var days []int
		for _, s := range regexp.MustCompile(`\d{1,2}/\d{1,2}/\d{4}`).FindAllString(r.Text, -1) {
			if d, ok := dates.ParseDays(s, dates.InLanguage("es")); ok {
				days = append(days, d)
			}
		}
		if len(days) != 3 || days[1]-days[0] != 30 || days[2]-days[1] != 61 {
			t.Errorf("the dates are not 30 and 61 days apart: %q", r.Text)
		}
	}
}

// Nobody says that the notes are British, but one date is the note's own day, one
// lies in another note: text and columns stay together, into the past, and the
// report and the manifest say so.
func TestTheOrderOfDayAndMonthIsFound(t *testing.T) {
	type dated struct {
		row
		NoteDate string `parquet:"note_date"`
	}
	dir := t.TempDir()
	o := options(t, dir, write(t, dir, "notes.parquet", []dated{
		{row{"a", "p1", "Seen on 03/12/2018 with her son."}, "2018-12-03"},
		{row{"b", "p1", "Seen on 05/11/2018 with her son."}, "2018-12-20"},
	}))
	o.DateColumns = []string{"note_date"}
	cfg, _ := runJob(t, o)
	apart := map[int]bool{}
	for _, r := range read[dated](t, filepath.Join(cfg.Output, "notes", "*.parquet")) {
		text := regexp.MustCompile(`\d\d/\d\d/\d{4}`).FindString(r.Text)
		day, ok := dates.ParseDays(text, dates.Reference{DayFirst: dates.Yes})
		column, ok2 := dates.ParseDays(r.NoteDate, dates.Reference{})
		if !ok || !ok2 {
			t.Fatalf("%q, %q", text, r.NoteDate)
		}
		apart[column-day] = true
		if column > dates.DaysFromCivil(2018, 6, 20) {
			t.Errorf("the note is released as of %s", r.NoteDate)
		}
	}
	if !apart[0] || !apart[45] || len(apart) != 2 {
		t.Errorf("the dates in texts lie %v days before their columns, want 0 and 45", apart)
	}
	raw, err := os.ReadFile(filepath.Join(cfg.Output, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{`"text_dates_of_decided_order": 2`, `"text_dates_of_undecided_order": 0`, `"past_dates_after_extract_end": 0`,
		`"text_dates_differing_from_columns": 0`} {
		if !strings.Contains(string(raw), s) {
			t.Errorf("the report lacks %s", s)
		}
	}
	if raw, err = os.ReadFile(filepath.Join(cfg.Output, "manifest.json")); err != nil ||
		!strings.Contains(string(raw), `"Direction": "past"`) || !strings.Contains(string(raw), `"day_order": "auto"`) {
		t.Errorf("the manifest says neither direction nor order (%v)", err)
	}
}

// One note of a patient with a stand-in or a slip for its date moves nothing
// of the others, nor of itself, to another century.
func TestAStandInDateMovesNothing(t *testing.T) {
	type dated struct {
		row
		NoteDate string `parquet:"note_date"`
	}
	for name, wrong := range map[string]string{"none": "2019-05-06", "stand-in": "9999-12-31", "slip": "2091-03-10"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			var notes []dated
			for i, day := range []string{"2019-03-10", "2019-04-02", wrong} {
				notes = append(notes, dated{row{string(rune('a' + i)), "p1", "Born 03/04/1960. Seen on 03/04/2019."}, day})
			}
			o := options(t, dir, write(t, dir, "notes.parquet", notes))
			o.DateColumns = []string{"note_date"}
			cfg, _ := runJob(t, o)
			for _, r := range read[dated](t, filepath.Join(cfg.Output, "notes", "*.parquet")) {
				var days []int
				for _, s := range regexp.MustCompile(`\d{1,2}/\d{1,2}/\d{4}`).FindAllString(r.Text, -1) {
					if d, ok := dates.ParseDays(s, dates.Reference{}); ok {
						days = append(days, d)
					}
				}
				if want := dates.DaysFromCivil(2019, 3, 4) - dates.DaysFromCivil(1960, 3, 4); len(days) != 2 || days[1]-days[0] != want {
					t.Errorf("the dates are not %d days apart: %q", want, r.Text)
				}
			}
		})
	}
}
