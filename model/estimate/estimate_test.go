package estimate

import (
	"math"
	"slices"
	"testing"
)

func near(t *testing.T, what string, got, want, by float64) {
	t.Helper()
	if !(math.Abs(got-want) <= by) {
		t.Errorf("%s is %.6f, want %.6f", what, got, want)
	}
}

// Quantiles as tables print them.
func TestQuantiles(t *testing.T) {
	for df, want := range map[float64]float64{1: 12.7062, 2: 4.3027, 10: 2.2281, 30: 2.0423, 1000: 1.9623} {
		near(t, "t", T975(df), want, 5e-5)
	}
	near(t, "chi-square of 2", 2*gammaQuantile(0.975, 1), 7.3778, 5e-5)
	near(t, "chi-square of 10", 2*gammaQuantile(0.025, 5), 3.2470, 5e-5)
	near(t, "chi-square of 100", 2*gammaQuantile(0.975, 50), 129.561, 5e-4)
	near(t, "beta", betaQuantile(0.5, 2, 2), 0.5, 1e-9)
	near(t, "beta(1, b)", betaQuantile(0.975, 1, 10), 1-math.Pow(0.025, 0.1), 1e-9)
}

// Clopper and Pearson's interval of 8 in 10 is 0.4439 to 0.9748 in every table;
// of none in 10 it ends at 1 - 0.025^(1/10).
func TestClopperPearson(t *testing.T) {
	low, high := clopperPearson(0.8, 10)
	near(t, "low", low, 0.4439, 5e-5)
	near(t, "high", high, 0.9748, 5e-5)
	low, high = clopperPearson(0, 10)
	near(t, "low of none", low, 0, 0)
	near(t, "high of none", high, 0.3085, 5e-5)
}

// By hand: two patients of weights 1 and 3 with shares 3/4 and 4/4.
//
//	share     (3 + 3*4) / (4 + 3*4)              = 15/16
//	residuals (3 - 15/16*4)/16, 3(4 - 15/16*4)/16 = -3/64, 3/64
//	variance  2/1 * 2 * (3/64)^2                  = 0.008789
//	deff      variance * 8 / (15/16 * 1/16)       = 1.2
//	of weights alone: 8 * (4 + 9*4) / 16^2        = 1.25
func TestProportionByHand(t *testing.T) {
	p, deff, ok := proportion([]observed{{"a", 1, 3, 4}, {"b", 3, 4, 4}})
	if !ok {
		t.Fatal("no share")
	}
	near(t, "share", p.Point, 15.0/16, 1e-12)
	near(t, "deff", deff, 1.25, 1e-12)
	effective := 8 / 1.25 * math.Pow(T975(7)/T975(1), 2)
	low, high := clopperPearson(15.0/16, effective)
	near(t, "low", p.Low, low, 1e-12)
	near(t, "high", p.High, high, 1e-12)
	if _, _, ok := proportion([]observed{{"a", 1, 0, 0}}); ok {
		t.Error("of nothing there is a share")
	}
}

// With equal weights and a patient for each note the rate's interval is the
// exact one of Poisson counts (Garwood, Biometrika 28, 1936), but for the few
// degrees of freedom: of 10 counts, 4.795 to 18.390; of none, up to 3.689.
func TestRateIsGarwoods(t *testing.T) {
	var ten, none []observed
	for i := range 100_000 {
		o := observed{string(rune(i)), 2, 0, 1}
		none = append(none, o)
		if i < 10 {
			o.hits = 1
		}
		ten = append(ten, o)
	}
	// Code points that are no characters become one: fewer patients than notes.
	r, deff, _ := rate(ten[:50_000])
	near(t, "deff", deff, 1, 0.001)
	near(t, "low", r.Low*50_000, 4.795, 0.01)
	near(t, "high", r.High*50_000, 18.390, 0.02)
	r, _, _ = rate(none[:50_000])
	near(t, "low of none", r.Low, 0, 0)
	near(t, "high of none", r.High*50_000, 3.689, 0.01)
}

// By hand: 4 / 0.8 = 5; the ends from the logarithms' distances.
func TestOver(t *testing.T) {
	r := over(Interval{4, 2, 8}, Interval{0.8, 0.4, 1})
	near(t, "point", r.Point, 5, 1e-12)
	near(t, "low", r.Low, 5*math.Exp(-math.Hypot(math.Ln2, math.Log(1.25))), 1e-12)
	near(t, "high", r.High, 5*math.Exp(math.Hypot(math.Ln2, math.Ln2)), 1e-12)
	r = over(Interval{0, 0, 3}, Interval{0.9, 0.75, 0.99})
	near(t, "high of none", r.High, 4, 1e-12)
	if r := over(Interval{1, 0.5, 2}, Interval{0, 0, 0.3}); !math.IsInf(r.High, 1) {
		t.Error("who finds nothing can bound what is left")
	}
}

