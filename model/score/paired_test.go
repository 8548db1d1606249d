package score

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// scored is two systems on documents of some patients. found tells how many of
// ten words of PHI each finds in a document.
func scored(t *testing.T, patients, notes int, found func(patient, note int) (a, b int)) (x, y *Scorer) {
	t.Helper()
	x, y = New(Options{}), New(Options{})
	text := strings.Repeat("name ", 10)
	spans := func(n int) (s []Annotation) {
		for i := range n {
			s = append(s, Annotation{Start: 5 * i, End: 5*i + 4, Category: "NAME", Label: "PATIENT"})
		}
		return s
	}
	for p := range patients {
		for n := range notes {
			a, b := found(p, n)
			for _, side := range []struct {
				s *Scorer
				n int
			}{{x, a}, {y, b}} {
				d := Document{ID: fmt.Sprintf("p%02d-%d", p, n), Text: text, Gold: spans(10), System: spans(side.n)}
				if _, err := side.s.Add(d); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	return x, y
}

func patientOf(document string) string { return document[:3] }

func TestPairedByCluster(t *testing.T) {
	// All patients gain alike: the interval is a point, but for F, which is not linear.
	x, y := scored(t, 8, 2, func(int, int) (int, int) { return 9, 8 })
	p, err := PairedByCluster(x, y, BinaryToken, patientOf, 200, 1)
	if err != nil {
		t.Fatal(err)
	}
	if p.Clusters != 8 || p.A != (Counts{TP: 144, FN: 16}) || p.B != (Counts{TP: 128, FN: 32}) {
		t.Errorf("got %+v", p)
	}
	if d := p.Recall; math.Abs(d.Difference-0.1) > 1e-9 || math.Abs(d.Low-0.1) > 1e-9 || math.Abs(d.High-0.1) > 1e-9 || d.Error > 1e-9 {
		t.Errorf("recall %+v", d)
	}
	if want := 5 * 0.9 / (4 + 0.9); math.Abs(p.F2.A-want) > 1e-9 {
		t.Errorf("F2 is %v, want %v", p.F2.A, want)
	}
	// One patient of eight gains all: eight notes of hers prove nothing of others.
	x, y = scored(t, 8, 8, func(p, _ int) (int, int) { return 8 + 2*max(0, 1-p), 8 })
	p, err = PairedByCluster(x, y, BinaryToken, patientOf, 1000, 1)
	if err != nil || p.Recall.Low > 0 || p.Recall.High <= p.Recall.Difference {
		t.Errorf("%v: recall %+v", err, p.Recall)
	}
	single, err := PairedByCluster(x, y, BinaryToken, func(id string) string { return id }, 1000, 1)
	if err != nil || single.Recall.Low <= 0 {
		t.Errorf("as if all notes were of different patients: %v, %+v", err, single.Recall)
	}
	if _, err := PairedByCluster(x, y, BinaryToken, func(string) string { return "one" }, 10, 1); err == nil {
		t.Error("one cluster has an interval")
	}
}

// TestPairedByClusterCovers: where systems do not differ, the interval holds 0 in
// about 95 of 100 draws of twelve patients.
func TestPairedByClusterCovers(t *testing.T) {
	held := 0
	const runs = 400
	for run := range runs {
		random := rand.New(rand.NewPCG(7, uint64(run)))
		x, y := scored(t, 12, 1, func(int, int) (int, int) { return 4 + random.IntN(6), 4 + random.IntN(6) })
		p, err := PairedByCluster(x, y, BinaryToken, patientOf, 400, 1)
		if err != nil {
			t.Fatal(err)
		}
		if p.F2.Low <= 0 && p.F2.High >= 0 {
			held++
		}
	}
	if held < runs*92/100 || held > runs*98/100 {
		t.Errorf("0 is within %d of %d intervals", held, runs)
	}
}
