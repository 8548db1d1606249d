package review

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

func unitsOf(n int) []Unit {
	var units []Unit
	for i := range n {
		units = append(units, Unit{Document: fmt.Sprint(i), Kind: []string{"a", "b", "b"}[i%3], Length: i * 7 % 101, Spans: i % 9,
			Score: float32(i%10) / 10})
	}
	return units
}

// A sample is that of its seed, whatever the order of the notes.
func TestDrawIsReproducible(t *testing.T) {
	units := unitsOf(500)
	named := func(units []Unit, seed uint64) string {
		drawn, err := Draw(units, 40, seed)
		if err != nil || len(drawn) != 40 {
			t.Fatalf("%d drawn: %v", len(drawn), err)
		}
		var names []string
		for _, d := range drawn {
			names = append(names, fmt.Sprint(units[d.Unit].Document, d.Stratum, d.Probability, d.Blind))
		}
		return strings.Join(names, ";")
	}
	one := named(units, 1)
	turned := slices.Clone(units)
	slices.Reverse(turned)
	if again := named(turned, 1); again != one {
		t.Error("another order of the notes draws other notes")
	}
	if other := named(units, 2); other == one {
		t.Error("another seed draws the same notes")
	}
}

// Over many seeds each note is drawn as often as its chance says, doubtful ones
// twice as often as others, each kind gets its share in every sample, and one in
// five is blind.
func TestChancesAreKept(t *testing.T) {
	units := unitsOf(60)
	const seeds, n = 4000, 12
	times, chance := make([]int, len(units)), make([]float64, len(units))
	for seed := range uint64(seeds) {
		drawn, err := Draw(units, n, seed)
		if err != nil || len(drawn) != n {
			t.Fatalf("%d drawn: %v", len(drawn), err)
		}
		kinds, blind := 0, 0
		for _, d := range drawn {
			times[d.Unit]++
			chance[d.Unit] = d.Probability
			if units[d.Unit].Kind == "a" {
				kinds++
			}
			if d.Blind {
				blind++
			}
		}
		if kinds < 3 || kinds > 5 || blind != 2 {
			t.Fatalf("seed %d: %d of kind a, %d blind; want a third and a fifth of %d", seed, kinds, blind, n)
		}
	}
	sum := 0.0
	for i := range units {
		sum += chance[i]
		if got := float64(times[i]) / seeds; math.Abs(got-chance[i]) > 5*math.Sqrt(chance[i]/seeds) {
			t.Errorf("note %d has a chance of %.3f and was drawn at %.3f", i, chance[i], got)
		}
	}
	if math.Abs(sum-n) > 1e-9 || math.Abs(chance[0]-2*chance[5]) > 1e-12 {
		t.Errorf("chances add up to %f; a doubtful note has %.3f, another %.3f", sum, chance[0], chance[5])
	}
}

func TestDrawOfFew(t *testing.T) {
	for n := 1; n < 9; n++ {
		drawn, err := Draw(unitsOf(5), n, 3)
		if err != nil || len(drawn) != min(n, 5) {
			t.Errorf("of 5 notes, %d drawn of %d: %v", len(drawn), n, err)
		}
		for _, d := range drawn {
			if n >= 5 && d.Probability != 1 {
				t.Errorf("all are drawn, one with a chance of %f", d.Probability)
			}
		}
	}
	if _, err := Draw(nil, 3, 1); err == nil {
		t.Error("a sample is drawn of nothing")
	}
}

// "Dr. Ada Moth, Cy Vale, 61" went out as "Dr. Bo Lund, Cy Vale, 61".
var (
	original = []rune("Dr. Ada Moth, Cy Vale, 61")
	released = []rune("Dr. Bo Lund, Cy Vale, 61")
	note     = Note{Document: "n", Patient: "p", Probability: 0.25, Spans: []Span{{Start: 4, End: 12, OutStart: 4, OutEnd: 11,
		Type: "DOCTOR"}}}
)

func said(t *testing.T, n *Note, events ...Event) *State {
	t.Helper()
	s := NewState(n, false)
	for _, e := range events {
		if err := s.Apply(n, released, e, Complete(n)); err != nil {
			t.Fatalf("%+v: %v", e, err)
		}
	}
	return s
}

