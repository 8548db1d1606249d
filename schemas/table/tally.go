package table

import "github.com/parquet-go/parquet-go"

// Tally says of one column of a row how many of its values are not null, and how
// many of these an edit has changed.
type Tally struct {
	Values, Changed int64
}

// Tally adds the row's values to all, which has an element for each of Columns.
// Only columns with a role that needs their values count.
func (r *Row) Tally(all []Tally) {
	for i, c := range r.b.columns {
		t := &all[c.leaf.leaf]
		old, now := r.old[i:i+1], r.new[i:i+1]
		if c.leaf.maxRep > 0 {
			old, now = r.lists[i], r.lists[i]
			if r.newLists != nil && r.newLists[i] != nil {
				now = r.newLists[i]
			}
		}
		for k := range old {
			if isNull(&old[k]) {
				continue
			}
			t.Values++
			if c.edit && !parquet.Equal(old[k], now[k]) {
				t.Changed++
			}
		}
	}
}
