package gate

import (
	"math"
	"slices"
)

// Counted is what drift compares of a release: spans by type, and how much text
// they were found in.
type Counted struct {
	Tokens int64
	ByType map[string]int64
}

// Change is how often something is found in a release and in a former one, per
// 1,000 tokens.
type Change struct {
	What          string
	Before, After float64
	Clear         bool // more than chance explains
}

// Percent returns the change of a rate, in percent of the former one, without its
// direction. Something new of which there was nothing has changed by 100.
func (c Change) Percent() float64 {
	if c.Before == 0 {
		if c.After == 0 {
			return 0
		}
		return 100
	}
	return 100 * math.Abs(c.After-c.Before) / c.Before
}

// fewSpans is how many spans a type has to have in one of two releases to be
// compared.
const fewSpans = 50

// clear is from how many standard errors on a difference is more than chance:
// identifiers of a note come together, so that their counts vary more than
// Poisson's.
const clearly = 6

// Changes compares all spans, and those of each type of which there are enough, in
// order of type.
func Changes(former, now Counted) (all []Change) {
	add := func(what string, a, b int64) {
		if former.Tokens == 0 || now.Tokens == 0 || max(a, b) < fewSpans {
			return
		}
		x, y := float64(a)/float64(former.Tokens), float64(b)/float64(now.Tokens)
		se := math.Sqrt(float64(a)/sq(former.Tokens) + float64(b)/sq(now.Tokens))
		all = append(all, Change{what, 1000 * x, 1000 * y, math.Abs(x-y) > clearly*se})
	}
	var a, b int64
	var types []string
	for t, n := range former.ByType {
		a += n
		types = append(types, t)
	}
	for t, n := range now.ByType {
		b += n
		types = append(types, t)
	}
	add("all identifiers", a, b)
	slices.Sort(types)
	for _, t := range slices.Compact(types) {
		add(t, former.ByType[t], now.ByType[t])
	}
	return all
}

func sq(n int64) float64 { return float64(n) * float64(n) }
