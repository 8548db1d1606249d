package score

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi/schemes"
)

func TestSystemWithItself(t *testing.T) {
	documents := randomDocuments(4, 40)
	a, b := scoreAll(t, Options{}, documents...), scoreAll(t, Options{}, documents...)
	c, err := Compare(a, b, 199, 7)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Measures) != len(columns) || c.Documents != 40 {
		t.Fatalf("%d measures, %d documents", len(c.Measures), c.Documents)
	}
	for _, m := range c.Measures {
		if m.P != (Rates{1, 1, 1}) || m.Difference != (Rates{}) {
			t.Errorf("%s over %s: p %+v, difference %+v", m.Measure, m.Subset, m.P, m.Difference)
		}
	}
}

// Two documents, in each of which one system finds the only span and the other
// nothing: of the four ways to swap, the observed one and its opposite reach
// the difference of 1 in recall, and the two others give 0. So p is near 1/2;
// with 2^n ways for n documents it is near 2/2^n.
func TestPValueOfSmallCases(t *testing.T) {
	for _, n := range []int{1, 2, 3, 5} {
		a, b := New(Options{}), New(Options{})
		for i := range n {
			for _, x := range []struct {
				s      *Scorer
				marked string
			}{{a, "[A:<A:Ann>]"}, {b, "[A:Ann]"}} {
				if _, err := x.s.Add(mark(fmt.Sprint(i), x.marked)); err != nil {
					t.Fatal(err)
				}
			}
		}
		c, err := Compare(a, b, Shuffles, 1)
		if err != nil {
			t.Fatal(err)
		}
		want := 2 / math.Pow(2, float64(n))
		for _, m := range c.Measures {
			if m.Measure == Strict && math.Abs(m.P.Recall-want) > .02 {
				t.Errorf("%d documents: p = %v, want about %v", n, m.P.Recall, want)
			}
			if m.Measure == Strict && m.Difference.Recall != 1 {
				t.Errorf("%d documents: difference %v", n, m.Difference.Recall)
			}
		}
	}
}

