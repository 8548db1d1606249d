package automaton

// rows holds the transitions of a lazy automaton that are known so far, the
// rows of all states laid over one another so that their cells fall into each
// other's gaps (row displacement; Tarjan and Yao 1979). A cell names the state
// that it belongs to. A step is then two loads from arrays that are nearly
// full and one comparison that nearly always holds, and what the frequent
// states need fits into the cache of a core; rows of their own would miss it at
// nearly every step.
type rows struct {
	stride  int      // classes, the end of the text included
	base    []uint32 // by state: where its row begins; 0 while it has none
	cells   []uint32 // state<<16 | next; 0 where free
	cursors [3]int   // where to look for room, by the number of cells needed
	used    []uint8  // classes of the row that moves
}

func newRows(classes int) rows { return rows{stride: classes} }

// reset forgets all.
func (r *rows) reset() {
	r.base = r.base[:0]
	r.cells = make([]uint32, r.stride+1)
	r.cursors = [3]int{1, 1, 1} // base 0 stands for none
}

// get returns the transition of s on class k, 0 where it is not known.
func (r *rows) get(s uint16, k int) uint16 {
	c := r.cells[int(r.base[s])+k]
	if c>>16 != uint32(s) {
		return 0
	}
	return uint16(c)
}

// set enters a transition that is not known yet. next is not 0.
func (r *rows) set(s uint16, k int, next uint16) {
	if r.base[s] == 0 || r.cells[int(r.base[s])+k] != 0 {
		r.move(s, k)
	}
	r.cells[int(r.base[s])+k] = uint32(s)<<16 | uint32(next)
}

// move finds another place for the row of s, where it has room for class k too.
func (r *rows) move(s uint16, k int) {
	old := int(r.base[s])
	r.used = append(r.used[:0], uint8(k))
	if old > 0 {
		for i, c := range r.cells[old : old+r.stride] {
			if c>>16 == uint32(s) {
				r.used = append(r.used, uint8(i))
			}
		}
	}
	to := r.room()
	if need := to + r.stride + 1 - len(r.cells); need > 0 {
		r.cells = append(r.cells, make([]uint32, need)...)
	}
	for _, i := range r.used[1:] {
		r.cells[to+int(i)] = r.cells[old+int(i)]
		r.cells[old+int(i)] = 0
	}
	r.base[s] = uint32(to)
}

// room returns a place for a row with the classes of r.used. It looks at a
// bounded number of places and goes on where it left off, so some gaps stay.
func (r *rows) room() int {
	const tries = 64
	cursor := &r.cursors[min(len(r.used)-1, 8)/4]
	first := int(r.used[0])
	*cursor = max(*cursor, 1+first)
	for n := 0; n < tries && *cursor < len(r.cells); *cursor++ {
		if r.cells[*cursor] != 0 {
			continue
		}
		n++
		if to := *cursor - first; r.fits(to) {
			return to
		}
	}
	// Behind all cells that are in use.
	end := len(r.cells)
	for end > 1 && r.cells[end-1] == 0 {
		end--
	}
	return max(1, end)
}

func (r *rows) fits(to int) bool {
	for _, k := range r.used {
		if i := to + int(k); i < len(r.cells) && r.cells[i] != 0 {
			return false
		}
	}
	return true
}
