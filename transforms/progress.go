package transforms

import (
	"cmp"
	"reflect"
	"slices"
	"sync/atomic"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/palimpsest-deid/palimpsest/schemas"
)

// Progress counts what the workers of this process have done. Where workers and
// launcher are one process, the launcher shows it.
type Progress struct {
	Shards    atomic.Int64 // of the job; 0 until they are listed
	Rows      atomic.Int64 // of the job
	Detected  atomic.Int64 // shards through Detect
	Rewritten atomic.Int64 // shards through Rewrite
	Gathered  atomic.Int64 // files of regrouped rows that are merged
	Notes     atomic.Int64 // notes through Detect
	Released  atomic.Int64 // notes through Rewrite
	Tokens    atomic.Int64 // tokens through Detect
	Bytes     atomic.Int64 // bytes of text through Detect
	Windows   atomic.Int64 // windows of tokens through Detect, for each model that is a network
	Reused    atomic.Int64 // those of them that were not computed, as their like had been seen before
	Shuffled  atomic.Int64 // bytes of packed batches sent to another stage
}

var progress Progress

// ProcessProgress returns the counters of this process.
func ProcessProgress() *Progress { return &progress }

func (p *Progress) begin(shards []schemas.Shard) {
	var rows int64
	for _, s := range shards {
		rows += s.Rows
	}
	p.Detected.Store(0)
	p.Rewritten.Store(0)
	p.Gathered.Store(0)
	p.Notes.Store(0)
	p.Released.Store(0)
	p.Tokens.Store(0)
	p.Bytes.Store(0)
	p.Windows.Store(0)
	p.Reused.Store(0)
	p.Shuffled.Store(0)
	p.Rows.Store(rows)
	p.Shards.Store(int64(len(shards)))
}

// Counters that every runner shows. Their names say nothing of any note.
var (
	notesCounter       = beam.NewCounter("palimpsest", "notes_detected")
	rewrittenCounter   = beam.NewCounter("palimpsest", "notes_rewritten")
	quarantinedCounter = beam.NewCounter("palimpsest", "notes_quarantined")
	spansCounter       = beam.NewCounter("palimpsest", "spans_replaced")
)

func reflectType[T any]() reflect.Type { return reflect.TypeFor[T]() }

func sortBy[T any, K cmp.Ordered](s []T, key func(T) K) {
	slices.SortStableFunc(s, func(a, b T) int { return cmp.Compare(key(a), key(b)) })
}

// sortedKeys returns the keys of m in order, for ranging over it the same way
// each time.
func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
