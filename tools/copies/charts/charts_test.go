package charts

import (
	"context"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/tools/bench/invent"
)

// The share of copies is the one asked for, by the generator's own count and by that
// of the literature: words in runs of ten that an earlier note or a template has.
func TestChartsHaveTheShareAskedFor(t *testing.T) {
	sources, err := invent.Texts(context.Background(), "../../../examples/notes.parquet")
	if err != nil {
		t.Fatal(err)
	}
	for _, share := range []float64{0, 0.2, 0.5, 0.8} {
		s := Usual
		s.Notes, s.Share = 600, share
		notes := Make(1, sources, s)
		if len(notes) != s.Notes {
			t.Fatalf("%d notes", len(notes))
		}
		tokens, copied := 0, 0
		for _, n := range notes {
			tokens, copied = tokens+n.Tokens, copied+n.Copied
		}
		if got := float64(copied) / float64(tokens); math.Abs(got-share) > 0.01 {
			t.Errorf("share %.2f: %.3f of the tokens are copied", share, got)
		}
		if got := repeated(notes); math.Abs(got-share) > 0.04 {
			t.Errorf("share %.2f: %.3f of the words lie in a run of ten that was there before", share, got)
		}
		if mean := tokens / len(notes); mean < 450 || mean > 750 {
			t.Errorf("share %.2f: notes have %d tokens on average", share, mean)
		}
		if !reflect.DeepEqual(notes, Make(1, sources, s)) {
			t.Errorf("share %.2f: the same seed gives other charts", share)
		}
	}
}

// Charts of given lengths have them, to a line, and the share of copies too; writers of
// one house share templates and nothing else.
func TestChartsOfGivenLengths(t *testing.T) {
	sources, err := invent.Texts(context.Background(), "../../../examples/notes.parquet")
	if err != nil {
		t.Fatal(err)
	}
	s := Usual
	s.Share = 0.5
	write := func(seed int64) (notes []Note) {
		w := NewWriter(1, seed, sources, s)
		for patient := range 60 {
			notes = append(notes, w.Chart(patient, []int{1200, 700, 10_500, 1800, 300})...)
		}
		return notes
	}
	notes := write(7)
	tokens, copied, over := 0, 0, 0
	for i, n := range notes {
		wanted := []int{1200, 700, 10_500, 1800, 300}[n.Number]
		if n.Patient != i/5 || len(n.Text) < wanted || len(n.Text) > wanted+1500 {
			t.Fatalf("note %d of patient %d has %d bytes, not %d", n.Number, n.Patient, len(n.Text), wanted)
		}
		tokens, copied, over = tokens+n.Tokens, copied+n.Copied, over+len(n.Text)-wanted
	}
	if mean := over / len(notes); mean > 150 {
		t.Errorf("notes are %d bytes too long on average", mean)
	}
	if got := float64(copied) / float64(tokens); math.Abs(got-s.Share) > 0.01 {
		t.Errorf("%.3f of the tokens are copied", got)
	}
	if got := repeated(notes); math.Abs(got-s.Share) > 0.04 {
		t.Errorf("%.3f of the words lie in a run of ten that was there before", got)
	}
	if !reflect.DeepEqual(notes, write(7)) {
		t.Error("the same seed gives other charts")
	}
	others := write(8)
	if reflect.DeepEqual(notes, others) {
		t.Error("another seed gives the same charts")
	}
	apart, together := repeated(others), repeated(append(notes, others...))
	if shared := 2*together - repeated(notes) - apart; shared < 0 || shared > 0.1 {
		t.Errorf("two charts of one house share %.3f of their words", shared)
	}
}

// repeated returns the share of words in a run of ten words that an earlier note had.
func repeated(notes []Note) float64 {
	const run = 10
	seen := map[string]bool{}
	all, again := 0, 0
	for _, n := range notes {
		words := strings.Fields(n.Text)
		before := make([]bool, len(words))
		var own []string
		for i := 0; i+run <= len(words); i++ {
			passage := strings.Join(words[i:i+run], " ")
			own = append(own, passage)
			if seen[passage] {
				for k := range run {
					before[i+k] = true
				}
			}
		}
		for _, p := range own {
			seen[p] = true
		}
		for _, b := range before {
			all++
			if b {
				again++
			}
		}
	}
	return float64(again) / float64(all)
}