func TestCompareIsDeterministicAndSymmetric(t *testing.T) {
	documents := randomDocuments(4, 40)
	other := randomDocuments(4, 40)
	for i := range other {
		if len(other[i].System) > 0 {
			other[i].System = other[i].System[1:]
		}
	}
	run := func(x, y []Document, seed uint64) string {
		c, err := Compare(scoreAll(t, Options{}, x...), scoreAll(t, Options{}, y...), 499, seed)
		if err != nil {
			t.Fatal(err)
		}
		var p []Rates
		for _, m := range c.Measures {
			p = append(p, m.P)
		}
		data, _ := json.Marshal(p)
		return string(data)
	}
	want := run(documents, other, 1)
	if got := run(other, documents, 1); got != want {
		t.Error("swapping the systems changes p")
	}
	if got := run(documents, other, 2); got == want {
		t.Error("another seed gives the same p everywhere")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if got := run(documents, other, 1); got != want {
		t.Error("another number of cores, another p")
	}
}

func TestCompareRefuses(t *testing.T) {
	one := scoreAll(t, Options{}, mark("1", "[A:Ann]"))
	if _, err := Compare(one, scoreAll(t, Options{}, mark("2", "[A:Ann]")), 9, 1); err == nil || !strings.Contains(err.Error(), `"2"`) {
		t.Errorf("other documents: %v", err)
	}
	if _, err := Compare(one, scoreAll(t, Options{}, mark("1", "[A:Ann] [A:Lee]")), 9, 1); err == nil ||
		!strings.Contains(err.Error(), "different gold") {
		t.Errorf("other gold: %v", err)
	}
	if _, err := Compare(one, one, 0, 1); err == nil {
		t.Error("no shuffles: no error")
	}
}

func TestIntervals(t *testing.T) {
	documents := randomDocuments(6, 80)
	options := Options{Resamples: 200, Seed: 3}
	r := scoreAll(t, options, documents...).Result()
	for _, m := range all(r) {
		if m.Category != "" && m.Intervals == nil {
			continue // an i2b2 category that no document has
		}
		for _, x := range []struct {
			rate float64
			i    Interval
		}{{m.Micro.Precision, m.Intervals.Precision}, {m.Micro.Recall, m.Intervals.Recall}, {m.Micro.F1, m.Intervals.F1}} {
			if x.i.Low > x.rate+1e-9 || x.i.High < x.rate-1e-9 || x.i.Low < 0 || x.i.High > 1 {
				t.Errorf("%s over %s %s%s: %v outside of %+v", m.Measure, m.Subset, m.Category, m.Label, x.rate, x.i)
			}
		}
	}
	// One document can only be drawn again.
	one := find(t, scoreAll(t, options, mark("1", "[A:<A:Ann>] [A:Lee]")).Result(), Strict, All)
	if one.Intervals.Recall != (Interval{.5, .5}) {
		t.Errorf("one document: %+v", one.Intervals)
	}
	if find(t, scoreAll(t, Options{}, documents...).Result(), Strict, All).Intervals != nil {
		t.Error("intervals without resamples")
	}
	// n documents of one span each, half of them found: recall is binomial, so
	// its 95 % interval is near .5 ± 1.96 · sqrt(.25 / n).
	const n = 400
	s := New(Options{Resamples: 2000, Seed: 1})
	for i := range n {
		if _, err := s.Add(mark(fmt.Sprint(i), [2]string{"[A:Ann]", "[A:<A:Ann>]"}[i%2])); err != nil {
			t.Fatal(err)
		}
	}
	got := find(t, s.Result(), Strict, All).Intervals.Recall
	half := 1.96 * math.Sqrt(.25/n)
	if math.Abs(got.Low-(.5-half)) > .006 || math.Abs(got.High-(.5+half)) > .006 {
		t.Errorf("interval %+v, want .5 ± %.3f", got, half)
	}
}

func TestResultGrowsWithDocuments(t *testing.T) {
	documents := randomDocuments(9, 20)
	s := scoreAll(t, Options{Resamples: 20, Seed: 1}, documents[:10]...)
	half := s.Result()
	for _, d := range documents[10:] {
		if _, err := s.Add(d); err != nil {
			t.Fatal(err)
		}
	}
	got, _ := json.Marshal(s.Result())
	want, _ := json.Marshal(scoreAll(t, Options{Resamples: 20, Seed: 1}, documents...).Result())
	if string(got) != string(want) || half.Documents != 10 {
		t.Error("a result taken half way changes the final one")
	}
}

func TestEmpty(t *testing.T) {
	r := New(Options{Resamples: 10}).Result()
	if r.Documents != 0 || len(r.Metrics) != 17 || find(t, r, Strict, All).Counts != (Counts{}) {
		t.Errorf("%+v", r)
	}
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
}

func TestSameDocuments(t *testing.T) {
	if err := SameDocuments([]string{"a", "b"}, []string{"b", "a"}); err != nil {
		t.Error(err)
	}
	gold := []string{"x", "a1", "a2", "a3", "a4", "a5", "a6", "a7"}
	err := SameDocuments(gold, []string{"x", "b"})
	var sets *DocumentSets
	if !errors.As(err, &sets) || sets.MissingInSystem != 7 || sets.MissingInGold != 1 || len(sets.FirstInSystem) != 5 {
		t.Fatalf("%+v", err)
	}
	want := `score: gold and system hold different documents: 7 of gold missing in system: "a1", "a2", "a3", "a4", "a5" and 2 more; 1 of ` +
		`system missing in gold: "b"`
	if err.Error() != want {
		t.Errorf("got  %s\nwant %s", err, want)
	}
	if gold[0] != "x" {
		t.Error("the caller's list was sorted")
	}
	if err := SameDocuments([]string{"a", "a"}, []string{"a"}); err == nil || !strings.Contains(err.Error(), `"a" is in gold twice`) {
		t.Errorf("twice: %v", err)
	}
}

func TestAddRefuses(t *testing.T) {
	text := "née Ann"
	for _, c := range []struct {
		name string
		a    Annotation
		want string
	}{
		{"past the end", Annotation{Start: 0, End: 9, Label: "A"}, "do not fit a text of 8 bytes"},
		{"end before start", Annotation{Start: 3, End: 1, Label: "A"}, "do not fit"},
		{"below zero", Annotation{Start: -1, End: 1, Label: "A"}, "do not fit"},
		{"inside a character", Annotation{Start: 0, End: 2, Label: "A"}, "code points?"},
		{"no label", Annotation{Start: 0, End: 4}, "no label"},
	} {
		s := New(Options{})
		_, err := s.Add(Document{ID: "17", Text: text, System: []Annotation{{End: 1, Label: "A"}, c.a}})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), `document "17", system annotation 2`) {
			t.Errorf("%s: %v", c.name, err)
		}
		if err != nil && strings.Contains(err.Error(), "Ann") {
			t.Errorf("%s: the error quotes the text: %v", c.name, err)
		}
		if s.Result().Documents != 0 {
			t.Errorf("%s: counted", c.name)
		}
	}
	s := scoreAll(t, Options{}, Document{ID: "1"})
	if _, err := s.Add(Document{ID: "1"}); err == nil {
		t.Error("the same id twice: no error")
	}
}

