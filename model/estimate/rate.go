package estimate

import "math"

// rate returns the weighted mean count of a note, and the gamma interval of Fay
// and Feuer ("Confidence intervals for directly standardized rates: a method
// based on the gamma distribution", Statistics in Medicine 16, 1997), which
// holds for few counts and none. In place of the Poisson variance there is that
// of a ratio linearised by patient, where it is larger: what is missed in one
// note of a patient tends to be missed in the next. It is made larger by the few
// degrees of freedom that patients leave.
func rate(all []observed) (r Interval, deff float64, ok bool) { return ifMore(all, 1) }

// ifMore is rate for a sample that is so many times larger and otherwise alike.
func ifMore(all []observed, times float64) (r Interval, deff float64, ok bool) {
	var weights, counts, largest float64
	for _, o := range all {
		weights += o.weight
		counts += o.weight * float64(o.hits)
		largest = max(largest, o.weight)
	}
	if weights == 0 {
		return Interval{0, 0, math.Inf(1)}, 1, false
	}
	mean := counts / weights
	residuals, sizes := map[string]float64{}, map[string]float64{}
	var poisson float64
	for _, o := range all {
		w := o.weight / weights
		residuals[o.cluster] += w * (float64(o.hits) - mean)
		sizes[o.cluster]++
		poisson += w * w * float64(o.hits)
	}
	m := float64(len(residuals))
	if m < 2 {
		return Interval{mean, 0, math.Inf(1)}, 1, true
	}
	n := float64(len(all))
	next := largest / weights * (1 + (sumOfSquares(sizes)/n-1)*alike) / times // what one count more would add
	variance := poisson
	deff = 1
	if mean > 0 {
		variance = max(poisson, m/(m-1)*sumOfSquares(residuals))
		deff = variance / poisson
	}
	t := T975(max(m*times-1, 1)) / normal975
	variance *= t * t / times
	r.Point = mean
	if mean > 0 {
		r.Low = variance / mean * gammaQuantile(0.025, mean*mean/variance)
	}
	y, v := mean+next, variance+next*next
	r.High = v / y * gammaQuantile(0.975, y*y/v)
	return r, deff, true
}

// over returns a / b of two independent estimates, with the interval of the
// method of variance estimates recovery on their logarithms (Donner and Zou,
// "Closed-form confidence intervals for functions of the normal mean and
// standard deviation", Stat Methods Med Res 21, 2012). An end that is 0 or
// infinite stays so; where a is 0, so that it has no logarithm, the upper end is
// the most that the two intervals allow.
func over(a, b Interval) Interval {
	if b.Point <= 0 || b.Low <= 0 {
		return Interval{a.Point, 0, math.Inf(1)}
	}
	if math.IsInf(a.Point, 1) { // the odds of what was never found
		return Interval{a.Point, a.Low / b.High, a.Point}
	}
	r := Interval{Point: a.Point / b.Point}
	if a.Point <= 0 {
		r.High = a.High / b.Low
		return r
	}
	if a.Low > 0 {
		r.Low = r.Point * math.Exp(-math.Hypot(math.Log(a.Point/a.Low), math.Log(b.High/b.Point)))
	}
	r.High = r.Point * math.Exp(math.Hypot(math.Log(a.High/a.Point), math.Log(b.Point/b.Low)))
	return r
}
