package estimate

import (
	"cmp"
	"math"
	"slices"
)

// Interval is an estimate with the ends of its 95 % interval.
type Interval struct {
	Point float64 `json:"point"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// observed is what one note adds to a proportion or a rate.
type observed struct {
	cluster string
	weight  float64
	hits    int // of a rate, what is counted
	of      int // of a rate, 1
}

// alike is the correlation that is assumed within a patient where nothing can be
// seen of it, as all that was found agrees: that of outcomes which patients'
// care decides, at the upper end of what Campbell, Grimshaw and Steen report
// ("Sample size calculations for cluster randomised trials", J Health Serv Res
// Policy 5, 2000).
const alike = 0.1

// proportion returns a weighted share of identifiers, hits of of, and the
// interval of Korn and Graubard ("Confidence intervals for proportions with
// small expected number of positive counts estimated from survey data", Survey
// Methodology 24, 1998): that of Clopper and Pearson on the effective sample
// size n / deff, made smaller by the few degrees of freedom that patients leave.
// The variance is that of a ratio linearised by patient, drawn as if with
// replacement. The design effect is never below that of the weights alone
// (Kish, "Survey Sampling", 1965), as Franco, Little, Louis and Slud advise
// ("Comparative study of confidence intervals for proportions in complex sample
// surveys", J Surv Stat Methodol 7, 2019); where all agree, it is that of the
// weights times 1 + (b-1) alike, b being the identifiers of a patient.
//
// ok is false if there is nothing to have a share of.
func proportion(all []observed) (p Interval, deff float64, ok bool) {
	var hits, of, squares, n float64
	for _, o := range all {
		hits += o.weight * float64(o.hits)
		of += o.weight * float64(o.of)
		squares += o.weight * o.weight * float64(o.of)
		n += float64(o.of)
	}
	if of == 0 {
		return Interval{0, 0, 1}, 1, false
	}
	share := hits / of
	residuals, sizes := map[string]float64{}, map[string]float64{}
	for _, o := range all {
		if o.of > 0 {
			residuals[o.cluster] += o.weight * (float64(o.hits) - share*float64(o.of)) / of
			sizes[o.cluster] += float64(o.of)
		}
	}
	m := float64(len(residuals))
	if m < 2 { // of one patient nothing can be learnt about others
		low, high := clopperPearson(share, 1)
		return Interval{share, low, high}, n, true
	}
	kish := n * squares / (of * of)
	assumed := kish * (1 + (sumOfSquares(sizes)/n-1)*alike)
	deff = assumed
	if share > 0 && share < 1 {
		variance := m / (m - 1) * sumOfSquares(residuals)
		deff = max(variance*n/(share*(1-share)), kish, 1)
	}
	t := T975(max(n-1, 1)) / T975(m-1)
	effective := min(n/deff*t*t, n)
	low, high := clopperPearson(share, effective)
	return Interval{share, low, high}, deff, true
}

// sumOfSquares adds in one order, so that equal notes give equal digits.
func sumOfSquares(of map[string]float64) float64 {
	values := make([]float64, 0, len(of))
	for _, v := range of {
		values = append(values, v)
	}
	slices.SortFunc(values, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	var s float64
	for _, v := range values {
		s += v * v
	}
	return s
}

// clopperPearson returns the 95 % interval of a share of n, which need not be
// whole (Clopper and Pearson, Biometrika 26, 1934).
func clopperPearson(share, n float64) (low, high float64) {
	x := share * n
	low, high = 0, 1
	if share > 0 {
		low = betaQuantile(0.025, x, n-x+1)
	}
	if share < 1 {
		high = betaQuantile(0.975, x+1, n-x)
	}
	return low, high
}
