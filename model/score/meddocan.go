package score

import "slices"

// MEDDOCAN's subtrack 2B (MEDDOCAN-Evaluation-Script at 843152c): spans are
// joined across text without letters or numbers, and what lies within a joined
// span that both sides share is no mistake any more.

// merging is memory reused by countMerged.
type merging struct {
	strict, joined [2][]interval
	hits           []interval
}

func (s *Scorer) countMerged(text string) {
	m := &s.merging
	for side := range m.strict {
		strict := m.strict[side][:0]
		for _, x := range s.spans[side] {
			i := interval{x.start, x.end}
			if n := len(strict); n == 0 || strict[n-1] != i {
				strict = append(strict, i)
			}
		}
		m.strict[side] = strict
		m.joined[side] = join(m.joined[side][:0], text, strict)
	}
	hits := common(m.hits[:0], m.strict[goldSide], m.strict[systemSide])
	hits = common(hits, m.joined[goldSide], m.joined[systemSide])
	slices.SortFunc(hits, compareIntervals)
	hits = slices.Compact(hits)
	m.hits = hits
	s.sums[mergedColumn] = Counts{
		TP: len(hits),
		FP: outside(m.strict[systemSide], m.strict[goldSide], hits),
		FN: outside(m.strict[goldSide], m.strict[systemSide], hits),
	}
}

// join folds a sorted list from the left as the script does: the last span and
// the next become (last's start, next's end) if no character between them is
// alphanumeric. Nothing lies between spans that touch or overlap, so those
// join too, and a next that is nested in the last shortens it.
func join(dst []interval, text string, spans []interval) []interval {
	for _, y := range spans {
		if n := len(dst); n > 0 {
			x := &dst[n-1]
			if x.end >= y.start || !hasAlphanumeric(text[x.end:y.start]) {
				x.end = y.end
				continue
			}
		}
		dst = append(dst, y)
	}
	return dst
}

func compareIntervals(a, b interval) int {
	if a.start != b.start {
		return a.start - b.start
	}
	return a.end - b.end
}

// common appends the intervals that stand in both sorted lists.
func common(dst, a, b []interval) []interval {
	for len(a) > 0 && len(b) > 0 {
		switch c := compareIntervals(a[0], b[0]); {
		case c < 0:
			a = a[1:]
		case c > 0:
			b = b[1:]
		default:
			dst = append(dst, a[0])
			a, b = a[1:], b[1:]
		}
	}
	return dst
}

// outside counts the intervals of a that are neither in b nor contained in one
// of hits. All lists are sorted.
func outside(a, b, hits []interval) int {
	n, reach := 0, -1 // reach: furthest end of the hits that start at or before x
	for _, x := range a {
		for len(hits) > 0 && hits[0].start <= x.start {
			reach = max(reach, hits[0].end)
			hits = hits[1:]
		}
		for len(b) > 0 && compareIntervals(b[0], x) < 0 {
			b = b[1:]
		}
		if reach < x.end && (len(b) == 0 || b[0] != x) {
			n++
		}
	}
	return n
}
