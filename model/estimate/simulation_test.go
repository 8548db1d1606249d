package estimate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// made is a release of which all is known.
type made struct {
	notes  []Note
	chance []float64 // of being drawn
	recall float64
	left   float64 // per 1,000 notes
}

// release makes notes of patients of 1 to 12 notes. How much of a note is missed
// depends on its patient, and doubtful notes, of which more is missed, are drawn
// three times as often.
func release(r *rand.Rand, patients, drawn int, miss float64) made {
	var m made
	var found, missed, size float64
	for p := range patients {
		own := miss * r.ExpFloat64() // of this patient
		for range 1 + int(12*r.Float64()*r.Float64()) {
			n := Note{Patient: fmt.Sprint(p), Found: map[string]int{}, Missed: map[string]int{}}
			doubt := 1.0
			if r.Float64() < 0.25 {
				doubt = 3
			}
			for range 2 + r.IntN(20) {
				if r.Float64() < min(own*doubt, 0.9) {
					n.Missed["DATE"]++
				} else {
					n.Found["DATE"]++
				}
			}
			found += float64(n.Found["DATE"])
			missed += float64(n.Missed["DATE"])
			size += doubt
			m.notes, m.chance = append(m.notes, n), append(m.chance, doubt)
		}
	}
	for i := range m.chance {
		m.chance[i] *= float64(drawn) / size
		m.notes[i].Weight = 1 / m.chance[i]
	}
	m.recall, m.left = found/(found+missed), 1000*missed/float64(len(m.notes))
	return m
}

// draw takes a sample in the order of the patients, at even distances of the
// chances, as a review does, and lets reviewers look at it.
func (m *made) draw(r *rand.Rand, sees float64) []Note {
	var sample []Note
	next, at := r.Float64(), 0.0
	for i, n := range m.notes {
		if at += m.chance[i]; at < next {
			continue
		}
		next++
		look := func(of int) (seen int) {
			for range of {
				if r.Float64() < sees {
					seen++
				}
			}
			return seen
		}
		s := Note{Patient: n.Patient, Weight: n.Weight, Found: n.Found, Missed: map[string]int{"DATE": look(n.Missed["DATE"])}}
		if sees < 1 && len(sample)%5 == 0 {
			s.Blind, s.Shown = true, n.Found["DATE"]
			s.Seen = look(s.Shown)
		}
		sample = append(sample, s)
	}
	return sample
}

// Of a thousand samples, drawn from fifty releases of known recall with clusters,
// unequal weights and reviewers who overlook a tenth, at least 94 in 100
// intervals hold the truth.
func TestCoverage(t *testing.T) {
	const samples = 1000
	for _, c := range []struct {
		patients, drawn int
		miss, sees      float64
	}{
		{600, 150, 0.03, 1},
		{600, 150, 0.03, 0.9},
		{600, 60, 0.02, 0.9},
		{600, 150, 0.002, 0.9}, // few are missed, in some samples none
		{150, 100, 0.01, 0.95}, // nearly all patients are in the sample
	} {
		t.Run(fmt.Sprint(c.drawn, c.miss, c.sees), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(1, 2))
			var recall, left, recallWidth, leftWidth float64
			var truth, leftTruth float64
			var m made
			for i := range samples {
				if i%20 == 0 {
					m = release(r, c.patients, c.drawn, c.miss)
				}
				truth += m.recall / samples
				leftTruth += m.left / samples
				e := Of(m.draw(r, c.sees))
				if e.All.Recall.Low <= m.recall && m.recall <= e.All.Recall.High {
					recall++
				}
				if e.All.Left.Low <= m.left && m.left <= e.All.Left.High {
					left++
				}
				recallWidth += e.All.Recall.High - e.All.Recall.Low
				leftWidth += e.All.Left.High - e.All.Left.Low
			}
			recall, left = recall/samples, left/samples
			t.Logf("%d notes of %d patients, reviewers see %.2f: recall %.4f is held by %.3f, mean width %.4f; left %.0f by %.3f, mean width %.0f",
				c.drawn, c.patients, c.sees, truth, recall, recallWidth/samples, leftTruth, left, leftWidth/samples)
			if math.Min(recall, left) < 0.94 {
				t.Errorf("%+v: intervals hold the truth in %.3f (recall) and %.3f (left) of samples, want 0.94", c, recall, left)
			}
		})
	}
}
