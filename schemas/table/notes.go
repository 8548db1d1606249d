package table

import (
	"context"
	"io"
	"math"

	"github.com/parquet-go/parquet-go"
)

// Note is what is known of one row: its ids, its texts and its date.
type Note struct {
	Row        int64 // index of the row in its row group
	DocumentID ID
	PatientID  ID     // null if the table has no patient id column
	Texts      []Text // in the order of Columns.Text
	NoteDate   int32  // days since 1970-01-01, valid if HasDate
	HasDate    bool
	DateOffset ID // null if there is no such column
}

// Text is the value of one text column. It need not be valid UTF-8.
type Text struct {
	Null  bool
	Value string
}

// ReadNotes reads the notes of one row group in order and hands them to yield
// in batches, within the bounds of Columns. Only the column chunks of the ids,
// the texts and the note's date are read. The batches are not reused. It stops
// at the first error of yield, which it returns as it is, and when ctx is done.
func (b *Binding) ReadNotes(ctx context.Context, rowGroup int, yield func(batch []Note) error) error {
	need := append([]int{b.doc}, b.texts...)
	if b.patient >= 0 {
		need = append(need, b.patient)
	}
	if b.noteAt >= 0 {
		need = append(need, b.noteAt)
	}
	if b.offset >= 0 {
		need = append(need, b.offset)
	}
	r, err := b.newRowReader(rowGroup, need)
	if err != nil {
		return err
	}
	defer r.close()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows, err := r.next()
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			return nil
		}
		notes := make([]Note, len(rows))
		texts := make([]Text, len(rows)*len(b.texts))
		for i := range rows {
			notes[i].Texts, texts = texts[:len(b.texts):len(b.texts)], texts[len(b.texts):]
			b.note(&notes[i], rows[i].at, rows[i].values)
		}
		if err := yield(notes); err != nil {
			return err
		}
	}
}

// note fills n, whose Texts has its length, from the values of b.columns.
func (b *Binding) note(n *Note, row int64, values []parquet.Value) {
	n.Row = row
	n.DocumentID = idOf(b.columns[b.doc].leaf, &values[b.doc])
	n.PatientID = ID{Null: true}
	if b.patient >= 0 {
		n.PatientID = idOf(b.columns[b.patient].leaf, &values[b.patient])
	}
	n.DateOffset = ID{Null: true}
	if b.offset >= 0 {
		n.DateOffset = idOf(b.columns[b.offset].leaf, &values[b.offset])
	}
	for i, c := range b.texts {
		if v := &values[c]; isNull(v) {
			n.Texts[i] = Text{Null: true}
		} else {
			n.Texts[i] = Text{Value: viewString(v)}
		}
	}
	if b.noteAt >= 0 {
		d := dateOf(b.columns[b.noteAt].leaf, &values[b.noteAt])
		if d.HasDay && d.Day >= math.MinInt32 && d.Day <= math.MaxInt32 {
			n.NoteDate, n.HasDate = int32(d.Day), true
		}
	}
}

// rowReader reads some of the bound columns of a row group in step.
type rowReader struct {
	b       *Binding
	group   int
	need    []int
	cursors []*cursor // as need
	row     int64
	rows    int64
}

// rawRow holds the values of a row by index in Binding.columns; those not
// asked for are null.
type rawRow struct {
	at     int64
	values []parquet.Value
}

func (b *Binding) newRowReader(group int, need []int) (*rowReader, error) {
	if err := b.f.checkGroupIndex(group); err != nil {
		return nil, err
	}
	r := &rowReader{b: b, group: group, need: need, rows: b.f.infos[group].Rows}
	for _, i := range need {
		c, err := newCursor(b.f, group, b.columns[i].leaf)
		if err != nil {
			r.close()
			return nil, err
		}
		r.cursors = append(r.cursors, c)
	}
	return r, nil
}

// next returns the next batch, empty at the end.
func (r *rowReader) next() ([]rawRow, error) {
	width := len(r.b.columns)
	n := min(int64(r.b.cfg.BatchRows), r.rows-r.row)
	batch := make([]rawRow, 0, n)
	slab := make([]parquet.Value, 0, int(n)*width)
	bytes := int64(0)
	for int64(len(batch)) < n && (len(batch) == 0 || bytes < r.b.cfg.BatchBytes) {
		slab = slab[:len(slab)+width]
		values := slab[len(slab)-width : len(slab) : len(slab)]
		for i, c := range r.cursors {
			v, err := c.next()
			if err == io.EOF {
				// checkGroups compared the counts, so this is a page that lies.
				return nil, r.b.f.errorAt(r.group, c.leaf, r.row, io.ErrUnexpectedEOF)
			}
			if err != nil {
				return nil, err
			}
			d := detach(v)
			if !d.IsNull() && d.Kind() == parquet.ByteArray {
				bytes += int64(len(d.ByteArray()))
			}
			values[r.need[i]] = d
		}
		batch = append(batch, rawRow{at: r.row, values: values})
		r.row++
	}
	return batch, nil
}

func (r *rowReader) close() {
	for _, c := range r.cursors {
		c.close()
	}
}
