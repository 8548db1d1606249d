package main

import (
	"math/rand/v2"
	"testing"
)

// simulate makes the results of some origins: a word is found with its origin's
// chance, moved by its patient and its name.
func simulate(random *rand.Rand, chances []float64, patients, names, words int) ([][]unit, [][lists]int) {
	tilt := make([]float64, patients)
	for i := range tilt {
		tilt[i] = .05 * random.NormFloat64()
	}
	var units [][]unit
	var sizes [][lists]int
	for _, chance := range chances {
		t := newTally()
		of := make([]float64, names)
		for i := range of {
			of[i] = .05 * random.NormFloat64()
		}
		for range words {
			p, n := random.IntN(patients), random.IntN(names)
			key := [3]int{p, family, n}
			if t.units[key] == nil {
				t.units[key] = &ratio{}
			}
			t.units[key].count(random.Float64() < chance+tilt[p]+of[n])
		}
		units, sizes = append(units, t.sorted()), append(sizes, [lists]int{1, 1, names})
	}
	return units, sizes
}

// The interval holds the true range in at least 95 of 100 cases, within what 150
// trials tell, whether origins differ or not.
func TestIntervalCovers(t *testing.T) {
	const trials = 150
	for _, chances := range [][]float64{{.8, .8, .8, .8}, {.7, .8, .8, .85}} {
		random := rand.New(rand.NewPCG(7, 7))
		truth, hit, width := 100*(chances[3]-chances[0]), 0, 0.0
		for k := range trials {
			units, sizes := simulate(random, chances, 40, 40, 800)
			s := spreadOf(units, 40, sizes, uint64(k), 200)
			if s.low > s.points || s.high < s.points {
				t.Fatalf("%+v", s)
			}
			if s.low <= truth+1e-9 && truth <= s.high+1e-9 {
				hit++
			}
			width += (s.high - s.low) / trials
		}
		if hit < 135 { // of 150 with 95 % fewer come up in one case of 200
			t.Errorf("true range %v: %d of %d intervals hold it", truth, hit, trials)
		}
		if width > 25 {
			t.Errorf("true range %v: intervals are %.1f points wide", truth, width)
		}
	}
}

func TestSpreadIsTheSameAgain(t *testing.T) {
	units, sizes := simulate(rand.New(rand.NewPCG(1, 1)), []float64{.9, .8, 1}, 10, 10, 300)
	a, b := spreadOf(units, 10, sizes, 5, 100), spreadOf(units, 10, sizes, 5, 100)
	if a.low != b.low || a.high != b.high || a.worst != 1 || a.best != 2 {
		t.Errorf("%+v and %+v", a, b)
	}
}

// Where everything is found there is nothing between origins.
func TestSpreadOfNothing(t *testing.T) {
	r := ratio{3, 3}
	u := []unit{{0, family, 0, r}, {1, family, 1, r}}
	s := spreadOf([][]unit{u, u}, 2, [][lists]int{{1, 1, 2}, {1, 1, 2}}, 1, 50)
	if s.points != 0 || s.low != 0 || s.high != 0 {
		t.Errorf("%+v", s)
	}
}