func TestCheck(t *testing.T) {
	if err := note.Check(original, released); err != nil {
		t.Error(err)
	}
	for _, text := range []string{"Dr. Bo Lund, Cy Vale, 62", "Dr. Bo Lund, Cy Vale, 611", "Mr. Bo Lund, Cy Vale, 61", "Dr."} {
		if note.Check(original, []rune(text)) == nil {
			t.Errorf("%q went out, and nobody notices", text)
		}
	}
}

func TestRefusedEvents(t *testing.T) {
	blind := note
	blind.Blind = true
	for _, c := range []struct {
		n    *Note
		e    Event
		want string
	}{
		{&note, Event{Kind: Judge, Span: 1, Verdict: Right}, "no such span"},
		{&note, Event{Kind: Judge, Verdict: WrongType, Type: "NOBODY"}, "one of the types"},
		{&note, Event{Kind: Missed, Start: 4, End: 11, Type: "PATIENT"}, "replaced already"},
		{&note, Event{Kind: Missed, Start: 12, End: 13, Type: "PATIENT"}, "more than blanks"},
		{&note, Event{Kind: Missed, Start: 20, End: 25, Type: "PATIENT"}, "24 characters"},
		{&note, Event{Kind: Clear, Start: 1, End: 2}, "no such mark"},
		{&note, Event{Kind: Reveal}, "shown already"},
		{&note, Event{Kind: Finish}, "1 of 1 replacements have no verdict"},
		{&note, Event{Kind: Undo}, "nothing to undo"},
		{&blind, Event{Kind: Judge, Verdict: Right}, "without marks"},
		{&blind, Event{Kind: Finish}, "without marks"},
	} {
		s := NewState(c.n, false)
		if err := s.Apply(c.n, released, c.e, Complete(c.n)); err == nil || !strings.Contains(err.Error(), c.want) || s.Version != 0 {
			t.Errorf("%+v: %v, want %q", c.e, err, c.want)
		}
	}
}

// A mark beside a replacement, or over part of one, stands for both in gold, and
// the offsets are those of the original.
func TestGold(t *testing.T) {
	for _, c := range []struct {
		events []Event
		want   string
	}{
		{[]Event{{Kind: Judge, Verdict: Right}}, "4-12 DOCTOR"},
		{[]Event{{Kind: Judge, Verdict: WrongType, Type: "patient"}}, "4-12 PATIENT"},
		{[]Event{{Kind: Judge, Verdict: Needless}, {Kind: Missed, Start: 13, End: 20, Type: "PATIENT"}}, "14-21 PATIENT"},
		{[]Event{{Kind: Judge, Verdict: Right}, {Kind: Missed, Start: 0, End: 6, Type: "DOCTOR"}}, "0-12 DOCTOR"},
		{[]Event{{Kind: Judge, Verdict: Right}, {Kind: Missed, Start: 7, End: 15, Type: "PATIENT"}}, "4-16 PATIENT"},
		{[]Event{{Kind: Judge, Verdict: Right}, {Kind: Missed, Start: 22, End: 24, Type: "AGE"}, {Kind: Undo}}, "4-12 DOCTOR"},
		{[]Event{{Kind: Judge, Verdict: Undecided}}, ""},
	} {
		o, _ := Settle(&note, released, []*State{said(t, &note, append(c.events, Event{Kind: Finish})...)}, nil)
		var got []string
		for _, g := range o.Gold() {
			got = append(got, fmt.Sprintf("%d-%d %s", g.Start, g.End, g.Type))
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%+v make %q, want %q", c.events, got, c.want)
		}
	}
}

func TestBlindNoteCountsWhatWasSeen(t *testing.T) {
	blind := note
	blind.Blind = true
	s := said(t, &blind, Event{Kind: Missed, Start: 4, End: 11, Type: "PATIENT"}, Event{Kind: Missed, Start: 13, End: 20, Type: "PATIENT"},
		Event{Kind: Reveal}, Event{Kind: Judge, Verdict: Right}, Event{Kind: Clear, Start: 13, End: 20}, Event{Kind: Finish})
	o, _ := Settle(&blind, released, []*State{s}, nil)
	if e := o.Estimable(); e.Weight != 4 || e.Shown != 1 || e.Seen != 1 || e.Found["DOCTOR"] != 1 || len(e.Missed) != 0 {
		t.Errorf("it is estimated from %+v", e)
	}
}

