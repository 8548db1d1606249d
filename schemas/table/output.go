package table

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
)

// createdBy is written to every footer. It is constant, as the same input must
// give the same bytes; the form is the one that readers parse.
const createdBy = "palimpsest version 1.0.0 (build 0)"

// output writes one Parquet file out of chunks: copied from an input file, or
// encoded anew.
type output struct {
	w       io.Writer
	pos     int64
	file    *File
	schema  []value
	keep    []*node // leaves of the input in the output, in order; nil stands for the reason
	changed map[*node]bool
	kv      []value
	pairs   *keyValues // nil where all metadata may stay
	groups  []outGroup
	open    *outGroup
	err     error
}

type outGroup struct {
	chunks []outChunk
	meta   value // RowGroup, complete but for its chunks
	rows   int64
}

type outChunk struct {
	chunk       value // ColumnChunk
	copied      bool  // as stored in the input, bloom filter and all
	columnIndex []byte
	offsetIndex []byte
}

func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.w.Write(p)
	o.pos += int64(n)
	o.err = err
	return n, err
}

// begin starts a row group.
func (o *output) begin() error {
	if o.pos == 0 {
		if _, err := io.WriteString(o, "PAR1"); err != nil {
			return err
		}
	}
	o.open = &outGroup{}
	return nil
}

// copyChunk appends a column chunk of the input as it is.
func (o *output) copyChunk(group int, leaf *node) error {
	f := o.file
	in := f.chunk(group, leaf)
	meta := *in.get(ccMetaData)
	start, length := extent(&meta)
	delta := o.pos - start
	// Larger reads, as object stores charge by request.
	src := bufio.NewReaderSize(io.NewSectionReader(f.r, start, length), int(min(max(length, 16), 4<<20)))
	n, err := io.Copy(struct{ io.Writer }{o}, src)
	if err != nil {
		return f.errorAt(group, leaf, -1, fmt.Errorf("copying: %w", err))
	}
	if n != length {
		return f.errorAt(group, leaf, -1, errors.New("copying: the file is shorter than its footer says"))
	}
	meta = shiftOffsets(meta, delta)
	meta = dropOldBounds(meta, leaf)
	if o.pairs != nil {
		meta = o.pairs.column(meta)
	}
	out := outChunk{copied: true}
	if out.columnIndex, err = o.readIndex(in, ccColumnIndexOffset, ccColumnIndexLength); err != nil {
		return f.errorAt(group, leaf, -1, fmt.Errorf("copying the column index: %w", err))
	}
	index, err := o.readIndex(in, ccOffsetIndexOffset, ccOffsetIndexLength)
	if err != nil {
		return f.errorAt(group, leaf, -1, fmt.Errorf("copying the offset index: %w", err))
	}
	if index != nil {
		v, _, err := parseStruct(index)
		if err != nil {
			return f.errorAt(group, leaf, -1, errors.New("the offset index is damaged"))
		}
		v = shiftOffsetIndex(v, delta)
		out.offsetIndex = appendValue(nil, &v)
	}
	out.chunk = in.with(ccMetaData, meta)
	o.open.chunks = append(o.open.chunks, out)
	return nil
}

// dropOldBounds removes the deprecated bounds where old writers got them
// wrong. Readers know those writers by the name in the footer, which changes.
func dropOldBounds(meta value, leaf *node) value {
	st := meta.get(cmStatistics)
	if st == nil {
		return meta
	}
	if bits, signed := leaf.integer(); leaf.phys == physBoolean || leaf.phys == physFloat || leaf.phys == physDouble ||
		leaf.dateKind() != dateNone && leaf.phys != physInt96 && leaf.phys != physByteArray || bits > 0 && signed {
		return meta
	}
	return meta.with(cmStatistics, st.without(stMin, stMax))
}

// maxIndex bounds a page index, so that a damaged length allocates little.
const maxIndex = 1 << 28

