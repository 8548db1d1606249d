package corpus

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// tableFile is an open Parquet file of which single columns are read.
type tableFile struct {
	name string
	f    *parquet.File
}

func openTable(name string, r io.ReaderAt, size int64) (t *tableFile, err error) {
	defer guard(name, &err)
	f, err := parquet.OpenFile(r, size, parquet.SkipBloomFilters(true), parquet.SkipPageIndex(true))
	if err != nil {
		return nil, fmt.Errorf("%s: not a Parquet file that can be read: %w", name, err)
	}
	return &tableFile{name, f}, nil
}

// guard turns a panic, as a damaged file can cause, into an error.
func guard(name string, err *error) {
	if recover() != nil {
		*err = fmt.Errorf("%s: the file is damaged; copy it again from its source", name)
	}
}

// kind is what a column holds.
type kind uint8

const (
	stringKind kind = iota
	integerKind
	floatKind
)

// tableColumn is a column without lists.
type tableColumn struct {
	index  int // -1: the file lacks it
	signed bool
	wide   bool // integers are of 64 bits
	kind   kind
}

// column finds a column. An absent one is an error if it is required.
func (t *tableFile) column(name string, required bool, kinds ...kind) (tableColumn, error) {
	leaf, ok := t.f.Schema().Lookup(name)
	if !ok {
		leaf, ok = t.f.Schema().Lookup(strings.Split(name, ".")...)
	}
	if !ok {
		if !required {
			return tableColumn{index: -1}, nil
		}
		var names []string
		for _, field := range t.f.Schema().Fields() {
			names = append(names, field.Name())
		}
		return tableColumn{}, fmt.Errorf("%s: there is no column %q; the columns are: %s", t.name, name, strings.Join(names, ", "))
	}
	c := tableColumn{index: leaf.ColumnIndex, signed: true}
	physical := leaf.Node.Type().Kind()
	switch physical {
	case parquet.ByteArray:
		c.kind = stringKind
	case parquet.Int32, parquet.Int64:
		c.kind, c.wide = integerKind, physical == parquet.Int64
		if l := leaf.Node.Type().LogicalType(); l != nil {
			if integer, ok := l.Value.(*format.IntType); ok {
				c.signed = integer.IsSigned
			}
		}
	case parquet.Float, parquet.Double:
		c.kind = floatKind
	default:
		kinds = nil
	}
	for _, k := range kinds {
		if k == c.kind && leaf.MaxRepetitionLevel == 0 {
			return c, nil
		}
	}
	return tableColumn{}, fmt.Errorf("%s: the column %q is of a type that it cannot have; ids and types are strings or integers, offsets integers, scores numbers", t.name, name)
}

// text returns a string, or an integer in decimal; ok is false for null.
func (c *tableColumn) text(v parquet.Value) (s string, ok bool) {
	switch {
	case v.IsNull():
		return "", false
	case c.kind == stringKind:
		return string(v.ByteArray()), true
	case !c.wide && c.signed:
		return strconv.FormatInt(int64(v.Int32()), 10), true
	case !c.wide:
		return strconv.FormatUint(uint64(v.Uint32()), 10), true
	case c.signed:
		return strconv.FormatInt(v.Int64(), 10), true
	}
	return strconv.FormatUint(v.Uint64(), 10), true
}

// integer returns an integer that fits an offset; ok is false for all else.
func (c *tableColumn) integer(v parquet.Value) (n int, ok bool) {
	if v.IsNull() || c.kind != integerKind {
		return 0, false
	}
	i := v.Int64()
	if !c.wide {
		i = int64(v.Int32())
	}
	return int(i), i >= 0 && i < 1<<31
}

// float returns a number; null is 0.
func (c *tableColumn) float(v parquet.Value) float32 {
	switch {
	case v.IsNull():
		return 0
	case v.Kind() == parquet.Double:
		return float32(v.Double())
	}
	return v.Float()
}

// rows yields the values of some columns, row by row; those of a column that
// the file lacks are null. Values hold until the next row. Only pages are held.
func (t *tableFile) rows(columns []tableColumn) iter.Seq2[[]parquet.Value, error] {
	return func(yield func([]parquet.Value, error) bool) {
		values := make([]parquet.Value, len(columns))
		for _, group := range t.f.RowGroups() {
			readers := make([]*pageReader, len(columns))
			closeAll := func() {
				for _, r := range readers {
					if r != nil && r.pages != nil {
						_ = r.pages.Close()
					}
				}
			}
			chunks := group.ColumnChunks()
			for i, c := range columns {
				if c.index >= 0 {
					readers[i] = &pageReader{name: t.name, chunk: chunks[c.index]}
				}
			}
			for range group.NumRows() {
				for i, r := range readers {
					if r == nil {
						continue
					}
					v, err := r.next()
					if err != nil {
						closeAll()
						yield(nil, err)
						return
					}
					values[i] = v
				}
				if !yield(values, nil) {
					closeAll()
					return
				}
			}
			closeAll()
		}
	}
}

// pageReader reads the values of one column chunk.
type pageReader struct {
	name   string
	chunk  parquet.ColumnChunk
	pages  parquet.Pages
	page   parquet.Page
	values parquet.ValueReader
	buffer [128]parquet.Value
	have   []parquet.Value // of buffer, to be given out
}

func (r *pageReader) next() (v parquet.Value, err error) {
	defer guard(r.name, &err)
	for len(r.have) == 0 {
		if r.values == nil {
			if r.pages == nil {
				r.pages = r.chunk.Pages()
			}
			if r.page != nil {
				parquet.Release(r.page)
				r.page = nil
			}
			if r.page, err = r.pages.ReadPage(); err != nil {
				if errors.Is(err, io.EOF) {
					err = errors.New("a column has fewer values than rows; the file is damaged")
				}
				return v, fmt.Errorf("%s: %w", r.name, err)
			}
			r.values = r.page.Values()
		}
		n, err := r.values.ReadValues(r.buffer[:])
		r.have = r.buffer[:n]
		if err != nil && !errors.Is(err, io.EOF) {
			return v, fmt.Errorf("%s: %w", r.name, err)
		}
		if err != nil {
			r.values = nil
		}
	}
	v, r.have = r.have[0], r.have[1:]
	return v, nil
}
