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