func (o *output) readIndex(chunk *value, offset, length int16) ([]byte, error) {
	at, n := chunk.intOr(offset, 0), chunk.intOr(length, 0)
	if at <= 0 || n <= 0 {
		return nil, nil
	}
	if n > maxIndex || at > o.file.size-n {
		return nil, errors.New("the footer is damaged: the index lies outside of the file")
	}
	b := make([]byte, n)
	return b, readFull(o.file.r, b, at)
}

// encodedChunk appends a chunk that was encoded anew. in is the input's chunk
// or nil; carry says whether its key-value metadata, which some writer derived
// from the values, still holds.
func (o *output) encodedChunk(e *encoder, in *value, path []string, carry bool) error {
	enc, err := e.finish(o, o.pos)
	if err != nil {
		return err
	}
	names := make([]value, len(path))
	for i, p := range path {
		names[i] = stringValue(p)
	}
	meta := enc.meta.with(cmPath, listValue(tBinary, names))
	out := outChunk{}
	if in != nil {
		if kv := in.get(ccMetaData).get(cmKeyValues); kv != nil && carry {
			if meta = meta.with(cmKeyValues, *kv); o.pairs != nil {
				meta = o.pairs.column(meta)
			}
		}
		// Mirror the input: a page index on some columns alone confuses readers.
		if in.intOr(ccOffsetIndexLength, 0) > 0 {
			out.offsetIndex = appendValue(nil, &enc.offsetIndex)
			if in.intOr(ccColumnIndexLength, 0) > 0 {
				out.columnIndex = enc.columnIndex
			}
		}
	}
	out.chunk = structValue(field{ccFileOffset, i64Value(0)}, field{ccMetaData, meta})
	o.open.chunks = append(o.open.chunks, out)
	return nil
}

// end closes the row group. group is its number in the input.
func (o *output) end(group int, rows int64) error {
	g := o.open
	o.open = nil
	var total, compressed int64
	for i := range g.chunks {
		c := &g.chunks[i]
		leaf := o.keep[i]
		meta := *c.chunk.get(ccMetaData)
		total += meta.intOr(cmTotalUncompressed, 0)
		compressed += meta.intOr(cmTotalCompressed, 0)
		if !c.copied {
			continue
		}
		if err := o.copyBloom(group, leaf, &meta); err != nil {
			return err
		}
		c.chunk = c.chunk.with(ccMetaData, meta)
	}
	start := int64(4)
	if len(g.chunks) > 0 {
		start, _ = extent(g.chunks[0].chunk.get(ccMetaData))
	}
	g.rows = rows
	in := &o.file.groups[group]
	meta := structValue(
		field{rgTotalByteSize, i64Value(total)},
		field{rgNumRows, i64Value(rows)},
	)
	if s := o.sorting(in); len(s) > 0 {
		meta = meta.with(rgSorting, listValue(tStruct, s))
	}
	meta = meta.with(rgFileOffset, i64Value(start)).with(rgTotalCompressed, i64Value(compressed))
	if n := len(o.groups); n <= 1<<15-1 {
		meta = meta.with(rgOrdinal, i16Value(int64(n)))
	}
	g.meta = meta
	o.groups = append(o.groups, *g)
	return nil
}

// copyBloom copies the bloom filter of a chunk that was copied, if it has one.
func (o *output) copyBloom(group int, leaf *node, meta *value) error {
	at := meta.intOr(cmBloomOffset, 0)
	if at <= 0 {
		*meta = meta.without(cmBloomOffset, cmBloomLength)
		return nil
	}
	bad := func() error {
		return o.file.errorAt(group, leaf, -1, errors.New("the bloom filter is damaged"))
	}
	if at >= o.file.size {
		return bad()
	}
	// Older writers do not give the length; it is that of the header and the bits.
	head := make([]byte, min(128, o.file.size-at))
	if err := readFull(o.file.r, head, at); err != nil {
		return bad()
	}
	h, n, err := parseStruct(head)
	bits := h.intOr(bfNumBytes, -1)
	if err != nil || bits < 0 || bits > maxIndex || at+int64(n)+bits > o.file.size {
		return bad()
	}
	length := int64(n) + bits
	*meta = meta.with(cmBloomOffset, i64Value(o.pos)).with(cmBloomLength, i32Value(length))
	if _, err := io.Copy(struct{ io.Writer }{o}, io.NewSectionReader(o.file.r, at, length)); err != nil {
		return o.file.errorAt(group, leaf, -1, fmt.Errorf("copying the bloom filter: %w", err))
	}
	return nil
}

