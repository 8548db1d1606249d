package transforms

import (
	"cmp"
	"maps"
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/history"
	"github.com/palimpsest-deid/palimpsest/schemas"
)

// detected is what was found in a shard, as it goes to the joins: one batch per bucket of
// patients, and one per bucket of documents.
type detected struct {
	spans     map[int]*schemas.SpanBatch
	documents map[inBucket]*schemas.DocumentBatch
}

// inBucket is a bucket of documents and how much their rows count among those of one id.
type inBucket struct{ bucket, weight int }

// batches packs what was found in the notes of a shard. rows, of a job with a state, say
// how each note stands to it; without one they are nil.
func (e *engine) batches(shard schemas.Shard, notes []deid.Note, rows []history.Row) detected {
	d := detected{map[int]*schemas.SpanBatch{}, map[inBucket]*schemas.DocumentBatch{}}
	for i, n := range notes {
		b := d.ofPatients(e.bucket(n.Patient), shard.Number)
		b.Notes = append(b.Notes, n)
		if rows != nil {
			b.Rows = append(b.Rows, rows[i])
			if old, ok := e.night.moved(n, rows[i]); ok {
				b := d.ofPatients(old, shard.Number)
				b.Left = append(b.Left, rows[i].Document)
			}
		}
		if n.Failure == deid.ReasonNoDocumentID {
			continue
		}
		at := inBucket{bucket: e.keys.Bucket(n.Document, e.cfg.Buckets)}
		switch {
		case rows == nil:
		case rows[i].Kind == history.Removed:
			at.weight = lighter
		case e.night.stands(rows[i]):
			at.weight = heavier
		}
		if d.documents[at] == nil {
			d.documents[at] = &schemas.DocumentBatch{Shard: shard.Number + at.weight}
		}
		ids := d.documents[at]
		ids.IDs = append(ids.IDs, schemas.DocumentID{Hash: e.hash(n.Document), Row: n.Row})
	}
	return d
}

func (d detected) ofPatients(bucket, shard int) *schemas.SpanBatch {
	b := d.spans[bucket]
	if b == nil {
		b = &schemas.SpanBatch{Shard: shard}
		d.spans[bucket] = b
	}
	return b
}

// emit hands the batches over, in the order of their buckets.
func (d detected) emit(spans, documents func(int, []byte)) {
	emitAll(spans, d.spans)
	order := func(a, b inBucket) int { return cmp.Or(a.bucket-b.bucket, a.weight-b.weight) }
	for _, at := range slices.SortedFunc(maps.Keys(d.documents), order) {
		counting(documents)(at.bucket, d.documents[at].Encode())
	}
}
