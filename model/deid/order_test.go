package deid

import (
	"slices"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// What a patient's notes and birth date say of the order of day and month goes
// before the configuration, and the configuration before the language.
func TestOrderOfANote(t *testing.T) {
	note := func(document string, surfaces ...string) *Note {
		n := &Note{Document: document, Patient: "p", Dated: true, Day: dates.DaysFromCivil(2018, 12, 20)}
		at := 0
		for _, s := range surfaces {
			span := phi.Span{Start: at, End: at + len(s), Type: phi.Date, Tagger: phi.Network, Score: 0.5}
			if s, span.Score = strings.TrimSuffix(s, "?"), 0.5; len(s) < span.End-span.Start {
				span.End, span.Score = span.End-1, 0.01
			}
			n.Spans = append(n.Spans, phi.Found{Span: span, Surface: s})
			at += len(s) + 1
		}
		return n
	}
	born := []lexicon.Identifiers{{BirthDate: "1971-12-03"}}
	const open = "3/4/2018"
	for _, c := range []struct {
		name     string
		notes    []*Note
		known    []lexicon.Identifiers
		dayOrder string
		want     int // month of open in the first note
	}{
		{"nothing tells, in English", []*Note{note("a", open)}, nil, UsualInModels, 3},
		{"the configuration", []*Note{note("a", open)}, nil, DayFirst, 4},
		{"another note of the patient", []*Note{note("a", open), note("b", "23/4/2018")}, nil, UsualInModels, 4},
		{"against the configuration", []*Note{note("a", open), note("b", "4/23/2018")}, nil, DayFirst, 3},
		{"the birth date", []*Note{note("a", open, "03/12/1971")}, born, UsualInModels, 4},
		{"a weekday in a span of its own", []*Note{note("a", open, "Tue", "11/12")}, nil, UsualInModels, 4},
		{"pairs that may be scores say nothing", []*Note{note("a", open, "11/14?", "6/14?", "12/14?"), note("b", "13/8", "20/8")},
			nil, UsualInModels, 4},
		{"unless a weekday stands before one", []*Note{note("a", open, "Tue", "11/12?")}, nil, UsualInModels, 4},
		{"its own dates against other notes", []*Note{note("a", open, "4/23/2018"), note("b", "23/4/2018", "24/4/2018")}, nil, UsualInModels, 3},
	} {
		s := Settings{Steps: AllSteps(), Language: "en", DayOrder: c.dayOrder}
		plan := Resolve(s, c.notes, c.known, nil)
		ref := (&Patient{settings: s, plan: &plan}).Reference(c.notes[0])
		if day, ok := dates.ParseDays(open, ref); !ok || day != dates.DaysFromCivil(2018, c.want, 7-c.want) {
			t.Errorf("%s: day %d (%v)", c.name, day, ok)
		}
	}
}

// A weekday goes with what stands behind it, and with nothing farther off.
func TestDatesOf(t *testing.T) {
	at := func(start int, surface string, score float32) phi.Found {
		return phi.Found{Surface: surface,
			Span: phi.Span{Start: start, End: start + len(surface), Type: phi.Date, Tagger: phi.Network, Score: score}}
	}
	got := datesOf([]phi.Found{at(0, "Wed", 0.9), at(20, "6/14", 0.01), at(26, "7/14", 0.01), at(40, "Fri", 0.9), at(44, "5/14", 0.01)})
	if want := []string{"Wed", "Fri 5/14"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
