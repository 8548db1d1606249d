package transforms

import (
	"context"
	"slices"
	"sync"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// Inputs is what the footers of one table's files say.
type Inputs struct {
	Shards []schemas.Shard // of all that the job processes
	Files  int
	Groups int   // row groups
	Rows   int64 // of the shards
	All    int64 // rows of all files, of which a trial run takes some
	Bytes  int64 // of all files
	Days   Days  // on which the notes were written, as far as statistics tell
	Words  bool  // strings are kept, which the taggers have to look at
}

// Days is a span of days that notes were written on.
type Days struct {
	Known       bool
	First, Last int // since 1970-01-01
}

// Count returns how many days it has.
func (d Days) Count() int {
	if !d.Known {
		return 0
	}
	return d.Last - d.First + 1
}

// Add extends the span to a day, unless that is no day of notes.
func (d *Days) Add(day int) {
	switch {
	case !deid.PlausibleDay(day):
	case !d.Known:
		*d = Days{true, day, day}
	default:
		d.First, d.Last = min(d.First, day), max(d.Last, day)
	}
}

// Inspect reads the footers of all input files as ListShards does, with its
// errors, and says what is in those of each table, by its number.
func Inspect(ctx context.Context, cfg Config) (map[int]*Inputs, error) {
	all := map[int]*Inputs{}
	for _, t := range cfg.Numbers() {
		all[t] = &Inputs{}
	}
	var mu sync.Mutex
	shards, err := listShards(ctx, cfg, func(t int, b *table.Binding) {
		mu.Lock()
		defer mu.Unlock()
		all[t].see(b)
		all[t].Words = all[t].Words && !cfg.unreleased(t)
	})
	if err != nil {
		return nil, err
	}
	for _, s := range shards {
		in := all[s.Table]
		in.All += s.Rows
		if s.Index == 0 {
			in.Bytes += s.FileBytes
		}
	}
	if cfg.Limit > 0 {
		shards = firstRows(shards, cfg.Limit)
	}
	for t, in := range all {
		in.Shards = ofTable(shards, t)
		for _, s := range in.Shards {
			in.Rows += s.Rows
		}
	}
	return all, nil
}

// see enters what a file's footer says.
func (in *Inputs) see(b *table.Binding) {
	groups := b.File().RowGroups()
	in.Files++
	in.Groups += len(groups)
	for i := range groups {
		if first, last, ok := b.NoteDays(i); ok {
			in.Days.Add(first)
			in.Days.Add(last)
		}
	}
	in.Words = in.Words || slices.ContainsFunc(b.Columns(), func(c table.Column) bool { return c.Role == table.RoleKeep && c.Text })
}
