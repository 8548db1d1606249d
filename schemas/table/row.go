package table

import (
	"errors"
	"slices"

	"github.com/parquet-go/parquet-go"
)

// Row is a row that is being rewritten. The embedded Note, IDs and Dates hold
// the row as it was read and do not change. Different rows may be edited by
// different goroutines; one row by one at a time.
//
// A setter that returns an error has also quarantined the row, for the reason
// ReasonEdit, so that an error that is overlooked releases nothing.
type Row struct {
	Note
	IDs   []ID   // in the order of Columns.IDs
	Dates []Date // in the order of Columns.Dates

	b           *Binding
	group       int
	old         []parquet.Value // by index in Binding.columns
	new         []parquet.Value
	lists       [][]parquet.Value // of columns in lists, by the same index
	newLists    [][]parquet.Value // nil as long as a list is as it was
	reason      string
	stood       string
	quarantined bool
	omitted     bool
}

// ReasonEdit is the reason code of rows that a setter could not change.
const ReasonEdit = "edit"

// ReasonDateOutOfRange is the reason code of rows with a date that, moved,
// would not fit its column.
const ReasonDateOutOfRange = "date_out_of_range"

// Quarantine sends the row, unchanged, to the quarantine writer instead of the
// output. reason is a code, not prose, and never holds text of the row. The
// first reason stays.
func (r *Row) Quarantine(reason string) {
	if !r.quarantined {
		r.quarantined, r.reason = true, reason
	}
}

// Stood makes the quarantine tell, behind the reason, where a row stood.
func (r *Row) Stood(where string) { r.stood = ": " + where }

// Quarantined reports whether the row will not be in the output, and why.
func (r *Row) Quarantined() (reason string, ok bool) { return r.reason, r.quarantined }

var errNull = errors.New("the value is null and stays so")

func (r *Row) fail(column int, err error) error {
	r.Quarantine(ReasonEdit)
	return r.b.f.errorAt(r.group, r.b.columns[column].leaf, r.Row, err)
}

// SetText replaces Texts[i]. A null stays null: setting it is an error.
func (r *Row) SetText(i int, text string) error {
	t := &r.Texts[i]
	c := r.b.texts[t.Column]
	if r.b.columns[c].leaf.maxRep == 0 {
		return r.setString(c, text)
	}
	if t.Null {
		return r.fail(c, errNull)
	}
	if r.newLists == nil {
		r.newLists = make([][]parquet.Value, len(r.lists))
	}
	if r.newLists[c] == nil {
		r.newLists[c] = slices.Clone(r.lists[c])
	}
	r.newLists[c][t.at] = stringAt(&r.lists[c][t.at], text)
	return nil
}

// Kept is a value of a column that is released as it is.
type Kept struct {
	Column string // its path
	Value  string // a number in decimal
}

// Kept returns the row's values, no nulls, of the columns that Columns.Look
// asks for. Of decimals and floating-point numbers, those that are integers: no
// other is an id.
func (r *Row) Kept(to []Kept) []Kept {
	for _, c := range r.b.kept {
		leaf := r.b.columns[c].leaf
		values := r.old[c : c+1]
		if leaf.maxRep > 0 {
			values = r.lists[c]
		}
		for i := range values {
			if isNull(&values[i]) {
				continue
			}
			text, ok := "", true
			if leaf.isNumber() {
				text, ok = numberOf(leaf, &values[i])
			} else {
				text = idOf(leaf, &values[i]).Text
			}
			if ok {
				to = append(to, Kept{Column: leaf.dotted(), Value: text})
			}
		}
	}
	return to
}

// SetDateString replaces the value of column Columns.Dates[i], which must hold
// strings and not be null.
func (r *Row) SetDateString(i int, text string) error {
	c := r.b.dates[i]
	if !r.b.DateIsString(i) {
		return r.fail(c, errors.New("the column holds dates, not strings: shift the date instead"))
	}
	return r.setString(c, text)
}

func (r *Row) setString(c int, text string) error {
	if isNull(&r.old[c]) {
		return r.fail(c, errNull)
	}
	r.new[c] = stringAt(&r.old[c], text)
	return nil
}

// SetDocumentID replaces the document id. For an integer column, text must be
// a decimal integer that fits.
func (r *Row) SetDocumentID(text string) error {
	if r.b.doc < 0 {
		r.Quarantine(ReasonEdit)
		return errors.New("the table has no document id column")
	}
	return r.setID(r.b.doc, text)
}

// SetPatientID replaces the patient id, as SetDocumentID does.
func (r *Row) SetPatientID(text string) error {
	if r.b.patient < 0 {
		r.Quarantine(ReasonEdit)
		return errors.New("the table has no patient id column")
	}
	return r.setID(r.b.patient, text)
}

// SetID replaces the id of column Columns.IDs[i], as SetDocumentID does.
func (r *Row) SetID(i int, text string) error { return r.setID(r.b.ids[i], text) }

func (r *Row) setID(c int, text string) error {
	if isNull(&r.old[c]) {
		return r.fail(c, errNull)
	}
	v, err := idValue(r.b.columns[c].leaf, &r.old[c], text)
	if err != nil {
		return r.fail(c, err)
	}
	r.new[c] = v
	return nil
}

// ShiftDate moves the date of column Columns.Dates[i] as it was read by whole
// days, the time of day untouched. It is an error if the result does not fit
// in the column's type, if the column holds strings, and if the date is null.
func (r *Row) ShiftDate(i int, days int) error {
	c := r.b.dates[i]
	if isNull(&r.old[c]) {
		return r.fail(c, errNull)
	}
	v, err := shiftDate(r.b.columns[c].leaf, &r.old[c], days)
	if err != nil {
		r.Quarantine(ReasonDateOutOfRange)
		return r.fail(c, err)
	}
	r.new[c] = v
	return nil
}

// Take makes of r what was made of other, which is the same row, read apart.
func (r *Row) Take(other *Row) {
	r.new, r.newLists = other.new, other.newLists
	r.reason, r.stood, r.quarantined = other.reason, other.stood, other.quarantined
}

// newRows makes the handles of a batch.
func (b *Binding) newRows(group int, raw []rawRow) []*Row {
	width := len(b.columns)
	rows := make([]Row, len(raw))
	out := make([]*Row, len(raw))
	values := make([]parquet.Value, len(raw)*width)
	texts := make([]Text, 0, len(raw)*len(b.texts))
	ids := make([]ID, len(raw)*len(b.ids))
	dates := make([]Date, len(raw)*len(b.dates))
	for i := range raw {
		r := &rows[i]
		out[i] = r
		r.b, r.group, r.old = b, group, raw[i].values
		r.new = values[i*width : (i+1)*width : (i+1)*width]
		copy(r.new, r.old)
		r.IDs = cut(ids, i, len(b.ids))
		r.Dates = cut(dates, i, len(b.dates))
		r.lists = raw[i].lists
		texts = b.note(&r.Note, &raw[i], texts)
		for j, c := range b.ids {
			r.IDs[j] = idOf(b.columns[c].leaf, &r.old[c])
		}
		for j, c := range b.dates {
			r.Dates[j] = dateOf(b.columns[c].leaf, &r.old[c])
		}
	}
	return out
}

// cut returns the i-th run of n elements.
func cut[T any](s []T, i, n int) []T { return s[i*n : (i+1)*n : (i+1)*n] }
