package main

import (
	"math"
	"math/rand/v2"
	"slices"
)

// resamples is how many bootstrap samples an interval rests on.
const resamples = 2000

// spread is the range of recall over origins, in points, with its simultaneous
// interval, and each origin's own interval.
type spread struct {
	points, low, high float64
	best, worst       int          // indexes of origins
	each              [][2]float64 // 95 %, of one origin by itself
}

// spreadOf returns the range of recall over origins. Patients, whose notes carry
// the names, and names are both drawn with replacement, each by itself, and a word
// weighs as often as its patient times its name: the pigeonhole bootstrap of two
// crossed factors (Owen 2007), which errs on the wide side. The same patients are
// drawn for all origins, since all stand in the same notes; names are drawn list by
// list. The interval is simultaneous over all pairs of origins, by the largest
// studentised difference (the max-t of Hothorn, Bretz and Westfall 2008, drawn by
// the bootstrap): if all differences lie within theirs, the range lies between the
// largest lower and the largest upper end.
func spreadOf(units [][]unit, patients int, sizes [][lists]int, seed uint64, n int) spread {
	k := len(units)
	rates := make([]float64, k)
	for o, list := range units {
		var r ratio
		for _, u := range list {
			r.found, r.all = r.found+u.found, r.all+u.all
		}
		rates[o] = r.percent()
	}
	random := rand.New(rand.NewPCG(seed, 1))
	drawn := make([][]float64, k) // by origin and sample
	weight, byName := make([]int, patients), [lists][]int{}
	for range n {
		draw(random, weight)
		for o, list := range units {
			for l := range byName {
				byName[l] = make([]int, sizes[o][l])
				draw(random, byName[l])
			}
			found, all := 0, 0
			for _, u := range list {
				w := weight[u.patient] * byName[u.list][u.name]
				found, all = found+w*u.found, all+w*u.all
			}
			rate := rates[o] // where nothing was drawn
			if all > 0 {
				rate = 100 * float64(found) / float64(all)
			}
			drawn[o] = append(drawn[o], rate)
		}
	}
	s := spread{}
	for o := range rates {
		if rates[o] > rates[s.best] {
			s.best = o
		}
		if rates[o] < rates[s.worst] {
			s.worst = o
		}
		own := slices.Sorted(slices.Values(drawn[o]))
		s.each = append(s.each, [2]float64{own[n*25/1000], own[min(n-1, n*975/1000)]})
	}
	s.points = rates[s.best] - rates[s.worst]
	s.low, s.high = simultaneous(rates, drawn, n)
	return s
}

// draw fills counts with how often each of as many things was drawn.
func draw(random *rand.Rand, counts []int) {
	clear(counts)
	for range counts {
		counts[random.IntN(len(counts))]++
	}
}

// simultaneous returns the interval of the range of rates.
func simultaneous(rates []float64, drawn [][]float64, n int) (low, high float64) {
	type pair struct {
		a, b      int
		diff, err float64
	}
	var pairs []pair
	largest := make([]float64, n)
	for a := range rates {
		for b := range rates {
			if rates[a] < rates[b] || a == b || rates[a] == rates[b] && a > b {
				continue
			}
			p := pair{a: a, b: b, diff: rates[a] - rates[b]}
			mean, square := 0.0, 0.0
			for i := range n {
				mean += drawn[a][i] - drawn[b][i]
			}
			mean /= float64(n)
			for i := range n {
				d := drawn[a][i] - drawn[b][i] - mean
				square += d * d
			}
			p.err = math.Sqrt(square / float64(n-1))
			if p.err > 0 {
				for i := range n {
					largest[i] = max(largest[i], math.Abs(drawn[a][i]-drawn[b][i]-p.diff)/p.err)
				}
			}
			pairs = append(pairs, p)
		}
	}
	slices.Sort(largest)
	t := largest[min(n-1, int(math.Ceil(.95*float64(n))))]
	for _, p := range pairs {
		low, high = max(low, p.diff-t*p.err), max(high, p.diff+t*p.err)
	}
	return low, high
}
