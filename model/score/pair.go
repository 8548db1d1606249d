package score

import (
	"cmp"
	"slices"
)

// Pairing of gold spans with system spans, one to one, on sets of distinct
// (category, offsets, type):
//
//  1. equal offsets and type: right;
//  2. equal offsets, other type, in order of type: a type error, as in table
//     12 of Lee et al. 2017, whose missing and spurious are all other spans;
//  3. of the rest, the two that share the most bytes, then the next; among
//     equals those of one type first, then the earlier ones: a boundary error.
//     Of more than maxPartners spans that overlap one gold span the best are
//     considered, so that nested spans by the thousand do not fill the memory.
//
// Confusion stops after the second step, ConfusionOverlap and the kinds of
// mistakes after the third.

// pairing is memory reused by pair.
type pairing struct {
	rest       [2][]span // without a partner after step 2, in text order
	used       [2][]bool
	candidates []candidate
	best       []candidate // of each span of rest, system being an index into the other side's spans
}

// maxPartners bounds the system spans considered for one gold span.
const maxPartners = 32

type candidate struct {
	gold, system int // index into rest
	shared       int // bytes
	same         bool
}

// pair counts confusions and curves and lists the document's mistakes.
func (s *Scorer) pair(d *Document) {
	p := &s.pairing
	p.rest[goldSide], p.rest[systemSide] = p.rest[goldSide][:0], p.rest[systemSide][:0]
	s.mistakes = s.mistakes[:0]
	equalOffsets(s.spans[goldSide], s.spans[systemSide], func(gold, system []span) {
		s.pairEqual(d, gold, system)
	})
	s.pairOverlapping(d)
	if len(s.mistakes) > 1 {
		slices.SortStableFunc(s.mistakes, compareMistakes)
	}
}

// pairEqual does steps 1 and 2 for spans of equal offsets.
func (s *Scorer) pairEqual(d *Document, gold, system []span) {
	p := &s.pairing
	g0, y0 := len(p.rest[goldSide]), len(p.rest[systemSide])
	for len(gold) > 0 || len(system) > 0 {
		switch {
		case len(system) == 0 || len(gold) > 0 && s.compareTags(gold[0], system[0]) < 0:
			n, _ := same(gold)
			p.rest[goldSide] = append(p.rest[goldSide], gold[0])
			gold = gold[n:]
		case len(gold) == 0 || s.compareTags(system[0], gold[0]) < 0:
			n, best := same(system)
			p.rest[systemSide] = append(p.rest[systemSide], best)
			s.curves[s.label(best)].add(best.score, false)
			system = system[n:]
		default:
			n, _ := same(gold)
			m, best := same(system)
			label := s.label(best)
			s.curves[label].add(best.score, true)
			s.exact.add(label, label)
			s.overlap.add(label, label)
			gold, system = gold[n:], system[m:]
		}
	}
	// What is left of these offsets differs in type.
	g, y := p.rest[goldSide][g0:], p.rest[systemSide][y0:]
	n := min(len(g), len(y))
	for i := range n {
		a, b := s.label(g[i]), s.label(y[i])
		s.exact.add(a, b)
		s.overlap.add(a, b)
		s.mistake(d, WrongType, &g[i], &y[i], true, true)
	}
	p.rest[goldSide] = append(p.rest[goldSide][:g0], g[n:]...)
	p.rest[systemSide] = append(p.rest[systemSide][:y0], y[n:]...)
	for _, x := range p.rest[goldSide][g0:] {
		s.exact.missing[s.label(x)]++
	}
	for _, x := range p.rest[systemSide][y0:] {
		s.exact.spurious[s.label(x)]++
	}
}

// same returns how many of the leading spans have the first one's category and
// type besides its offsets, and the one of them with the highest score.
func same(spans []span) (n int, best span) {
	best = spans[0]
	for n = 1; n < len(spans) && spans[n].strict == spans[0].strict; n++ {
		if spans[n].score > best.score {
			best = spans[n]
		}
	}
	return n, best
}

