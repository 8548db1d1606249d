package pipeline

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/palimpsest-deid/palimpsest/model/history"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

func TestNumbers(t *testing.T) {
	if got := Count(1, "note") + " " + Count(2000, "note") + " " + Count(2, "person"); got != "1 note 2,000 notes 2 people" {
		t.Error(got)
	}
	if got := fmt.Sprintf("%d of %d, %s %.1f", grouped([]any{1234, int64(5), "x", 2.5})...); got != "1,234 of 5, x 2.5" {
		t.Error(got)
	}
}

// Warnings come before all else, in the summary and the log, and a night's are that
// notes read otherwise now, and that it is unlike others.
func TestWarningsOfANightComeFirst(t *testing.T) {
	r := transforms.Report{Counts: schemas.Counts{RowsIn: 30_000, Unchanged: 29_000},
		Nights: &transforms.NightReport{Added: 1000, Released: 40_000,
			Differing: 400, MayDiffer: 1200, Drift: []history.Shift{{Measure: "spans DOCTOR", Before: 10, Tonight: 2}}}}
	cfg := transforms.Config{Where: transforms.Where{Inputs: []string{"notes"}, Private: "/held/n2"}}
	var text, events strings.Builder
	writeSummary(&text, cfg, r, time.Second)
	writeSummary(NewEvents(&events), cfg, r, time.Second)
	for _, want := range []string{"400 released notes read otherwise by what is known now (1.0 %), and 1,200 more may; " +
		"/held/n2/reissue.parquet lists",
		"unlike the nights before it: spans DOCTOR: 2 tonight, 10 in the nights before"} {
		if i := strings.Index(text.String(), want); i < 0 || i > strings.Index(text.String(), "notes in") {
			t.Errorf("%q is at %d of\n%s", want, i, text.String())
		}
		if !strings.Contains(events.String(), want) {
			t.Errorf("the log lacks %q:\n%s", want, events.String())
		}
	}
	if !strings.Contains(text.String(), "29,000 as released before") || !strings.Contains(text.String(), "1,000 added") {
		t.Error(text.String())
	}
}
