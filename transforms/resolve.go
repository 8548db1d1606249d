package transforms

import (
	"context"
	"fmt"
	"slices"
	"strings"

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

func (fn *resolveFn) ProcessElement(_ context.Context, _ int, spans, census func(*[]byte) bool, emit func(int, []byte)) error {
	var batches []*schemas.SpanBatch
	var data []byte
	for spans(&data) {
		b, err := schemas.DecodeSpanBatch(data)
		if err != nil {
			return err
		}
		batches = append(batches, b)
	}
	known := map[string][]table.Identifiers{}
	for census(&data) {
		b, err := schemas.DecodeIdentifierBatch(data)
		if err != nil {
			return err
		}
		for _, id := range b.Patients {
			known[id.PatientID] = append(known[id.PatientID], id)
		}
	}
	plans, err := resolve(batches, known)
	if err != nil {
		return err
	}
	for _, shard := range sortedKeys(plans) {
		emit(shard, plans[shard].Encode())
	}
	return nil
}

// resolve plans every note of one bucket's patients. The result does not
// depend on the order of batches or census rows.
func resolve(batches []*schemas.SpanBatch, known map[string][]table.Identifiers) (map[int]*schemas.PlanBatch, error) {
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
		p := patients[id]
		var evidence ensemble.Evidence
		names := addCensus(&evidence, known[id])
		if !p.orphan && identifying(id) {
			evidence.AddCensus(phi.MedicalRecord, id) // often the record number itself
		}
		for _, notes := range p.notes {
			for _, n := range notes {
				addSpans(&evidence, n.Spans)
			}
		}
		observed := append(surfaces(evidence.Surfaces()), addresses(known[id], p.notes)...)
		for _, shard := range sortedKeys(p.notes) {
			plan := schemas.Patient{ID: id, Orphan: p.orphan, Known: len(known[id]) > 0, Names: names, Observed: observed,
				Dated: p.days.dated, Latest: p.days.latest, Offset: p.days.offset}
			for _, n := range p.notes[shard] {
				plan.Notes = append(plan.Notes, schemas.Planned{Row: n.Row, Failure: p.days.failure(n), Spans: mergeColumns(n.Spans)})
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
		for _, f := range []struct {
			typ    phi.Type
			values []string
		}{
			{phi.Patient, r.Names}, {phi.Patient, r.Relatives}, {phi.Doctor, r.Doctors},
			{phi.MedicalRecord, r.MRNs}, {phi.SSN, r.SSNs}, {phi.Phone, r.Phones},
			{phi.Email, r.Emails}, {phi.Street, streets(r.Addresses)},
		} {
			for _, v := range f.values {
				e.AddCensus(f.typ, v)
				if f.typ.Category() == "NAME" {
					names = append(names, v)
				}
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// streets returns the first line of each address: the rest is too common to
// search for.
func streets(addresses []string) []string {
	out := make([]string, len(addresses))
	for i, a := range addresses {
		out[i], _, _ = strings.Cut(a, ",")
	}
	return out
}

// addSpans enters what was found in one note. Two taggers at one place are one
// finding.
func addSpans(e *ensemble.Evidence, spans []schemas.Span) {
	type place struct {
		column, start int
		typ           phi.Type
		text          string
	}
	seen := map[place]float32{}
	for _, s := range spans {
		at := place{s.Column, s.Start, s.Type, s.Surface}
		if before, ok := seen[at]; ok && s.Score <= before {
			continue
		} else if ok {
			e.Raise(s.Type, s.Surface, s.Score)
		} else {
			e.AddSpan(s.Span, s.Surface)
		}
		seen[at] = s.Score
	}
}

// identifying reports whether a patient id is long enough to be told from a
// dose or a year where it stands in a text.
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
	return all >= 6 && digits > 0
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

// mergeColumns makes each column's spans disjoint. Surfaces stay behind: the
// rewrite has the text.
func mergeColumns(spans []schemas.Span) []schemas.Span {
	var out []schemas.Span
	for i := 0; i < len(spans); {
		column := spans[i].Column
		var of []phi.Span
		for ; i < len(spans) && spans[i].Column == column; i++ {
			of = append(of, spans[i].Span)
		}
		for _, s := range ensemble.Merge(of) {
			out = append(out, schemas.Span{Span: s, Column: column})
		}
	}
	return out
}
