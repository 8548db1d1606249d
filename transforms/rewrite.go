package transforms

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/history"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

func init() {
	registerDoFn((*rewriteFn).process, func(f rewriteProcess, args []any) error {
		return f(args[0].(context.Context), args[1].(int), args[2].(func(*schemas.Shard) bool), args[3].(func(*[]byte) bool),
			args[4].(func(*[]byte) bool), args[5].(func(*[]byte) bool), args[6].(func(schemas.Receipt)), args[7].(func(int, []byte)))
	})
	register.Function1x2(keyShard)
	register.Iter1[schemas.Shard]()
	register.Emitter1[schemas.Receipt]()
}

// Rewrite reads each shard again, all columns, and writes what may be released
// of it, its findings and its quarantine, as temporary files that the receipt
// names. Notes without a plan, and documents that repeat an id, go to
// quarantine. Where the order of rows is not to stay, the released rows are cut
// into parts for Gather. Where a gate asks for it, passages go to Audit.
// schemas.Receipt, KV<int, []byte> (schemas.CopyBatch)
func Rewrite(s beam.Scope, cfg Config, shards, plans, duplicates, orders beam.PCollection) (receipts, copies beam.PCollection) {
	s = s.Scope("transforms.Rewrite")
	keyed := beam.ParDo(s, keyShard, shards)
	return beam.ParDo2(s, &rewriteFn{Config: cfg}, beam.CoGroupByKey(s, keyed, plans, duplicates, orders))
}

func keyShard(shard schemas.Shard) (int, schemas.Shard) { return shard.Number, shard }

type rewriteFn struct {
	Config Config

	engine *engine
}

func (fn *rewriteFn) Setup(ctx context.Context) (err error) {
	fn.engine, err = engineFor(ctx, fn.Config)
	return err
}

// rewriteProcess is the type of its ProcessElement.
type rewriteProcess = func(context.Context, int, func(*schemas.Shard) bool, func(*[]byte) bool, func(*[]byte) bool,
	func(*[]byte) bool, func(schemas.Receipt), func(int, []byte)) error

func (fn *rewriteFn) process() rewriteProcess { return fn.ProcessElement }

func (fn *rewriteFn) ProcessElement(ctx context.Context, number int, shards func(*schemas.Shard) bool, plans,
	duplicates, orders func(*[]byte) bool, emit func(schemas.Receipt), copies func(int, []byte)) error {
	ctx, done, err := holding(ctx, fn.Config)
	if err != nil {
		return err
	}
	defer done()
	fn.engine.rest()
	var shard schemas.Shard
	if !shards(&shard) {
		return fmt.Errorf("shard %d has plans but was never listed", number)
	}
	if shard.Folder == "" { // of a table that is only read
		progress.Rewritten.Add(1)
		return nil
	}
	j, order, err := fn.job(shard, plans, duplicates, orders)
	if err != nil {
		return fmt.Errorf("shard %d: %w", number, err)
	}
	j.copies = copies
	receipt, err := j.run(ctx)
	if err != nil {
		return fmt.Errorf("shard %d: %w", number, err)
	}
	receipt.Order = order
	if j.auditor != nil {
		if receipt.Audit, err = j.auditor.close(); err != nil {
			return err
		}
	}
	rewrittenCounter.Inc(ctx, receipt.Counts.RowsOut)
	quarantinedCounter.Inc(ctx, receipt.Counts.Quarantined)
	spansCounter.Inc(ctx, receipt.Counts.Spans)
	progress.Rewritten.Add(1)
	emit(receipt.Filled())
	return nil
}

// job takes in what the other passes know of a shard. The order that rows are released
// in comes back as it was handed over, for the receipt.
func (fn *rewriteFn) job(shard schemas.Shard, plans, duplicates, orders func(*[]byte) bool) (*shardJob, []byte, error) {
	j := &shardJob{engine: fn.engine.ofTable(shard.Table), shard: shard, plans: map[int64]*plan{}, owners: map[string]*owner{},
		open:    &openPatients{most: maxOpen, least: fn.engine.workers},
		offsets: fn.Config.offsets(), duplicate: map[int64]bool{}, unread: map[int]int64{}}
	add := j.add
	if shard.Table > 0 {
		add = j.addOwners
	}
	batches, err := decoded(plans, schemas.DecodePlanBatch)
	if err != nil {
		return nil, nil, err
	}
	for _, b := range batches {
		if err := add(b); err != nil {
			return nil, nil, err
		}
	}
	more, err := decoded(duplicates, schemas.DecodeDocumentBatch)
	if err != nil {
		return nil, nil, err
	}
	for _, b := range more {
		for _, id := range b.IDs {
			j.duplicate[id.Row] = true
		}
	}
	order, raw, err := readOrder(orders)
	j.regroup = order.Taken == OrderShuffle
	return j, raw, err
}

// shardJob is the rewriting of one shard.
type shardJob struct {
	*engine
	shard     schemas.Shard
	plans     map[int64]*plan   // by row of the shard
	owners    map[string]*owner // in a table without texts, by patient id
	open      *openPatients
	offsets   bool // offsets are supplied, in this table or in another
	duplicate map[int64]bool
	largest   int64 // most notes of one patient id
	regroup   bool  // rows go to files by their patients

	lookout *lookout
	auditor *auditor           // nil without a gate
	copies  func(int, []byte)  // takes what the auditor sends
	tally   []table.Tally      // by column
	unread  map[int]int64      // dates, by index in Columns.Dates
	ahead   *ahead             // where notes lie over several rows; else nil
	tonight schemas.NightBatch // what the rows make of the state
}