func TestTwoReviewers(t *testing.T) {
	a := said(t, &note, Event{Kind: Judge, Verdict: Right}, Event{Kind: Missed, Start: 13, End: 20, Type: "PATIENT"}, Event{Kind: Finish})
	b := said(t, &note, Event{Kind: Judge, Verdict: Needless}, Event{Kind: Missed, Start: 13, End: 20, Type: "DOCTOR"}, Event{Kind: Finish})
	d := Compare(&note, released, a, b)
	if len(d.Spans) != 1 || len(d.Marks) != 2 {
		t.Fatalf("they differ in %+v", d)
	}
	if _, ok := Settle(&note, released, []*State{a, b}, nil); ok {
		t.Error("what two see otherwise is settled by nobody")
	}
	if o, ok := Settle(&note, released, []*State{a, a}, nil); !ok || len(o.Missed) != 1 {
		t.Errorf("what two agree on is %+v", o)
	}
	judge := NewState(&note, true)
	for _, e := range []Event{{Kind: Judge, Verdict: Right}, {Kind: Finish}, {Kind: Missed, Start: 13, End: 20, Type: "PATIENT"},
		{Kind: Finish}} {
		err := judge.Apply(&note, released, e, d.Settled())
		if (err != nil) != (e.Kind == Finish && len(judge.Marks) == 0) {
			t.Errorf("%+v: %v", e, err)
		}
	}
	o, ok := Settle(&note, released, []*State{a, b}, judge)
	if !ok || o.Verdicts[0].What != Right || len(o.Missed) != 1 || o.Missed[0].Type != "PATIENT" {
		t.Errorf("the adjudicator makes of it %+v", o)
	}
}

// A policy kept "Georgia" as a state, 61 is no age to hide, and "Cy Vale" was replaced:
// "Georgia is 61, Bo Lund" is what went out.
func TestKeptSpans(t *testing.T) {
	before, after := []rune("Georgia is 61, Cy Vale"), []rune("Georgia is 61, Bo Lund")
	kept := Note{Document: "n", Patient: "p", Probability: 1, Spans: []Span{{End: 7, OutEnd: 7, Type: "STATE"},
		{Start: 15, End: 22, OutStart: 15, OutEnd: 22, Type: "PATIENT"}, {Start: 11, End: 13, OutStart: 11, OutEnd: 13, Type: "AGE"}}}
	kept.MarkKept(before, after)
	if !kept.Spans[0].Kept || kept.Spans[1].Kept || !kept.Spans[2].Kept {
		t.Fatalf("%+v", kept.Spans)
	}
	blind := kept
	blind.Blind = true
	judged := func(what, as string, before ...Event) []Event {
		return append(before, Event{Kind: Judge, Verdict: what, Type: as}, Event{Kind: Judge, Span: 1, Verdict: Right},
			Event{Kind: Judge, Span: 2, Verdict: Right}, Event{Kind: Finish})
	}
	marked := func(typ string) Event { return Event{Kind: Missed, End: 7, Type: typ} }
	unseen, age := Event{Kind: Missed, Start: 8, End: 10, Type: "COUNTRY"}, Event{Kind: Missed, Start: 11, End: 13, Type: "AGE"}
	part := Event{Kind: Missed, End: 3, Type: "PATIENT"}
	for name, c := range map[string]struct {
		n      *Note
		events []Event
		want   string // what was missed
		gold   string
	}{
		"rightly kept":                  {&kept, judged(Right, ""), "map[]", "0-7 STATE"},
		"needless to find":              {&kept, judged(Needless, ""), "map[]", ""},
		"a name by its verdict":         {&kept, judged(WrongType, "PATIENT"), "map[PATIENT:1]", "0-7 PATIENT"},
		"another type that is kept":     {&kept, judged(WrongType, "COUNTRY"), "map[]", "0-7 COUNTRY"},
		"a name by a mark":              {&kept, judged(Needless, "", marked("PATIENT")), "map[PATIENT:1]", "0-7 PATIENT"},
		"a name by both":                {&kept, judged(WrongType, "PATIENT", marked("PATIENT")), "map[PATIENT:1]", "0-7 PATIENT"},
		"unaided, as what it is":        {&blind, judged(Right, "", marked("STATE"), Event{Kind: Reveal}), "map[]", "0-7 STATE"},
		"unaided, as a name":            {&blind, judged(Right, "", marked("PATIENT"), Event{Kind: Reveal}), "map[PATIENT:1]", "0-7 PATIENT"},
		"a kept type that was not seen": {&kept, judged(Right, "", unseen), "map[]", "0-7 STATE; 8-10 COUNTRY"},
		"unaided, an age that stays":    {&blind, judged(Right, "", age, Event{Kind: Reveal}), "map[]", "0-7 STATE"},
		"a part of it":                  {&kept, judged(Right, "", part), "map[PATIENT:1]", "0-3 PATIENT"},
	} {
		s := NewState(c.n, false)
		for _, e := range c.events {
			if err := s.Apply(c.n, after, e, Complete(c.n)); err != nil {
				t.Fatalf("%s: %+v: %v", name, e, err)
			}
		}
		o, _ := Settle(c.n, after, []*State{s}, nil)
		o.Keeps = func(typ string) bool { return typ == "STATE" || typ == "COUNTRY" }
		e := o.Estimable()
		if got := fmt.Sprint(e.Missed); got != c.want || fmt.Sprint(e.Found) != "map[PATIENT:1]" {
			t.Errorf("%s: missed %s, found %v; want %s", name, got, e.Found, c.want)
		}
		var gold []string
		for _, g := range o.Gold() {
			if g.Start < 11 {
				gold = append(gold, fmt.Sprintf("%d-%d %s", g.Start, g.End, g.Type))
			}
		}
		if strings.Join(gold, "; ") != c.gold {
			t.Errorf("%s: the annotations are %q, want %q", name, gold, c.gold)
		}
	}
	if err := NewState(&kept, false).Apply(&kept, after, Event{Kind: Missed, Start: 15, End: 22, Type: "PATIENT"}, nil); err == nil {
		t.Error("what was replaced is missed")
	}
}

