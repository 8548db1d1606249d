package chain

import (
	"math"
	"slices"
)

var never = float32(math.Inf(-1))

// lattice is a decoder's reusable memory. Scores are in the order of crf.fresh,
// crf.closed and crf.inside, so that the loops over them run straight through.
type lattice struct {
	fresh        []float32
	closed, next []float32
	inside       []float32 // of I labels
	before       []int32   // by position: the label before every fresh one there, or mixed
	differ       []int32   // [steps, fresh]: that label, at positions that are mixed
	fromB        []bool    // [steps, 2*inside]: before this I, and before this E, stands a B and no I
	path         []int32
}

// mixed says that not the same label is best before every fresh one.
const mixed = -1

// decode returns the best legal path through steps positions, as label
// indices; the slice is valid until the next call. emission(t) returns the L
// emissions of position t. bias is subtracted from O's emission.
func (c *crf) decode(l *lattice, steps int, bias float32, emission func(t int) []float32) []int32 {
	l.reset(c, steps)
	fresh, closed, next, inside := l.fresh, l.closed, l.next, l.inside
	e := emission(0)
	for j, to := range c.fresh {
		fresh[j] = c.start[j] + e[to]
	}
	fresh[c.outside] -= bias
	for _, p := range c.both {
		closed[p.closed] = fresh[p.fresh]
	}
	for t := 1; t < steps; t++ {
		e := emission(t)
		fromB := l.fromB[t*2*len(inside) : (t+1)*2*len(inside)]
		for j := range c.inside {
			k := &c.inside[j]
			b, i := fresh[k.fresh], inside[j]
			toI, ii := b+k.bi, i+k.ii
			toE, ie := b+k.be, i+k.ie
			fromB[2*j], fromB[2*j+1] = toI >= ii, toE >= ie
			inside[j], next[k.closed] = max(toI, ii)+e[k.i], max(toE, ie)+e[k.e]
		}
		top := greatest(closed)
		best := slices.Index(closed, top) // the first of equal ones
		for j, s := range c.step[best][:len(fresh)] {
			fresh[j] = top + s
		}
		l.before[t] = c.closed[best]
		for i, score := range closed { // else best is as good as any for every target
			if score-top > c.least[best] && i != best {
				c.except(l, t, best)
				break
			}
		}
		for j, to := range c.fresh[:len(fresh)] {
			fresh[j] += e[to]
		}
		fresh[c.outside] -= bias
		for _, p := range c.both {
			next[p.closed] = fresh[p.fresh]
		}
		closed, next = next, closed
		l.closed, l.next = closed, next
	}
	return c.trace(l, steps)
}

// greatest returns the greatest of some numbers, one at least.
func greatest(numbers []float32) float32 {
	a := numbers[0]
	b, c, d := a, a, a // four, which do not wait for each other; O, mostly the greatest, is mostly the first
	for ; len(numbers) >= 4; numbers = numbers[4:] {
		if numbers[0] > a {
			a = numbers[0]
		}
		if numbers[1] > b {
			b = numbers[1]
		}
		if numbers[2] > c {
			c = numbers[2]
		}
		if numbers[3] > d {
			d = numbers[3]
		}
	}
	for _, x := range numbers {
		if x > a {
			a = x
		}
	}
	return max(a, b, c, d)
}

// reset makes room for a window.
func (l *lattice) reset(c *crf, steps int) {
	l.fresh, l.inside = grow(l.fresh, len(c.fresh)), grow(l.inside, len(c.inside))
	l.closed, l.next = grow(l.closed, len(c.closed)), grow(l.next, len(c.closed))
	for i := range l.closed {
		l.closed[i] = never
	}
	for i := range l.inside {
		l.inside[i] = never
	}
	l.before, l.path = grow(l.before, steps), grow(l.path, steps)
	l.differ, l.fromB = grow(l.differ, steps*len(c.fresh)), grow(l.fromB, steps*2*len(c.inside))
}

// except looks for the fresh labels of position t that are reached better from another
// closed label than the best.
func (c *crf) except(l *lattice, t, best int) {
	top, margin := l.closed[best], c.margin[best]
	differ := l.differ[t*len(c.fresh) : (t+1)*len(c.fresh)]
	for i, score := range l.closed {
		if i == best || score-top <= margin[i] {
			continue // best is at least as good for every target
		}
		if l.before[t] != mixed {
			for j := range differ {
				differ[j] = l.before[t]
			}
			l.before[t] = mixed
		}
		for j, s := range c.step[i] {
			if s := score + s; s > l.fresh[j] {
				l.fresh[j], differ[j] = s, c.closed[i]
			}
		}
	}
}

// trace follows the best path back from its end.
func (c *crf) trace(l *lattice, steps int) []int32 {
	last, score := c.closed[0], never
	for i, from := range c.closed {
		if s := l.closed[i] + c.end[i]; s > score {
			last, score = from, s
		}
	}
	for t := steps - 1; t > 0; t-- {
		l.path[t] = last
		at := c.places[last]
		switch c.labels[last].prefix {
		case 'I', 'E':
			k := &c.inside[at]
			fromB := l.fromB[2*(t*len(c.inside)+int(at)):]
			if c.labels[last].prefix == 'E' {
				fromB = fromB[1:]
			}
			if last = k.i; fromB[0] {
				last = k.b
			}
		default:
			if last = l.before[t]; last == mixed {
				last = l.differ[t*len(c.fresh)+int(at)]
			}
		}
	}
	l.path[0] = last
	return l.path
}
