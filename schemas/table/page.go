package table

import (
	"bufio"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/format"
)

// pageStream serves the pages of one column chunk to parquet-go, checked and
// decompressed. It does itself what depends on sizes that a damaged file may
// claim, and what parquet-go does by column although the format allows it by
// chunk: the codec.
//
// It is an io.ReaderAt that is read strictly forward.
type pageStream struct {
	leaf   *node
	codec  *decompressor // nil for uncompressed pages
	in     *bufio.Reader
	left   int64 // bytes of the chunk not yet read
	values int64 // values of the chunk not yet seen in a page header

	base   int64  // offset of the first byte of ready
	ready  []byte // pages not yet served
	raw    []byte // scratch: page as stored
	plain  []byte // scratch: page decompressed
	levels []byte // scratch: definition levels, booleans
	err    error
}

const (
	// maxPageBytes bounds one page. Parquet's own limit is 2 GiB.
	maxPageBytes = 1<<31 - 1<<16
	// maxPageValues bounds the values of one page; writers stay below a few million.
	maxPageValues = 1 << 27
	// readAhead is the size of reads for page headers and small pages. Object
	// stores charge by request, so it is large.
	readAhead = 1 << 20
	// maxPageHeader is above any page header that can be used: some writers put
	// the least and the greatest value into it whole, so texts of 20 MB make
	// one of 40 MB.
	maxPageHeader = 256 << 20
)

func newPageStream(f *File, group int, leaf *node) (*pageStream, error) {
	meta := f.chunk(group, leaf).get(ccMetaData)
	var d *decompressor
	codec := meta.intOr(cmCodec, -1)
	if c, err := lookupCodec(codec); err != nil {
		return nil, err
	} else if c != nil {
		d = &decompressor{codec: codec}
	}
	start, length := extent(meta)
	buffer := int64(readAhead)
	if length < buffer {
		buffer = length + 16
	}
	return &pageStream{
		leaf:   leaf,
		codec:  d,
		in:     bufio.NewReaderSize(io.NewSectionReader(f.r, start, length), int(buffer)),
		left:   length,
		values: meta.intOr(cmNumValues, 0),
		base:   4,
	}, nil
}

// lookupCodec returns nil for uncompressed pages.
func lookupCodec(codec int64) (compress.Codec, error) {
	switch {
	case codec == codecUncompressed:
		return nil, nil
	case codec == codecLZ4:
		return nil, errors.New("the codec LZ4 (the older, ill-defined one) is not supported: write the file anew with LZ4_RAW, ZSTD or SNAPPY")
	case codec == codecLZO:
		return nil, errors.New("the codec LZO is not supported: write the file anew with ZSTD or SNAPPY")
	case codec < 0 || codec > codecLZ4Raw:
		return nil, fmt.Errorf("the codec number %d is unknown: write the file anew with ZSTD or SNAPPY", codec)
	}
	return parquet.LookupCompressionCodec(format.CompressionCodec(codec)), nil
}

// ReadAt serves the next bytes. off must be where the last read ended.
func (s *pageStream) ReadAt(p []byte, off int64) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	if off != s.base {
		s.err = errors.New("the column chunk is damaged: a page refers to a dictionary that does not come before it")
		return 0, s.err
	}
	for len(s.ready) == 0 {
		if s.err = s.nextPage(); s.err != nil {
			return 0, s.err
		}
	}
	n := copy(p, s.ready)
	s.ready = s.ready[n:]
	s.base += int64(n)
	// A short read without an error would break the rules of io.ReaderAt, but
	// the only reader is an io.SectionReader under a bufio.Reader.
	return n, nil
}

