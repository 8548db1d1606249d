package transforms

import (
	"context"
	"sync"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// Inputs is what the footers of the input say.
type Inputs struct {
	Shards []schemas.Shard // of all that the job processes
	Files  int
	Groups int   // row groups
	Rows   int64 // of the shards
	All    int64 // rows of all files, of which a trial run takes some
	Bytes  int64 // of all files
	Days   Days  // on which the notes were written, as far as statistics tell
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
// errors, and says what is in them.
func Inspect(ctx context.Context, cfg Config) (*Inputs, error) {
	var in Inputs
	var mu sync.Mutex
	shards, err := listShards(ctx, cfg, func(b *table.Binding) {
		groups := b.File().RowGroups()
		mu.Lock()
		defer mu.Unlock()
		in.Files++
		in.Groups += len(groups)
		for i := range groups {
			if first, last, ok := b.NoteDays(i); ok {
				in.Days.Add(first)
				in.Days.Add(last)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	for _, s := range shards {
		in.All += s.Rows
		if s.Index == 0 {
			in.Bytes += s.FileBytes
		}
	}
	if in.Shards = shards; cfg.Limit > 0 {
		in.Shards = firstRows(shards, cfg.Limit)
	}
	for _, s := range in.Shards {
		in.Rows += s.Rows
	}
	return &in, nil
}
