package main

import (
	"bytes"
	"fmt"
	"go/format"
	"hash/fnv"
	"math"

	"github.com/palimpsest-deid/palimpsest/model/pairs"
)

// ridge is what the weights' squares cost, in nats; the bias costs nothing.
const ridge = 2

// folds are the parts that patients are divided into by cross-validation.
const folds = 10

// fitted returns the weights of a logistic regression, by Newton's method.
func fitted(all []sample) (w pairs.Features) {
	const n = pairs.Count
	for range 30 {
		var slope [n]float64
		var curve [n][n]float64
		for i := range n {
			curve[i][i] = 1e-6
			if i > 0 {
				slope[i], curve[i][i] = -ridge*w[i], ridge
			}
		}
		for _, s := range all {
			p := s.features.Chance(&w)
			y := 0.0
			if s.date {
				y = 1
			}
			for i, x := range s.features {
				if x == 0 {
					continue
				}
				slope[i] += (y - p) * x
				for j := range i + 1 {
					curve[i][j] += p * (1 - p) * x * s.features[j]
				}
			}
		}
		step := solved(&curve, slope)
		most := 0.0
		for i := range n {
			w[i] += step[i]
			most = max(most, math.Abs(step[i]))
		}
		if most < 1e-9 {
			break
		}
	}
	return w
}

// solved returns x of A x = b, by the Cholesky factors of A, whose lower half is given and
// overwritten.
func solved(a *[pairs.Count][pairs.Count]float64, b [pairs.Count]float64) (x [pairs.Count]float64) {
	for i := range a {
		for j := range i + 1 {
			sum := a[i][j]
			for k := range j {
				sum -= a[i][k] * a[j][k]
			}
			if i == j {
				a[i][i] = math.Sqrt(sum)
			} else {
				a[i][j] = sum / a[j][j]
			}
		}
	}
	for i := range a {
		x[i] = b[i]
		for k := range i {
			x[i] -= a[i][k] * x[k]
		}
		x[i] /= a[i][i]
	}
	for i := len(a) - 1; i >= 0; i-- {
		for k := i + 1; k < len(a); k++ {
			x[i] -= a[k][i] * x[k]
		}
		x[i] /= a[i][i]
	}
	return x
}

func chances(all []sample, w pairs.Features) []float64 {
	out := make([]float64, len(all))
	for i, s := range all {
		out[i] = s.features.Chance(&w)
	}
	return out
}

// crossed returns the chances of pairs by weights that were fitted on other patients' alone.
func crossed(all []sample) []float64 {
	fold := func(s sample) int {
		h := fnv.New32a()
		h.Write([]byte(s.patient))
		return int(h.Sum32() % folds)
	}
	out := make([]float64, len(all))
	for k := range folds {
		var rest []sample
		for _, s := range all {
			if fold(s) != k {
				rest = append(rest, s)
			}
		}
		w := fitted(rest)
		for i, s := range all {
			if fold(s) == k {
				out[i] = s.features.Chance(&w)
			}
		}
	}
	return out
}

var thresholds = []float64{0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4}

func header() {
	fmt.Print("| notes | dates | other pairs |")
	for _, t := range thresholds {
		fmt.Printf(" %g |", t)
	}
	fmt.Print("\n|---|--:|--:|")
	for range thresholds {
		fmt.Print("--:|")
	}
	fmt.Println()
}

// rows prints a row for each set.
func rows(all []sample, by []float64) {
	for from := 0; from < len(all); {
		to := from
		for to < len(all) && all[to].set == all[from].set {
			to++
		}
		part, chances := all[from:to], by[from:to]
		dates := 0
		for _, s := range part {
			if s.date {
				dates++
			}
		}
		fmt.Printf("| %s | %d | %d |", part[0].set, dates, len(part)-dates)
		count := func(take func(i int) bool) {
			left, taken := 0, 0
			for i, s := range part {
				switch {
				case s.date && !take(i):
					left++
				case !s.date && take(i):
					taken++
				}
			}
			fmt.Printf(" %d, %d |", left, taken)
		}
		for _, t := range thresholds {
			count(func(i int) bool { return chances[i] >= t })
		}
		fmt.Println()
		from = to
	}
}

// code returns the Go file of weights.
func code(seen, unseen pairs.Features) []byte {
	var b bytes.Buffer
	b.WriteString("package pairs\n\n" +
		"// Weights of the features, by make pairs: where a network tells its chance, and where none does.\nvar (\n")
	for _, x := range []struct {
		name string
		w    pairs.Features
	}{{"seen", seen}, {"unseen", unseen}} {
		fmt.Fprintf(&b, "%s = Features{\n", x.name)
		for i, w := range x.w {
			fmt.Fprintf(&b, "%.3f, // %s\n", w, pairs.Name(i))
		}
		b.WriteString("}\n")
	}
	b.WriteString(")\n")
	formatted, err := format.Source(b.Bytes())
	if err != nil {
		panic(err)
	}
	return formatted
}
