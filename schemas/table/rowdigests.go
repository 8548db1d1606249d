package table

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"io"

	"github.com/parquet-go/parquet-go"
)

// RowDigests returns a hash of each row of a row group: of the values of all
// columns that decide what is released of it, by the columns' paths. A column that
// is null changes nothing, so that one that a table gains does not change its older
// rows.
func (b *Binding) RowDigests(ctx context.Context, group int) ([][sha256.Size]byte, error) {
	sums := make([][sha256.Size]byte, 0, 1024)
	for _, leaf := range b.f.leaves {
		if b.dropped[leaf] && (b.offset < 0 || b.columns[b.offset].leaf != leaf) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var err error
		if sums, err = b.f.addDigests(sums, group, leaf); err != nil {
			return nil, err
		}
	}
	return sums, nil
}

// addDigests adds a column to the hashes of rows, which grow with the rows that are
// read: the footer may claim any number.
func (f *File) addDigests(sums [][sha256.Size]byte, group int, leaf *node) ([][sha256.Size]byte, error) {
	c, err := newCursor(f, group, leaf)
	if err != nil {
		return nil, err
	}
	defer c.close()
	var values []parquet.Value
	var buf []byte
	path := leaf.dotted()
	for row := range int(f.infos[group].Rows) {
		values, err = c.nextRow(values[:0])
		if err == io.EOF {
			err = f.errorAt(group, leaf, int64(row), io.ErrUnexpectedEOF)
		}
		if err != nil {
			return nil, err
		}
		if row == len(sums) {
			sums = append(sums, [sha256.Size]byte{})
		}
		if leaf.maxRep == 0 && values[0].IsNull() || values[0].DefinitionLevel() == 0 && leaf.maxRep > 0 {
			continue
		}
		buf = append(append(buf[:0], sums[row][:]...), path...)
		sums[row] = sha256.Sum256(appendValues(append(buf, 0), leaf, values))
	}
	return sums, nil
}

// appendValues appends values such that no others are written in the same way. Of a
// column outside of lists it does not matter whether it may be null.
func appendValues(buf []byte, leaf *node, values []parquet.Value) []byte {
	for i := range values {
		v := &values[i]
		buf = append(buf, byte(v.Kind()))
		if leaf.maxRep > 0 {
			buf = append(buf, byte(v.RepetitionLevel()), byte(v.DefinitionLevel()))
		}
		if v.IsNull() {
			continue
		}
		at := len(buf)
		buf = append(buf, 0, 0, 0, 0)
		buf = v.AppendBytes(buf)
		binary.LittleEndian.PutUint32(buf[at:], uint32(len(buf)-at-4))
	}
	return buf
}

// ReleasedDigest returns a hash of what a row is released as, in the columns that may
// be changed.
func (r *Row) ReleasedDigest() [sha256.Size]byte {
	h := sha256.New()
	var buf []byte
	for i, c := range r.b.columns {
		if !c.edit {
			continue
		}
		values := r.new[i : i+1]
		if c.leaf.maxRep > 0 {
			if values = r.lists[i]; r.newLists != nil && r.newLists[i] != nil {
				values = r.newLists[i]
			}
		}
		buf = append(append(buf[:0], c.leaf.dotted()...), 0)
		h.Write(appendValues(buf, c.leaf, values))
	}
	var sum [sha256.Size]byte
	h.Sum(sum[:0])
	return sum
}

// ReleasedID returns the document id that the row is released under.
func (r *Row) ReleasedID() string {
	id := idOf(r.b.columns[r.b.doc].leaf, &r.new[r.b.doc])
	return id.Text
}

// Omit leaves the row out of the output and of the quarantine.
func (r *Row) Omit() { r.omitted = true }

// Omitted reports whether the row is left out.
func (r *Row) Omitted() bool { return r.omitted }

// OmitGroup passes over a row group, none of whose rows go anywhere.
func (w *Rewriter) OmitGroup(group int) error {
	if err := w.b.f.checkGroupIndex(group); err != nil {
		return err
	}
	w.omitted += w.b.f.infos[group].Rows
	return nil
}