// pairOverlapping does step 3 and reports all that is left.
func (s *Scorer) pairOverlapping(d *Document) {
	p := &s.pairing
	gold, system := p.rest[goldSide], p.rest[systemSide]
	p.candidates = p.candidates[:0]
	first := 0 // of the candidates of one gold span, which are kept in order
	overlapping(gold, system, func(g, y, shared int) {
		c := candidate{g, y, shared, s.label(gold[g]) == s.label(system[y])}
		if n := len(p.candidates); n > 0 && p.candidates[n-1].gold != g {
			first = n
		}
		if n := len(p.candidates); n-first == maxPartners {
			if compareCandidates(c, p.candidates[n-1]) > 0 {
				return
			}
			p.candidates = p.candidates[:n-1]
		}
		at, _ := slices.BinarySearchFunc(p.candidates[first:], c, compareCandidates)
		p.candidates = slices.Insert(p.candidates, first+at, c)
	})
	slices.SortFunc(p.candidates, compareCandidates)
	p.used[goldSide] = cleared(p.used[goldSide], len(gold))
	p.used[systemSide] = cleared(p.used[systemSide], len(system))
	for _, c := range p.candidates {
		if p.used[goldSide][c.gold] || p.used[systemSide][c.system] {
			continue
		}
		p.used[goldSide][c.gold], p.used[systemSide][c.system] = true, true
		g, y := &gold[c.gold], &system[c.system]
		s.overlap.add(s.label(*g), s.label(*y))
		s.mistake(d, s.boundaryKind(g, y), g, y, true, true)
	}
	s.leftOver(d, goldSide)
	s.leftOver(d, systemSide)
}

// compareCandidates puts the better pair first.
func compareCandidates(a, b candidate) int {
	if a.shared == b.shared && a.same != b.same {
		if a.same {
			return -1
		}
		return 1
	}
	return cmp.Or(b.shared-a.shared, a.gold-b.gold, a.system-b.system)
}

// leftOver reports the spans of one side without a partner. Those that overlap
// a span of the other side all the same, which has another partner, are
// boundary errors; the mistake names the span that shares the most bytes.
func (s *Scorer) leftOver(d *Document, side int) {
	p := &s.pairing
	rest, other := p.rest[side], s.spans[1-side]
	p.best = p.best[:0]
	for range rest {
		p.best = append(p.best, candidate{system: -1})
	}
	overlapping(rest, other, func(i, j, shared int) {
		if shared > p.best[i].shared {
			p.best[i] = candidate{system: j, shared: shared}
		}
	})
	for i := range rest {
		if p.used[side][i] {
			continue
		}
		x := &rest[i]
		label, j := s.label(*x), p.best[i].system
		if side == goldSide {
			s.overlap.missing[label]++
			if j < 0 {
				s.mistake(d, Missed, x, nil, true, false)
			} else {
				s.mistake(d, s.boundaryKind(x, &other[j]), x, &other[j], true, false)
			}
			continue
		}
		s.overlap.spurious[label]++
		if j < 0 {
			s.over.Spans++
			s.mistake(d, Spurious, nil, x, false, true)
		} else {
			s.mistake(d, s.boundaryKind(&other[j], x), &other[j], x, false, true)
		}
	}
}

func (s *Scorer) boundaryKind(g, y *span) Kind {
	if s.label(*g) == s.label(*y) {
		return WrongBoundary
	}
	return WrongBoundaryAndType
}

func (s *Scorer) label(x span) int32 { return s.classes[x.class].label }

// overlapping calls f for each pair of overlapping spans of two lists sorted
// by start, with the number of bytes they share.
func overlapping(a, b []span, f func(i, j, shared int)) {
	low := 0 // no span of b before it reaches into a[i] or any later one
	for i, x := range a {
		for low < len(b) && b[low].end <= x.start {
			low++
		}
		for j := low; j < len(b) && b[j].start < x.end; j++ {
			if shared := min(x.end, b[j].end) - max(x.start, b[j].start); shared > 0 {
				f(i, j, shared)
			}
		}
	}
}

func cleared(b []bool, n int) []bool {
	b = slices.Grow(b[:0], n)[:n]
	clear(b)
	return b
}

// compareMistakes orders by the first byte, the last byte, then the gold and
// the system span.
func compareMistakes(a, b Mistake) int {
	startA, endA := a.extent()
	startB, endB := b.extent()
	return cmp.Or(startA-startB, endA-endB, compareSides(a.Gold, b.Gold), compareSides(a.System, b.System))
}

func compareSides(a, b *Annotation) int {
	if a == nil || b == nil {
		return 0
	}
	return cmp.Or(a.Start-b.Start, a.End-b.End)
}

// extent returns the bytes that the mistake's spans cover together.
func (m *Mistake) extent() (start, end int) {
	switch {
	case m.Gold == nil:
		return m.System.Start, m.System.End
	case m.System == nil:
		return m.Gold.Start, m.Gold.End
	default:
		return min(m.Gold.Start, m.System.Start), max(m.Gold.End, m.System.End)
	}
}
