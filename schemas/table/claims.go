package table

import (
	"encoding/binary"
	"errors"
	"math/bits"

	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/rle"
)

// The body of a page says again how many values it has, in the headers of its
// runs and blocks, and parquet-go makes room for as many as these say before
// it compares: three bytes claim two thousand million levels. So all headers
// are walked first. Where the body has fewer values than the page, parquet-go
// would serve what an earlier page left in its buffers; that is refused, too.

var (
	errClaims   = errors.New("the column chunk is damaged: the values of a page are not as many as its header says")
	errEncoding = errors.New("the column chunk has a page in an encoding that is not supported, or that does not fit its type: write the " +
		"file anew")
)

// runPadding is by how many values a page's runs may exceed the page: writers
// fill up their last bit-packed run, to 8 values or, DuckDB, to 256.
const runPadding = 1 << 10

// checkV1 checks a data page of version 1 with n values. It returns the page
// as it is to be decoded, and its encoding.
func (s *pageStream) checkV1(page []byte, n, encoding int64) ([]byte, int64, error) {
	filled, rest := n, page
	for i, most := range [...]int{s.leaf.maxRep, s.leaf.maxDef} {
		if most == 0 {
			continue
		}
		var levels []byte
		var err error
		if levels, rest, err = prefixed(rest); err != nil {
			return nil, 0, err
		}
		width := bits.Len(uint(most))
		if _, err := checkRuns(levels, width, n); err != nil {
			return nil, 0, err
		}
		if i == 0 {
			continue
		}
		// Nulls are not counted anywhere in these pages.
		if s.levels, err = (&rle.Encoding{BitWidth: width}).DecodeLevels(s.levels, levels); err != nil || int64(len(s.levels)) < n {
			return nil, 0, errClaims
		}
		filled = 0
		for _, l := range s.levels[:n] {
			if int(l) == most {
				filled++
			}
		}
	}
	return s.checkBody(page, len(page)-len(rest), filled, encoding)
}

// checkV2 does so for a data page of version 2 with n values, nulls of them
// null, whose levels take rep and def bytes.
func (s *pageStream) checkV2(page []byte, n, nulls, rep, def, encoding int64) ([]byte, int64, error) {
	if _, err := checkRuns(page[:rep], bits.Len(uint(s.leaf.maxRep)), n); s.leaf.maxRep > 0 && err != nil {
		return nil, 0, err
	}
	if _, err := checkRuns(page[rep:rep+def], bits.Len(uint(s.leaf.maxDef)), n); s.leaf.maxDef > 0 && err != nil {
		return nil, 0, err
	}
	return s.checkBody(page, int(rep+def), n-nulls, encoding)
}

// checkBody checks the n values that begin at the given byte of a page.
func (s *pageStream) checkBody(page []byte, at int, n, encoding int64) ([]byte, int64, error) {
	if err := checkValues(s.leaf, encoding, page[at:], n); err != nil {
		return nil, 0, err
	}
	if encoding != encRLE || n == 0 {
		return page, encoding, nil
	}
	// parquet-go takes runs of booleans for whole bytes, and so moves those
	// that follow a run of, say, five.
	runs, _, err := prefixed(page[at:])
	if err != nil {
		return nil, 0, err
	}
	flags, err := (&rle.Encoding{BitWidth: 1}).DecodeLevels(s.levels, runs)
	if err != nil || int64(len(flags)) < n {
		return nil, 0, errClaims
	}
	s.levels = flags
	out := append(make([]byte, 0, at+int(n+7)/8), page[:at]...)
	for i, v := range flags[:n] {
		if i%8 == 0 {
			out = append(out, 0)
		}
		out[len(out)-1] |= v & 1 << (i % 8)
	}
	return out, encPlain, nil
}

// checkValues checks that b, without levels, holds n values in an encoding
// that the type may have.
func checkValues(leaf *node, encoding int64, b []byte, n int64) error {
	if n == 0 && len(b) == 0 {
		return nil
	}
	width := leaf.width()
	switch {
	case encoding == encPlain || encoding == encByteStreamSplit && width > 1:
		if leaf.phys == physBoolean {
			n = (n + 7) / 8
		}
		if n > 0 && int64(len(b))/width < n {
			return errClaims
		}
	case encoding == encRLEDictionary || encoding == encPlainDictionary:
		// parquet-go fills up what is missing: some writers leave zeros out.
		if len(b) > 0 {
			_, err := checkRuns(b[1:], int(b[0]), n)
			return err
		}
	case encoding == encRLE && leaf.phys == physBoolean:
		runs, _, err := prefixed(b)
		if err != nil {
			return err
		}
		if got, err := checkRuns(runs, 1, n); err != nil || got < n {
			return errClaims
		}
	case encoding == encDelta && (leaf.phys == physInt32 || leaf.phys == physInt64):
		_, err := checkDelta(b, int(8*width), n)
		return err
	case encoding == encDeltaLength && leaf.phys == physByteArray:
		lengths, rest, err := deltaLengths(b, n)
		if err != nil {
			return err
		}
		return checkLengths(nil, lengths, int64(len(rest)))
	case encoding == encDeltaStrings && (leaf.phys == physByteArray || leaf.phys == physFixed):
		prefixes, rest, err := deltaLengths(b, n)
		if err != nil {
			return err
		}
		suffixes, rest, err := deltaLengths(rest, n)
		if err != nil {
			return err
		}
		if leaf.phys == physFixed {
			for i := range min(len(prefixes), len(suffixes)) {
				if int64(prefixes[i])+int64(suffixes[i]) != width {
					return errClaims
				}
			}
		}
		return checkLengths(prefixes, suffixes, int64(len(rest)))
	default:
		return errEncoding
	}
	return nil
}

