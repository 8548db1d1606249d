package schemas

import (
	"encoding/json"
	"fmt"

	"github.com/palimpsest-deid/palimpsest/model/history"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
)

// HistoryBatch is what is remembered of the patients of one bucket.
type HistoryBatch struct {
	Patients []history.Patient
}

// Encode packs the batch; the same patients have the same bytes.
func (b *HistoryBatch) Encode() ([]byte, error) {
	e := newEncoder()
	e.int(len(b.Patients))
	for i := range b.Patients {
		p := &b.Patients[i]
		e.string(p.ID)
		e.int(len(p.Known))
		for _, k := range p.Known {
			raw, err := json.Marshal(k)
			if err != nil {
				return nil, fmt.Errorf("history batch: %w", err)
			}
			e.string(string(raw))
		}
		e.int(len(p.Notes))
		for j := range p.Notes {
			n := &p.Notes[j]
			e.note(&n.Note)
			e.buf = append(append(e.buf, n.Text[:]...), n.Detector[:]...)
		}
	}
	return e.pack(), nil
}

// DecodeHistoryBatch unpacks what Encode packed.
func DecodeHistoryBatch(data []byte) (*HistoryBatch, error) {
	d, err := newDecoder(data)
	if err != nil {
		return nil, fmt.Errorf("history batch: %w", err)
	}
	b := &HistoryBatch{Patients: make([]history.Patient, d.count(3))}
	for i := range b.Patients {
		p := &b.Patients[i]
		p.ID = d.string()
		for range d.count(3) {
			var k lexicon.Identifiers
			if json.Unmarshal([]byte(d.string()), &k) != nil {
				d.fail() // the JSON error could quote a name
				break
			}
			p.Known = append(p.Known, k)
		}
		p.Notes = make([]history.Note, d.count(32))
		for j := range p.Notes {
			n := &p.Notes[j]
			d.note(&n.Note)
			copy(n.Text[:], d.bytes(8))
			copy(n.Detector[:], d.bytes(8))
		}
	}
	if err := d.close(); err != nil {
		return nil, fmt.Errorf("history batch: %w", err)
	}
	return b, nil
}

// NightBatch is what a shard's rows make of what is remembered.
type NightBatch struct {
	Updates []history.Update
	Pending []Pending

	// The first and last day on which a released note was written, if any is known.
	Dated       bool
	First, Last int
}

// Written adds the day of a released note.
func (b *NightBatch) Written(day int) {
	if !b.Dated {
		b.Dated, b.First, b.Last = true, day, day
	}
	b.First, b.Last = min(b.First, day), max(b.Last, day)
}

// Pending is a released note that would read otherwise by what is known now.
type Pending struct {
	Document string // id, as in the input
	Released string // as in the release
	Hash     history.Hash
	Seen     bool // it was written again and does read otherwise; else it may
}

// Encode packs the batch.
func (b *NightBatch) Encode() []byte {
	e := newEncoder()
	e.int(len(b.Updates))
	for i := range b.Updates {
		u := &b.Updates[i]
		e.hash(u.Document)
		e.int(int(u.Change))
		e.entry(&u.Entry)
	}
	e.int(len(b.Pending))
	for _, p := range b.Pending {
		e.string(p.Document)
		e.string(p.Released)
		e.hash(p.Hash)
		e.bool(p.Seen)
	}
	e.bool(b.Dated)
	e.int(b.First)
	e.int(b.Last)
	return e.pack()
}

// DecodeNightBatch unpacks what Encode packed.
func DecodeNightBatch(data []byte) (*NightBatch, error) {
	d, err := newDecoder(data)
	if err != nil {
		return nil, fmt.Errorf("night batch: %w", err)
	}
	b := &NightBatch{Updates: make([]history.Update, d.count(16))}
	for i := range b.Updates {
		u := &b.Updates[i]
		u.Document = d.hash()
		u.Change = history.Change(d.int())
		u.Entry = d.entry()
	}
	b.Pending = make([]Pending, d.count(19))
	for i := range b.Pending {
		b.Pending[i] = Pending{d.string(), d.string(), d.hash(), d.bool()}
	}
	b.Dated, b.First, b.Last = d.bool(), d.int(), d.int()
	if err := d.close(); err != nil {
		return nil, fmt.Errorf("night batch: %w", err)
	}
	return b, nil
}

func (e *encoder) hash(h history.Hash) { e.buf = append(e.buf, h[:]...) }

func (d *decoder) hash() (h history.Hash) {
	copy(h[:], d.bytes(len(h)))
	return h
}

func (d *decoder) short() (s history.Short) {
	copy(s[:], d.bytes(len(s)))
	return s
}

func (e *encoder) entry(x *history.Entry) {
	for _, h := range []history.Hash{x.Patient, x.Row, x.Basis, x.Released} {
		e.hash(h)
	}
	for _, s := range []history.Short{x.Text, x.Detector, x.Key} {
		e.buf = append(e.buf, s[:]...)
	}
	e.string(x.ID)
	e.int(x.Revision)
	e.bool(x.Out)
	e.bool(x.Pending)
}

func (d *decoder) entry() (x history.Entry) {
	for _, h := range []*history.Hash{&x.Patient, &x.Row, &x.Basis, &x.Released} {
		*h = d.hash()
	}
	for _, s := range []*history.Short{&x.Text, &x.Detector, &x.Key} {
		*s = d.short()
	}
	x.ID, x.Revision, x.Out, x.Pending = d.string(), d.int(), d.bool(), d.bool()
	return x
}

func (e *encoder) hashes(all []history.Hash) {
	e.int(len(all))
	for _, h := range all {
		e.hash(h)
	}
}

func (d *decoder) hashes() []history.Hash {
	n := d.count(16)
	if n == 0 {
		return nil
	}
	all := make([]history.Hash, n)
	for i := range all {
		all[i] = d.hash()
	}
	return all
}

func (e *encoder) row(r *history.Row) {
	e.hash(r.Document)
	e.hash(r.Digest)
	e.buf = append(e.buf, r.Text[:]...)
	e.int(int(r.Kind))
}

func (d *decoder) row() history.Row {
	return history.Row{Document: d.hash(), Digest: d.hash(), Text: d.short(), Kind: history.Kind(d.int())}
}

func (e *encoder) standing(all []history.Row) {
	e.int(len(all))
	for i := range all {
		e.row(&all[i])
	}
}

func (d *decoder) standing() []history.Row {
	n := d.count(41)
	if n == 0 {
		return nil
	}
	all := make([]history.Row, n)
	for i := range all {
		all[i] = d.row()
	}
	return all
}

func (e *encoder) steps(all []history.Step) {
	e.int(len(all))
	for i := range all {
		s := &all[i]
		e.int(int(s.Action))
		e.row(&s.Row)
		e.hash(s.Patient)
		e.hash(s.Basis)
	}
}

func (d *decoder) steps() []history.Step {
	n := d.count(74)
	if n == 0 {
		return nil
	}
	all := make([]history.Step, n)
	for i := range all {
		all[i] = history.Step{Action: history.Action(d.int()), Row: d.row(), Patient: d.hash(), Basis: d.hash()}
	}
	return all
}
