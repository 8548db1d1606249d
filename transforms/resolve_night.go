package transforms

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/history"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/schemas"
)

func init() {
	registerDoFn((*wakeFn).process, func(f wakeProcess, args []any) error {
		return f(args[0].(context.Context), args[1].([]byte), args[2].(func(int, []byte)))
	})
	registerDoFn((*resolveNightFn).process, func(f resolveNightProcess, args []any) error {
		return f(args[0].(context.Context), args[1].(int), args[2].(func(*[]byte) bool), args[3].(func(*[]byte) bool),
			args[4].(func(int, []byte)), args[5].(func([]byte)))
	})
}

// ResolveNights is Resolve for a job with a state: a patient is all that any night has
// found and known of them. The second collection has what becomes of the state, a
// remembered for each bucket, as JSON.
func ResolveNights(s beam.Scope, cfg Config, spans, known beam.PCollection) (plans, kept beam.PCollection) {
	s = s.Scope("transforms.ResolveNights")
	all := beam.ParDo(s, &wakeFn{Buckets: cfg.Buckets}, beam.Impulse(s))
	return beam.ParDo2(s, &resolveNightFn{Config: cfg}, beam.CoGroupByKey(s, beam.Flatten(s, spans, all), known))
}

// wakeFn sees to it that every bucket is resolved, also where tonight has no note of
// it: notes may be withdrawn.
type wakeFn struct {
	Buckets int
}

// wakeProcess is the type of its ProcessElement.
type wakeProcess = func(context.Context, []byte, func(int, []byte)) error

func (fn *wakeFn) process() wakeProcess { return fn.ProcessElement }

func (fn *wakeFn) ProcessElement(_ context.Context, _ []byte, emit func(int, []byte)) error {
	none := schemas.SpanBatch{Shard: -1}
	for bucket := range fn.Buckets {
		emit(bucket, none.Encode())
	}
	return nil
}

type resolveNightFn struct {
	Config Config

	night *night
}

func (fn *resolveNightFn) Setup(ctx context.Context) (err error) {
	fn.night, err = nightFor(ctx, fn.Config)
	return err
}

// resolveNightProcess is the type of its ProcessElement.
type resolveNightProcess = func(context.Context, int, func(*[]byte) bool, func(*[]byte) bool, func(int, []byte), func([]byte)) error

func (fn *resolveNightFn) process() resolveNightProcess { return fn.ProcessElement }

func (fn *resolveNightFn) ProcessElement(ctx context.Context, bucket int, spans, identifiers func(*[]byte) bool,
	emit func(int, []byte), keep func([]byte)) error {
	ctx, done, err := holding(ctx, fn.Config)
	if err != nil {
		return err
	}
	defer done()
	old, err := fn.night.history(ctx, fn.Config, bucket)
	if err != nil {
		return err
	}
	before := map[string]bool{}
	for i := range old.Patients {
		before[old.Patients[i].ID] = true
	}
	batches, known, err := ofBucket(spans, identifiers, func(person string) bool { return before[person] })
	if err != nil {
		return err
	}
	b := &bucketJob{night: fn.night, settings: fn.Config.Settings(), plans: map[int]*schemas.PlanBatch{}}
	if err := b.resolve(ctx, batches, known, old); err != nil {
		return err
	}
	raw, err := b.remember(ctx, fn.Config, bucket)
	if err != nil {
		return err
	}
	keep(raw)
	emitAll(emit, b.plans)
	return nil
}

// remembered is what becomes of the state of one bucket.
type remembered struct {
	Bucket  int
	Changed bool
	Part    statePart         // if it has changed
	Pending []schemas.Pending // released notes, not among tonight's, that may read otherwise now
	Notes   int64             // remembered, tonight's included
}

// bucketJob resolves the patients of one bucket.
type bucketJob struct {
	*night
	settings deid.Settings

	plans   map[int]*schemas.PlanBatch
	next    schemas.HistoryBatch
	changed bool // next is not what was remembered
	pending []schemas.Pending
	notes   int64
}

