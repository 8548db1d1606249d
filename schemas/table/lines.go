package table

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/lines"
)

// Why the rows of a note cannot be put together.
const (
	ReasonLineNumber   = "line_number"   // null, negative or so high that it is none
	ReasonLineRepeated = "line_repeated" // two rows of a note have the same
	ReasonLinesDiffer  = "lines_differ"  // in their patient
)

// bindLine finds the column of the numbers of lines.
func (b *Binding) bindLine(name string) (err error) {
	if name == "" {
		return nil
	}
	if b.line, err = b.add(name, "line", false); err != nil {
		return err
	}
	for _, c := range b.texts {
		if leaf := b.columns[c].leaf; leaf.maxRep > 0 {
			return fmt.Errorf("column %q holds lists of texts, and column %q has the role %s: a note is in lists or in rows, not in both",
				leaf.dotted(), name, RoleLine)
		}
	}
	return nil
}

// LineIndex says which rows of a run of row groups are one note.
type LineIndex struct {
	Units []LineUnit
	of    []int32 // unit of each row
}

// LineUnit is the rows of one note.
type LineUnit struct {
	Rows   []int64 // counted from the first of the run on, in the order of their lines
	Last   int64   // the highest of them
	Reason string  // why they cannot be put together, or ""
}

// Of returns the unit of a row.
func (x *LineIndex) Of(row int64) int { return int(x.of[row]) }

// Lines reads ids and numbers of lines of a run of row groups, its first rows, and
// says which are one note: those of one document id, wherever they stand in the
// run. A row without a document id is by itself. It is nil where the table has no
// column of lines. In memory it takes some forty bytes a row.
func (b *Binding) Lines(ctx context.Context, first, groups int, rows int64) (*LineIndex, error) {
	if b.line < 0 {
		return nil, nil
	}
	x := &LineIndex{}
	var numbers []int64
	byID := map[string]int{}
	for g := first; g < first+groups; g++ {
		r, err := b.newRowReader(g, []int{b.doc, b.line})
		if err != nil {
			return nil, err
		}
		defer r.close()
		for int64(len(x.of)) < rows {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			batch, err := r.next()
			if err != nil {
				return nil, err
			}
			if len(batch) == 0 {
				break
			}
			for i := range batch[:min(int64(len(batch)), rows-int64(len(x.of)))] {
				number, ok := lineNumber(idOf(b.columns[b.line].leaf, &batch[i].values[b.line]))
				x.add(byID, idOf(b.columns[b.doc].leaf, &batch[i].values[b.doc]), ok)
				numbers = append(numbers, number)
			}
		}
		r.close()
	}
	for i := range x.Units {
		u := &x.Units[i]
		slices.SortStableFunc(u.Rows, func(a, b int64) int { return int(numbers[a] - numbers[b]) })
		for k := 1; k < len(u.Rows); k++ {
			if u.Reason == "" && numbers[u.Rows[k]] == numbers[u.Rows[k-1]] {
				u.Reason = ReasonLineRepeated
			}
		}
	}
	return x, nil
}

func (x *LineIndex) add(byID map[string]int, id ID, ok bool) {
	row := int64(len(x.of))
	none := id.Null || strings.TrimSpace(id.Text) == ""
	u, met := byID[id.Text]
	if !met || none {
		u = len(x.Units)
		x.Units = append(x.Units, LineUnit{})
		if !none {
			byID[id.Text] = u
		}
	}
	x.of = append(x.of, int32(u))
	x.Units[u].Rows, x.Units[u].Last = append(x.Units[u].Rows, row), row
	if !ok {
		x.Units[u].Reason = ReasonLineNumber
	}
}

// lineNumber reads the number of a line.
func lineNumber(id ID) (int64, bool) {
	n, err := strconv.ParseInt(id.Text, 10, 64)
	if id.Null || err != nil || n < 0 || n > lines.Most {
		return 0, false
	}
	return n, true
}

// Together holds rows until all of their note are there.
type Together[T any] struct {
	index *LineIndex
	held  map[int]map[int64]T // by unit and row
}

// NewTogether returns one for the rows of an index.
func NewTogether[T any](index *LineIndex) *Together[T] {
	return &Together[T]{index: index, held: map[int]map[int64]T{}}
}

// Add adds a row and returns the rows of its note, in the order of their lines, if
// it was the last of them. Without an index each row is a note.
func (t *Together[T]) Add(row int64, x T) (unit int, all []T) {
	if t.index == nil {
		return 0, []T{x}
	}
	unit = t.index.Of(row)
	u := &t.index.Units[unit]
	if len(u.Rows) == 1 {
		return unit, []T{x}
	}
	if t.held[unit] == nil {
		t.held[unit] = map[int64]T{}
	}
	t.held[unit][row] = x
	if row < u.Last {
		return unit, nil
	}
	for _, r := range u.Rows {
		all = append(all, t.held[unit][r])
	}
	delete(t.held, unit)
	return unit, all
}

// Joined puts the rows of a note, in the order of their lines, together: what the
// first says of the note, and each column's texts as one. cut, by column, cuts
// these again.
func (b *Binding) Joined(rows []Note) (whole Note, cut []*lines.Note) {
	whole = rows[0]
	whole.Texts = make([]Text, len(rows[0].Texts))
	for k := range whole.Texts {
		all := make([]lines.Line, len(rows))
		null := true
		for i, r := range rows {
			number, _ := lineNumber(r.Line)
			all[i] = lines.Line{Number: number, Text: r.Texts[k].Value, Null: r.Texts[k].Null}
			null = null && r.Texts[k].Null
		}
		n := lines.Join(all, b.cfg.LineSeparator)
		whole.Texts[k] = Text{Null: null, Value: n.Text, Column: rows[0].Texts[k].Column}
		cut = append(cut, n)
	}
	return whole, cut
}

// RowReader reads the rows of a row group apart from a Rewriter, with all
// configured columns: to look ahead. Close must be called at the end.
type RowReader struct {
	r     *rowReader
	group int
}

// Rows opens a row group.
func (b *Binding) Rows(group int) (*RowReader, error) {
	need := make([]int, len(b.columns))
	for i := range need {
		need[i] = i
	}
	r, err := b.newRowReader(group, need)
	if err != nil {
		return nil, err
	}
	return &RowReader{r, group}, nil
}

// Next returns the next batch, empty at the end.
func (r *RowReader) Next() ([]*Row, error) {
	raw, err := r.r.next()
	if err != nil || len(raw) == 0 {
		return nil, err
	}
	return r.r.b.newRows(r.group, raw), nil
}

// Close frees what the reader holds.
func (r *RowReader) Close() { r.r.close() }

// Parted tells whether a file may be cut before a row group: not where the note of
// its first row begins in the group before.
func (b *Binding) Parted(group int) (bool, error) {
	if b.line < 0 || group == 0 {
		return true, nil
	}
	leaf := b.columns[b.doc].leaf
	edge := func(g int, last bool) (id ID, err error) {
		c, err := newCursor(b.f, g, leaf)
		if err != nil {
			return id, err
		}
		defer c.close()
		id.Null = true
		for {
			v, err := c.next()
			if errors.Is(err, io.EOF) {
				return id, nil
			}
			if err != nil {
				return id, err
			}
			d := detach(v)
			if id = idOf(leaf, &d); !last {
				return id, nil
			}
		}
	}
	before, err := edge(group-1, true)
	if err != nil {
		return false, err
	}
	after, err := edge(group, false)
	return before.Null || after.Null || before.Text != after.Text, err
}
