package schemas

import (
	"fmt"

	"github.com/palimpsest-deid/palimpsest/model/roworder"
)

// DayBatch tells on which days the notes of a shard were written, in the order of
// its rows: what it takes to see whether that order follows days.
type DayBatch struct {
	Shard int
	First bool // the shard is the first of its file
	roworder.Part
}

// Encode packs the batch.
func (b *DayBatch) Encode() []byte {
	e := newEncoder()
	e.int(b.Shard)
	e.bool(b.First)
	e.buf = append(append(e.buf, b.From[:]...), b.To[:]...)
	e.int(len(b.Runs))
	at := 0
	for _, r := range b.Runs {
		e.int(r.First - at)
		e.int(r.Last - r.First)
		at = r.First
	}
	return e.pack()
}

// DecodeDayBatch unpacks what Encode packed.
func DecodeDayBatch(data []byte) (*DayBatch, error) {
	d, err := newDecoder(data)
	if err != nil {
		return nil, fmt.Errorf("day batch: %w", err)
	}
	b := &DayBatch{Shard: d.int(), First: d.bool()}
	copy(b.From[:], d.bytes(len(b.From)))
	copy(b.To[:], d.bytes(len(b.To)))
	b.Runs = make([]roworder.Run, d.count(2))
	at := 0
	for i := range b.Runs {
		at += d.int()
		b.Runs[i] = roworder.Run{First: at, Last: at + d.int()}
	}
	if err := d.close(); err != nil {
		return nil, fmt.Errorf("day batch: %w", err)
	}
	return b, nil
}