// remember writes the history of the bucket's patients, where it has changed, and
// returns what the commit has to know of it.
func (b *bucketJob) remember(ctx context.Context, cfg Config, bucket int) ([]byte, error) {
	out := remembered{Bucket: bucket, Pending: b.pending, Notes: b.notes}
	if b.changed {
		data, err := b.next.Encode()
		if err != nil {
			return nil, err
		}
		if out.Part, err = writeSealed(ctx, cfg, b.keys, historyPlace(bucket), data); err != nil {
			return nil, err
		}
		out.Part.Bucket = bucket
		out.Changed = true
	}
	return json.Marshal(out)
}

// tonight is what tonight's batches have of one patient.
type tonight struct {
	notes  []deid.Note
	rows   []history.Row
	shards []int // that they are in
}

func (b *bucketJob) resolve(ctx context.Context, batches []*schemas.SpanBatch, known map[string][]lexicon.Identifiers,
	old *schemas.HistoryBatch) error {
	slices.SortFunc(batches, func(a, b *schemas.SpanBatch) int { return a.Shard - b.Shard })
	patients, left := map[string]*tonight{}, map[history.Hash]bool{}
	for i, batch := range batches {
		if i > 0 && batches[i-1].Shard == batch.Shard {
			return fmt.Errorf("shard %d reached one bucket twice", batch.Shard)
		}
		for _, document := range batch.Left {
			left[document] = true
		}
		for j := range batch.Notes {
			id := batch.Notes[j].Patient
			if patients[id] == nil {
				patients[id] = &tonight{}
			}
			p := patients[id]
			p.notes, p.rows, p.shards = append(p.notes, batch.Notes[j]), append(p.rows, batch.Rows[j]), append(p.shards, batch.Shard)
		}
	}
	before := map[string]*history.Patient{}
	for i := range old.Patients {
		before[old.Patients[i].ID] = &old.Patients[i]
		if patients[old.Patients[i].ID] == nil {
			patients[old.Patients[i].ID] = &tonight{}
		}
	}
	for _, id := range sortedKeys(patients) {
		if err := ctx.Err(); err != nil {
			return err
		}
		was := before[id]
		if was == nil {
			was = &history.Patient{ID: id}
		}
		if err := b.patient(was, patients[id], known[id], left); err != nil {
			return err
		}
	}
	return nil
}

// patient plans tonight's notes of one patient, and remembers what there is to.
func (b *bucketJob) patient(was *history.Patient, now *tonight, known []lexicon.Identifiers, left map[history.Hash]bool) error {
	gone := b.withdrawn[b.night.patient(was.ID)]
	leave := func(document string) bool {
		h := b.document(document)
		return gone || left[h] && !slices.ContainsFunc(now.notes, func(n deid.Note) bool { return n.Document == document }) || b.withdrawn[h]
	}
	ids, more := history.AddKnown(was.Known, known)
	notes, which, err := history.Join(was.Notes, now.notes, now.rows, b.detector, leave)
	if err != nil {
		return err
	}
	fresh := slices.ContainsFunc(now.rows, func(r history.Row) bool { return r.Kind != history.Seen && r.Kind != history.Removed })
	changed := fresh || more || len(notes) != len(was.Notes)
	b.changed = b.changed || changed
	if len(notes) > 0 {
		b.next.Patients = append(b.next.Patients, remember(was.ID, ids, notes))
		b.notes += int64(len(notes))
	} else if len(was.Notes) > 0 {
		b.changed = true
	}
	if len(notes) == 0 {
		b.answer(now, nil, &schemas.PatientPlan{Plan: deid.Plan{ID: was.ID}}, nil, history.Hash{})
		return nil
	}
	if !changed && b.quiet(notes) {
		b.answer(now, nil, &schemas.PatientPlan{Plan: deid.Plan{ID: was.ID}}, nil, history.Hash{})
		return nil
	}
	resolved := history.Clone(notes)
	plan := deid.Resolve(b.settings, resolved, ids, nil)
	of := &schemas.PatientPlan{Plan: plan}
	basis := b.basis(plan)
	b.answer(now, which, of, resolved, basis)
	for _, n := range resolved[len(which):] {
		h := b.document(n.Document)
		e := b.entries[h]
		if e.Out && e.Key == b.release && (e.Pending || e.Basis != b.basisOf(basis, n)) {
			b.pending = append(b.pending, schemas.Pending{Document: n.Document, Released: e.ID, Hash: h})
		}
	}
	return nil
}