// plan is what to do with one note.
type plan struct {
	*deid.Note
	patient *patient
	step    history.Step
}

// withdrawn reports whether the note is to be in no release.
func (p *plan) withdrawn() bool {
	return p != nil && p.Failure == "" && p.step.Action == history.Withdrawn
}

func (j *shardJob) add(b *schemas.PlanBatch) error {
	for i := range b.Patients {
		all := &b.Patients[i]
		p := j.patientOf(all)
		p.left = len(all.Notes)
		if !p.orphan {
			j.largest = max(j.largest, int64(all.Total))
		}
		for k := range all.Notes {
			n := &all.Notes[k]
			if j.plans[n.Row] != nil {
				return fmt.Errorf("row %d has two plans", n.Row)
			}
			j.plans[n.Row] = &plan{Note: n, patient: p}
			p.rows = append(p.rows, n.Row)
			if j.night != nil {
				j.plans[n.Row].step = all.Steps[k]
			}
		}
		slices.Sort(p.rows)
	}
	return nil
}

// run rewrites the shard and returns its receipt.
func (j *shardJob) run(ctx context.Context) (*schemas.Receipt, error) {
	binding, object, err := openShard(ctx, j.cfg, j.shard, true)
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
	all := schemas.NewCounts()
	j.auditor = newAuditor(j.engine, j.copies)
	j.lookout, j.tally = newLookout(j.detector, binding.Columns()), make([]table.Tally, len(binding.Columns()))
	if j.lookout.words() && j.detector.Network == nil {
		return nil, fmt.Errorf("%s keeps strings, and no model is there to look at them", j.shard.File)
	}
	if j.ahead, err = j.newAhead(ctx, binding); err != nil {
		return nil, err
	}
	defer j.ahead.close()
	before := int64(0) // rows of the shard before this row group
	for group := j.shard.FirstGroup; group < j.shard.FirstGroup+j.shard.Groups; group++ {
		if n, ok := j.idle(binding, group, before); ok {
			if err := rewriter.OmitGroup(group); err != nil {
				return nil, err
			}
			j.passOver(before, n, &all)
			before += n
			continue
		}
		rows := int64(0)
		_, err := rewriter.FirstRows(ctx, group, j.rowsOf(binding, group, before), func(batch []*table.Row) error {
			rows += int64(len(batch))
			return j.rewriteBatch(ctx, binding, before, batch, &all, files)
		})
		if err != nil {
			return nil, err
		}
		before += rows
	}
	if err := rewriter.Close(); err != nil {
		return nil, err
	}
	if all.Columns, err = j.lookout.counts(); err != nil {
		return nil, err
	}
	addTally(all.Columns, binding.Columns(), j.tally)
	for i, name := range j.cfg.Columns.Dates {
		if j.unread[i] > 0 {
			c := all.Columns[name]
			c.Unread += j.unread[i]
			all.Columns[name] = c
		}
	}
	written := rewriter.Counts()
	all.RowsIn, all.RowsOut, all.Quarantined, all.LargestID = j.shard.Rows, written.Released, written.Quarantined, j.largest
	if j.shard.Table == 0 {
		all.Providers[provider(j.graphs)] = 1
		if j.cfg.withoutGPU(j.graphs) {
			all.Fallbacks = 1
		}
	}
	receipt := &schemas.Receipt{Shard: j.shard, Attempt: files.attempt, Counts: all}
	for _, c := range binding.Columns() {
		receipt.Columns = append(receipt.Columns, schemas.Column{Path: c.Path, Type: c.Type, Role: string(c.Role),
			Fate: Fate(c, j.cfg.Columns, j.cfg.KeepIDs)})
	}
	metadata := rewriter.Metadata()
	receipt.MetadataKept, receipt.MetadataDropped = metadata.Kept, metadata.Dropped
	if err := own(ctx, j.cfg); err != nil {
		return nil, err // or files would appear that nobody tidies up
	}
	if j.night != nil {
		receipt.Night = j.tonight.Encode()
		if all.RowsOut == 0 && j.shard.Number > 0 {
			receipt.Outputs, err = files.closeQuarantine(all.Quarantined > 0)
			return receipt, err
		}
	}
	none := j.night != nil && all.RowsOut == 0 // a night without notes has one empty file all the same
	if receipt.Outputs, err = files.close(all.Quarantined > 0); err != nil || !j.regroup || none {
		return receipt, err
	}
	notes := receipt.Outputs[0]
	receipt.Outputs = receipt.Outputs[1:]
	receipt.Parts, err = j.scatter(ctx, notes, files.attempt)
	return receipt, err
}

// rowsOf returns how many rows of a row group the job takes, of which so many of
// the shard come before: all of them, but in a trial run.
func (j *shardJob) rowsOf(b *table.Binding, group int, before int64) int64 {
	rows := b.File().RowGroups()[group].Rows
	if j.cfg.Limit > 0 {
		rows = min(rows, j.shard.Rows-before)
	}
	return rows
}

// newAttempt names an attempt's temporary files. Two attempts at one shard may
// run at once, and must not write to the same place; the name is no part of
// any result.
func newAttempt() string {
	var b [8]byte
	_, _ = rand.Read(b[:])
	return hex.EncodeToString(b[:])
}
