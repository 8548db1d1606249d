package score

import (
	"cmp"
	"slices"
	"strings"
)

// span is an annotation of one side of one document while it is counted.
type span struct {
	start, end int
	class      int32 // index into Scorer.classes
	strict     int32 // category and label, case folded
	order      int32 // place in the document's list, after mapping
	score      float32
}

// class is what a pair of category and label, as written, means to the
// measures. Ids are dense and given in order of first sight.
type class struct {
	strict   int32 // category and label, case folded
	exact    int32 // label, as written
	category int32 // category, case folded
	label    int32 // label, case folded
	subsets  uint8 // inAll and so on
	bare     bool  // the element PHI: see binaryKey
}

// The bits of class.subsets.
const (
	inAll uint8 = 1 << iota
	inScript
	inDocumented
)

const numSubsets = 3

// compareSpans orders spans by offsets, then by category and type, then by
// place in the file.
func (s *Scorer) compareSpans(a, b span) int {
	switch {
	case a.start != b.start:
		return a.start - b.start
	case a.end != b.end:
		return a.end - b.end
	case a.strict != b.strict:
		return s.compareTags(a, b)
	default:
		return int(a.order - b.order)
	}
}

// compareTags orders spans by name of category and type. Names, because ids
// depend on the order of documents, and which spans are paired must not.
func (s *Scorer) compareTags(a, b span) int {
	if a.strict == b.strict {
		return 0
	}
	x, y := s.classes[a.class], s.classes[b.class]
	return cmp.Or(strings.Compare(s.labels[x.label], s.labels[y.label]), strings.Compare(s.categories[x.category], s.categories[y.category]))
}

// compareRuns orders tokens by offsets, then by class.
func compareRuns(a, b span) int {
	return cmp.Or(a.start-b.start, a.end-b.end, int(a.class-b.class))
}

func sortBy(list []span, compare func(a, b span) int) {
	if !slices.IsSortedFunc(list, compare) {
		slices.SortFunc(list, compare)
	}
}

// interval is a stretch of bytes.
type interval struct{ start, end int }

// union appends the disjoint, sorted, non-empty intervals that cover what the
// sorted spans cover.
func union(dst []interval, spans []span) []interval {
	for _, s := range spans {
		switch n := len(dst); {
		case s.start == s.end:
		case n > 0 && s.start <= dst[n-1].end:
			dst[n-1].end = max(dst[n-1].end, s.end)
		default:
			dst = append(dst, interval{s.start, s.end})
		}
	}
	return dst
}

// touches reports whether any byte of [start, end) lies in the union, which is
// walked forwards from *at; starts must not fall from call to call.
func touches(u []interval, at *int, start, end int) bool {
	for *at < len(u) && u[*at].end <= start {
		*at++
	}
	return *at < len(u) && u[*at].start < end
}
