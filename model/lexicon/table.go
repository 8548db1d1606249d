package lexicon

// table is a hash table with open addressing whose keys are hashes already.
// It only grows; lookups of absent keys, which nearly all are, mostly end at
// the first slot.
type table struct {
	slots []slot
	mask  uint64
	used  int
}

type slot struct {
	hash  uint64
	entry int32 // 1 + index of an entry; 0 for none
	flags uint8
}

// What a slot says besides its entry.
const (
	spacedPrefix = 1 << iota // an entry of several words begins with these
	beforeDigit              // an entry without separators begins with these and goes on with a digit
	beforeLetter             // the same with anything else
	beginning                // the first token of a text's stretch may be these
)

// newTable returns a table with room for n keys.
func newTable(n int) table {
	size := tableSize(n)
	return table{slots: make([]slot, size), mask: uint64(size - 1)}
}

// tableSize returns the slots of a table with room for n keys.
func tableSize(n int) int {
	size := 16
	for size < 2*n {
		size *= 2
	}
	return size
}

// place scatters the bits of an FNV hash, whose low ones are its best.
func place(h uint64) uint64 { return h ^ h>>29 }

// find returns the slot of a key, nil where it is absent.
func (t *table) find(h uint64) *slot {
	for i := place(h) & t.mask; ; i = (i + 1) & t.mask {
		s := &t.slots[i]
		if s.hash == 0 {
			return nil
		}
		if s.hash == h {
			return s
		}
	}
}

// at returns the slot of a key and makes one where it is absent. The pointer
// is valid until the next call.
func (t *table) at(h uint64) *slot {
	if 2*(t.used+1) > len(t.slots) {
		t.resize(2 * t.used)
	}
	for i := place(h) & t.mask; ; i = (i + 1) & t.mask {
		s := &t.slots[i]
		if s.hash == h {
			return s
		}
		if s.hash == 0 {
			s.hash = h
			t.used++
			return s
		}
	}
}

// resize moves the keys to a table with room for n.
func (t *table) resize(n int) {
	old := t.slots
	*t = newTable(n)
	for _, s := range old {
		if s.hash != 0 {
			*t.at(s.hash) = s
		}
	}
}

// fit gives back room that is not needed: an estimate of it was too high.
func (t *table) fit() {
	if tableSize(t.used) < len(t.slots) {
		t.resize(t.used)
	}
}
