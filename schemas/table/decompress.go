package table

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// decompressor decompresses pages of one codec. parquet-go's own codecs write
// as much as the data says, or take a failure for a lack of room and double it
// without end; these stop at the size that the page header gives.
type decompressor struct {
	codec  int64
	zstd   *zstd.Decoder
	gzip   *gzip.Reader
	brotli *brotli.Reader
}

var errPageSize = errors.New("the column chunk is damaged: a page has another size than its header says")

// into decompresses src, which must fill dst exactly.
func (d *decompressor) into(dst, src []byte) (err error) {
	defer recovered(&err)
	switch d.codec {
	case codecSnappy:
		// The decoder believes the length in the data and allocates it.
		if n, k := binary.Uvarint(src); k <= 0 || n != uint64(len(dst)) {
			return errPageSize
		}
		_, err = s2.Decode(dst, src) // of which Snappy is a subset
	case codecGzip:
		return d.gzipInto(dst, src)
	case codecBrotli:
		r := bytes.NewReader(src)
		if d.brotli == nil {
			d.brotli = brotli.NewReader(r)
		} else if err := d.brotli.Reset(r); err != nil {
			return err
		}
		return readExactly(d.brotli, dst)
	case codecZstd:
		if d.zstd == nil {
			d.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderMaxMemory(maxPageBytes))
			if err != nil {
				return err
			}
		}
		var out []byte
		out, err = d.zstd.DecodeAll(src, dst[:0:len(dst)])
		if err == nil && len(out) != len(dst) {
			return errPageSize
		}
	case codecLZ4Raw:
		var n int
		n, err = lz4.UncompressBlock(src, dst)
		if err == nil && n != len(dst) {
			return errPageSize
		}
	default:
		return errors.New("table: no such codec")
	}
	return err
}

func (d *decompressor) gzipInto(dst, src []byte) (err error) {
	r := bytes.NewReader(src)
	if d.gzip == nil {
		d.gzip, err = gzip.NewReader(r)
	} else {
		err = d.gzip.Reset(r)
	}
	if err != nil {
		return err
	}
	return readExactly(d.gzip, dst)
}

// readExactly fills dst and makes sure that r holds no more.
func readExactly(r io.Reader, dst []byte) error {
	if _, err := io.ReadFull(r, dst); err != nil {
		return unexpected(err)
	}
	var more [1]byte
	switch n, err := io.ReadFull(r, more[:]); {
	case n > 0:
		return errPageSize
	case err != io.EOF:
		return err
	}
	return nil
}
