package transforms

import (
	"bytes"
	"context"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/palimpsest-deid/palimpsest/schemas"
)

func init() {
	registerDoFn((*duplicatesFn).process, func(f duplicatesProcess, args []any) error {
		return f(args[0].(context.Context), args[1].(int), args[2].(func(*[]byte) bool), args[3].(func(int, []byte)))
	})
}

// Duplicates finds documents whose id was met before, in the same file or in
// another. The first one, in order of file and row, stays; what it tells each
// shard are the others. With a state the row that the note was released by goes before
// the first, and rows that were withdrawn come behind all others. Of notes in lines,
// whose rows in a shard are one document, it tells all shards that have some: no shard
// has the whole note.
func Duplicates(s beam.Scope, cfg Config,
	documents beam.PCollection) beam.PCollection { // KV<int, []byte> (schemas.DocumentBatch), by shard
	s = s.Scope("transforms.Duplicates")
	return beam.ParDo(s, &duplicatesFn{Lines: cfg.Columns.Line != "", Buckets: cfg.Buckets}, beam.GroupByKey(s, documents))
}

type duplicatesFn struct {
	Lines   bool // notes lie over several rows; rows of other tables never do
	Buckets int  // of each table
}

// documentsKey is what a table's documents of a bucket go by: those of the notes by the
// bucket, those of other tables by numbers behind all of these.
func (c *Config) documentsKey(table, bucket int) int { return table*c.Buckets + bucket }

// inLines reports whether the documents of a key are notes in lines.
func (fn *duplicatesFn) inLines(key int) bool { return fn.Lines && key < fn.Buckets }

// duplicatesProcess is the type of its ProcessElement.
type duplicatesProcess = func(context.Context, int, func(*[]byte) bool, func(int, []byte)) error

func (fn *duplicatesFn) process() duplicatesProcess { return fn.ProcessElement }

func (fn *duplicatesFn) ProcessElement(ctx context.Context, key int, documents func(*[]byte) bool, emit func(int, []byte)) error {
	_, done, err := working(ctx)
	if err != nil {
		return err
	}
	defer done()
	batches, err := decoded(documents, schemas.DecodeDocumentBatch)
	if err != nil {
		return err
	}
	emitAll(emit, duplicates(batches, fn.inLines(key)))
	return nil
}

// Rows of one id that count more or less than others go by the number of their shard and
// one of these, so that they sort before or behind those. There are fewer shards.
const (
	heavier = -1 << 32
	lighter = 1 << 32
)

// duplicates returns, by shard, the documents that repeat an id or, of notes in
// lines, that have one of another shard.
func duplicates(batches []*schemas.DocumentBatch, lines bool) map[int]*schemas.DocumentBatch {
	type place struct {
		schemas.DocumentID
		shard int
	}
	var all []place
	for _, b := range batches {
		for _, id := range b.IDs {
			all = append(all, place{id, b.Shard})
		}
	}
	shardOf := func(p place) int { return (p.shard + lighter) % lighter }
	slices.SortFunc(all, func(a, b place) int {
		if c := bytes.Compare(a.Hash[:], b.Hash[:]); c != 0 {
			return c
		}
		if a.shard != b.shard {
			return a.shard - b.shard
		}
		return int(a.Row - b.Row)
	})
	found := map[int]*schemas.DocumentBatch{}
	for i := range all {
		again := i > 0 && all[i].Hash == all[i-1].Hash
		first := lines && i+1 < len(all) && all[i].Hash == all[i+1].Hash
		if !again && !first {
			continue
		}
		shard := shardOf(all[i])
		b := found[shard]
		if b == nil {
			b = &schemas.DocumentBatch{Shard: shard}
			found[shard] = b
		}
		b.IDs = append(b.IDs, all[i].DocumentID)
	}
	return found
}
