package transforms

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// ReasonLinesApart is why rows are held back of a note whose lines lie in several
// files, or so far apart in one that they are in several shards: no worker has all
// of it, and a name that is cut between two lines would be found in neither.
const ReasonLinesApart = "lines_apart"

// unit is what is processed as one: a row or, where notes lie over several, all
// rows of a document id in a shard. Its texts are those of its lines together.
type unit struct {
	table.Note
	row    int64  // of the shard, that it is called by: its first line's
	rows   int    // how many it has
	reason string // why it cannot be processed
	ends   bool   // it is the last of a row group
}

// newUnit puts the rows of a note, in the order of their lines, together.
func (c *Config) newUnit(b *table.Binding, index *table.LineIndex, k int, rows []table.Note) unit {
	of := &index.Units[k]
	u := unit{Note: rows[0], row: of.Rows[0], rows: len(rows), reason: of.Reason}
	if len(rows) == 1 || u.reason != "" {
		return u
	}
	for _, r := range rows {
		switch {
		case r.PatientID != rows[0].PatientID:
			u.reason = table.ReasonLinesDiffer
		case r.DateOffset != rows[0].DateOffset && u.reason == "":
			u.reason = deid.ReasonDateOffset
		}
	}
	u.Note, _ = b.Joined(rows)
	return u
}

// identifyUnit is identify for all rows of a note.
func (c *Config) identifyUnit(u *unit) deid.Note {
	n := c.identify(u.Note, u.row)
	if n.Failure == "" {
		n.Failure = u.reason
	}
	return n
}

// eachUnit reads a shard's notes, in order of the last row of each.
func (c *Config) eachUnit(ctx context.Context, b *table.Binding, shard schemas.Shard, yield func(unit) error) error {
	index, err := b.Lines(ctx, shard.FirstGroup, shard.Groups, shard.Rows)
	if err != nil {
		return err
	}
	together := table.NewTogether[table.Note](index)
	row := int64(0)
	for group := shard.FirstGroup; group < shard.FirstGroup+shard.Groups; group++ {
		left := b.File().RowGroups()[group].Rows
		err := b.ReadNotes(ctx, group, func(notes []table.Note) error {
			for _, n := range notes {
				if c.Limit > 0 && row == shard.Rows {
					return errEnough
				}
				left--
				k, rows := together.Add(row, n)
				u := unit{Note: n, row: row, rows: 1}
				if row++; rows == nil {
					continue
				}
				if index != nil {
					u = c.newUnit(b, index, k, rows)
				}
				u.ends = left == 0
				if err := yield(u); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			return err
		}
	}
	if row != shard.Rows {
		return fmt.Errorf("%s: row groups %d to %d hold %d rows, the footer says %d", shard.File, shard.FirstGroup,
			shard.FirstGroup+shard.Groups-1, row, shard.Rows)
	}
	return nil
}

// hold sends a row to quarantine. Where the rows of its note could not be put
// together it says which row it was: such a mistake has to be looked for in the
// input.
func hold(row *table.Row, reason string, shard schemas.Shard, group int) {
	row.Quarantine(reason)
	if strings.HasPrefix(reason, "line") {
		row.Stood(fmt.Sprintf("%s, row group %d, row %d of the group", shard.Name, group, row.Row))
	}
}
