package table

import "context"

// DatedRow is what is known of a row of a table without texts: its ids and its
// dates.
type DatedRow struct {
	Note
	Dates []Date // in the order of Columns.Dates
}

// ReadDates reads the rows of one row group in order and hands them to yield in
// batches, as ReadNotes does. Only the column chunks of ids and dates are read.
func (b *Binding) ReadDates(ctx context.Context, rowGroup int, yield func(batch []DatedRow) error) error {
	need := b.about()
	for _, i := range b.dates {
		if i != b.noteAt {
			need = append(need, i)
		}
	}
	return b.readRows(ctx, rowGroup, need, func(rows []rawRow) error {
		batch := make([]DatedRow, len(rows))
		days := make([]Date, len(rows)*len(b.dates))
		for i := range rows {
			d := &batch[i]
			b.note(&d.Note, &rows[i], nil)
			d.Dates = cut(days, i, len(b.dates))
			for j, c := range b.dates {
				d.Dates[j] = dateOf(b.columns[c].leaf, &rows[i].values[c])
			}
		}
		return yield(batch)
	})
}
