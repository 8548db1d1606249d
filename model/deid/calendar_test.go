package deid

import (
	"testing"
	"time"
)

func dayOf(t *testing.T, date string) int {
	t.Helper()
	d, err := time.Parse(time.DateOnly, date)
	if err != nil {
		t.Fatal(err)
	}
	return int(d.Unix() / 86400)
}

// Stand-ins, years in which nobody writes notes, and a slip of decades that
// the patient's other notes tell are none of them the latest note, nor what
// partial dates of their own note are read by.
func TestLatestNote(t *testing.T) {
	for _, c := range []struct {
		days []string
		want string
	}{
		{nil, ""},
		{[]string{"9999-12-31"}, ""},
		{[]string{"1900-01-01"}, ""},
		{[]string{"0019-03-10"}, ""},
		{[]string{"3019-03-10"}, ""},
		{[]string{"2019-03-10"}, "2019-03-10"},
		{[]string{"2019-03-10", "9999-12-31", "2019-01-02"}, "2019-03-10"},
		{[]string{"2019-03-10", "2091-01-02"}, "2091-01-02"}, // which of the two is wrong?
		{[]string{"2019-03-10", "2091-01-02", "2018-05-06"}, "2019-03-10"},
		{[]string{"2019-03-10", "2091-01-02", "2018-05-06", "2091-01-02"}, "2019-03-10"},
		{[]string{"1985-03-10", "1986-01-02", "2014-05-06"}, "2014-05-06"}, // a long record
		{[]string{"2190-03-10", "2191-01-02"}, "2191-01-02"},               // moved already
	} {
		var all calendar
		for _, d := range c.days {
			if day := dayOf(t, d); PlausibleDay(day) {
				all.add(&Note{Dated: true, Day: day})
			}
		}
		latest, dated := all.latest()
		if dated != (c.want != "") || dated && latest != dayOf(t, c.want) {
			t.Errorf("%v: the latest is %d (%v), want %q", c.days, latest, dated, c.want)
		}
		for _, d := range c.days {
			day := dayOf(t, d)
			p := &Patient{plan: &Plan{Dated: dated, Latest: latest}}
			ref := p.Reference(&Note{Dated: true, Day: day})
			if want := dated && day <= latest && PlausibleDay(day); ref.HasNoteDay != want || want && ref.NoteDay != day {
				t.Errorf("%v: a note of %s is dated %d (%v), want %v", c.days, d, ref.NoteDay, ref.HasNoteDay, want)
			}
		}
	}
}
