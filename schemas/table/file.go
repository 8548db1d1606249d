package table

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"
)

// File is an open Parquet file. It holds the footer and reads all else on
// demand. It is safe for concurrent use if its io.ReaderAt is.
type File struct {
	r        io.ReaderAt
	size     int64
	name     string
	meta     value
	elements []value
	root     *node
	leaves   []*node
	groups   []value
	infos    []RowGroup
}

// RowGroup describes one row group of a file.
type RowGroup struct {
	Rows     int64 // number of rows
	FirstRow int64 // rows of the file before this row group
	Bytes    int64 // compressed size of all column chunks, in bytes
}

// maxFooter is above the footer of any file that can be used, so that a
// damaged length does not become a huge allocation.
const maxFooter = 1 << 30

// Open reads the footer of a Parquet file of size bytes. name is the path that
// error messages use. Files that are not Parquet, truncated or encrypted are
// refused.
func Open(r io.ReaderAt, size int64, name string) (*File, error) {
	f := &File{r: r, size: size, name: name}
	footer, err := f.readFooter()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	meta, n, err := parseStruct(footer)
	if err != nil {
		return nil, fmt.Errorf("%s: the footer is damaged: %w; copy the file again from its source", name, err)
	}
	if meta.get(fmEncryption) != nil {
		return nil, fmt.Errorf("%s: the file is encrypted (Parquet modular encryption); decrypt it before this job", name)
	}
	if n != len(footer) {
		return nil, fmt.Errorf("%s: the footer is damaged: %d bytes too many; copy the file again from its source", name, len(footer)-n)
	}
	f.meta = meta
	f.elements = meta.items(fmSchema)
	if f.root, f.leaves, err = parseSchema(f.elements); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f.groups = meta.items(fmRowGroups)
	if err := f.checkGroups(); err != nil {
		return nil, err
	}
	return f, nil
}

// With returns f for reads from r, which must be the same version of the same
// file: its footer is not read again.
func (f *File) With(r io.ReaderAt) *File {
	g := *f
	g.r = r
	return &g
}

func (f *File) readFooter() ([]byte, error) {
	const trailer = 8
	if f.size < 4+trailer {
		return nil, fmt.Errorf("not a Parquet file: it has only %d bytes", f.size)
	}
	var head [4]byte
	var tail [trailer]byte
	if err := readFull(f.r, head[:], 0); err != nil {
		return nil, fmt.Errorf("reading the first bytes: %w", err)
	}
	if err := readFull(f.r, tail[:], f.size-trailer); err != nil {
		return nil, fmt.Errorf("reading the last bytes: %w", err)
	}
	switch {
	case string(head[:]) == "PARE" || string(tail[4:]) == "PARE":
		return nil, errors.New("the file is encrypted (Parquet modular encryption); decrypt it before this job")
	case string(head[:]) != "PAR1":
		return nil, errors.New("not a Parquet file: it does not begin with PAR1")
	case string(tail[4:]) != "PAR1":
		return nil, errors.New("the file is truncated: it does not end with PAR1; copy it again from its source")
	}
	n := int64(binary.LittleEndian.Uint32(tail[:]))
	if n > f.size-trailer-4 || n > maxFooter {
		return nil, errors.New("the footer is damaged: its length exceeds the file; copy the file again from its source")
	}
	footer := make([]byte, n)
	if err := readFull(f.r, footer, f.size-trailer-n); err != nil {
		return nil, fmt.Errorf("reading the footer: %w", err)
	}
	return footer, nil
}

