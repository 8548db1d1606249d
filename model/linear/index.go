package linear

import (
	"encoding/binary"
	"math/bits"

	"github.com/palimpsest-deid/palimpsest/model/features"
)

// index tells the number of a feature by its hash: open addressing, each slot a hash
// and the number plus one; 0 is free.
type index struct {
	slots []uint64
	shift int
}

const (
	numberBits  = 64 - features.HashBits
	maxFeatures = 1<<numberBits - 2
)

// readIndex reads n hashes, ascending, as differences in varints; rest is what follows
// them, ok is false where they are no such thing.
func readIndex(data []byte, n int) (x index, rest []byte, ok bool) {
	if n > maxFeatures || n > len(data) {
		return x, nil, false
	}
	size := 1 << bits.Len(uint(2*n))
	x.slots, x.shift = make([]uint64, size), features.HashBits-bits.TrailingZeros(uint(size))
	if x.shift < 0 {
		return x, nil, false
	}
	const limit = 1 << features.HashBits
	hash := uint64(0)
	for k := range n {
		d, used := binary.Uvarint(data)
		if used <= 0 || d == 0 && k > 0 || d >= limit-hash {
			return x, nil, false
		}
		data, hash = data[used:], hash+d
		at := hash >> x.shift
		for x.slots[at] != 0 {
			at = (at + 1) & uint64(size-1)
		}
		x.slots[at] = hash<<numberBits | uint64(k+1)
	}
	return x, data, true
}

// find returns the number of a feature, -1 where it has none.
func (x *index) find(hash uint64) int {
	for at := hash >> x.shift; x.slots[at] != 0; at = (at + 1) & uint64(len(x.slots)-1) {
		if s := x.slots[at]; s>>numberBits == hash {
			return int(s&(1<<numberBits-1)) - 1
		}
	}
	return -1
}