// sorting returns the input's sort order as far as it still holds: up to the
// first column that changed or is gone.
func (o *output) sorting(group *value) []value {
	var out []value
	for _, s := range group.items(rgSorting) {
		i := s.intOr(scColumn, -1)
		if i < 0 || i >= int64(len(o.file.leaves)) || o.changed[o.file.leaves[i]] {
			break
		}
		j := slices.Index(o.keep, o.file.leaves[i])
		if j < 0 {
			break
		}
		out = append(out, s.with(scColumn, i32Value(int64(j))))
	}
	return out
}

// close writes the page indexes and the footer.
func (o *output) close() error {
	if o.pos == 0 {
		if _, err := io.WriteString(o, "PAR1"); err != nil {
			return err
		}
	}
	write := func(c *outChunk, b []byte, offset, length int16) error {
		c.chunk = c.chunk.without(offset, length)
		if b == nil {
			return nil
		}
		c.chunk = c.chunk.with(offset, i64Value(o.pos)).with(length, i32Value(int64(len(b))))
		_, err := o.Write(b)
		return err
	}
	for g := range o.groups {
		for i := range o.groups[g].chunks {
			c := &o.groups[g].chunks[i]
			if err := write(c, c.columnIndex, ccColumnIndexOffset, ccColumnIndexLength); err != nil {
				return err
			}
		}
	}
	for g := range o.groups {
		for i := range o.groups[g].chunks {
			c := &o.groups[g].chunks[i]
			if err := write(c, c.offsetIndex, ccOffsetIndexOffset, ccOffsetIndexLength); err != nil {
				return err
			}
		}
	}
	b := o.footer()
	b = binary.LittleEndian.AppendUint32(b, uint32(len(b)))
	_, err := o.Write(append(b, "PAR1"...))
	return err
}

func (o *output) footer() []byte {
	rows := int64(0)
	groups := make([]value, len(o.groups))
	for i := range o.groups {
		g := &o.groups[i]
		rows += g.rows
		chunks := make([]value, len(g.chunks))
		for j := range g.chunks {
			chunks[j] = g.chunks[j].chunk.with(ccFileOffset, i64Value(0))
		}
		groups[i] = g.meta.with(rgColumns, listValue(tStruct, chunks))
	}
	in := &o.file.meta
	footer := structValue(
		field{fmVersion, i32Value(in.intOr(fmVersion, 1))},
		field{fmSchema, listValue(tStruct, o.schema)},
		field{fmNumRows, i64Value(rows)},
		field{fmRowGroups, listValue(tStruct, groups)},
	)
	if len(o.kv) > 0 {
		footer = footer.with(fmKeyValues, listValue(tStruct, o.kv))
	}
	footer = footer.with(fmCreatedBy, stringValue(createdBy))
	if orders := in.items(fmColumnOrders); len(orders) == len(o.file.leaves) && len(orders) > 0 {
		kept := make([]value, 0, len(o.keep))
		for _, leaf := range o.keep {
			if leaf == nil {
				kept = append(kept, structValue(field{1, structValue()})) // TypeDefinedOrder
			} else {
				kept = append(kept, orders[leaf.leaf])
			}
		}
		footer = footer.with(fmColumnOrders, listValue(tStruct, kept))
	}
	return appendValue(nil, &footer)
}