// quiet reports whether a patient's releases stand as they are, where nothing new is
// known of the patient.
func (b *bucketJob) quiet(notes []history.Note) bool {
	return b.head.What == b.what && !b.rotated() && !slices.ContainsFunc(notes, func(n history.Note) bool {
		e := b.entries[b.document(n.Document)]
		return e.Pending || !e.Out
	})
}

// remember returns what is kept of a patient: no place of a note in tonight's input.
func remember(id string, ids []lexicon.Identifiers, notes []history.Note) history.Patient {
	p := history.Patient{ID: id, Known: ids, Notes: slices.Clone(notes)}
	p.Notes = slices.DeleteFunc(p.Notes, func(n history.Note) bool { return n.Document == "" }) // no later night can know it
	for i := range p.Notes {
		p.Notes[i].Row = 0
	}
	history.Sort(p.Notes)
	return p
}

// answer tells each shard what to do with the patient's notes in it. which are the
// numbers of those that stand first in resolved; of the others, those that are as
// they were are skipped, and the rest were withdrawn.
func (b *bucketJob) answer(now *tonight, which []int, of *schemas.PatientPlan, resolved []*deid.Note, basis history.Hash) {
	at := map[int]int{}
	for k, i := range which {
		at[i] = k
	}
	for i := range now.notes {
		batch := b.plans[now.shards[i]]
		if batch == nil {
			batch = &schemas.PlanBatch{}
			b.plans[now.shards[i]] = batch
		}
		if i == 0 || now.shards[i-1] != now.shards[i] {
			batch.Patients = append(batch.Patients, schemas.PatientPlan{Plan: of.Plan})
		}
		p := &batch.Patients[len(batch.Patients)-1]
		step := history.Step{Action: history.Withdrawn, Row: now.rows[i], Patient: b.night.patient(now.notes[i].Patient)}
		note := deid.Note{Row: now.notes[i].Row}
		if which == nil && now.rows[i].Kind == history.Seen {
			step.Action = history.Skip
		} else if k, ok := at[i]; ok {
			note = planned(resolved[k])
			step.Basis = b.basisOf(basis, resolved[k])
			e, found := b.entries[now.rows[i].Document]
			step.Action = e.Decide(found, now.rows[i], step.Basis, b.release)
		}
		if step.Action == history.Skip {
			note.Spans = nil
		}
		p.Notes, p.Steps = append(p.Notes, note), append(p.Steps, step)
	}
}

// basis returns the hash of all that a patient's notes are released by.
func (b *bucketJob) basis(plan deid.Plan) history.Hash {
	plan.Total = 0 // which says nothing of any note
	batch := schemas.PlanBatch{Patients: []schemas.PatientPlan{{Plan: plan}}}
	return b.keys.Hash("basis", string(b.what[:])+string(batch.Encode()))
}

// basisOf returns that of one of the notes.
func (b *bucketJob) basisOf(plan history.Hash, n *deid.Note) history.Hash {
	p := planned(n)
	p.Row, p.Hash = 0, 0
	batch := schemas.PlanBatch{Patients: []schemas.PatientPlan{{Notes: []deid.Note{p}}}}
	return b.keys.Hash("basis", string(plan[:])+string(batch.Encode()))
}
