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
	kinds  []string  // the types in the labels, in the order of their first label
	ofKind [][]int32 // by type: its labels

	closed []int32 // labels after which a span may begin: O, E-x, S-x
	fresh  []int32 // labels that may follow them: O, B-x, S-x
	inside []chain

	start []float32   // of fresh labels, in their order
	end   []float32   // of closed labels, in their order
	step  [][]float32 // [closed][fresh]

	// margin[b][i] is how far below closed label b another one, i, must score
	// to lose to it for every fresh label: the exact pruning rule. least[b] is the
	// least of margin[b] for other labels than b.
	margin [][]float32
	least  []float32

	outside  int     // O among fresh labels
	both     []pair  // the labels that are closed and fresh: O and S
	closedAt []int   // by label: its place among closed ones, -1 for none
	places   []int32 // by label: of a fresh one its place among them, of I and E that of its type in inside
}

// pair is where a label is among closed and among fresh ones.
type pair struct{ closed, fresh int }

// label is one BIOES label, taken apart.
type label struct {
	prefix byte // O, B, I, E or S
	kind   int  // index in crf.kinds; 0 for O
}

// chain holds the labels of one type and the scores of the steps inside a span.
type chain struct {
	b, i, e        int32
	bi, be, ii, ie float32
	fresh          int // b among fresh labels
	closed         int // e among closed ones
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
	c.ofKind = make([][]int32, len(c.kinds))
	for i, l := range c.labels {
		if l.prefix != 'O' {
			c.ofKind[l.kind] = append(c.ofKind[l.kind], int32(i))
		}
	}
	c.order()
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
	c.margin, c.least = make([][]float32, len(c.closed)), make([]float32, len(c.closed))
	for b := range c.closed {
		c.margin[b] = make([]float32, len(c.closed))
		c.least[b] = float32(math.Inf(1))
		for i := range c.closed {
			least := float32(math.Inf(1))
			for j := range c.fresh {
				least = min(least, c.step[b][j]-c.step[i][j])
			}
			c.margin[b][i] = least
			if i != b {
				c.least[b] = min(c.least[b], least)
			}
		}
	}
	return c, nil
}

// order says where labels are among closed and fresh ones.
func (c *crf) order() {
	c.places, c.closedAt = make([]int32, len(c.labels)), make([]int, len(c.labels))
	for label := range c.closedAt {
		c.closedAt[label] = slices.Index(c.closed, int32(label))
	}
	for j, label := range c.fresh {
		c.places[label] = int32(j)
	}
	for i := range c.inside {
		k := &c.inside[i]
		k.fresh, k.closed = slices.Index(c.fresh, k.b), slices.Index(c.closed, k.e)
		c.places[k.i], c.places[k.e] = int32(i), int32(i)
	}
	for i, label := range c.closed {
		if j := slices.Index(c.fresh, label); j >= 0 {
			c.both = append(c.both, pair{i, j})
			if c.labels[label].prefix == 'O' {
				c.outside = j
			}
		}
	}
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

// grow returns s with length n, reallocated only where its capacity is short.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
