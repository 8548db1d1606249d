package attack

import (
	"fmt"
	"math"
	"math/rand"
	"regexp"
	"slices"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
)

var plainDates = regexp.MustCompile(`\b\d{1,2}/\d{1,2}(/\d{4})?\b`)

// outsider knows the policy, and finds numeric dates alone.
func outsider() *Outsider {
	return &Outsider{Shifts: surrogate.DatePolicy{}.Shifts(), Dates: func(text string) (all []phi.Span) {
		for _, m := range plainDates.FindAllStringIndex(text, -1) {
			all = append(all, phi.Span{Start: m[0], End: m[1], Type: phi.Date})
		}
		return all
	}}
}

// clues returns what a note tells, by kind.
func clues(o *Outsider, n Note) map[string]Clues {
	var e Evidence
	o.Add(&e, &n)
	all := map[string]Clues{}
	for i, c := range o.Clues(&e) {
		all[Kinds()[i]] = c
	}
	return all
}

// written is a day as a note writes it.
func written(day int) string {
	y, m, d := dates.CivilFromDays(day)
	return fmt.Sprintf("%d/%d/%d", m, d, y)
}

func short(day int) string {
	_, m, d := dates.CivilFromDays(day)
	return fmt.Sprintf("%d/%d", m, d)
}

// What each kind of evidence leaves holds the true shift, and is few.
func TestCluesHoldTheTruth(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	o := outsider()
	o.Begin, o.End = day(2012, 1, 1), day(2024, 12, 31)
	type clue struct {
		name, kind string
		text       func(true, shift int) string
		most       int // shifts that are left, at most
	}
	christmas := func(d int) int { y, _, _ := dates.CivilFromDays(d); return day(y-1, 12, 25) }
	for _, c := range []clue{
		{"a full date that was missed", Unmoved, func(d, _ int) string { return "Fell on " + written(d-9) + "." }, 6},
		{"month and day that were missed", Yearless,
			func(d, _ int) string { return "Fell on " + short(d-9) + " and again " + short(d-4) + "." }, 30},
		{"a holiday", Holidays, func(d, s int) string { return "Seen before Christmas " + written(christmas(d)+s) + "." }, 3},
		{"a holiday behind its date", Holidays, func(d, s int) string { return "On " + written(christmas(d)+s) + " (Christmas) seen." }, 3},
		{"an age beside a date of birth that was missed", Ages,
			func(d, _ int) string { return "61-year-old, DOB " + written(d-61*365-100) + "." }, 55},
		{"a product", Firsts, func(_, _ int) string { return "On apixaban, then Eliquis again." }, 234},
		{"nothing", Range, func(d, s int) string { return "Seen " + written(d+s) + ", as on " + written(d+s-20) + "." }, 234},
	} {
		right, narrowed := 0, 0
		for range 100 {
			shift := o.Shifts[r.Intn(len(o.Shifts))]
			d := day(2016, 1, 1) + r.Intn(2500)
			clues := clues(o, Note{Row: Row{Day: d + shift}, Dated: true, Text: c.text(d, shift)})[c.kind]
			if slices.Contains(clues.Left, shift) {
				right++
			}
			if clues.Tokens > 0 && len(clues.Left) <= c.most {
				narrowed++
			}
		}
		t.Logf("%-46s the truth is left %d times of 100, and at most %d shifts %d times", c.name, right, c.most, narrowed)
		if right < 95 || c.most < 234 && narrowed < 60 {
			t.Error("the evidence says too little, or what is wrong")
		}
	}
}

// Notes without evidence rule nothing out.
func TestNoClues(t *testing.T) {
	o := outsider()
	for _, text := range []string{"", "Seen 3/4/2016. Father born 1950.", "Christmas was quiet.", "61-year-old, DOB 3/4/1955"} {
		for kind, c := range clues(o, Note{Row: Row{Day: day(2016, 3, 6)}, Dated: true, Text: text}) {
			if len(c.Left) != len(o.Shifts) || c.Tokens != 0 {
				t.Errorf("%q: %s: %d tokens leave %d shifts", text, kind, c.Tokens, len(c.Left))
			}
		}
	}
	if r := (Clues{}).Radius(); !math.IsInf(r, 1) {
		t.Errorf("nothing is known to %v days", r)
	}
}

// A table in order is believed, and guesses are about as wrong as they are taken
// for; one that was regrouped is not.
func TestOrderTells(t *testing.T) {
	for name, arrange := range arrangements {
		for seed := range 3 {
			r := rand.New(rand.NewSource(int64(seed)))
			k := keyring(t, seed)
			all := extract(r, 200)
			arrange(r, all)
			rows, offsets := released(k, all)
			told := OrderTells(rows)
			if !told.Believed {
				t.Errorf("%s: it is not believed", name)
			}
			apart := Median(told.Apart)
			errors := Median(Errors(told.Offsets, offsets))
			if errors > 4*apart+7 || errors > 80 {
				t.Errorf("%s, seed %d: guesses are %.0f days apart and %.0f wrong (%s)", name, seed, apart, errors, told.Model)
			}
			t.Logf("%s: %s; %.1f days apart, %.1f wrong", name, told.Model, apart, errors)
			rows, _ = released(k, regrouped(k, all, 3))
			if told := OrderTells(rows); told.Believed {
				t.Errorf("%s: regrouped rows are believed: %s", name, told.Model)
			}
		}
	}
}

func TestStandOut(t *testing.T) {
	v := Vocabulary{}
	v.Add("the office called; no pain")
	for _, c := range []struct {
		text string
		want []string
	}{
		{"Seen by Dr. Zzyzxq and Dr Hendrickson.", []string{"Zzyzxq"}},
		{"Mrs. Mary Quuxley called.", []string{"Quuxley"}},
		{"Dr. Zzyzxq-Hendrickson's and Dr. Hendrickson's.", []string{"Zzyzxq"}},
		{"Dr. Office said so. Mr. MRI.", nil},
		{"Mary Quuxley and Mary Hendrickson.", []string{"Quuxley"}},
		{"Call 312-555-0143 or 312-867-5309, 555-0199.", []string{"312-867-5309"}},
		{"Write to a.b@example.org or a.b@hospital.org.", []string{"a.b@hospital.org"}},
		{"BP 120-80, 2014-03-04, NHS 943 476 5919, KG 864-6005", nil},
	} {
		var got []string
		for _, x := range v.StandOut(c.text) {
			got = append(got, c.text[x.Start:x.End])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
