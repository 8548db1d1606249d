package main

import (
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/merge"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/score"
)

func TestAlteredTextsKeepTheirLength(t *testing.T) {
	const text = "Zoë LUND, DOB 01/05/1950, MRN 100-555-0151, Ölstraße 5, O'SOS 0O1l5S 0O1l5S 0O1l5S"
	if got, want := lower("Zoë LUND, Ö"), "zoë lund, Ö"; got != want {
		t.Errorf("lower: %q, want %q", got, want)
	}
	worn := wear(text)
	if len(worn) != len(text) || len(lower(text)) != len(text) {
		t.Fatal("a text has another length")
	}
	if worn != wear(text) {
		t.Error("the same text is worn in two ways")
	}
	n := 0
	for i := range text {
		if text[i] != worn[i] {
			if n++; mistaken[text[i]] != worn[i] {
				t.Errorf("%q became %q", text[i], worn[i])
			}
		}
	}
	if n == 0 {
		t.Error("nothing was mistaken")
	}
}

// A row pays, costs or is a trade by the rule that stands on the page.
func TestVerdict(t *testing.T) {
	sure, unsure := .01, .2
	for _, c := range []struct {
		name                       string
		direct, tokenR, tokenP, f1 change
		want, on                   string
	}{
		{"nothing significant", change{-.1, unsure}, change{.1, unsure}, change{-1, unsure}, change{1, unsure}, "no difference", "no difference"},
		{"F1 rises", change{}, change{}, change{}, change{1, sure}, "costs", "would pay"},
		{"F1 rises, identifiers are lost", change{-.01, unsure}, change{}, change{}, change{1, sure}, "trade", "trade"},
		{"F1 rises, recall falls", change{}, change{-1, sure}, change{}, change{1, sure}, "trade", "trade"},
		{"recall falls", change{-1, sure}, change{}, change{}, change{}, "pays", "would cost"},
		{"precision falls", change{.1, unsure}, change{}, change{-1, sure}, change{}, "pays", "would cost"},
	} {
		x := changes{notes: 1, recall: make([]change, len(groups)), tokenR: c.tokenR, tokenP: c.tokenP, f1: c.f1}
		x.recall[direct] = c.direct
		if got := x.verdict(false); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if got := x.verdict(true); got != c.on {
			t.Errorf("%s, switched on: %s, want %s", c.name, got, c.on)
		}
	}
	if got := (changes{recall: make([]change, len(groups))}).verdict(false); got != "does nothing here" {
		t.Error(got)
	}
}

// Recall is told apart by harm, whatever type was found.
func TestCompareByHarm(t *testing.T) {
	const text = "Ann Lee rang 555 0143 on Monday"
	gold := []score.Annotation{
		{Start: 0, End: 7, Category: "NAME", Label: "PATIENT"},
		{Start: 13, End: 21, Category: "CONTACT", Label: "PHONE"},
		{Start: 25, End: 31, Category: "DATE", Label: "DATE"},
	}
	doctor := score.Annotation{Start: 0, End: 3, Category: "NAME", Label: "DOCTOR"}
	a, b := newTally(), newTally()
	if err := a.add(score.Document{ID: "x", Text: text, Gold: gold, System: gold}); err != nil {
		t.Fatal(err)
	}
	if err := b.add(score.Document{ID: "x", Text: text, Gold: gold, System: []score.Annotation{doctor, gold[2]}}); err != nil {
		t.Fatal(err)
	}
	x, err := compare(a, b)
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range []float64{-50, -100, 0, 0, 0, -75} {
		if got := x.recall[k].points; got != want {
			t.Errorf("%s: %v, want %v", groups[k].name, got, want)
		}
	}
	if x.notes != 1 || x.clean != -1 || x.needless != 0 {
		t.Errorf("%+v", x)
	}
}

// Types that MEDDOCAN does not tell apart become what its annotations become.
func TestAsMEDDOCAN(t *testing.T) {
	for typ, want := range map[phi.Type]phi.Type{phi.ZIP: phi.City, phi.City: phi.City, phi.Patient: phi.Patient, phi.Date: phi.Date} {
		if got := asMEDDOCAN(typ); got != want {
			t.Errorf("%v: %v, want %v", typ, got, want)
		}
	}
}

// A combined row does what each of its rows does, and knows no others.
func TestCombined(t *testing.T) {
	all := rows()
	r, err := combined("both", []string{"rules: places", "guard: the name of a drug", "sweep", "clip"}, all)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.families) != 1 || r.vetoes == 0 || len(r.drop) != 1 || r.parts != merge.Clip {
		t.Errorf("%+v", r)
	}
	if _, err := combined("none", []string{"weather"}, all); err == nil {
		t.Error("a row that is not there is no error")
	}
	names := map[string]bool{}
	for _, r := range all {
		if names[r.name] {
			t.Errorf("two rows are called %q", r.name)
		}
		names[r.name] = true
	}
}
