package table

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"
)

// TextColumn names a column that is to be read as text: strings as they are,
// integers in decimal.
type TextColumn struct {
	Name     string
	Role     string // what messages call it, such as "patient id"; may be empty
	Required bool   // it is an error if the file lacks it; any other holds nothing then
	Lists    bool   // it may hold lists
	Dates    bool   // it may hold a DATE, or a TIMESTAMP that stands for a day, read as YYYY-MM-DD
	Floats   bool   // it may hold floating-point numbers
}

// Texts are columns of a file that are read as text.
type Texts struct {
	f      *File
	leaves []*node // nil for a column that the file lacks
}

// TextRow is one row of Texts.
type TextRow struct {
	// Values has what each column holds: nothing for null and where the file
	// lacks the column, one value, or those of a list that are not null. It is
	// reused for the next row, its strings are not.
	Values [][]string

	t     *Texts
	group int
	row   int64
}

// Texts finds columns in the file's schema.
func (f *File) Texts(columns ...TextColumn) (*Texts, error) {
	t := &Texts{f: f, leaves: make([]*node, len(columns))}
	for i, c := range columns {
		var err error
		if t.leaves[i], err = f.textLeaf(c); err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return t, nil
}

func (f *File) textLeaf(c TextColumn) (*node, error) {
	role := c.Role
	if role != "" {
		role += " "
	}
	n, ambiguous := f.root.find(c.Name)
	switch {
	case ambiguous:
		return nil, fmt.Errorf("the %scolumn %q is there more than once; rename one of them", role, c.Name)
	case n == nil && c.Required:
		return nil, fmt.Errorf("there is no %scolumn %q; the columns are: %s", role, c.Name, f.listColumns())
	case n == nil || n.untyped() && !c.Required:
		return nil, nil
	}
	var leaves []*node
	n.eachLeaf(func(l *node) { leaves = append(leaves, l) })
	if len(leaves) == 1 && (c.Lists || leaves[0] == n && n.maxRep == 0) && c.takes(leaves[0]) {
		return leaves[0], nil
	}
	need := "a string or an integer"
	if c.Floats {
		need = "a string or a number"
	}
	if c.Dates {
		need += ", a DATE or a TIMESTAMP"
	}
	if c.Lists {
		need += ", or a list of these"
	}
	return nil, fmt.Errorf("the %scolumn %q has type %s; needed is %s", role, c.Name, n.typeName(), need)
}

func (c TextColumn) takes(leaf *node) bool {
	bits, _ := leaf.integer()
	return leaf.isString() || bits > 0 || c.Dates && leaf.dateKind() != dateNone || c.Floats && leaf.isFloat()
}

// untyped tells whether all of a column was null when it was written, so that
// it got no type.
func (n *node) untyped() bool { return n.leaf >= 0 && n.logical == logUnknown }

func (n *node) isFloat() bool { return n.leaf >= 0 && (n.phys == physFloat || n.phys == physDouble) }

// Has tells whether the file has the column of that index.
func (t *Texts) Has(column int) bool { return t.leaves[column] != nil }

// Each hands the rows to do, in order. Only the columns' own chunks are read. It
// stops at the first error of do, which it returns as it is, and when ctx is
// done.
func (t *Texts) Each(ctx context.Context, do func(*TextRow) error) error {
	for group := range t.f.groups {
		if err := t.EachOf(ctx, group, do); err != nil {
			return err
		}
	}
	return nil
}

// EachOf is Each for the rows of one row group.
func (t *Texts) EachOf(ctx context.Context, group int, do func(*TextRow) error) error {
	cursors := make([]*cursor, len(t.leaves))
	defer func() {
		for _, c := range cursors {
			c.close()
		}
	}()
	rows := t.f.infos[group].Rows
	for i, leaf := range t.leaves {
		if leaf == nil || rows == 0 {
			continue
		}
		var err error
		if cursors[i], err = newCursor(t.f, group, leaf); err != nil {
			return err
		}
	}
	r := TextRow{Values: make([][]string, len(cursors)), t: t, group: group}
	before := make([]string, len(cursors)) // the last value of each column: many repeat
	var values []parquet.Value
	for r.row = range rows {
		if r.row%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for i, c := range cursors {
			if c == nil {
				continue
			}
			var err error
			if values, err = c.nextRow(values[:0]); err != nil {
				if err == io.EOF {
					err = r.Error(i, io.ErrUnexpectedEOF)
				}
				return err
			}
			r.Values[i] = r.Values[i][:0]
			for k := range values {
				if isNull(&values[k]) {
					continue
				}
				if c.leaf.isInstant() && !c.leaf.atMidnight(&values[k]) {
					return r.Error(i, errNoDay)
				}
				if c.leaf.phys != physByteArray || string(values[k].ByteArray()) != before[i] {
					before[i] = textOf(c.leaf, &values[k])
				}
				r.Values[i] = append(r.Values[i], before[i])
			}
		}
		if err := do(&r); err != nil {
			return err
		}
	}
	return nil
}

// errNoDay says that a timestamp stands for no day. A day that was written as midnight
// somewhere east of Greenwich would be read as the day before.
var errNoDay = errors.New("the column holds dates as timestamps in UTC, and one is not at midnight, so that its day depends " +
	"on a time zone; cast the column to DATE in the zone in which it was written")

// One returns the value of a column without lists; ok is false for null.
func (r *TextRow) One(column int) (text string, ok bool) {
	if len(r.Values[column]) == 0 {
		return "", false
	}
	return r.Values[column][0], true
}

// Error says where in the file an error about the row happened.
func (r *TextRow) Error(column int, err error) error {
	return r.t.f.errorAt(r.group, r.t.leaves[column], r.row, err)
}

// textOf returns a value that is not null as text.
func textOf(leaf *node, v *parquet.Value) string {
	switch {
	case leaf.phys == physByteArray:
		return string(v.ByteArray())
	case leaf.phys == physFloat:
		return strconv.FormatFloat(float64(v.Float()), 'g', -1, 32)
	case leaf.phys == physDouble:
		return strconv.FormatFloat(v.Double(), 'g', -1, 64)
	case leaf.dateKind() != dateNone:
		return time.Unix(dateOf(leaf, v).Day*secondsPerDay, 0).UTC().Format(time.DateOnly)
	}
	return idOf(leaf, v).Text
}
