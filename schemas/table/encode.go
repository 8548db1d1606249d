package table

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// encoder encodes one column chunk. It is a parquet-go writer of a file with
// that one column, of bare physical type; only the chunk's bytes and metadata
// are taken from that file. Pages are kept in memory, compressed, until finish.
type encoder struct {
	leaf   *node
	text   bool
	writer *parquet.GenericWriter[any]
	column *parquet.ColumnWriter
	sink   *chunkSink
	rows   int64
	one    [1]parquet.Value
}

// maxDictionary is where the encoder gives up on a dictionary, in bytes, as
// other writers do.
const maxDictionary = 1 << 20

// newEncoder returns an encoder for the leaf. codec is the number of the codec.
func newEncoder(leaf *node, codec int64, dictionary, text bool) (e *encoder, err error) {
	defer recovered(&err)
	c, err := lookupCodec(codec)
	if err != nil {
		return nil, err
	}
	if c == nil {
		c = parquet.LookupCompressionCodec(format.Uncompressed)
	}
	n := parquet.Compressed(parquet.Leaf(leaf.bareType()), c)
	if dictionary && leaf.phys != physBoolean {
		n = parquet.Encoded(n, &parquet.RLEDictionary)
	} else {
		n = parquet.Encoded(n, &parquet.Plain)
	}
	chain := leaf.chain()
	for i := len(chain) - 1; i >= 0; i-- {
		switch chain[i].repetition {
		case repOptional:
			n = parquet.Optional(n)
		case repRepeated:
			n = parquet.Repeated(n)
		default:
			n = parquet.Required(n)
		}
		n = parquet.Group{"c": n}
	}
	sink := &chunkSink{skip: 4}
	w := parquet.NewGenericWriter[any](sink, parquet.NewSchema("r", n),
		parquet.DataPageVersion(1),
		parquet.DataPageStatistics(false),
		parquet.WriteBufferSize(0),
		parquet.DictionaryMaxBytes(maxDictionary),
		parquet.CreatedBy("palimpsest", "1", "0"),
	)
	columns := w.ColumnWriters()
	if len(columns) != 1 {
		return nil, errors.New("the encoder has no single column")
	}
	return &encoder{leaf: leaf, text: text, writer: w, column: columns[0], sink: sink}, nil
}

func (n *node) bareType() parquet.Type {
	switch n.phys {
	case physBoolean:
		return parquet.BooleanType
	case physInt32:
		return parquet.Int32Type
	case physInt64:
		return parquet.Int64Type
	case physInt96:
		return parquet.Int96Type
	case physFloat:
		return parquet.FloatType
	case physDouble:
		return parquet.DoubleType
	case physFixed:
		return parquet.FixedLenByteArrayType(n.length)
	}
	return parquet.ByteArrayType
}

// row writes the values of one row.
func (e *encoder) row(values []parquet.Value) (err error) {
	defer recovered(&err)
	if _, err := e.column.WriteRowValues(values); err != nil {
		return fmt.Errorf("encoding column %q: %w", e.leaf.dotted(), err)
	}
	e.rows++
	return nil
}

// value writes a row of one value.
func (e *encoder) value(v parquet.Value) error {
	e.one[0] = v
	return e.row(e.one[:])
}

// encoded is what became of a chunk that was encoded anew.
type encoded struct {
	meta        value  // ColumnMetaData
	columnIndex []byte // nil if its bounds cannot be trusted
	offsetIndex value
}

// finish writes the bytes of the chunk to w, a file that has start bytes so far.
func (e *encoder) finish(w io.Writer, start int64) (out encoded, err error) {
	defer recovered(&err)
	e.sink.to = w
	if err := e.writer.Flush(); err != nil {
		return out, fmt.Errorf("writing column %q: %w", e.leaf.dotted(), err)
	}
	// What follows the row group, the indexes and the footer, is taken apart here.
	tailStart := e.sink.written
	var tail bytes.Buffer
	e.sink.to = &tail
	if err := e.writer.Close(); err != nil {
		return out, fmt.Errorf("writing column %q: %w", e.leaf.dotted(), err)
	}
	b := tail.Bytes()
	footer, _, err := parseStruct(b[len(b)-8-int(binary.LittleEndian.Uint32(b[len(b)-8:])):])
	if err != nil {
		return out, err
	}
	chunk := footer.items(fmRowGroups)[0].items(rgColumns)[0]
	at := func(offset, length int16) []byte {
		o := chunk.intOr(offset, 0) - tailStart
		return b[o : o+chunk.intOr(length, 0)]
	}
	if out.offsetIndex, _, err = parseStruct(at(ccOffsetIndexOffset, ccOffsetIndexLength)); err != nil {
		return out, err
	}
	out.offsetIndex = shiftOffsetIndex(out.offsetIndex, start-4)
	out.meta = shiftOffsets(*chunk.get(ccMetaData), start-4)
	out.meta = e.trim(out.meta)
	if e.leaf.ordered() {
		out.columnIndex = bytes.Clone(at(ccColumnIndexOffset, ccColumnIndexLength))
	}
	return out, nil
}

// maxBound is the length in bytes up to which a minimum or maximum is kept.
const maxBound = 64

// trim removes bounds that would be wrong for the annotated type, or long.
func (e *encoder) trim(meta value) value {
	st := meta.get(cmStatistics)
	if st == nil {
		return meta
	}
	s := st.without(stMin, stMax)
	lo, hi := s.get(stMinValue), s.get(stMaxValue)
	if e.text || !e.leaf.ordered() || lo == nil || hi == nil || len(lo.b) > maxBound || len(hi.b) > maxBound {
		s = s.without(stMinValue, stMaxValue)
	}
	return meta.with(cmStatistics, s)
}

// shiftOffsets moves the page offsets of a ColumnMetaData by delta bytes. An
// offset of 0 stands for none.
func shiftOffsets(meta value, delta int64) value {
	for _, id := range []int16{cmDataPageOffset, cmIndexPageOffset, cmDictionaryOffset} {
		if o, ok := meta.int(id); ok && o > 0 {
			meta = meta.with(id, i64Value(o+delta))
		}
	}
	return meta
}

// shiftOffsetIndex moves the page offsets of an OffsetIndex by delta bytes.
func shiftOffsetIndex(index value, delta int64) value {
	pages := index.items(oiLocations)
	moved := make([]value, len(pages))
	for i := range pages {
		moved[i] = pages[i].with(plOffset, i64Value(pages[i].intOr(plOffset, 0)+delta))
	}
	return index.with(oiLocations, listValue(tStruct, moved))
}

// chunkSink receives the encoder's file. It drops the file's first bytes, the
// magic, and passes on the rest to wherever finish directs it.
type chunkSink struct {
	skip    int
	written int64 // all bytes, those dropped included
	to      io.Writer
}

func (s *chunkSink) Write(p []byte) (int, error) {
	n := len(p)
	s.written += int64(n)
	drop := min(s.skip, n)
	s.skip -= drop
	if p = p[drop:]; len(p) == 0 {
		return n, nil
	}
	if s.to == nil {
		return 0, errors.New("table: the encoder wrote before its end")
	}
	if _, err := s.to.Write(p); err != nil {
		return 0, err
	}
	return n, nil
}