// width returns the least number of bytes that a value takes where it is not
// packed. Booleans, which always are, take 1 for eight.
func (n *node) width() int64 {
	switch n.phys {
	case physInt32, physFloat, physByteArray:
		return 4
	case physInt64, physDouble:
		return 8
	case physInt96:
		return 12
	case physFixed:
		return int64(n.length)
	}
	return 1
}

// prefixed cuts off what has its length in four bytes before it.
func prefixed(b []byte) (head, rest []byte, err error) {
	if len(b) < 4 {
		return nil, nil, errClaims
	}
	n := int64(binary.LittleEndian.Uint32(b))
	if b = b[4:]; n > int64(len(b)) {
		return nil, nil, errClaims
	}
	return b[:n], b[n:], nil
}

// checkRuns walks the headers of a hybrid of run lengths and bit packing for
// values of so many bits. It returns how many values there are, which must be
// n at most, padding aside.
func checkRuns(b []byte, width int, n int64) (values int64, err error) {
	if width > 32 {
		return 0, errClaims
	}
	for len(b) > 0 {
		h, k := binary.Uvarint(b)
		if k <= 0 || h>>1 > maxPageValues {
			return 0, errClaims
		}
		b = b[k:]
		count, size := int64(h>>1), (width+7)/8
		switch {
		case count == 0: // nothing follows, as parquet-go has it
			size = 0
		case h&1 == 1:
			size = int(count) * width
			count *= 8
		}
		if values += count; values > n+runPadding || size > len(b) {
			return 0, errClaims
		}
		b = b[size:]
	}
	return values, nil
}

// checkDelta walks the blocks of binary packed differences of values of so
// many bits and returns what follows. There must be n of them, or more where
// the writer counted nulls; maxPageValues at most.
func checkDelta(b []byte, width int, n int64) (rest []byte, err error) {
	var head [4]uint64 // values in a block, miniblocks in a block, values in all, the first value
	for i := range head {
		u, k := binary.Uvarint(b)
		if k <= 0 {
			return nil, errClaims
		}
		head[i], b = u, b[k:]
	}
	block, minis := head[0], head[1]
	if head[2] > uint64(n+runPadding) || int64(head[2]) < n || minis == 0 || block > maxDeltaBlock || block/minis == 0 {
		return nil, errClaims
	}
	for left := int64(head[2]) - 1; left > 0; {
		_, k := binary.Uvarint(b)
		if k <= 0 || uint64(len(b)-k) < minis {
			return nil, errClaims
		}
		widths := b[k : k+int(minis)]
		b = b[k+int(minis):]
		for _, w := range widths {
			values := min(int64(block/minis), left)
			if int(w) > width { // DuckDB 2.0 does so; parquet-go reads other values
				return nil, errEncoding
			}
			if values*int64(w) > 8*int64(len(b)) {
				return nil, errClaims
			}
			// Some writers cut the padding of the last miniblock off.
			b = b[min(len(b), int(block/minis)*int(w)/8):]
			if left -= values; left == 0 {
				break
			}
		}
	}
	return b, nil
}

// maxDeltaBlock is above the values of any block that can be used: writers
// take 128 or so, and parquet-go reads no more than this.
const maxDeltaBlock = 1 << 16

// deltaLengths reads n lengths and returns what follows them.
func deltaLengths(b []byte, n int64) (lengths []int32, rest []byte, err error) {
	if rest, err = checkDelta(b, 32, n); err != nil {
		return nil, nil, err
	}
	if lengths, err = new(delta.BinaryPackedEncoding).DecodeInt32(nil, b); err != nil {
		return nil, nil, errClaims
	}
	return lengths, rest, nil
}

// checkLengths checks the lengths of strings each of which begins with as many
// bytes of the one before it as its prefix says, and has its own others among
// size bytes. A thousand strings that repeat one of a megabyte are a gigabyte.
func checkLengths(prefixes, suffixes []int32, size int64) error {
	if prefixes != nil && len(prefixes) != len(suffixes) {
		return errClaims
	}
	var own, all, last int64
	for i, s := range suffixes {
		p := int64(0)
		if prefixes != nil {
			p = int64(prefixes[i])
		}
		if s < 0 || p < 0 || p > last {
			return errClaims
		}
		last = p + int64(s)
		own += int64(s)
		if all += last; own > size || all > maxPageBytes {
			return errClaims
		}
	}
	return nil
}
