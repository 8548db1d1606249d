package deid

import (
	"fmt"
	"testing"
	"time"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
)

func dayOf(t *testing.T, date string) int {
	t.Helper()
	d, err := time.Parse(time.DateOnly, date)
	if err != nil {
		t.Fatal(err)
	}
	return int(d.Unix() / 86400)
}

// Stand-ins, days on which nobody writes notes, and slips of decades that the
// patient's other notes or birth date tell are none of them the latest note, nor
// what partial dates of their own note are read by.
func TestDaysOfNotes(t *testing.T) {
	const end = "2019-12-31"
	for _, c := range []struct {
		days      []string
		born, end string
		believed  string
	}{
		{nil, "", "", "[]"},
		{[]string{"9999-12-31"}, "", "", "[]"},
		{[]string{"9999-05-05"}, "", "", "[]"},
		{[]string{"1900-01-01"}, "", "", "[]"},
		{[]string{"1800-01-01"}, "", "", "[]"},
		{[]string{"0001-01-01"}, "", "", "[]"},
		{[]string{"0019-03-10"}, "", "", "[]"},
		{[]string{"1899-03-10"}, "", "", "[]"},
		{[]string{"3019-03-10"}, "", "", "[]"},
		{[]string{"2019-03-10"}, "", "", "[2019-03-10]"},
		{[]string{"2019-03-10", "9999-12-31", "2019-01-02"}, "", "", "[2019-03-10 2019-01-02]"},
		{[]string{"2019-03-10", "2091-01-02"}, "", "", "[2019-03-10 2091-01-02]"}, // which of the two is wrong?
		{[]string{"2019-03-10", "2091-01-02"}, "1960-05-06", "", "[2019-03-10]"},
		{[]string{"2019-03-10", "2091-01-02"}, "", end, "[2019-03-10]"},
		{[]string{"2019-03-10", "2019-03-10", "2091-01-02"}, "", "", "[2019-03-10 2019-03-10]"},
		{[]string{"2019-03-10", "2091-01-02", "2018-05-06"}, "", "", "[2019-03-10 2018-05-06]"},
		{[]string{"2019-03-10", "2091-01-02", "2018-05-06", "2091-01-02"}, "", "", "[2019-03-10 2018-05-06]"},
		{[]string{"2019-03-10", "2091-01-02", "2018-05-06", "2191-01-02"}, "", "", "[2019-03-10 2018-05-06]"},
		{[]string{"2019-03-10", "1917-01-02", "2018-05-06"}, "", "", "[2019-03-10 2018-05-06]"},
		{[]string{"2019-03-10", "1917-01-02", "2018-05-06", "2091-01-02"}, "", "", "[2019-03-10 2018-05-06]"},
		{[]string{"1985-03-10", "1986-01-02", "2014-05-06"}, "", "", "[1985-03-10 1986-01-02 2014-05-06]"}, // a long record
		{[]string{"2190-03-10", "2191-01-02"}, "", "", "[2190-03-10 2191-01-02]"},                          // moved already
		{[]string{"2019-03-10", "2021-06-01", "2020-11-30"}, "", end, "[2019-03-10 2020-11-30]"},           // an appointment may lie a year ahead
		{[]string{"2019-03-10", "1958-01-02"}, "1960-05-06", "", "[2019-03-10]"},
		{[]string{"1958-01-02"}, "1960-05-06", "", "[]"},
		{[]string{"1960-05-06"}, "1960-05-06", "", "[1960-05-06]"},
		{[]string{"2018-01-02", "2019-01-02"}, "2060-05-06", "", "[2018-01-02 2019-01-02]"}, // the birth date is the slip
		{[]string{"1970-01-01"}, "", "", "[1970-01-01]"},
		{[]string{"1970-01-01", "2019-01-02"}, "", "", "[2019-01-02]"},
		{[]string{"1970-01-01", "1970-03-02", "1971-01-02"}, "", "", "[1970-01-01 1970-03-02 1971-01-02]"},
	} {
		p := Plan{Born: c.born != ""}
		if p.Born {
			p.Birth = dayOf(t, c.born)
		}
		last := 0
		if c.end != "" {
			last = dayOf(t, c.end)
		}
		var all calendar
		for _, d := range c.days {
			if day := dayOf(t, d); PlausibleDay(day) {
				all.add(&Note{Dated: true, Day: day})
			}
		}
		p.settle(all.days, last)
		believed := []string{}
		latest := -1 << 40
		for _, d := range c.days {
			day := dayOf(t, d)
			ref := (&Patient{plan: &p}).Reference(&Note{Dated: true, Day: day})
			if ref.HasNoteDay {
				believed, latest = append(believed, d), max(latest, ref.NoteDay)
			}
		}
		if fmt.Sprint(believed) != c.believed || p.Dated != (len(believed) > 0) || p.Dated && p.Latest != latest {
			t.Errorf("%v, born %q, end %q: believed are %v, the latest %d; want %s", c.days, c.born, c.end, believed, p.Latest, c.believed)
		}
	}
}

