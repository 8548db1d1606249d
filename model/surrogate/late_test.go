package surrogate

import (
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// Into the past no past date comes to lie behind the end of the extract, whatever
// the patient; either way some do, and are counted, as appointments are.
func TestDirection(t *testing.T) {
	k := keyring(t, "k")
	day := dates.DaysFromCivil(2019, 3, 20)
	ref := dates.Reference{NoteDay: day, HasNoteDay: true, DayFirst: dates.No}
	for direction, want := range map[string]bool{"": false, Past: false, Both: true} {
		var all LateDates
		for _, id := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
			p := NewPatient(k, id, Options{Dates: DatePolicy{Direction: direction}})
			for _, s := range []string{"3/4/2019", "March 20", "2014"} {
				p.Replace(Mention{Type: phi.Date, Surface: s, Ref: ref})
			}
			all.Add(p.LateDates())
			all.Add(p.Late(day, day+p.Offset(""), ref))
		}
		if (all.Past > 0) != want || all.Future > 0 {
			t.Errorf("direction %q: %+v", direction, all)
		}
	}
	p := NewPatient(k, "a", Options{FixedOffset: -7})
	p.Replace(Mention{Type: phi.Date, Surface: "5/4/2019", Ref: ref}) // an appointment
	p.Replace(Mention{Type: phi.Date, Surface: "3/22/2019", Ref: ref})
	if got := p.LateDates(); got != (LateDates{Future: 1}) {
		t.Errorf("an appointment: %+v", got)
	}
	p = NewPatient(k, "a", Options{FixedOffset: -7, ExtractEnd: day + 60})
	p.Replace(Mention{Type: phi.Date, Surface: "5/4/2019", Ref: ref})
	if got := p.LateDates(); got != (LateDates{}) {
		t.Errorf("before the end of the extract: %+v", got)
	}
}

// A year alone moves under every policy's own bounds.
func TestYearsMove(t *testing.T) {
	k := keyring(t, "k")
	ref := dates.Reference{NoteDay: dates.DaysFromCivil(2019, 3, 20), HasNoteDay: true}
	for _, policy := range []string{Weekday, Season, Plain} {
		for _, id := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"} {
			p := NewPatient(k, id, Options{Dates: DatePolicy{Policy: policy}})
			if out, _ := p.Replace(Mention{Type: phi.Date, Surface: "2014", Ref: ref}); out == "2014" {
				t.Errorf("policy %s: 2014 stays at a shift of %d days", policy, p.Offset(""))
			}
		}
	}
}