func (s *pageStream) nextPage() error {
	header, err := s.header()
	if err != nil {
		return err
	}
	kind := header.intOr(phType, -1)
	stored := header.intOr(phCompressed, -1)
	size := header.intOr(phUncompressed, -1)
	if stored < 0 || stored > s.left || size < 0 || size > maxPageBytes {
		return errors.New("the column chunk is damaged: a page has an impossible size")
	}
	if kind == pageIndex {
		s.left -= stored
		_, err := s.in.Discard(int(stored))
		return err
	}
	// Grow with the data rather than with the claim.
	s.raw, err = readGrowing(s.in, s.raw[:0], int(stored))
	if err != nil {
		return unexpected(err)
	}
	s.left -= stored
	if crc, ok := header.int(phCRC); ok && uint32(crc) != crc32.ChecksumIEEE(s.raw) {
		return errors.New("the column chunk is damaged: the checksum of a page is wrong")
	}
	switch kind {
	case pageData:
		return s.dataV1(&header, size)
	case pageDataV2:
		return s.dataV2(&header, size)
	case pageDictionary:
		return s.dictionary(&header, size)
	}
	return fmt.Errorf("the column chunk is damaged: a page has the unknown type %d", kind)
}

// header reads a page header, whose length is known only once it is parsed.
func (s *pageStream) header() (value, error) {
	for n := 512; ; n *= 4 {
		if s.left <= 0 {
			return value{}, errors.New("the column chunk is damaged: it ends before its last value")
		}
		n = min(n, int(min(s.left, maxPageHeader)))
		if n > s.in.Size() {
			s.in = bufio.NewReaderSize(s.in, n) // keeps what is buffered
		}
		b, err := s.in.Peek(n)
		if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
			return value{}, err
		}
		h, size, perr := parseStruct(b)
		if perr == nil {
			_, err = s.in.Discard(size)
			s.left -= int64(size)
			// The parsed binaries, statistics, point into the buffer and are
			// not used; integers were copied.
			return h, err
		}
		if perr != errShort || err != nil || int64(len(b)) >= s.left || len(b) >= maxPageHeader {
			return value{}, errors.New("the column chunk is damaged: a page header cannot be read")
		}
	}
}

func (s *pageStream) dataV1(header *value, size int64) error {
	d := header.get(phDataV1)
	if d == nil {
		return errors.New("the column chunk is damaged: a page lacks its header")
	}
	n, err := s.countValues(d.intOr(dpNumValues, -1))
	if err != nil {
		return err
	}
	if s.leaf.maxDef > 0 && d.intOr(dpDefEncoding, 0) == encBitPacked || s.leaf.maxRep > 0 && d.intOr(dpRepEncoding, 0) == encBitPacked {
		return errors.New("levels in the long deprecated encoding BIT_PACKED are not supported: write the file anew")
	}
	body, err := s.decompress(s.raw, size)
	if err != nil {
		return err
	}
	body, encoding, err := s.checkV1(body, n, d.intOr(dpEncoding, -1))
	if err != nil {
		return err
	}
	s.serve(pageData, body, phDataV1, structValue(
		field{dpNumValues, i32Value(n)},
		field{dpEncoding, i32Value(encoding)},
		field{dpDefEncoding, i32Value(d.intOr(dpDefEncoding, 3))},
		field{dpRepEncoding, i32Value(d.intOr(dpRepEncoding, 3))},
	))
	return nil
}

