package rules

// rows holds the transitions of a lazy automaton that are known so far. Walks
// touch one transition of half of its states and more than four of a fifth
// only, so the first of each state lie together in a head of 16 bytes, and a
// state gets a row with a cell per class when these are not enough. In rows
// alone nearly every step would miss the cache.
type rows struct {
	stride int
	heads  []head // by state
	cells  []uint16
}

// head is the first transitions of a state in the order of their discovery, or
// the start of its row in the cells.
type head struct {
	row   uint32 // 0 for none
	class [inHead]uint8
	next  [inHead]uint16 // 0 where there is none
}

const inHead = 4

func newRows(classes int) rows {
	const line = 32 // cells of a cache line
	return rows{stride: (classes + line - 1) / line * line}
}

// reset forgets all.
func (r *rows) reset() {
	r.heads = r.heads[:0]
	r.cells = append(r.cells[:0], make([]uint16, r.stride)...) // row 0 stands for none
}

// set enters a transition that is not known yet.
func (r *rows) set(s uint16, k int, next uint16) {
	h := &r.heads[s]
	if h.row == 0 {
		for i := range h.next {
			if h.next[i] == 0 {
				h.class[i], h.next[i] = uint8(k), next
				return
			}
		}
		h.row = uint32(len(r.cells))
		r.cells = append(r.cells, make([]uint16, r.stride)...)
		for i, k := range h.class {
			r.cells[h.row+uint32(k)] = h.next[i]
		}
	}
	r.cells[h.row+uint32(k)] = next
}

// get returns the transition of s on class k, 0 where it is not known.
func (r *rows) get(s uint16, k int) uint16 {
	h := &r.heads[s]
	c := uint8(k)
	switch {
	case h.row > 0:
		return r.cells[int(h.row)+k]
	case h.class[0] == c:
		return h.next[0]
	case h.class[1] == c:
		return h.next[1]
	case h.class[2] == c:
		return h.next[2]
	case h.class[3] == c:
		return h.next[3]
	}
	return 0
}
