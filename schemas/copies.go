package schemas

import (
	"fmt"

	"github.com/palimpsest-deid/palimpsest/model/audit"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// CopyBatch holds the passages of the notes of one shard whose patients fall into
// one bucket, by keyed hashes.
type CopyBatch struct {
	Shard int
	Part  int // of the shard's batches, which are handed on while it is rewritten
	Texts []CopyText
}

// CopyText is one text of a note. Offsets of its passages are code points of the
// original.
type CopyText struct {
	Patient, Document, Column, Element string
	Row                                int64 // of the shard
	Passages                           []audit.Passage
}

// Audited is what the audit of one bucket has found.
type Audited struct {
	Bucket int
	Left   int64
	Places []byte // JSON, a list of places
}

// Encode packs the batch.
func (b *CopyBatch) Encode() []byte {
	e := newEncoder()
	e.int(b.Shard)
	e.int(b.Part)
	e.int(len(b.Texts))
	for i := range b.Texts {
		t := &b.Texts[i]
		e.string(t.Patient)
		e.string(t.Document)
		e.string(t.Column)
		e.string(t.Element)
		e.int(int(t.Row))
		e.int(len(t.Passages))
		at := 0
		for _, p := range t.Passages {
			e.uint64(p.Hash)
			e.int(p.Start - at)
			e.int(p.End - p.Start)
			at = p.Start
			e.buf = append(e.buf, p.Covered, p.Begins)
			e.int(len(p.Types))
			for _, typ := range p.Types {
				e.int(int(typ))
			}
		}
	}
	return e.pack()
}

// DecodeCopyBatch unpacks what Encode packed.
func DecodeCopyBatch(data []byte) (*CopyBatch, error) {
	d, err := newDecoder(data)
	if err != nil {
		return nil, fmt.Errorf("copy batch: %w", err)
	}
	b := &CopyBatch{Shard: d.int(), Part: d.int()}
	b.Texts = make([]CopyText, d.count(6))
	for i := range b.Texts {
		t := &b.Texts[i]
		t.Patient, t.Document, t.Column, t.Element, t.Row = d.string(), d.string(), d.string(), d.string(), int64(d.int())
		t.Passages = make([]audit.Passage, d.count(13))
		at := 0
		for k := range t.Passages {
			p := &t.Passages[k]
			p.Hash = d.uint64()
			p.Start = at + d.int()
			p.End = p.Start + d.int()
			at = p.Start
			if two := d.bytes(2); two != nil {
				p.Covered, p.Begins = two[0], two[1]
			}
			if n := d.count(1); n > 0 {
				p.Types = make([]phi.Type, n)
			}
			for x := range p.Types {
				p.Types[x] = phi.Type(d.int())
			}
		}
	}
	if err := d.close(); err != nil {
		return nil, fmt.Errorf("copy batch: %w", err)
	}
	return b, nil
}
