package score

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// intervals holds the bootstrap intervals of every column and of every key of
// a category or label.
type intervals struct {
	columns []*Intervals
	sparse  []*Intervals
}

// sample holds the three rates of one metric in one resample.
type sample [3]float64

// intervals draws the resamples: as many documents as there are, with
// replacement (Efron 1979), and takes the 2.5th and 97.5th percentiles of the
// micro-averaged rates. Resample i has a generator of its own, seeded by
// (Seed, i), and documents are drawn from their ids in order, so the outcome
// depends on neither the number of cores nor the order of Add.
func (s *Scorer) intervals() *intervals {
	if s.options.Resamples <= 0 || len(s.ids) == 0 {
		return &intervals{}
	}
	if s.drawn != nil && s.drawnAt == len(s.ids) {
		return s.drawn
	}
	order := make([]int32, len(s.ids)) // documents in order of id
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return strings.Compare(s.ids[a], s.ids[b]) })

	keys := len(s.dense)
	samples := make([][]sample, len(columns)+keys) // by metric, then resample
	for i := range samples {
		samples[i] = make([]sample, s.options.Resamples)
	}
	var wg sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), s.options.Resamples)
	for w := range workers {
		wg.Go(func() {
			weights := make([]uint64, len(s.ids))
			sums := make([]uint64, width)
			sparse := make([][3]uint64, keys)
			for i := w; i < s.options.Resamples; i += workers {
				s.resample(i, order, weights, sums, sparse)
				for c := range columns {
					samples[c][i] = rates(sums[3*c], sums[3*c+1], sums[3*c+2])
				}
				for k, n := range sparse {
					samples[len(columns)+k][i] = rates(n[0], n[1], n[2])
				}
			}
		})
	}
	wg.Wait()

	out := &intervals{}
	for i, list := range samples {
		interval := percentiles(list)
		if i < len(columns) {
			out.columns = append(out.columns, interval)
		} else {
			out.sparse = append(out.sparse, interval)
		}
	}
	s.drawn, s.drawnAt = out, len(s.ids)
	return out
}

// resample draws the documents of one resample and sums their counts.
func (s *Scorer) resample(i int, order []int32, weights, sums []uint64, sparse [][3]uint64) {
	random := rand.New(rand.NewPCG(s.options.Seed, uint64(i)))
	clear(weights)
	clear(sums)
	clear(sparse)
	for range order {
		weights[order[random.IntN(len(order))]]++
	}
	from := 0
	for d, w := range weights {
		to := s.ends[d]
		if w > 0 {
			row := s.rows[d*width:][:width]
			for j, n := range row {
				sums[j] += w * uint64(n)
			}
			for _, e := range s.entries[from:to] {
				n := &sparse[e.key]
				n[0] += w * uint64(e.tp)
				n[1] += w * uint64(e.fp)
				n[2] += w * uint64(e.fn)
			}
		}
		from = to
	}
}

// rates returns NaN for a rate that is 0/0: a resample without a type says
// nothing of it.
func rates(tp, fp, fn uint64) sample {
	c := Counts{TP: int(tp), FP: int(fp), FN: int(fn)}
	out := sample{c.Precision(), c.Recall(), c.F1()}
	for i, n := range []uint64{tp + fp, tp + fn, tp + fp + fn} {
		if n == 0 {
			out[i] = math.NaN()
		}
	}
	return out
}

// percentiles returns the 95 % interval of each rate over the resamples in
// which it is defined, with linear interpolation between order statistics.
func percentiles(list []sample) *Intervals {
	var out [3]Interval
	values := make([]float64, 0, len(list))
	for k := range out {
		values = values[:0]
		for _, x := range list {
			if !math.IsNaN(x[k]) {
				values = append(values, x[k])
			}
		}
		if len(values) == 0 {
			continue
		}
		slices.Sort(values)
		out[k] = Interval{quantile(values, 0.025), quantile(values, 0.975)}
	}
	return &Intervals{Precision: out[0], Recall: out[1], F1: out[2]}
}

func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	low := int(math.Floor(at))
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (at-float64(low))*(sorted[high]-sorted[low])
}
