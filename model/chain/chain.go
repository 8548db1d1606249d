// Package chain decodes a linear chain over BIOES labels, as every model that
// scores labels token by token needs: emissions in, spans out.
package chain

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// crf decodes a linear chain over BIOES labels by Viterbi, over legal
// transitions only: O, B-x or S-x may follow O, E-x or S-x; I-x or E-x of the
// same type may follow B-x or I-x; nothing else is possible, at the edges
// either. Keeping to them makes the search a sixth of the full one: "closed"
// labels (O, E, S) lead to "fresh" ones (O, B, S), and each type has a small
// chain of its own for what lies inside a span.
type crf struct {
	labels []label
	kinds  []string // the types in the labels, in the order of their first label

	closed []int32 // labels after which a span may begin: O, E-x, S-x
	fresh  []int32 // labels that may follow them: O, B-x, S-x
	inside []chain

	start []float32   // of fresh labels, in their order
	end   []float32   // of closed labels, in their order
	step  [][]float32 // [closed][fresh]

	// margin[b][i] is how far below closed label b another one, i, must score
	// to lose to it for every fresh label: the exact pruning rule.
	margin [][]float32
}

// label is one BIOES label, taken apart.
type label struct {
	prefix byte // O, B, I, E or S
	kind   int  // index in crf.kinds; 0 for O
}

// chain holds the labels of one type and the scores of the steps inside a span.
type chain struct {
	b, i, e        int32
	bi, be, ii, ie float32
}

// newCRF builds a decoder. transitions holds, row-major, [L+2, L]: the score of
// label "column" after label "row", then a row of start scores and one of end
// scores, for the L labels.
func newCRF(names []string, transitions []float32) (*crf, error) {
	n := len(names)
	if len(transitions) != (n+2)*n {
		return nil, fmt.Errorf("%d numbers for %d labels, want %d", len(transitions), n, (n+2)*n)
	}
	at := func(from, to int32) float32 { return transitions[int(from)*n+int(to)] }
	c := &crf{}
	index := map[label]int32{}
	for i, name := range names {
		l, err := c.parse(name)
		if err != nil {
			return nil, err
		}
		if _, ok := index[l]; ok {
			return nil, fmt.Errorf("label %q occurs twice", name)
		}
		c.labels = append(c.labels, l)
		index[l] = int32(i)
		switch l.prefix {
		case 'O':
			c.closed = append(c.closed, int32(i))
			c.fresh = append(c.fresh, int32(i))
		case 'S':
			c.closed = append(c.closed, int32(i))
			c.fresh = append(c.fresh, int32(i))
		case 'B':
			c.fresh = append(c.fresh, int32(i))
		case 'E':
			c.closed = append(c.closed, int32(i))
		}
	}
	if _, ok := index[label{prefix: 'O'}]; !ok {
		return nil, fmt.Errorf("no label is O")
	}
	for _, l := range c.labels {
		if l.prefix != 'B' {
			continue
		}
		b := index[l]
		i, okI := index[label{'I', l.kind}]
		e, okE := index[label{'E', l.kind}]
		if !okI || !okE {
			return nil, fmt.Errorf("type %s has a B label but no I or no E", c.kinds[l.kind])
		}
		c.inside = append(c.inside, chain{b: b, i: i, e: e, bi: at(b, i), be: at(b, e), ii: at(i, i), ie: at(i, e)})
	}
	if len(c.labels) != len(c.inside)*3+singles(c.labels)+1 {
		return nil, fmt.Errorf("an I or E label lacks its B")
	}
	for _, to := range c.fresh {
		c.start = append(c.start, at(int32(n), to))
	}
	for _, from := range c.closed {
		c.end = append(c.end, at(int32(n+1), from))
		row := make([]float32, len(c.fresh))
		for j, to := range c.fresh {
			row[j] = at(from, to)
		}
		c.step = append(c.step, row)
	}
	c.margin = make([][]float32, len(c.closed))
	for b := range c.closed {
		c.margin[b] = make([]float32, len(c.closed))
		for i := range c.closed {
			least := float32(math.Inf(1))
			for j := range c.fresh {
				least = min(least, c.step[b][j]-c.step[i][j])
			}
			c.margin[b][i] = least
		}
	}
	return c, nil
}

func singles(labels []label) (n int) {
	for _, l := range labels {
		if l.prefix == 'S' {
			n++
		}
	}
	return n
}

// parse takes a label's name apart and adds its type to c.kinds.
func (c *crf) parse(name string) (label, error) {
	if name == "O" {
		return label{prefix: 'O'}, nil
	}
	prefix, kind, ok := strings.Cut(name, "-")
	if !ok || kind == "" || len(prefix) != 1 || !strings.Contains("BIES", prefix) {
		return label{}, fmt.Errorf("label %q is not O nor B-, I-, E- or S- with a type", name)
	}
	i := slices.Index(c.kinds, kind)
	if i < 0 {
		i = len(c.kinds)
		c.kinds = append(c.kinds, kind)
	}
	return label{prefix[0], i}, nil
}

var never = float32(math.Inf(-1))

// lattice is a decoder's reusable memory.
type lattice struct {
	previous, current []float32
	back              []int32 // [steps, labels]
	path              []int32
}

// decode returns the best legal path through steps positions, as label
// indices; the slice is valid until the next call. emission(t) returns the L
// emissions of position t. bias is subtracted from O's emission.
func (c *crf) decode(l *lattice, steps int, bias float32, emission func(t int) []float32) []int32 {
	n := len(c.labels)
	l.previous = grow(l.previous, n)
	l.current = grow(l.current, n)
	l.back = grow(l.back, steps*n)
	l.path = grow(l.path, steps)

	prev, cur := l.previous, l.current
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
		back := l.back[t*n : (t+1)*n]
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
		l.path[t] = last
		last = l.back[t*n+int(last)]
	}
	l.path[0] = last
	return l.path
}

// grow returns s with length n, reallocated only where its capacity is short.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
