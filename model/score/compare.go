package score

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
)

// Comparison is what approximate randomisation says of two systems on the
// same documents (Yeh 2000).
type Comparison struct {
	Documents int                 `json:"documents"`
	Shuffles  int                 `json:"shuffles"`
	Seed      uint64              `json:"seed"`
	Measures  []MeasureComparison `json:"measures"` // the metrics of Result.Metrics, then MEDDOCAN's
}

// MeasureComparison compares two systems by one measure, micro-averaged. P
// holds two-sided p-values: (shuffles with a difference at least as large + 1)
// / (shuffles + 1).
type MeasureComparison struct {
	Measure    Measure `json:"measure"`
	Subset     Subset  `json:"subset"`
	A          Rates   `json:"a"`
	B          Rates   `json:"b"`
	Difference Rates   `json:"difference"` // A - B
	P          Rates   `json:"p"`
}

// Shuffles is the usual number of shuffles, that of Yeh 2000 and of
// Dernoncourt et al. 2017.
const Shuffles = 9999

// Compare tests whether two systems differ by more than chance: approximate
// randomisation (Noreen 1989; Yeh 2000, section 4). Each shuffle swaps the two
// systems' output on each document with probability one half, for all measures
// alike, and a p-value counts the shuffles whose difference is at least the
// observed one in size. Shuffle i has a generator of its own, seeded by (seed,
// i), and documents are taken in order of their ids, so the outcome depends on
// neither the number of cores nor the order of Add.
//
// Both scorers must have seen the same documents with the same gold
// annotations; if not, that is an error.
func Compare(a, b *Scorer, shuffles int, seed uint64) (*Comparison, error) {
	if shuffles < 1 {
		return nil, fmt.Errorf("score: %d shuffles; want 1 at least, %d as a rule", shuffles, Shuffles)
	}
	if err := SameDocuments(a.ids, b.ids); err != nil {
		return nil, fmt.Errorf("score: the two systems were scored on different documents: %w", err)
	}
	ids := slices.Sorted(slices.Values(a.ids))
	var sumA, sumB [width]int
	var swaps [][width]int32 // b's counts less a's, of the documents where they differ
	for _, id := range ids {
		x, y := a.rows[a.index[id]*width:][:width], b.rows[b.index[id]*width:][:width]
		for _, c := range []int{spansColumn, nerColumn} {
			if x[3*c]+x[3*c+2] != y[3*c]+y[3*c+2] {
				return nil, fmt.Errorf("score: the two systems were scored on different gold annotations of document %q", id)
			}
		}
		var d [width]int32
		differ := false
		for i := range d {
			sumA[i] += int(x[i])
			sumB[i] += int(y[i])
			d[i] = int32(y[i]) - int32(x[i])
			differ = differ || d[i] != 0
		}
		if differ {
			swaps = append(swaps, d)
		}
	}

	observed := differences(&sumA, &sumB)
	workers := min(runtime.GOMAXPROCS(0), shuffles)
	reached := make([][len(columns)][3]int, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < shuffles; i += workers {
				shuffled := shuffle(rand.NewPCG(seed, uint64(i)), sumA, sumB, swaps)
				for c := range shuffled {
					for k, d := range shuffled[c] {
						// Differences of equal counts may differ in their last bits.
						if math.Abs(d) >= math.Abs(observed[c][k])-1e-12 {
							reached[w][c][k]++
						}
					}
				}
			}
		})
	}
	wg.Wait()

	out := &Comparison{Documents: len(ids), Shuffles: shuffles, Seed: seed}
	for c, col := range columns {
		if !a.shows(c) || !b.shows(c) {
			continue
		}
		var p [3]float64
		for k := range p {
			n := 0
			for w := range reached {
				n += reached[w][c][k]
			}
			p[k] = float64(n+1) / float64(shuffles+1)
		}
		out.Measures = append(out.Measures, MeasureComparison{
			Measure: col.measure, Subset: col.subset,
			A: countsAt(&sumA, c).Rates(), B: countsAt(&sumB, c).Rates(),
			Difference: Rates{observed[c][0], observed[c][1], observed[c][2]},
			P:          Rates{p[0], p[1], p[2]},
		})
	}
	return out, nil
}

// shuffle swaps each document with probability one half and returns the
// differences that come of it.
func shuffle(random rand.Source, a, b [width]int, swaps [][width]int32) [len(columns)][3]float64 {
	var coins uint64
	for i := range swaps {
		if i%64 == 0 {
			coins = random.Uint64()
		}
		if coins&1 != 0 {
			for k, d := range swaps[i] {
				a[k] += int(d)
				b[k] -= int(d)
			}
		}
		coins >>= 1
	}
	return differences(&a, &b)
}

// differences returns precision, recall and F1 of a less those of b.
func differences(a, b *[width]int) (d [len(columns)][3]float64) {
	for c := range d {
		x, y := countsAt(a, c), countsAt(b, c)
		d[c] = [3]float64{x.Precision() - y.Precision(), x.Recall() - y.Recall(), x.F1() - y.F1()}
	}
	return d
}

func countsAt(sums *[width]int, column int) Counts {
	return Counts{TP: sums[3*column], FP: sums[3*column+1], FN: sums[3*column+2]}
}