// What two reviewers agree on is missed once, though their adjudicator marks it again.
func TestAdjudicatorMarksAgain(t *testing.T) {
	right, finish := Event{Kind: Judge, Verdict: Right}, Event{Kind: Finish}
	vale, age := Event{Kind: Missed, Start: 13, End: 20, Type: "PATIENT"}, Event{Kind: Missed, Start: 22, End: 24, Type: "AGE"}
	a, b := said(t, &note, right, vale, age, finish), said(t, &note, right, vale, finish)
	d := Compare(&note, released, a, b)
	if agreed := d.Agreed(&note, released, a); len(agreed) != 1 || agreed[0].Start != 13 {
		t.Errorf("they agree on %+v", agreed)
	}
	for _, c := range []struct {
		marks []Event
		want  string
	}{
		{[]Event{age}, "[{13 20 PATIENT} {22 24 AGE}]"},
		{[]Event{vale, age}, "[{13 20 PATIENT} {22 24 AGE}]"},
		{[]Event{{Kind: Missed, Start: 16, End: 20, Type: "DOCTOR"}, age}, "[{13 20 PATIENT} {22 24 AGE}]"},
		{[]Event{{Kind: Missed, Start: 13, End: 24, Type: "PATIENT"}}, "[{13 24 PATIENT}]"}, // it decides on the age too
		{[]Event{vale, {Kind: Reject, Start: 22, End: 24}}, "[{13 20 PATIENT}]"},
	} {
		judge := NewState(&note, true)
		for _, e := range append(c.marks, finish) {
			if err := judge.Apply(&note, released, e, d.Settled()); err != nil {
				t.Fatalf("%+v: %v", e, err)
			}
		}
		if o, ok := Settle(&note, released, []*State{a, b}, judge); !ok || fmt.Sprint(o.Missed) != c.want {
			t.Errorf("%+v: missed are %v, want %s", c.marks, o.Missed, c.want)
		}
	}
}

// A name whose surrogate is the name itself was left, whatever the verdict; an age that
// may stay was not.
func TestWhatStaysIsLeft(t *testing.T) {
	n := Note{Document: "n", Patient: "p", Probability: 1, Spans: []Span{{End: 4, OutEnd: 4, Type: "PATIENT"},
		{Start: 5, End: 7, OutStart: 5, OutEnd: 7, Type: "AGE"}}}
	text := []rune("Hale 61")
	n.MarkKept(text, text)
	o := Outcome{Note: &n, Verdicts: []Verdict{{What: Right, Type: "PATIENT"}, {What: Right, Type: "AGE"}}}
	if got := o.Estimable(); got.Missed["PATIENT"] != 1 || got.Missed["AGE"] != 0 || len(got.Found) != 0 {
		t.Errorf("found %v, missed %v", got.Found, got.Missed)
	}
}
