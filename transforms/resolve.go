package transforms

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"golang.org/x/sync/errgroup"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/schemas"
)

func init() {
	registerDoFn((*resolveFn).process, func(f resolveProcess, args []any) error {
		return f(args[0].(context.Context), args[1].(int), args[2].(func(*[]byte) bool), args[3].(func(*[]byte) bool),
			args[4].(func(int, []byte)))
	})
	register.Iter1[[]byte]()
}

// Resolve brings together all that is known of each patient, in any note of
// any shard and beforehand, and answers each shard with what to do to its
// notes: one packed batch per bucket and shard. A bucket's spans must fit into
// memory; cfg.Buckets sizes them.
func Resolve(s beam.Scope, cfg Config, spans, known beam.PCollection) beam.PCollection { // KV<int, []byte> (schemas.PlanBatch), by shard
	s = s.Scope("transforms.Resolve")
	return beam.ParDo(s, &resolveFn{Settings: cfg.Settings()}, beam.CoGroupByKey(s, spans, known))
}

type resolveFn struct {
	Settings deid.Settings
}

// resolveProcess is the type of its ProcessElement.
type resolveProcess = func(context.Context, int, func(*[]byte) bool, func(*[]byte) bool, func(int, []byte)) error

func (fn *resolveFn) process() resolveProcess { return fn.ProcessElement }

func (fn *resolveFn) ProcessElement(ctx context.Context, _ int, spans, identifiers func(*[]byte) bool, emit func(int, []byte)) error {
	ctx, done, err := working(ctx)
	if err != nil {
		return err
	}
	defer done()
	batches, known, err := ofBucket(spans, identifiers, nil)
	if err != nil {
		return err
	}
	plans, err := resolve(ctx, fn.Settings, batches, known)
	if err != nil {
		return err
	}
	emitAll(emit, plans)
	return nil
}

// placed is a note and the shard that it is in.
type placed struct {
	shard int
	note  *deid.Note
}

// resolve plans every note of one bucket's patients. The result does not
// depend on the order of batches or known identifiers.
func resolve(ctx context.Context, s deid.Settings, batches []*schemas.SpanBatch,
	known map[string][]lexicon.Identifiers) (map[int]*schemas.PlanBatch, error) {
	slices.SortFunc(batches, func(a, b *schemas.SpanBatch) int { return a.Shard - b.Shard })
	patients := map[string][]placed{}
	for i, b := range batches {
		if i > 0 && batches[i-1].Shard == b.Shard {
			return nil, fmt.Errorf("shard %d reached one bucket twice", b.Shard)
		}
		for j := range b.Notes {
			n := &b.Notes[j]
			patients[n.Patient] = append(patients[n.Patient], placed{b.Shard, n})
		}
	}
	plans := map[int]*schemas.PlanBatch{}
	ids := sortedKeys(patients)
	resolved, err := resolveEach(ctx, s, ids, patients, known)
	if err != nil {
		return nil, err
	}
	for i, id := range ids {
		all, people := patients[id], resolved[i]
		slices.SortStableFunc(all, func(a, b placed) int { // those of a person in a shard stand together
			return cmp.Or(a.shard-b.shard, cmp.Compare(a.note.Person, b.note.Person))
		})
		for i, p := range all {
			plan := people[p.note.Who()]
			batch := plans[p.shard]
			if batch == nil {
				batch = &schemas.PlanBatch{}
				plans[p.shard] = batch
			}
			if i == 0 || all[i-1].shard != p.shard || all[i-1].note.Person != p.note.Person {
				own := plan
				if p.note.Rows != nil {
					own = plan.ForRows()
				}
				batch.Patients = append(batch.Patients, schemas.PatientPlan{Plan: own})
			}
			of := &batch.Patients[len(batch.Patients)-1]
			of.Notes = append(of.Notes, planned(p.note))
		}
	}
	return plans, nil
}

// resolveEach resolves each patient, several at a time.
func resolveEach(ctx context.Context, s deid.Settings, ids []string, patients map[string][]placed,
	known map[string][]lexicon.Identifiers) ([]map[string]deid.Plan, error) {
	resolved := make([]map[string]deid.Plan, len(ids))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	const step = 64 // patients that one goroutine takes at once
	for at := 0; at < len(ids); at += step {
		g.Go(func() (err error) {
			defer func() {
				if p := recover(); p != nil { // which would end the process
					err = fmt.Errorf("resolving a patient panicked: %T", p)
				}
			}()
			for i := at; i < min(at+step, len(ids)); i++ {
				if err := ctx.Err(); err != nil {
					return err
				}
				all := patients[ids[i]]
				notes := make([]*deid.Note, len(all))
				for k, p := range all {
					notes[k] = p.note
				}
				resolved[i] = deid.ResolvePeople(s, notes, known[ids[i]])
			}
			return nil
		})
	}
	return resolved, g.Wait()
}

// planned returns what the rewrite needs to know of a note.
func planned(n *deid.Note) deid.Note {
	out := deid.Note{Row: n.Row, Failure: n.Failure, Hash: n.Hash, Order: n.Order}
	if n.Rows != nil {
		out.Rows = &deid.Rows{Count: n.Rows.Count}
	}
	for _, f := range n.Spans {
		out.Spans = append(out.Spans, phi.Found{Span: f.Span, Text: f.Text})
	}
	return out
}
