package table

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/parquet-go/parquet-go"
)

// cursor reads the values of one column chunk in order.
type cursor struct {
	f      *File
	group  int
	leaf   *node
	stream *pageStream
	pages  *parquet.FilePages
	page   parquet.Page
	reader parquet.ValueReader
	inPage int64 // values of the page not yet read
	left   int64 // values of the chunk not yet read
	row    int64 // index in the row group of the row read last
	buf    []parquet.Value
	i      int
}

// newCursor opens a column chunk. close must be called at the end.
func newCursor(f *File, group int, leaf *node) (*cursor, error) {
	stream, err := newPageStream(f, group, leaf)
	if err != nil {
		return nil, f.errorAt(group, leaf, -1, err)
	}
	c := &cursor{
		f: f, group: group, leaf: leaf, stream: stream,
		left: f.chunk(group, leaf).get(ccMetaData).intOr(cmNumValues, 0),
		row:  -1,
		buf:  make([]parquet.Value, 0, 128),
	}
	chunk, err := bareChunk(leaf)
	if err != nil {
		return nil, f.errorAt(group, leaf, -1, err)
	}
	c.pages = chunk.PagesFrom(stream)
	return c, nil
}

// bareChunk returns parquet-go's view of a column that has the physical type
// and the levels of leaf and no annotation. It comes from a file made up in
// memory, so that parquet-go decodes pages only and never sees the footer.
func bareChunk(leaf *node) (chunk *parquet.FileColumnChunk, err error) {
	defer recovered(&err)
	elements := []value{structValue(field{seName, stringValue("r")}, field{seNumChildren, i32Value(1)})}
	path := []value{}
	for _, n := range leaf.chain() {
		e := structValue(
			field{seRepetition, i32Value(int64(n.repetition))},
			field{seName, stringValue("c")},
		)
		if n.leaf >= 0 {
			e = e.with(seType, i32Value(int64(n.phys)))
			if n.phys == physFixed {
				e = e.with(seTypeLength, i32Value(int64(n.length)))
			}
		} else {
			e = e.with(seNumChildren, i32Value(1))
		}
		elements = append(elements, e)
		path = append(path, stringValue("c"))
	}
	meta := structValue(
		field{cmType, i32Value(int64(leaf.phys))},
		field{cmEncodings, listValue(tI32, []value{i32Value(0)})},
		field{cmPath, listValue(tBinary, path)},
		field{cmCodec, i32Value(codecUncompressed)},
		field{cmNumValues, i64Value(1)},
		field{cmTotalUncompressed, i64Value(1 << 60)},
		field{cmTotalCompressed, i64Value(1 << 60)},
		field{cmDataPageOffset, i64Value(4)},
	)
	group := structValue(
		field{rgColumns, listValue(tStruct, []value{structValue(field{ccFileOffset, i64Value(0)}, field{ccMetaData, meta})})},
		field{rgTotalByteSize, i64Value(1)},
		field{rgNumRows, i64Value(1)},
	)
	footer := structValue(
		field{fmVersion, i32Value(1)},
		field{fmSchema, listValue(tStruct, elements)},
		field{fmNumRows, i64Value(1)},
		field{fmRowGroups, listValue(tStruct, []value{group})},
	)
	b := appendValue([]byte("PAR1"), &footer)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(b)-4))
	b = append(b, "PAR1"...)
	f, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, err
	}
	return f.RowGroups()[0].ColumnChunks()[0].(*parquet.FileColumnChunk), nil
}

// chain returns the nodes from below the root down to n.
func (n *node) chain() []*node {
	var up []*node
	for ; n.parent != nil; n = n.parent {
		up = append([]*node{n}, up...)
	}
	return up
}

// next returns the next value, which is valid until the next call, or io.EOF.
func (c *cursor) next() (*parquet.Value, error) {
	for c.i == len(c.buf) {
		if err := c.fill(); err != nil {
			if err == io.EOF {
				return nil, err
			}
			return nil, c.f.errorAt(c.group, c.leaf, c.row+1, err)
		}
	}
	v := &c.buf[c.i]
	c.i++
	if v.RepetitionLevel() == 0 {
		c.row++
	}
	return v, nil
}

// nextRow appends the values of the next row to dst. They are valid until the
// next call; those of a repeated column are cloned, as a row may span pages.
func (c *cursor) nextRow(dst []parquet.Value) ([]parquet.Value, error) {
	v, err := c.next()
	if err != nil {
		return dst, err
	}
	dst = append(dst, *v)
	if c.leaf.maxRep == 0 {
		return dst, nil
	}
	dst[len(dst)-1] = detach(v)
	for {
		for c.i == len(c.buf) {
			if err := c.fill(); err == io.EOF {
				return dst, nil
			} else if err != nil {
				return dst, c.f.errorAt(c.group, c.leaf, c.row, err)
			}
		}
		if c.buf[c.i].RepetitionLevel() == 0 {
			return dst, nil
		}
		dst = append(dst, detach(&c.buf[c.i]))
		c.i++
	}
}

// fill reads more values into buf, from the next page if need be.
func (c *cursor) fill() (err error) {
	defer recovered(&err)
	if c.left == 0 {
		return io.EOF
	}
	for c.inPage == 0 {
		if err := c.nextPage(); err != nil {
			return err
		}
	}
	c.buf = c.buf[:min(int64(cap(c.buf)), c.inPage)]
	c.i = 0
	n, err := c.reader.ReadValues(c.buf)
	c.buf = c.buf[:n]
	if n == 0 {
		return damaged(err)
	}
	if err != nil && err != io.EOF {
		return damaged(err)
	}
	c.inPage -= int64(n)
	c.left -= int64(n)
	return nil
}

// nextPage opens the next page, which may be empty.
func (c *cursor) nextPage() error {
	c.releasePage()
	page, err := c.pages.ReadPage()
	if c.stream.err != nil {
		return c.stream.err
	}
	if err != nil {
		return damaged(err)
	}
	c.page, c.reader, c.inPage = page, page.Values(), page.NumValues()
	if c.inPage > c.left {
		return errors.New("the column chunk is damaged: it has more values than the footer says")
	}
	return nil
}

// damaged tells that a page could not be decoded. The decoder's message is
// dropped: nothing says that it never quotes data.
func damaged(error) error {
	return errors.New("the column chunk is damaged or uses an encoding that is not supported: a page cannot be decoded")
}

func (c *cursor) releasePage() {
	if c.page != nil {
		parquet.Release(c.page)
		c.page, c.reader = nil, nil
	}
}

func (c *cursor) close() {
	if c == nil || c.pages == nil {
		return
	}
	var err error
	defer recovered(&err)
	c.releasePage()
	_ = c.pages.Close() // closes no file
	c.pages = nil
}

// recovered turns a panic of the Parquet library, met on damaged input, into
// an error. The value of the panic is kept only where it cannot hold data.
func recovered(err *error) {
	switch p := recover().(type) {
	case nil:
	case runtime.Error:
		*err = fmt.Errorf("the column chunk is damaged: the decoder failed: %w", p)
	default:
		*err = errors.New("the column chunk is damaged: the decoder failed")
	}
}
