package pipeline

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// A row with a stand-in or a slip for its date leaves the patient's other rows
// as they would be without it. Stand-ins stay, slips move by the offset, and both
// are counted.
func TestImplausibleNoteDates(t *testing.T) {
	type dated struct {
		NoteID    string `parquet:"note_id"`
		PatientID string `parquet:"patient_id"`
		Text      string `parquet:"text"`
		NoteDate  int32  `parquet:"note_date,date"`
	}
	day := func(year int) int32 { return int32(float64(year-1970)*365.2425) + 40 }
	const text = "Seen on 3/4 and 5 May by Dr. Halloran. She is 84, born 12 June 1931."
	rows := []dated{
		{"a", "p", text, day(2015)}, {"b", "p", text, day(2017)}, {"c", "p", text, day(2019)},
	}
	slips := []dated{
		{"d", "p", text, 2932896 /* 9999-12-31 */}, {"e", "p", text, 0}, {"f", "p", text, day(2091)}, {"g", "p", text, day(1935)},
	}
	released := func(rows []dated) (map[string]dated, int64, string) {
		dir := t.TempDir()
		in := writeParquet(t, dir, "in.parquet", rows)
		o := testOptions(dir, in)
		o.DateColumns, o.IDs = []string{"note_date"}, "keep"
		cfg, report, log := run(t, o, nil)
		out := map[string]dated{}
		for _, r := range readParquet[dated](t, filepath.Join(cfg.Output, "notes", "*.parquet")) {
			out[r.NoteID] = r
		}
		return out, report.ImplausibleDates, log
	}
	want, none, _ := released(rows)
	got, counted, log := released(append(append([]dated{}, rows...), slips...))
	if none != 0 || counted != 4 || !strings.Contains(log, "implausible note dates") {
		t.Errorf("%d and %d dates are counted as implausible, want 0 and 4:\n%s", none, counted, log)
	}
	for id, r := range want {
		if got[id] != r {
			t.Errorf("with slips in other rows %s becomes\n%v, want\n%v", id, got[id], r)
		}
	}
	offset := want["a"].NoteDate - rows[0].NoteDate
	for i, moves := range []int32{0, 0, offset, offset} {
		if d := got[slips[i].NoteID].NoteDate; d != slips[i].NoteDate+moves {
			t.Errorf("the date of %s moved by %d, want %d", slips[i].NoteID, d-slips[i].NoteDate, moves)
		}
		if strings.Contains(fmt.Sprint(got[slips[i].NoteID].Text), "Halloran") {
			t.Errorf("%s: the name stands", slips[i].NoteID)
		}
	}
}
