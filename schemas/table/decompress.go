package table

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// decompressor decompresses pages of one codec. parquet-go's own codecs write
// as much as the data says, or take a failure for a lack of room and double it
// without end; these stop at the size that the page header gives, and make no
// more room than the data can fill, whatever the header claims.
type decompressor struct {
	codec  int64
	zstd   *zstd.Decoder
	gzip   *gzip.Reader
	brotli *brotli.Reader
}

var errPageSize = errors.New("the column chunk is damaged: a page has another size than its header says")

// mostFold is by how much data may grow at most, where a codec has such a
// bound: Snappy copies 64 bytes with three, LZ4 255 with one, gzip 1032 with
// one, and Zstandard repeats a byte 128 Ki times with four.
var mostFold = map[int64]int64{codecSnappy: 22, codecLZ4Raw: 255, codecGzip: 1032, codecZstd: 1 << 15}

// into appends what src holds to dst, which is empty: size bytes exactly.
func (d *decompressor) into(dst, src []byte, size int64) (out []byte, err error) {
	defer recovered(&err)
	if most, ok := mostFold[d.codec]; ok {
		if size > most*int64(len(src)+16) {
			return nil, errPageSize
		}
		dst = slices.Grow(dst, int(size))
	}
	switch d.codec {
	case codecSnappy:
		// The decoder believes the length in the data and allocates it.
		if n, k := binary.Uvarint(src); k <= 0 || n != uint64(size) {
			return nil, errPageSize
		}
		return s2.Decode(dst[:size], src) // of which Snappy is a subset
	case codecGzip:
		r := bytes.NewReader(src)
		if d.gzip == nil {
			d.gzip, err = gzip.NewReader(r)
		} else {
			err = d.gzip.Reset(r)
		}
		if err != nil {
			return nil, err
		}
		return readExactly(d.gzip, dst, size)
	case codecBrotli:
		r := bytes.NewReader(src)
		if d.brotli == nil {
			d.brotli = brotli.NewReader(r)
		} else if err := d.brotli.Reset(r); err != nil {
			return nil, err
		}
		return readExactly(d.brotli, dst, size)
	case codecZstd:
		if d.zstd == nil {
			d.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true),
				zstd.WithDecoderMaxMemory(maxPageBytes))
			if err != nil {
				return nil, err
			}
		}
		out, err = d.zstd.DecodeAll(src, dst[:0:size])
	case codecLZ4Raw:
		var n int
		n, err = lz4.UncompressBlock(src, dst[:size])
		out = dst[:max(n, 0)]
	default:
		return nil, errors.New("table: no such codec")
	}
	if err == nil && int64(len(out)) != size {
		return nil, errPageSize
	}
	return out, err
}

// readExactly appends size bytes of r to dst and makes sure that r holds no more.
func readExactly(r io.Reader, dst []byte, size int64) ([]byte, error) {
	dst, err := readGrowing(r, dst, int(size))
	if err != nil {
		return nil, unexpected(err)
	}
	var more [1]byte
	switch n, err := io.ReadFull(r, more[:]); {
	case n > 0:
		return nil, errPageSize
	case err != io.EOF:
		return nil, err
	}
	return dst, nil
}
