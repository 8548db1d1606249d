package transforms

import (
	"context"
	"fmt"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/palimpsest-deid/palimpsest/model/ensemble"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

func init() {
	register.DoFn5x1[context.Context, int, func(*[]byte) bool, func(*[]byte) bool, func(int, []byte), error](&resolveFn{})
	register.Iter1[[]byte]()
}

// Resolve brings together all that is known of each patient, in any note of
// any shard and in the census, and answers each shard with what to do to its
// notes: one packed batch per bucket and shard. A bucket's spans must fit into
// memory; cfg.Buckets sizes them.
func Resolve(s beam.Scope, cfg Config, spans, census beam.PCollection) beam.PCollection { // KV<int, []byte> (schemas.PlanBatch), by shard
	s = s.Scope("transforms.Resolve")
	return beam.ParDo(s, &resolveFn{Config: cfg}, beam.CoGroupByKey(s, spans, census))
}

type resolveFn struct {
	Config Config
}

func (fn *resolveFn) ProcessElement(ctx context.Context, _ int, spans, census func(*[]byte) bool, emit func(int, []byte)) error {
	ctx, done, err := working(ctx)
	if err != nil {
		return err
	}
	defer done()
	var batches []*schemas.SpanBatch
	for _, data := range inOrder(spans) {
		b, err := schemas.DecodeSpanBatch(data)
		if err != nil {
			return err
		}
		batches = append(batches, b)
	}
	known := map[string][]table.Identifiers{}
	for _, data := range inOrder(census) {
		b, err := schemas.DecodeIdentifierBatch(data)
		if err != nil {
			return err
		}
		for _, id := range b.Patients {
			known[id.PatientID] = append(known[id.PatientID], id)
		}
	}
	plans, err := resolve(ctx, fn.Config, batches, known)
	if err != nil {
		return err
	}
	for _, shard := range sortedKeys(plans) {
		counting(emit)(shard, plans[shard].Encode())
	}
	return nil
}

// resolve plans every note of one bucket's patients. The result does not
// depend on the order of batches or census rows.
func resolve(ctx context.Context, cfg Config, batches []*schemas.SpanBatch, known map[string][]table.Identifiers) (map[int]*schemas.PlanBatch, error) {
	slices.SortFunc(batches, func(a, b *schemas.SpanBatch) int { return a.Shard - b.Shard })
	type sheet struct {
		orphan bool
		notes  map[int][]*schemas.Note // by shard
		days   calendar
	}
	patients := map[string]*sheet{}
	for i, b := range batches {
		if i > 0 && batches[i-1].Shard == b.Shard {
			return nil, fmt.Errorf("shard %d reached one bucket twice", b.Shard)
		}
		for j := range b.Notes {
			n := &b.Notes[j]
			p := patients[n.Patient]
			if p == nil {
				p = &sheet{orphan: n.Orphan, notes: map[int][]*schemas.Note{}}
				patients[n.Patient] = p
			}
			p.notes[b.Shard] = append(p.notes[b.Shard], n)
			p.days.add(n)
		}
	}
	plans := map[int]*schemas.PlanBatch{}
	for _, id := range sortedKeys(patients) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p := patients[id]
		var evidence ensemble.Evidence
		names := addCensus(&evidence, known[id])
		if !p.orphan && identifying(id) {
			evidence.AddCensus(phi.MedicalRecord, id) // often the record number itself
		}
		var notes []*schemas.Note
		for _, shard := range sortedKeys(p.notes) {
			notes = append(notes, p.notes[shard]...)
		}
		for _, n := range notes {
			if identifying(n.Document) {
				evidence.AddCensus(phi.IDNum, n.Document)
			}
		}
		if cfg.has(StepReconciliation) {
			reconcile(notes, known[id], nil)
		}
		if cfg.has(StepSweep) {
			for _, n := range notes {
				for _, s := range n.Spans {
					evidence.AddSpan(ensemble.Found{Span: s.Span, Cue: s.Cue}, s.Surface)
				}
			}
		}
		observed := append(surfaces(evidence.Surfaces()), addresses(known[id], p.notes)...)
		for _, shard := range sortedKeys(p.notes) {
			plan := schemas.Patient{ID: id, Orphan: p.orphan, Known: len(known[id]) > 0, Names: names, Observed: observed,
				Total: len(notes), Dated: p.days.dated, Latest: p.days.latest, Offset: p.days.offset}
			for _, n := range p.notes[shard] {
				plan.Notes = append(plan.Notes, schemas.Planned{Row: n.Row, Failure: p.days.failure(n), Spans: withoutSurfaces(n.Spans)})
			}
			if plans[shard] == nil {
				plans[shard] = &schemas.PlanBatch{}
			}
			plans[shard].Patients = append(plans[shard].Patients, plan)
		}
	}
	return plans, nil
}

// addCensus enters a patient's census rows and returns the names in them.
func addCensus(e *ensemble.Evidence, rows []table.Identifiers) []string {
	var names []string
	for _, r := range rows {
		eachValue(r, func(t phi.Type, value string) {
			e.AddCensus(t, value)
			if t.Category() == "NAME" {
				names = append(names, value)
			}
		})
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// reconcile makes equal surfaces in a patient's notes agree in type.
func reconcile(notes []*schemas.Note, rows []table.Identifiers, trace func(note int, e ensemble.Event)) {
	var patients, doctors []string
	for _, r := range rows {
		patients = append(append(patients, r.Names...), r.Relatives...)
		doctors = append(doctors, r.Doctors...)
	}
	docs := make([][]ensemble.Mention, len(notes))
	for i, n := range notes {
		docs[i] = make([]ensemble.Mention, len(n.Spans))
		for k, s := range n.Spans {
			docs[i][k] = ensemble.Mention{Found: ensemble.Found{Span: s.Span, Cue: s.Cue}, Text: s.Surface}
		}
	}
	ensemble.Reconcile(docs, ensemble.NewRoles(patients, doctors), trace)
	for i, n := range notes {
		for k := range n.Spans {
			n.Spans[k].Type, n.Spans[k].Cue = docs[i][k].Type, docs[i][k].Cue
		}
	}
}

// identifying reports whether an id is long enough to be told from a dose or a
// year where it stands in a text, and no plain word.
func identifying(id string) bool {
	digits, all := 0, 0
	for _, r := range id {
		switch {
		case r >= '0' && r <= '9':
			digits++
			all++
		case r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z':
			all++
		}
	}
	return all >= 5 && digits > 0
}

// surfaces keeps what the rewrite needs: names, which surrogates must agree
// with, and what notes are swept for.
func surfaces(observed []ensemble.Surface) []schemas.Surface {
	var out []schemas.Surface
	for _, s := range observed {
		if s.Sweep || s.Type == phi.Patient || s.Type == phi.Doctor {
			out = append(out, schemas.Surface{Type: s.Type, Text: s.Text, Sweep: s.Sweep, Tagger: s.Tagger})
		}
	}
	return out
}

// withoutSurfaces leaves the surfaces behind: the rewrite has the text.
func withoutSurfaces(spans []schemas.Span) []schemas.Span {
	var out []schemas.Span
	for _, s := range spans {
		out = append(out, schemas.Span{Span: s.Span, Column: s.Column})
	}
	return out
}