// MEDDOCAN gold against findings in i2b2 types, both as i2b2 types and both as
// MEDDOCAN's.
func TestMappedLabels(t *testing.T) {
	d := Document{
		ID: "1", Text: "Ana Sol, mujer, 12/3/2001, Elche",
		Gold: []Annotation{{Start: 0, End: 3, Label: "NOMBRE_SUJETO_ASISTENCIA"}, {Start: 9, End: 14, Label: "SEXO_SUJETO_ASISTENCIA"},
			{Start: 16, End: 25, Label: "FECHAS"}, {Start: 27, End: 32, Label: "TERRITORIO"}},
		System: []Annotation{{Start: 0, End: 3, Label: "PATIENT"}, {Start: 16, End: 25, Label: "DATE"}, {Start: 27, End: 32, Label: "STATE"}},
	}
	r := scoreAll(t, Options{Gold: schemes.Between(schemes.MEDDOCAN, schemes.I2B2), System: schemes.Between(schemes.I2B2, schemes.I2B2)},
		d).Result()
	if got, want := find(t, r, Strict, All).Counts, (Counts{TP: 2, FP: 1, FN: 1}); got != want { // CITY is not STATE
		t.Errorf("in i2b2 types %+v, want %+v", got, want)
	}
	if got, want := find(t, r, Strict, HIPAAScript).Counts, (Counts{TP: 2, FN: 1}); got != want {
		t.Errorf("HIPAA %+v, want %+v", got, want)
	}
	if r.Gold != 3 { // sex is dropped
		t.Errorf("%d gold annotations", r.Gold)
	}
	r = scoreAll(t, Options{Gold: schemes.Between(schemes.MEDDOCAN, schemes.MEDDOCAN),
		System: schemes.Between(schemes.I2B2, schemes.MEDDOCAN)}, d).Result()
	if got, want := r.MEDDOCAN.NER.Counts, (Counts{TP: 3, FN: 1}); got != want {
		t.Errorf("in MEDDOCAN's types %+v, want %+v", got, want)
	}
	d.System[0].Label = "WHO"
	_, err := New(Options{System: schemes.Between(schemes.I2B2, schemes.MEDDOCAN)}).Add(d)
	if err == nil || !strings.Contains(err.Error(), `"WHO"`) || !strings.Contains(err.Error(), "system annotation 1") {
		t.Errorf("an unknown label: %v", err)
	}
}
