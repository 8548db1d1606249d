package chain

import (
	"math/rand"
	"slices"
	"testing"
)

// decodePlainly is decode by label, without the order that makes it fast.
func (c *crf) decodePlainly(steps int, bias float32, emission func(t int) []float32) []int32 {
	n := len(c.labels)
	prev, cur, all, path := make([]float32, n), make([]float32, n), make([]int32, steps*n), make([]int32, steps)
	for i := range prev {
		prev[i] = never
	}
	e := emission(0)
	for j, to := range c.fresh {
		prev[to] = c.start[j] + e[to]
	}
	outside := c.fresh[0]
	for _, to := range c.fresh {
		if c.labels[to].prefix == 'O' {
			outside = to
		}
	}
	prev[outside] -= bias

	for t := 1; t < steps; t++ {
		e := emission(t)
		back := all[t*n : (t+1)*n]
		best := 0
		for i, from := range c.closed {
			if prev[from] > prev[c.closed[best]] {
				best = i
			}
		}
		bestFrom := c.closed[best]
		top, row := prev[bestFrom], c.step[best]
		for j, to := range c.fresh {
			cur[to] = top + row[j]
			back[to] = bestFrom
		}
		margin := c.margin[best]
		for i, from := range c.closed {
			score := prev[from]
			if i == best || score-top <= margin[i] {
				continue // some other label is at least as good for every target
			}
			row := c.step[i]
			for j, to := range c.fresh {
				if s := score + row[j]; s > cur[to] {
					cur[to] = s
					back[to] = from
				}
			}
		}
		for j := range c.inside {
			k := &c.inside[j]
			b, i := prev[k.b], prev[k.i]
			cur[k.i], back[k.i] = b+k.bi, k.b
			if s := i + k.ii; s > cur[k.i] {
				cur[k.i], back[k.i] = s, k.i
			}
			cur[k.e], back[k.e] = b+k.be, k.b
			if s := i + k.ie; s > cur[k.e] {
				cur[k.e], back[k.e] = s, k.i
			}
		}
		for i := range cur {
			cur[i] += e[i]
		}
		cur[outside] -= bias
		prev, cur = cur, prev
	}

	last, score := c.closed[0], never
	for i, from := range c.closed {
		if s := prev[from] + c.end[i]; s > score {
			last, score = from, s
		}
	}
	for t := steps - 1; t > 0; t-- {
		path[t] = last
		last = all[t*n+int(last)]
	}
	path[0] = last
	return path
}

// Of equal scores both must take the same: what is released depends on it.
func TestDecodeTakesThePathOfPlainDecoding(t *testing.T) {
	r := rand.New(rand.NewSource(11))
	var l lattice
	for trial := range 3000 {
		labels := []string{"I-X", "O", "S-ALONE", "E-X"}
		for _, kind := range []string{"DATE", "PATIENT", "CITY"}[:r.Intn(4)] {
			labels = append(labels, "B-"+kind, "E-"+kind, "I-"+kind, "S-"+kind)
		}
		labels = append(labels, "B-X")
		n := len(labels)
		draw := func(scale float64) float32 {
			if trial%2 == 0 {
				return float32(r.Intn(4)) / 4 // many ties
			}
			return float32(r.NormFloat64() * scale)
		}
		transitions := make([]float32, (n+2)*n)
		for i := range transitions {
			transitions[i] = draw(1)
		}
		c, err := newCRF(labels, transitions)
		if err != nil {
			t.Fatal(err)
		}
		steps := 1 + r.Intn(12)
		emissions := make([]float32, steps*n)
		for i := range emissions {
			emissions[i] = draw([]float64{0.1, 1, 8}[trial%3])
		}
		emission := func(k int) []float32 { return emissions[k*n : (k+1)*n] }
		bias := []float32{0, 0.75}[r.Intn(2)]
		want := c.decodePlainly(steps, bias, emission)
		if got := c.decode(&l, steps, bias, emission); !slices.Equal(got, want) {
			t.Fatalf("trial %d: path %v, by plain decoding %v", trial, got, want)
		}
	}
}
