package deid

import (
	"slices"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/phi/marked"
)

// Two numbers for which little speaks are a date near the note's day alone.
func TestWithoutFar(t *testing.T) {
	note := dates.Reference{NoteDay: dates.DaysFromCivil(2019, 3, 20), HasNoteDay: true}
	dayFirst := dates.Reference{NoteDay: note.NoteDay, HasNoteDay: true, DayFirst: dates.Yes}
	january := dates.Reference{NoteDay: dates.DaysFromCivil(2019, 1, 9), HasNoteDay: true}
	weakRule, sureRule := phi.Span{Tagger: phi.Rules, Score: .7}, phi.Span{Tagger: phi.Rules, Score: .95}
	hardly, network := phi.Span{Tagger: phi.Network, Score: .01}, phi.Span{Tagger: phi.Network, Score: .03}
	for _, c := range []struct {
		name, text string
		by         phi.Span
		ref        dates.Reference
		known      bool
		stays      bool
	}{
		{"a rule's, ten days before", "seen [[DATE:3/10]]", weakRule, note, false, true},
		{"a rule's, in the other order", "seen [[DATE:10/3]]", weakRule, note, false, true},
		{"a rule's, far away", "seen [[DATE:8/10]]", weakRule, note, false, false},
		{"of the year before, near", "seen [[DATE:12/31]]", weakRule, january, false, true},
		{"of no day", "grip [[DATE:30/2]]", weakRule, note, false, false},
		{"a sure rule's", "on [[DATE:8/10]]", sureRule, note, false, true},
		{"the network's, far away", "seen [[DATE:8/10]]", network, note, false, true},
		{"what it hardly believes", "scored [[DATE:8-10]]", hardly, note, false, false},
		{"that, two months away", "scored [[DATE:5/10]]", hardly, note, false, true},
		{"where no day is known", "scored [[DATE:8/10]]", hardly, dates.Reference{}, false, true},
		{"a rule's, where none is", "scored [[DATE:8/10]]", weakRule, dates.Reference{}, false, false},
		{"near another date of the note", "[[DATE:10/1/2019]] and [[DATE:8/10]], seen [[DATE:9/12]]", weakRule, dates.Reference{}, false, true},
		{"far from all others", "[[DATE:2 May 2019]], nodes [[DATE:8/10]]", weakRule, dates.Reference{}, false, false},
		{"near another weak one", "[[DATE:9/14]], nodes [[DATE:9/12]]", weakRule, dates.Reference{}, false, false},
		{"with a year", "on [[DATE:8/10/18]]", hardly, note, false, true},
		{"a range", "on [[DATE:8/10-8/12]]", hardly, note, false, true},
		{"of another type", "room [[IDNUM:8-10]]", hardly, note, false, true},
		{"at all times", "open [[DATE:24/7]]", phi.Span{Tagger: phi.Network, Score: .9}, note, false, false},
		{"the 24th of July", "on [[DATE:24/7]]", network, dayFirst, false, true},
		{"what is known", "born [[DATE:8/10]]", weakRule, note, true, true},
	} {
		text, spans, err := marked.Unmark(c.text)
		if err != nil {
			t.Fatal(err)
		}
		all := make([]phi.Span, len(spans)) // the last is asked about
		for i, s := range spans {
			c.by.Type, c.by.Start, c.by.End = s.Type, s.Start, s.End
			all[i] = c.by
		}
		last := c.by.Start
		var known []phi.Span
		if c.known {
			known = slices.Clone(all)
		}
		got := withoutFar(text, all, nil, phi.NewOverlaps(known, nil), c.ref, nil)
		if stays := slices.ContainsFunc(got, func(s phi.Span) bool { return s.Start == last }); stays != c.stays {
			t.Errorf("%s, %q: %v, want it to stay: %v", c.name, text, got, c.stays)
		}
	}
}

// What the network thinks of two numbers decides how near its day they must lie, and rules
// out what only words around them speak for.
func TestOddsOfPairs(t *testing.T) {
	note := dates.Reference{NoteDay: dates.DaysFromCivil(2019, 3, 20), HasNoteDay: true}
	pair := func(tagger phi.Tagger, score float32) phi.Span {
		return phi.Span{Start: 5, End: 9, Type: phi.Date, Tagger: tagger, Score: score}
	}
	for _, c := range []struct {
		name   string
		by     phi.Span
		chance float32
		ruled  bool // a rule's is dropped at once
		stays  bool // where it lies far from the note
	}{
		{"a rule's that the network rules out", pair(phi.Rules, .7), .001, true, false},
		{"a rule's that it does not", pair(phi.Rules, .7), .1, false, false},
		{"a sure rule's", pair(phi.Rules, .95), .001, false, true},
		{"the network's, hardly believed", pair(phi.Network, .3), .3, false, false},
		{"the network's, believed", pair(phi.Network, .01), .6, false, true},
	} {
		const text = "seen 8/10 with"
		odds := chances{{Start: 5, End: 9, Type: phi.Date, Tagger: phi.Odds, Score: c.chance}}
		if c.by.Tagger == phi.Rules {
			if got := withoutRuledOut([]phi.Span{c.by}, odds, nil); (len(got) == 0) != c.ruled {
				t.Errorf("%s: %v left of the rules'", c.name, got)
			}
		}
		if got := withoutFar(text, []phi.Span{c.by}, odds, phi.NewOverlaps(nil, nil), note, nil); (len(got) == 1) != c.stays {
			t.Errorf("%s: %v left far from the note", c.name, got)
		}
	}
}