// readFull fills p; an end of file that comes right after p is no error.
func readFull(r io.ReaderAt, p []byte, off int64) error {
	n, err := r.ReadAt(p, off)
	if n == len(p) {
		return nil
	}
	if err == nil || err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// checkGroups checks all that later reads rely on, so that they cannot go
// outside of the file.
func (f *File) checkGroups() error {
	first := int64(0)
	for g := range f.groups {
		group := &f.groups[g]
		rows := group.intOr(rgNumRows, -1)
		columns := group.items(rgColumns)
		if rows < 0 || first+rows < first {
			return fmt.Errorf("%s: row group %d: the footer is damaged: no valid number of rows", f.name, g)
		}
		if len(columns) != len(f.leaves) {
			return fmt.Errorf("%s: row group %d: the footer is damaged: %d column chunks for %d columns", f.name, g, len(columns), len(f.leaves))
		}
		info := RowGroup{Rows: rows, FirstRow: first}
		for i := range columns {
			if err := f.checkChunk(&columns[i], f.leaves[i], rows); err != nil {
				return f.errorAt(g, f.leaves[i], -1, err)
			}
			info.Bytes += columns[i].get(ccMetaData).intOr(cmTotalCompressed, 0)
		}
		first += rows
		f.infos = append(f.infos, info)
	}
	return nil
}

func (f *File) checkChunk(chunk *value, leaf *node, rows int64) error {
	if chunk.get(ccCrypto) != nil || chunk.get(ccEncryptedMetaData) != nil {
		return errors.New("the column is encrypted (Parquet modular encryption); decrypt the file before this job")
	}
	if chunk.str(ccFilePath) != "" {
		return errors.New("the column's data lies in another file, which is not supported")
	}
	meta := chunk.get(ccMetaData)
	if meta == nil || meta.kind != tStruct {
		return errors.New("the footer is damaged: the column chunk has no metadata")
	}
	if meta.intOr(cmType, -1) != int64(leaf.phys) {
		return errors.New("the footer is damaged: the column chunk has another type than the schema")
	}
	n := meta.intOr(cmNumValues, -1)
	if n < 0 || leaf.maxRep == 0 && n != rows || n < rows {
		return errors.New("the footer is damaged: the column chunk has another number of values than the row group has rows")
	}
	start, length := extent(meta)
	// Chunks without pages may have any offset.
	if length < 0 || length > 0 && (start < 4 || start > f.size || length > f.size-8-start) {
		return errors.New("the footer is damaged, or the file was cut: the column chunk lies outside of the file")
	}
	return nil
}

// extent returns where a column chunk begins and how many bytes it has. Some
// writers set the offset of the dictionary to 0, others leave it away; a chunk
// without values may have a dictionary alone.
func extent(meta *value) (start, length int64) {
	start = meta.intOr(cmDataPageOffset, 0)
	for _, id := range []int16{cmDictionaryOffset, cmIndexPageOffset} {
		if o := meta.intOr(id, 0); o > 0 && (o < start || start <= 0) {
			start = o
		}
	}
	return start, meta.intOr(cmTotalCompressed, -1)
}

// Name returns the name that Open was given.
func (f *File) Name() string { return f.name }

// RowGroups returns the row groups in the order of the file.
func (f *File) RowGroups() []RowGroup { return append([]RowGroup(nil), f.infos...) }

// Rows returns the number of rows of the file.
func (f *File) Rows() int64 {
	n := int64(0)
	for _, g := range f.infos {
		n += g.Rows
	}
	return n
}

// ColumnNames returns the names of the top-level columns in the order of the schema.
func (f *File) ColumnNames() []string {
	names := make([]string, 0, len(f.root.children))
	for _, c := range f.root.children {
		names = append(names, c.name)
	}
	return names
}

// listColumns returns the names of the columns for a message.
func (f *File) listColumns() string {
	names := f.ColumnNames()
	sort.Strings(names)
	const most = 40
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

func (f *File) chunk(group int, leaf *node) *value {
	return &f.groups[group].items(rgColumns)[leaf.leaf]
}

// errorAt says where an error happened. row is the row in the row group, or -1.
func (f *File) errorAt(group int, leaf *node, row int64, err error) error {
	var at strings.Builder
	fmt.Fprintf(&at, "%s: row group %d", f.name, group)
	if leaf != nil {
		fmt.Fprintf(&at, ", column %q", leaf.dotted())
	}
	if row >= 0 {
		fmt.Fprintf(&at, ", row %d of the group", row)
	}
	return fmt.Errorf("%s: %w", at.String(), err)
}

func (f *File) checkGroupIndex(group int) error {
	if group < 0 || group >= len(f.groups) {
		return fmt.Errorf("%s: there is no row group %d: the file has %d", f.name, group, len(f.groups))
	}
	return nil
}
