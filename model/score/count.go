package score

import (
	"cmp"
	"slices"
)

// tally holds the counts of one measure over each subset, by bit of
// class.subsets.
type tally [numSubsets]Counts

// add counts one key that stands in the gold set for the subsets of g and in
// the system set for those of s. A set filtered by a subset is the set of the
// keys of the annotations that pass, so both are unions of bits.
func (t *tally) add(g, s uint8) {
	for i := range t {
		bit := uint8(1) << i
		switch {
		case g&s&bit != 0:
			t[i].TP++
		case s&bit != 0:
			t[i].FP++
		case g&bit != 0:
			t[i].FN++
		}
	}
}

// entry is the count of one category or label in one document.
type entry struct {
	key        int32 // index * numSparse + what is counted
	tp, fp, fn uint32
}

// element is a member of a set of keys: a key, the subsets it belongs to and
// its side.
type element struct {
	key     int64
	class   int32
	subsets uint8
	gold    bool
}

// count counts the elements of a group, keys being equal only within it.
// Elements are sorted in place; f is called once for each key with one of its
// classes.
func count(group []element, f func(class int32, gold, system uint8)) {
	if len(group) > 1 {
		slices.SortFunc(group, func(a, b element) int { return cmp.Compare(a.key, b.key) })
	}
	for i := 0; i < len(group); {
		var g, s uint8
		j := i
		for ; j < len(group) && group[j].key == group[i].key; j++ {
			if group[j].gold {
				g |= group[j].subsets
			} else {
				s |= group[j].subsets
			}
		}
		f(group[i].class, g, s)
		i = j
	}
}

// equalOffsets walks two sorted lists and calls f for each pair of offsets
// with the spans of either side that have them.
func equalOffsets(gold, system []span, f func(gold, system []span)) {
	for len(gold) > 0 || len(system) > 0 {
		var start, end int
		switch {
		case len(system) == 0 || len(gold) > 0 && before(gold[0], system[0]):
			start, end = gold[0].start, gold[0].end
		default:
			start, end = system[0].start, system[0].end
		}
		g := prefix(gold, start, end)
		s := prefix(system, start, end)
		f(gold[:g], system[:s])
		gold, system = gold[g:], system[s:]
	}
}

func before(a, b span) bool { return a.start < b.start || a.start == b.start && a.end < b.end }

func prefix(spans []span, start, end int) int {
	n := 0
	for n < len(spans) && spans[n].start == start && spans[n].end == end {
		n++
	}
	return n
}
