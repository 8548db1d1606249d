package main

import "math"

// fit returns the exponent k of y = a x^k by least squares on logarithms, over
// the points whose y is above zero. ok is false with fewer than three of them.
func fit(xs, ys []float64) (k float64, ok bool) {
	var n, sx, sy, sxx, sxy float64
	for i := range xs {
		if xs[i] <= 0 || ys[i] <= 0 {
			continue
		}
		x, y := math.Log(xs[i]), math.Log(ys[i])
		n++
		sx += x
		sy += y
		sxx += x * x
		sxy += x * y
	}
	d := n*sxx - sx*sx
	if n < 3 || d <= 0 {
		return 0, false
	}
	return (n*sxy - sx*sy) / d, true
}

// growth returns how a cost grows along a sweep: the exponent of what it has
// above base, the cost of a run over next to nothing. Points where that is
// less than a third of base say more about the base, and are left out.
func growth(points []point, base float64, cost func(point) float64) (k float64, ok bool) {
	var xs, ys []float64
	for _, p := range points {
		if over := cost(p) - base; p.Outcome == "ok" && over > base/3 {
			xs = append(xs, float64(p.X))
			ys = append(ys, over)
		}
	}
	return fit(xs, ys)
}

// lately returns the exponent between the last two points of a sweep, of what is above
// base. A fit over all of them hides growth that begins late; two points show noise.
func lately(points []point, base float64, cost func(point) float64) (k float64, ok bool) {
	if len(points) < 2 {
		return 0, false
	}
	a, b := points[len(points)-2], points[len(points)-1]
	if a.Outcome != "ok" || b.Outcome != "ok" || cost(a)-base <= base/3 || cost(b) <= base {
		return 0, false
	}
	return math.Log((cost(b)-base)/(cost(a)-base)) / math.Log(float64(b.X)/float64(a.X)), true
}

// cost returns the CPU seconds, memory and shuffled bytes of a point.
func cpu(p point) float64      { return p.CPU }
func peak(p point) float64     { return p.PeakMiB }
func shuffled(p point) float64 { return float64(p.Shuffled) }
func written(p point) float64  { return float64(p.Written) }