func (s *pageStream) dataV2(header *value, size int64) error {
	d := header.get(phDataV2)
	if d == nil {
		return errors.New("the column chunk is damaged: a page lacks its header")
	}
	n, err := s.countValues(d.intOr(d2NumValues, -1))
	if err != nil {
		return err
	}
	if n == 0 {
		return nil // parquet-go fails over the levels that an empty page of a list need not have
	}
	def, rep := d.intOr(d2DefLength, -1), d.intOr(d2RepLength, -1)
	nulls, rows := d.intOr(d2NumNulls, -1), d.intOr(d2NumRows, -1)
	if def < 0 || rep < 0 || def > int64(len(s.raw)) || rep > int64(len(s.raw))-def || def+rep > size {
		return errors.New("the column chunk is damaged: the levels of a page have an impossible size")
	}
	if nulls < 0 || nulls > n || rows < 0 || rows > n {
		return errors.New("the column chunk is damaged: a page has an impossible number of rows or nulls")
	}
	body := s.raw
	compressed := d.get(d2IsCompressed)
	if s.codec != nil && (compressed == nil || compressed.kind == tTrue) {
		// The levels in front of the values are never compressed.
		levels := def + rep
		values, err := s.decompress(s.raw[levels:], size-levels)
		if err != nil {
			return err
		}
		// values lies in s.plain; move it behind the levels.
		all := make([]byte, 0, int(levels)+len(values))
		body = append(append(all, s.raw[:levels]...), values...)
	}
	body, encoding, err := s.checkV2(body, n, nulls, rep, def, d.intOr(d2Encoding, -1))
	if err != nil {
		return err
	}
	s.serve(pageDataV2, body, phDataV2, structValue(
		field{d2NumValues, i32Value(n)},
		field{d2NumNulls, i32Value(nulls)},
		field{d2NumRows, i32Value(rows)},
		field{d2Encoding, i32Value(encoding)},
		field{d2DefLength, i32Value(def)},
		field{d2RepLength, i32Value(rep)},
		field{d2IsCompressed, value{kind: tFalse}},
	))
	return nil
}

func (s *pageStream) dictionary(header *value, size int64) error {
	d := header.get(phDictionary)
	if d == nil {
		return errors.New("the column chunk is damaged: a dictionary page lacks its header")
	}
	n := d.intOr(diNumValues, -1)
	if n < 0 || n > maxPageValues {
		return errors.New("the column chunk is damaged: a dictionary has an impossible number of values")
	}
	body, err := s.decompress(s.raw, size)
	if err != nil {
		return err
	}
	if encoding := d.intOr(diEncoding, encPlain); encoding != encPlain && encoding != encPlainDictionary {
		return errEncoding
	}
	if err := checkValues(s.leaf, encPlain, body, n); err != nil {
		return err
	}
	s.serve(pageDictionary, body, phDictionary, structValue(
		field{diNumValues, i32Value(n)},
		field{diEncoding, i32Value(encPlain)},
	))
	return nil
}

func (s *pageStream) countValues(n int64) (int64, error) {
	if n < 0 || n > maxPageValues || n > s.values {
		return 0, errors.New("the column chunk is damaged: a page has an impossible number of values")
	}
	s.values -= n
	return n, nil
}

func (s *pageStream) decompress(b []byte, size int64) ([]byte, error) {
	if s.codec == nil {
		if int64(len(b)) != size {
			return nil, errors.New("the column chunk is damaged: a page has an impossible size")
		}
		return b, nil
	}
	if size == 0 || len(b) == 0 {
		if size != 0 {
			return nil, errors.New("the column chunk is damaged: a page has an impossible size")
		}
		return nil, nil
	}
	out, err := s.codec.into(s.plain[:0], b, size)
	if err == errPageSize {
		return nil, err
	} else if err != nil {
		return nil, errors.New("the column chunk is damaged: a page cannot be decompressed")
	}
	s.plain = out
	return out, nil
}

// serve makes a page ready to be read, uncompressed and without checksum and
// statistics.
func (s *pageStream) serve(kind int64, body []byte, id int16, header value) {
	h := structValue(
		field{phType, i32Value(kind)},
		field{phUncompressed, i32Value(int64(len(body)))},
		field{phCompressed, i32Value(int64(len(body)))},
		field{id, header},
	)
	s.ready = append(appendValue(make([]byte, 0, 64+len(body)), &h), body...)
}

// readGrowing appends n bytes of r to dst, in steps, so that a false n costs
// no more memory than there is data.
func readGrowing(r io.Reader, dst []byte, n int) ([]byte, error) {
	const step = 16 << 20
	for n > 0 {
		k := min(n, step)
		i := len(dst)
		if cap(dst)-i < k {
			grown := make([]byte, i, max(2*cap(dst), i+k))
			copy(grown, dst)
			dst = grown
		}
		dst = dst[:i+k]
		if _, err := io.ReadFull(r, dst[i:]); err != nil {
			return dst, err
		}
		n -= k
	}
	return dst, nil
}

func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
