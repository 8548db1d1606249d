package schemas

import (
	"fmt"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/history"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// SpanBatch holds what was found in the notes of one shard whose patients fall
// into one bucket.
type SpanBatch struct {
	Shard int
	Notes []deid.Note // those without spans travel too: the patient's other notes may say what to search them for

	// Of a job with a state: how each note stands to it, and notes that are of these
	// patients no longer.
	Rows []history.Row
	Left []history.Hash // of documents
}

// PlanBatch is the answer to one SpanBatch: what to do with its notes.
type PlanBatch struct {
	Patients []PatientPlan
}

// PatientPlan is what to do with those of a patient's notes that are in one shard.
// Of the notes row, failure, hash, order and spans are filled in, and of the spans no
// surface: the rewrite has the text. A note that stands for rows has their count.
type PatientPlan struct {
	deid.Plan
	Notes []deid.Note

	Steps []history.Step // what to do with each note; none without a state, when all are released
}

// Encode packs the batch.
func (b *SpanBatch) Encode() []byte {
	e := newEncoder()
	e.int(b.Shard)
	e.int(len(b.Notes))
	for i := range b.Notes {
		e.note(&b.Notes[i])
	}
	e.standing(b.Rows)
	e.hashes(b.Left)
	return e.pack()
}

func (e *encoder) note(n *deid.Note) {
	e.int(int(n.Row))
	e.string(n.Document)
	e.bool(n.Orphan)
	if !n.Orphan {
		e.string(n.Patient)
	}
	e.string(n.Failure)
	e.spans(n.Spans)
	e.bool(n.Dated)
	e.int(n.Day)
	e.int(n.Offset)
	e.uint64(n.Hash)
	e.rows(n.Rows)
	e.strings(n.Linked)
	if n.Linked != nil {
		e.string(n.Person)
	}
}

func (d *decoder) note(n *deid.Note) {
	n.Row = int64(d.int())
	n.Document = d.string()
	if n.Orphan = d.bool(); n.Orphan {
		n.Patient = deid.OrphanPatient(n.Document)
	} else {
		n.Patient = d.string()
	}
	n.Failure = d.string()
	n.Spans = d.spans()
	n.Dated = d.bool()
	n.Day = d.int()
	n.Offset = d.int()
	n.Hash = d.uint64()
	n.Rows = d.rows()
	if n.Linked = d.strings(); n.Linked != nil {
		n.Person = d.string()
	}
}

// DecodeSpanBatch unpacks what Encode packed.
func DecodeSpanBatch(data []byte) (*SpanBatch, error) {
	d, err := newDecoder(data)
	if err != nil {
		return nil, fmt.Errorf("span batch: %w", err)
	}
	b := &SpanBatch{Shard: d.int()}
	b.Notes = make([]deid.Note, d.count(18)) // an orphan without spans has eighteen bytes
	for i := range b.Notes {
		d.note(&b.Notes[i])
	}
	b.Rows, b.Left = d.standing(), d.hashes()
	if err := d.close(); err != nil {
		return nil, fmt.Errorf("span batch: %w", err)
	}
	return b, nil
}

// Encode packs the batch.
func (b *PlanBatch) Encode() []byte {
	e := newEncoder()
	e.int(len(b.Patients))
	for i := range b.Patients {
		p := &b.Patients[i]
		e.string(p.ID)
		e.string(p.Person)
		e.bool(p.Orphan)
		e.bool(p.Known)
		e.bool(p.Dated)
		e.int(p.Earliest)
		e.int(p.Latest)
		e.bool(p.Seen)
		e.int(p.Last)
		e.bool(p.NoEpoch)
		e.bool(p.Unborn)
		e.int(p.Offset)
		e.int(p.Total)
		e.bool(p.Born)
		e.int(p.Birth)
		e.int(len(p.Pairs))
		for _, pair := range p.Pairs {
			e.string(pair)
		}
		e.int(len(p.Names))
		for _, name := range p.Names {
			e.string(name)
		}
		e.int(len(p.Observed))
		for _, s := range p.Observed {
			e.int(int(s.Type))
			e.string(s.Text)
			e.told(s.Sweep, s.Sex)
			e.int(int(s.Tagger))
		}
		e.int(len(p.Notes))
		for j := range p.Notes {
			n := &p.Notes[j]
			e.int(int(n.Row))
			e.string(n.Failure)
			e.uint64(n.Hash)
			e.int(int(n.Order))
			e.spans(n.Spans)
			e.rows(n.Rows)
		}
		e.steps(p.Steps)
	}
	return e.pack()
}

// DecodePlanBatch unpacks what Encode packed.
func DecodePlanBatch(data []byte) (*PlanBatch, error) {
	d, err := newDecoder(data)
	if err != nil {
		return nil, fmt.Errorf("plan batch: %w", err)
	}
	b := &PlanBatch{Patients: make([]PatientPlan, d.count(18))}
	for i := range b.Patients {
		p := &b.Patients[i]
		p.ID = d.string()
		p.Person = d.string()
		p.Orphan = d.bool()
		p.Known = d.bool()
		p.Dated = d.bool()
		p.Earliest = d.int()
		p.Latest = d.int()
		p.Seen = d.bool()
		p.Last = d.int()
		p.NoEpoch = d.bool()
		p.Unborn = d.bool()
		p.Offset = d.int()
		p.Total = d.int()
		p.Born = d.bool()
		p.Birth = d.int()
		if n := d.count(1); n > 0 {
			p.Pairs = make([]string, n)
		}
		for j := range p.Pairs {
			p.Pairs[j] = d.string()
		}
		p.Names = make([]string, d.count(1))
		for j := range p.Names {
			p.Names[j] = d.string()
		}
		p.Observed = make([]lexicon.Surface, d.count(4))
		for j := range p.Observed {
			s := lexicon.Surface{Type: phi.Type(d.int()), Text: d.string()}
			s.Sweep, s.Sex = d.told()
			s.Tagger = phi.Tagger(d.int())
			p.Observed[j] = s
		}
		p.Notes = make([]deid.Note, d.count(13))
		for j := range p.Notes {
			p.Notes[j] = deid.Note{Row: int64(d.int()), Failure: d.string(), Hash: d.uint64(), Order: dates.DayFirst(d.int()), Spans: d.spans(),
				Rows: d.rows()}
		}
		p.Steps = d.steps()
	}
	if err := d.close(); err != nil {
		return nil, fmt.Errorf("plan batch: %w", err)
	}
	return b, nil
}

// DocumentBatch lists the documents of one shard whose ids fall into one
// bucket, by a keyed hash of the id, so that ids met twice are found without
// shuffling them.
type DocumentBatch struct {
	Shard int
	IDs   []DocumentID
}

// DocumentID is one document's hashed id and where it stands.
type DocumentID struct {
	Hash [16]byte
	Row  int64
}

// Encode packs the batch.
func (b *DocumentBatch) Encode() []byte {
	e := newEncoder()
	e.int(b.Shard)
	e.int(len(b.IDs))
	for _, id := range b.IDs {
		e.int(int(id.Row))
		e.buf = append(e.buf, id.Hash[:]...)
	}
	return e.pack()
}

// DecodeDocumentBatch unpacks what Encode packed.
func DecodeDocumentBatch(data []byte) (*DocumentBatch, error) {
	d, err := newDecoder(data)
	if err != nil {
		return nil, fmt.Errorf("document batch: %w", err)
	}
	b := &DocumentBatch{Shard: d.int()}
	b.IDs = make([]DocumentID, d.count(17))
	for i := range b.IDs {
		b.IDs[i].Row = int64(d.int())
		copy(b.IDs[i].Hash[:], d.bytes(16))
	}
	if err := d.close(); err != nil {
		return nil, fmt.Errorf("document batch: %w", err)
	}
	return b, nil
}
