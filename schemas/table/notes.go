package table

import (
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/parquet-go/parquet-go"
)

// Note is what is known of one row: its ids, its texts and its date.
type Note struct {
	Row        int64 // index of the row in its row group
	DocumentID ID
	PatientID  ID     // null if the table has no patient id column
	Texts      []Text // in the order of Columns.Text; of columns in lists, one for each element, or a null for none
	NoteDate   int32  // days since 1970-01-01, valid if HasDate
	HasDate    bool
	DateOffset ID // null if there is no such column
	Line       ID // null if there is no such column
}

// Text is the value of one text column. It need not be valid UTF-8.
type Text struct {
	Null  bool
	Value string

	Column  int    // index in Columns.Text
	Element string // of a column in lists, where: "2" is the third element, "2.0" the first of what that holds

	at int // index among the column's values of the row
}

// ReadNotes reads the notes of one row group in order and hands them to yield
// in batches, within the bounds of Columns. Only the column chunks of the ids,
// the texts and the note's date are read. The batches are not reused. It stops
// at the first error of yield, which it returns as it is, and when ctx is done.
func (b *Binding) ReadNotes(ctx context.Context, rowGroup int, yield func(batch []Note) error) error {
	return b.readRows(ctx, rowGroup, append(b.about(), b.texts...), func(rows []rawRow) error {
		notes := make([]Note, len(rows))
		texts := make([]Text, 0, len(rows)*len(b.texts))
		for i := range rows {
			texts = b.note(&notes[i], &rows[i], texts)
		}
		return yield(notes)
	})
}

// readRows reads the needed columns of one row group in order and hands their rows to
// do in batches. It stops at do's first error, and when ctx is done.
func (b *Binding) readRows(ctx context.Context, rowGroup int, need []int, do func(batch []rawRow) error) error {
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
		if err != nil || len(rows) == 0 {
			return err
		}
		if err := do(rows); err != nil {
			return err
		}
	}
}

// about returns the columns that say which note a row is, whose, and of when.
func (b *Binding) about() (need []int) {
	for _, i := range []int{b.doc, b.patient, b.noteAt, b.offset, b.line} {
		if i >= 0 && !slices.Contains(need, i) {
			need = append(need, i)
		}
	}
	return need
}

// ReadAllNotes reads the notes of all row groups in order, as ReadNotes does those
// of one. Notes that lie over several rows are put together, each where its last
// row stands; of those that cannot be, the rows are as they are.
func (b *Binding) ReadAllNotes(ctx context.Context, yield func(batch []Note) error) error {
	index, err := b.Lines(ctx, 0, len(b.f.groups), b.f.Rows())
	if err != nil {
		return err
	}
	together, row := NewTogether[Note](index), int64(0)
	for g := range b.f.groups {
		err := b.ReadNotes(ctx, g, func(batch []Note) error {
			if index == nil {
				return yield(batch)
			}
			var notes []Note
			for _, n := range batch {
				unit, rows := together.Add(row, n)
				if row++; rows == nil {
					continue
				}
				if index.Units[unit].Reason == "" {
					whole, _ := b.Joined(rows)
					rows = []Note{whole}
				}
				notes = append(notes, rows...)
			}
			return yield(notes)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// note fills n from the values of b.columns. Its texts are appended to texts.
func (b *Binding) note(n *Note, raw *rawRow, texts []Text) []Text {
	values := raw.values
	n.Row = raw.at
	n.DocumentID, n.PatientID = ID{Null: true}, ID{Null: true}
	if b.doc >= 0 {
		n.DocumentID = idOf(b.columns[b.doc].leaf, &values[b.doc])
	}
	if b.patient >= 0 {
		n.PatientID = idOf(b.columns[b.patient].leaf, &values[b.patient])
	}
	n.DateOffset = ID{Null: true}
	if b.offset >= 0 {
		n.DateOffset = idOf(b.columns[b.offset].leaf, &values[b.offset])
	}
	n.Line = ID{Null: true}
	if b.line >= 0 {
		n.Line = idOf(b.columns[b.line].leaf, &values[b.line])
	}
	first := len(texts)
	for i, c := range b.texts {
		if b.columns[c].leaf.maxRep > 0 {
			texts = appendElements(texts, i, b.columns[c].leaf, raw.lists[c])
		} else {
			texts = append(texts, filled(&values[c], Text{Column: i}))
		}
	}
	n.Texts = texts[first:len(texts):len(texts)]
	if b.noteAt >= 0 {
		d := dateOf(b.columns[b.noteAt].leaf, &values[b.noteAt])
		if d.HasDay && d.Day >= math.MinInt32 && d.Day <= math.MaxInt32 {
			n.NoteDate, n.HasDate = int32(d.Day), true
		}
	}
	return texts
}

// filled returns t with the value v.
func filled(v *parquet.Value, t Text) Text {
	if t.Null = isNull(v); !t.Null {
		t.Value = viewString(v)
	}
	return t
}

// appendElements appends the texts of a column in lists.
func appendElements(texts []Text, column int, leaf *node, values []parquet.Value) []Text {
	place := make([]int, leaf.maxRep) // index within the list of each level
	for i := range values {
		if level := values[i].RepetitionLevel(); i > 0 && level > 0 {
			place[level-1]++
			clear(place[level:])
		}
		t := Text{Column: column, at: i}
		for l, n := range place {
			if l > 0 {
				t.Element += "."
			}
			t.Element += strconv.Itoa(n)
		}
		texts = append(texts, filled(&values[i], t))
	}
	return texts
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
// asked for are null. Of columns in lists, all are in lists and the first in
// values.
type rawRow struct {
	at     int64
	values []parquet.Value
	lists  [][]parquet.Value // nil if no column is in a list
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
		row := rawRow{at: r.row, values: values}
		if r.b.lists {
			row.lists = make([][]parquet.Value, width)
		}
		for i, c := range r.cursors {
			if c.leaf.maxRep > 0 {
				list, err := r.nextList(c)
				if err != nil {
					return nil, err
				}
				for j := range list {
					bytes += byteLength(&list[j])
				}
				row.lists[r.need[i]], values[r.need[i]] = list, list[0]
				continue
			}
			v, err := c.next()
			if err == io.EOF {
				// checkGroups compared the counts, so this is a page that lies.
				return nil, r.b.f.errorAt(r.group, c.leaf, r.row, io.ErrUnexpectedEOF)
			}
			if err != nil {
				return nil, err
			}
			d := detach(v)
			bytes += byteLength(&d)
			values[r.need[i]] = d
		}
		batch = append(batch, row)
		r.row++
	}
	return batch, nil
}

// nextList returns the values of a column in lists, at least one, which may be
// null.
func (r *rowReader) nextList(c *cursor) ([]parquet.Value, error) {
	list, err := c.nextRow(nil)
	if err == io.EOF {
		err = r.b.f.errorAt(r.group, c.leaf, r.row, io.ErrUnexpectedEOF)
	}
	if err == nil && c.row != r.row {
		err = r.b.f.errorAt(r.group, c.leaf, r.row, errors.New("the column chunk is damaged: its lists do not fit its rows"))
	}
	return list, err
}

func byteLength(v *parquet.Value) int64 {
	if v.IsNull() || v.Kind() != parquet.ByteArray {
		return 0
	}
	return int64(len(v.ByteArray()))
}

func (r *rowReader) close() {
	for _, c := range r.cursors {
		c.close()
	}
}
