package estimate

import "math"

// normal975 is the 97.5 % quantile of the normal distribution.
const normal975 = 1.959963984540054

// betaCDF is the regularised incomplete beta function I_x(a, b), by Lentz's
// continued fraction (DLMF 8.17.22).
func betaCDF(x, a, b float64) float64 {
	switch {
	case x <= 0:
		return 0
	case x >= 1:
		return 1
	case x > (a+1)/(a+b+2):
		return 1 - betaCDF(1-x, b, a)
	}
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	front := math.Exp(lab-la-lb+a*math.Log(x)+b*math.Log1p(-x)) / a
	const tiny = 1e-300
	c, d := 1.0, 1/(nonzero(1-(a+b)*x/(a+1), tiny))
	h := d
	for m := 1.0; m < 10_000; m++ {
		even := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		d, c = 1/nonzero(1+even*d, tiny), nonzero(1+even/c, tiny)
		h *= d * c
		odd := -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		d, c = 1/nonzero(1+odd*d, tiny), nonzero(1+odd/c, tiny)
		h *= d * c
		if math.Abs(d*c-1) < 1e-13 {
			break
		}
	}
	return front * h
}

func nonzero(x, tiny float64) float64 {
	if math.Abs(x) < tiny {
		return tiny
	}
	return x
}

// gammaCDF is the regularised lower incomplete gamma function P(a, x): a series
// below a+1 (DLMF 8.11.4), a continued fraction above (DLMF 8.9.2).
func gammaCDF(x, a float64) float64 {
	if x <= 0 {
		return 0
	}
	la, _ := math.Lgamma(a)
	front := math.Exp(a*math.Log(x) - x - la)
	if x < a+1 {
		term, sum := 1/a, 1/a
		for n := 1.0; n < 100_000 && term > sum*1e-15; n++ {
			term *= x / (a + n)
			sum += term
		}
		return front * sum
	}
	const tiny = 1e-300
	b := x + 1 - a
	c, d := 1/tiny, 1/nonzero(b, tiny)
	h := d
	for n := 1.0; n < 100_000; n++ {
		an := -n * (n - a)
		b += 2
		d, c = 1/nonzero(an*d+b, tiny), nonzero(b+an/c, tiny)
		h *= d * c
		if math.Abs(d*c-1) < 1e-13 {
			break
		}
	}
	return 1 - front*h
}

// bisect returns the x between low and high at which the increasing function f
// is 0.
func bisect(low, high float64, f func(float64) float64) float64 {
	for range 200 {
		mid := (low + high) / 2
		if mid == low || mid == high || high-low < 1e-12*math.Max(1e-3, high) {
			break
		}
		if f(mid) < 0 {
			low = mid
		} else {
			high = mid
		}
	}
	return (low + high) / 2
}

func betaQuantile(p, a, b float64) float64 {
	return bisect(0, 1, func(x float64) float64 { return betaCDF(x, a, b) - p })
}

func gammaQuantile(p, a float64) float64 {
	high := a + 10
	for gammaCDF(high, a) < p {
		high *= 2
	}
	return bisect(0, high, func(x float64) float64 { return gammaCDF(x, a) - p })
}

// T975 is the 97.5 % quantile of Student's t distribution.
func T975(df float64) float64 {
	if df > 1e6 {
		return normal975
	}
	// t² / (df + t²) has a beta distribution of 1/2 and df/2.
	x := betaQuantile(0.95, 0.5, df/2)
	return math.Sqrt(df * x / (1 - x))
}