// One more row of a patient that has a stand-in or an implausible day changes
// the output of no other note.
func TestAnImplausibleDayChangesNoOtherNote(t *testing.T) {
	const text = "Seen on 3/4, born 12 June 1931, age 83 in 2014; follow up 5 May, 1/12/2018. At 88 she fell, 6 years ago."
	s := Settings{Steps: AllSteps(), Language: "en", DayOrder: UsualInModels}
	s.Surrogates.ExtractEnd = dayOf(t, "2021-12-31")
	keys, err := surrogate.NewKeyring([]byte("a key of the tests: fifty bytes or so, never seen"), 0)
	if err != nil {
		t.Fatal(err)
	}
	found := func() []phi.Found {
		var all []phi.Found
		at := 0
		for _, x := range []struct {
			surface string
			typ     phi.Type
		}{{"3/4", phi.Date}, {"12 June 1931", phi.Date}, {"83", phi.Age}, {"2014", phi.Date}, {"5 May", phi.Date}, {"1/12/2018", phi.Date},
			{"88", phi.Age}} {
			for text[at:at+len(x.surface)] != x.surface {
				at++
			}
			all = append(all, phi.Found{Span: phi.Span{Start: at, End: at + len(x.surface), Type: x.typ, Score: 1}, Surface: x.surface})
			at += len(x.surface)
		}
		return all
	}
	born := []lexicon.Identifiers{{BirthDate: "1931-06-12"}}
	released := func(known []lexicon.Identifiers, more ...string) string {
		notes := []*Note{}
		for i, d := range append([]string{"2019-03-10", "2015-02-01", "2020-08-30"}, more...) {
			n := &Note{Document: fmt.Sprint("d", i), Patient: "p", Spans: found()}
			if i > 2 {
				n.Spans = nil
			}
			if day := dayOf(t, d); PlausibleDay(day) {
				n.Dated, n.Day = true, day
			}
			notes = append(notes, n)
		}
		plan := Resolve(s, notes, known, nil)
		p := (&Rewriter{Settings: s, Keys: keys}).Open(&plan)
		out := ""
		for _, n := range notes[:3] {
			var spans []phi.Span
			for _, f := range n.Spans {
				spans = append(spans, f.Span)
			}
			r, err := p.Text(text, spans, n.Document, p.Reference(n))
			if err != nil {
				t.Fatal(err)
			}
			moved, _ := p.Day(n.Day, n.Document, p.Reference(n))
			out += fmt.Sprintln(r.Text, moved)
		}
		return out
	}
	for name, known := range map[string][]lexicon.Identifiers{"a birth date": born, "none": nil} {
		want := released(known)
		for _, d := range []string{"9999-12-31", "9999-01-01", "1900-01-01", "1800-01-01", "0001-01-01", "1970-01-01", "2091-07-01",
			"1917-07-01", "2024-01-01"} {
			if got := released(known, d); got != want {
				t.Errorf("%s: a row of %s makes of\n%s\n%s", name, d, want, got)
			}
		}
	}
	if day := (dates.DaysFromCivil(1970, 1, 1)); day != epoch {
		t.Errorf("1970-01-01 is day %d", day)
	}
}
