package score

import "cmp"

// Relaxed: tags are equal if category, type and start are and the ends differ
// by at most two code points. The script changes the tags' equality itself, so
// that
//
//   - each set first collapses its own tags that have become equal, keeping
//     the first in the file: of ends 10, 12 and 14 it keeps 10 and 14;
//   - one tag may equal two of the other set, so TP + FN need not be the
//     number of gold tags; TP counts the members of the smaller set (system, if
//     both have one size) that have an equal in the other, FP those of system
//     without, FN those of gold without.

// relaxing holds the numbers of one subset in one document.
type relaxing struct {
	size, matched [2]int // by side
}

func (s *Scorer) countRelaxed(text string) {
	order := func(a, b span) int { return cmp.Or(sameStart(a, b), int(a.order-b.order)) }
	for side := range s.runs {
		s.runs[side] = append(s.runs[side][:0], s.spans[side]...)
		sortBy(s.runs[side], order)
	}
	gold, system := s.runs[goldSide], s.runs[systemSide]
	var counts [numSubsets]relaxing
	for len(gold) > 0 || len(system) > 0 {
		var first span
		if len(system) == 0 || len(gold) > 0 && sameStart(gold[0], system[0]) <= 0 {
			first = gold[0]
		} else {
			first = system[0]
		}
		g, y := 0, 0
		for g < len(gold) && sameStart(gold[g], first) == 0 {
			g++
		}
		for y < len(system) && sameStart(system[y], first) == 0 {
			y++
		}
		for i := range counts {
			s.relax(&counts[i], text, gold[:g], system[:y], uint8(1)<<i)
		}
		gold, system = gold[g:], system[y:]
	}
	for i, c := range counts {
		smaller := systemSide
		if c.size[goldSide] < c.size[systemSide] {
			smaller = goldSide
		}
		s.sums[relaxedColumns[i]] = Counts{
			TP: c.matched[smaller],
			FP: c.size[systemSide] - c.matched[systemSide],
			FN: c.size[goldSide] - c.matched[goldSide],
		}
	}
}

// sameStart orders spans by start, then category and type.
func sameStart(a, b span) int { return cmp.Or(a.start-b.start, int(a.strict-b.strict)) }

// relax counts the tags of one start, category and type that belong to a
// subset.
func (s *Scorer) relax(c *relaxing, text string, gold, system []span, subset uint8) {
	var buffers [2][8]int
	var kept [2][]int // ends
	for side, list := range [2][]span{gold, system} {
		kept[side] = buffers[side][:0]
		for _, x := range list {
			if s.classes[x.class].subsets&subset != 0 && !anyNear(text, kept[side], x.end) {
				kept[side] = append(kept[side], x.end)
			}
		}
	}
	for side := range kept {
		c.size[side] += len(kept[side])
		for _, end := range kept[side] {
			if anyNear(text, kept[1-side], end) {
				c.matched[side]++
			}
		}
	}
}

func anyNear(text string, ends []int, end int) bool {
	for _, e := range ends {
		if near(text, e, end) {
			return true
		}
	}
	return false
}
