package transforms

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"golang.org/x/sync/errgroup"

	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

func init() {
	register.DoFn6x1[context.Context, int, func(*schemas.Shard) bool, func(*[]byte) bool, func(*[]byte) bool, func(schemas.Receipt), error](&rewriteFn{})
	register.Function1x2(keyShard)
	register.Iter1[schemas.Shard]()
	register.Emitter1[schemas.Receipt]()
}

// Rewrite reads each shard again, all columns, and writes what may be released
// of it, its findings and its quarantine, as temporary files that the receipt
// names. Notes without a plan, and documents that repeat an id, go to
// quarantine.
func Rewrite(s beam.Scope, cfg Config, shards, plans, duplicates beam.PCollection) beam.PCollection { // schemas.Receipt
	s = s.Scope("transforms.Rewrite")
	keyed := beam.ParDo(s, keyShard, shards)
	return beam.ParDo(s, &rewriteFn{Config: cfg}, beam.CoGroupByKey(s, keyed, plans, duplicates))
}

func keyShard(shard schemas.Shard) (int, schemas.Shard) { return shard.Number, shard }

type rewriteFn struct {
	Config Config
}

func (fn *rewriteFn) ProcessElement(ctx context.Context, number int, shards func(*schemas.Shard) bool, plans, duplicates func(*[]byte) bool, emit func(schemas.Receipt)) error {
	var shard schemas.Shard
	if !shards(&shard) {
		return fmt.Errorf("shard %d has plans but was never listed", number)
	}
	e, err := engineFor(ctx, fn.Config)
	if err != nil {
		return err
	}
	j := &shardJob{engine: e, shard: shard, plans: map[int64]*plan{}, duplicate: map[int64]bool{}}
	var data []byte
	for plans(&data) {
		b, err := schemas.DecodePlanBatch(data)
		if err != nil {
			return err
		}
		if err := j.add(b); err != nil {
			return err
		}
	}
	for duplicates(&data) {
		b, err := schemas.DecodeDocumentBatch(data)
		if err != nil {
			return err
		}
		for _, id := range b.IDs {
			j.duplicate[id.Row] = true
		}
	}
	receipt, err := j.run(ctx)
	if err != nil {
		return fmt.Errorf("shard %d: %w", number, err)
	}
	rewrittenCounter.Inc(ctx, receipt.RowsOut)
	quarantinedCounter.Inc(ctx, receipt.Quarantined)
	for _, n := range receipt.SpansByType {
		spansCounter.Inc(ctx, n)
	}
	progress.Rewritten.Add(1)
	emit(*receipt)
	return nil
}

// shardJob is the rewriting of one shard.
type shardJob struct {
	*engine
	shard     schemas.Shard
	plans     map[int64]*plan // by row of the shard
	duplicate map[int64]bool
	largest   int64 // most notes of one patient id
}

// plan is what to do with one note.
type plan struct {
	patient *patient
	failure string
	spans   []schemas.Span
}

func (j *shardJob) add(b *schemas.PlanBatch) error {
	for i := range b.Patients {
		p := newPatient(&b.Patients[i])
		if !p.orphan {
			j.largest = max(j.largest, int64(b.Patients[i].Total))
		}
		for _, n := range b.Patients[i].Notes {
			if j.plans[n.Row] != nil {
				return fmt.Errorf("row %d has two plans", n.Row)
			}
			j.plans[n.Row] = &plan{patient: p, failure: n.Failure, spans: n.Spans}
		}
	}
	return nil
}

// run rewrites the shard and returns its receipt.
func (j *shardJob) run(ctx context.Context) (*schemas.Receipt, error) {
	binding, object, err := openShard(ctx, j.cfg, j.shard)
	if err != nil {
		return nil, err
	}
	defer object.Close()
	files, err := j.create(ctx)
	if err != nil {
		return nil, err
	}
	defer files.abort()
	rewriter, err := binding.NewRewriter(files.notes, files.quarantine)
	if err != nil {
		return nil, err
	}
	t := newTally()
	before := int64(0) // rows of the shard before this row group
	for group := j.shard.FirstGroup; group < j.shard.FirstGroup+j.shard.Groups; group++ {
		rows := int64(0)
		_, err := rewriter.RowGroup(ctx, group, func(batch []*table.Row) error {
			rows += int64(len(batch))
			return j.rewriteBatch(ctx, binding, before, batch, t, files)
		})
		if err != nil {
			return nil, err
		}
		before += rows
	}
	if err := rewriter.Close(); err != nil {
		return nil, err
	}
	counts := rewriter.Counts()
	receipt := t.receipt(j.shard)
	receipt.LargestID = j.largest
	receipt.Provider, receipt.Fallback = string(j.graphs.Provider()), j.graphs.Fallback() != ""
	receipt.RowsOut, receipt.Quarantined = counts.Released, counts.Quarantined
	metadata := rewriter.Metadata()
	receipt.MetadataKept, receipt.MetadataDropped = metadata.Kept, metadata.Dropped
	receipt.Attempt = files.attempt
	receipt.Outputs, err = files.close(counts.Quarantined > 0)
	return receipt, err
}

// rewriteBatch edits the rows of one batch concurrently, then counts them and
// writes their findings in order.
func (j *shardJob) rewriteBatch(ctx context.Context, b *table.Binding, before int64, batch []*table.Row, t *tally, files *shardFiles) error {
	results := make([]result, len(batch))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(j.workers)
	const step = 32 // notes that one goroutine takes at once
	for at := 0; at < len(batch); at += step {
		g.Go(func() error {
			release, err := j.acquire(ctx)
			if err != nil {
				return err
			}
			defer release()
			for i := at; i < min(at+step, len(batch)); i++ {
				results[i] = j.rewriteRow(b, before+batch[i].Row, batch[i])
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for i, r := range results {
		reason, gone := batch[i].Quarantined()
		t.add(&r, reason, gone)
		if !gone && j.cfg.Findings {
			if err := files.findings.Write(r.findings); err != nil {
				return err
			}
		}
	}
	progress.Released.Add(int64(len(batch)))
	return nil
}

// newAttempt names an attempt's temporary files. Two attempts at one shard may
// run at once, and must not write to the same place; the name is no part of
// any result.
func newAttempt() string {
	var b [8]byte
	_, _ = rand.Read(b[:])
	return hex.EncodeToString(b[:])
}
