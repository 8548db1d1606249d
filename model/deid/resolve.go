package deid

import (
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/merge"
	"github.com/palimpsest-deid/palimpsest/model/pairs"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/policy"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
)

// Plan is what the rewriting of a patient's notes needs to know beside their
// spans.
type Plan struct {
	ID       string // patient id, or OrphanPatient of a document id; of linked patients the one that all are linked to
	Person   string // of a patient who is linked to others, whose days the plan has; else empty
	Orphan   bool
	Known    bool              // identifiers of the patient were known beforehand
	Names    []string          // those that were, in order
	Observed []lexicon.Surface // names, addresses, and what notes are searched for; distinct and sorted
	Total    int               // notes of the patient
	Dated    bool              // whether a day of any of the notes is believed
	Earliest int               // the first such day
	Latest   int               // the last such day
	Seen     bool              // whether it is known until when the patient was seen, in notes or in rows of other tables
	Last     int               // the last day of these
	NoEpoch  bool              // 1970-01-01 stands for no day in this patient's rows
	Unborn   bool              // the day of birth contradicts all notes, so it bounds no day
	Offset   int               // days that the caller wants dates to move; 0 for a keyed number
	Born     bool              // whether the patient's day of birth is known
	Birth    int               // that day
	Pairs    []string          // dates of the notes such as 3/4, distinct and sorted
}

// Resolve brings together what was found in all notes of one patient and what
// is known beforehand. It changes the notes' Spans, where the patient's other
// notes tell their type, and their Failure. The order of notes and of known
// does not matter, but to whom trace, where it is not nil, speaks first. A panic holds
// back all of the notes.
func Resolve(s Settings, notes []*Note, known []lexicon.Identifiers, trace func(Event)) Plan {
	all := notes
	notes, rows := withoutRows(all)
	plan := Plan{ID: all[0].Patient, Orphan: all[0].Orphan, Total: len(notes)}
	var days calendar
	for _, n := range all {
		days.add(n)
	}
	resolved := plan
	ok := spared("resolve", plan.ID, func() { resolved.resolve(s, all, notes, known, &days, rows, trace) })
	for _, n := range all {
		if days.clash && n.Failure == "" {
			n.Failure = ReasonDateOffset
		}
		if !ok && n.Failure == "" {
			n.Failure = ReasonResolveFailed
		}
		if !ok {
			n.Spans = nil
		}
	}
	if !ok {
		return plan
	}
	return resolved
}

func (p *Plan) resolve(s Settings, all, notes []*Note, known []lexicon.Identifiers, days *calendar, rows *Rows, trace func(Event)) {
	defer setAside(notes)()
	var evidence lexicon.Evidence
	p.Known, p.Names = len(known) > 0, enter(&evidence, known)
	ids := []string{p.ID} // often the record number itself
	if linked := all[0].Linked; linked != nil {
		ids = linked
	}
	for _, id := range ids {
		if !p.Orphan && identifying(id) {
			evidence.AddKnown(phi.MedicalRecord, id)
		}
	}
	for _, n := range notes {
		if identifying(n.Document) {
			evidence.AddKnown(phi.IDNum, n.Document)
		}
	}
	if s.Has(StepReconciliation) {
		reconcile(notes, known, trace)
	}
	if s.Has(StepSweep) {
		for _, n := range notes {
			for _, f := range n.Spans {
				if !f.Allowed {
					evidence.AddSpan(f)
				}
			}
		}
	}
	p.Observed = slices.Concat(needed(evidence.Surfaces(), s.Surrogates.Resolved()), addresses(known, notes), surroundings(notes))
	p.Offset = days.offset
	if p.Person = personOf(all); p.Person == "" && all[0].Person != "" {
		known, rows = nil, nil // of several people: none's birth is that of all
	}
	p.lived(s, days, rows, known)
	p.orders(s, notes)
	p.Pairs = datePairs(notes)
}

// lived finds on which days the patient's notes are believed, and until when the patient
// was seen.
func (p *Plan) lived(s Settings, days *calendar, rows *Rows, known []lexicon.Identifiers) {
	if p.Birth, p.Born = birthDay(known); !p.Born && rows != nil {
		p.Birth, p.Born = rows.Birth, rows.Born
	}
	p.settle(days.days, s.Surrogates.ExtractEnd)
	p.seen(days.days, rows, s.Surrogates.ExtractEnd)
}

// maxPairs bounds what is kept of a patient's dates without a year.
const maxPairs = 256

// datePairs returns the dates of notes that are two numbers and no more, and for which
// enough speaks.
func datePairs(notes []*Note) []string {
	var all []string
	for _, n := range notes {
		for _, s := range n.Spans {
			sure := s.Type == phi.Date && (s.Tagger != phi.Rules || s.Score >= policy.SurePattern)
			if _, pair := pairs.Is(s.Surface); pair && sure {
				all = append(all, s.Surface)
			}
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return all[:min(len(all), maxPairs)]
}

// reconcile makes equal surfaces in a patient's notes agree in type.
func reconcile(notes []*Note, known []lexicon.Identifiers, trace func(Event)) {
	var patients, doctors []string
	for _, k := range known {
		patients = append(append(patients, k.Names...), k.Relatives...)
		doctors = append(doctors, k.Doctors...)
	}
	docs := make([][]phi.Found, len(notes))
	for i, n := range notes {
		docs[i] = n.Spans
	}
	var told func(doc, text int, e phi.Event)
	if trace != nil {
		told = func(doc, text int, e phi.Event) { trace(Event{notes[doc].Document, text, e}) }
	}
	merge.Reconcile(docs, merge.NewRoles(patients, doctors), told)
}

// needed keeps what the rewriting needs: names, which surrogates must agree
// with, and what notes are searched for: of types that are kept, what is known
// beforehand alone.
func needed(all []lexicon.Surface, policy surrogate.Policy) []lexicon.Surface {
	var out []lexicon.Surface
	for _, s := range all {
		if s.Tagger != phi.Known && policy.Of(s.Type) == surrogate.Keep {
			s.Sweep = false
		}
		if s.Sweep || s.Type == phi.Patient || s.Type == phi.Doctor {
			out = append(out, s)
		}
	}
	return out
}
