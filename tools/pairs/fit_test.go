package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/pairs"
)

// The fit comes back to the weights that chances were drawn by, as near as so many draws tell.
func TestFitted(t *testing.T) {
	var drawn pairs.Features
	drawn[0], drawn[3], drawn[7] = -1, 2, -1.5
	r := rand.New(rand.NewPCG(5, 6))
	var all []sample
	for range 20_000 {
		s := sample{patient: "p"}
		s.features[0] = 1
		for i := 1; i < 10; i++ {
			s.features[i] = r.NormFloat64()
		}
		s.date = r.Float64() < s.features.Chance(&drawn)
		all = append(all, s)
	}
	got := fitted(all)
	for i := range got {
		if math.Abs(got[i]-drawn[i]) > 0.1 {
			t.Errorf("weight %d is %.3f, want %.3f", i, got[i], drawn[i])
		}
	}
}

// What a patient's pairs are judged by comes from others' alone.
func TestCrossed(t *testing.T) {
	var all []sample
	for i := range 400 {
		s := sample{patient: string(rune('a' + i%20)), date: i%20 == 0}
		s.features[0], s.features[1+i%20] = 1, 1 // a feature of each patient's own
		all = append(all, s)
	}
	by := crossed(all)
	for i, s := range all {
		if s.patient == "a" && by[i] > 0.2 {
			t.Fatalf("patient a's pairs, dates all, have a chance of %.2f by what the others say", by[i])
		}
	}
}
