package transforms_test

import (
	"path/filepath"
	"regexp"
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