func TestOfIsThatOfAnyOrder(t *testing.T) {
	notes := []Note{
		{Patient: "a", Weight: 2, Found: map[string]int{"DATE": 3, "DOCTOR": 1}, Missed: map[string]int{"DATE": 1}},
		{Patient: "b", Weight: 5, Found: map[string]int{"DATE": 2}, Blind: true, Shown: 2, Seen: 1},
		{Patient: "b", Weight: 1, Found: map[string]int{"DATE": 2}, Blind: true, Shown: 2, Seen: 2},
		{Patient: "c", Weight: 3.3},
	}
	r := Of(notes)
	slices.Reverse(notes)
	if again := Of(notes); again.All != r.All || *again.Reviewer != *r.Reviewer {
		t.Errorf("%+v in one order, %+v in the other", r.All, again.All)
	}
	if r.Notes != 4 || r.Patients != 3 || r.All.Found != 8 || r.All.Missed != 1 || r.ReviewerSeen != 3 || len(r.ByType) != 2 {
		t.Errorf("counted %+v", r)
	}
	// Half of weight 5's two and both of weight 1's: 7/12; 2 misses' weight in 11.3 notes.
	near(t, "reviewers", r.Reviewer.Point, 7.0/12, 1e-12)
	near(t, "left", r.All.Left.Point, 1000*2/11.3/(7.0/12), 1e-9)
	near(t, "recall", r.All.Recall.Point, 20/(20+2/(7.0/12)), 1e-12)
	if none := Of(nil); none.All.Recall.High != 1 || !math.IsInf(none.All.Left.High, 1) || none.Reviewer != nil {
		t.Errorf("of no notes: %+v", none)
	}
}

// A type of which nothing was found, reviewers of whom nothing is known or who
// see nothing, and one patient alone: ends are wide, and numbers.
func TestEdgesAreNumbers(t *testing.T) {
	for _, notes := range [][]Note{
		{{Patient: "a", Weight: 1, Missed: map[string]int{"DATE": 1}}, {Patient: "b", Weight: 2, Blind: true, Shown: 3, Seen: 3,
			Found: map[string]int{"AGE": 3}}},
		{{Patient: "a", Weight: 1, Missed: map[string]int{"DATE": 1}}, {Patient: "b", Weight: 2, Blind: true, Shown: 3,
			Found: map[string]int{"AGE": 3}}},
		{{Patient: "a", Weight: 1, Missed: map[string]int{"DATE": 1}}, {Patient: "a", Weight: 2, Blind: true, Shown: 3, Seen: 2,
			Found: map[string]int{"AGE": 3}}},
		{{Patient: "a", Weight: 1}, {Patient: "b", Weight: 1}},
	} {
		r := Of(notes)
		for _, x := range append(r.ByType, r.All) {
			for _, i := range []Interval{x.Recall, x.Left} {
				if !(i.Low <= i.Point && i.Point <= i.High) || i.Low < 0 {
					t.Errorf("%+v: %s has %+v", notes, x.Type, i)
				}
			}
		}
	}
}

// None missed in 100 notes of 100 patients bounds what is left at 3.689 in 100;
// for a bound of 10 per 1,000 it takes 369 notes.
func TestMore(t *testing.T) {
	var notes []Note
	for i := range 100 {
		notes = append(notes, Note{Patient: string(rune('a' + i)), Weight: 7, Found: map[string]int{"DATE": 5}})
	}
	near(t, "bound of now", Of(notes).All.Left.High, 36.9, 0.5)
	if more, ok := More(notes, 10); !ok || more < 260 || more > 280 {
		t.Errorf("for a bound of 10: %d more notes (%v), want about 269", more, ok)
	}
	if more, ok := More(notes, 50); !ok || more != 0 {
		t.Errorf("for a bound of 50: %d more (%v), want none", more, ok)
	}
	notes[0].Missed = map[string]int{"DATE": 2}
	if _, ok := More(notes, 15); ok {
		t.Error("20 are left per 1,000 notes, and some number of notes is to show that 15 are")
	}
}
