package chain

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// What is told of two numbers is the difference of two paths' scores.
func TestOddsAreOfTwoPaths(t *testing.T) {
	const text = "seen 3/4 and 12-31 or 5/6/19"
	r := rand.New(rand.NewSource(3))
	n := len(testLabels)
	tokens := token.Tokenize(nil, text)
	told := 0
	for range 200 {
		transitions := make([]float32, (n+2)*n)
		for i := range transitions {
			transitions[i] = float32(r.NormFloat64())
		}
		emissions := make([]float32, len(tokens)*n)
		for i := range emissions {
			emissions[i] = float32(3 * r.NormFloat64())
		}
		d, err := New(testLabels, transitions)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.SetTypes(nil); err != nil {
			t.Fatal(err)
		}
		emission := func(k int) []float32 { return emissions[k*n : (k+1)*n] }
		score := func(path []int32) (sum float64) {
			before := n // the row of start scores
			for k, at := range path {
				sum += float64(emissions[k*n+int(at)]) + float64(transitions[before*n+int(at)])
				before = int(at)
			}
			return sum + float64(transitions[(n+1)*n+before])
		}
		var s Scratch
		found, err := d.Spans(nil, &s, tokens, Bias{Odds: true}, emission, func(k int) string { return tokens[k].Text(text) })
		if err != nil {
			t.Fatal(err)
		}
		path := slices.Clone(d.crf.decode(&s.lattice, len(tokens), 0, emission))
		for _, f := range found {
			if f.Tagger != phi.Odds {
				continue
			}
			told++
			k := slices.IndexFunc(tokens, func(x token.Token) bool { return int(x.Start) == f.Start })
			date, none := slices.Clone(path), slices.Clone(path)
			copy(date[k:], []int32{1, 2, 3}) // B-DATE, I-DATE, E-DATE
			copy(none[k:], []int32{0, 0, 0})
			if want := 1 / (1 + math.Exp(score(none)-score(date))); math.Abs(float64(f.Score)-want) > 1e-4 {
				t.Fatalf("%q: %g, of two paths %g", text[f.Start:f.End], f.Score, want)
			}
		}
	}
	if told < 150 {
		t.Errorf("of 400 pairs %d were told of", told)
	}
}
