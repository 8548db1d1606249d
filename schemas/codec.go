package schemas

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/klauspost/compress/zstd"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// A batch is packed as varints and strings, then compressed by zstd: Prism
// keeps about ten times a shuffle's bytes in memory, and clouds bill them.

// maxBatch bounds a decompressed batch, so that damaged bytes cannot ask for
// all memory there is.
const maxBatch = 2 << 30

// One coder of each kind serves all goroutines; EncodeAll and DecodeAll are
// safe for concurrent use.
var (
	packer   = must(zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderConcurrency(1)))
	unpacker = must(zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxBatch), zstd.WithDecodeAllCapLimit(true)))
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err) // only options that zstd does not know
	}
	return v
}

type encoder struct{ buf []byte }

func newEncoder() *encoder { return &encoder{buf: make([]byte, 0, 4096)} }

func (e *encoder) int(v int) { e.buf = binary.AppendVarint(e.buf, int64(v)) }

func (e *encoder) bool(v bool) {
	if v {
		e.buf = append(e.buf, 1)
	} else {
		e.buf = append(e.buf, 0)
	}
}

// told writes a flag and a sex as one byte, of which the flag is the lowest bit.
func (e *encoder) told(v bool, sex phi.Sex) {
	e.bool(v)
	e.buf[len(e.buf)-1] |= byte(sex) << 1
}

func (e *encoder) string(s string) {
	e.int(len(s))
	e.buf = append(e.buf, s...)
}

func (e *encoder) spans(spans []phi.Found) {
	e.int(len(spans))
	at := 0
	for _, s := range spans {
		e.int(s.Text)
		e.int(s.Start - at) // spans are sorted, so differences are small
		e.int(s.End - s.Start)
		at = s.Start
		e.int(int(s.Type))
		e.int(int(s.Tagger))
		e.buf = binary.LittleEndian.AppendUint32(e.buf, math.Float32bits(s.Score))
		e.string(s.Surface)
		e.told(s.Cue, s.Sex)
		e.bool(s.Allowed)
	}
}

func (e *encoder) uint64(v uint64) { e.buf = binary.LittleEndian.AppendUint64(e.buf, v) }

func (e *encoder) pack() []byte { return packer.EncodeAll(e.buf, nil) }

var errDamaged = errors.New("damaged: it ends too early, counts wrongly or is no frame of ours")

// decoder reads what encoder wrote. After the first error it returns zero
// values, and close returns the error.
type decoder struct {
	buf []byte
	err error
}

func newDecoder(data []byte) (*decoder, error) {
	buf, err := unpack(data)
	if err != nil {
		return nil, err
	}
	return &decoder{buf: buf}, nil
}

// mostFold is by how much a frame can be smaller than what it holds: four
// bytes make a block of 128 KiB.
const mostFold = 1 << 15

// unpack decompresses one frame. It makes no more room than the frame can
// fill: a frame may claim any length, in sixteen bytes.
func unpack(data []byte) ([]byte, error) {
	if len(data) == 0 {
		return nil, nil
	}
	var h zstd.Header
	if err := h.Decode(data); err != nil || h.FrameContentSize > mostFold*uint64(len(data)) {
		return nil, errDamaged
	}
	room := h.FrameContentSize
	if !h.HasFCS {
		room = 255 // the packer tells any length above
	}
	return unpacker.DecodeAll(data, make([]byte, 0, room))
}

func (d *decoder) fail() {
	d.err, d.buf = errDamaged, nil
}

func (d *decoder) int() int {
	v, n := binary.Varint(d.buf)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.buf = d.buf[n:]
	return int(v)
}

// count reads the length of a list whose elements take at least least bytes.
func (d *decoder) count(least int) int {
	n := d.int()
	if n < 0 || n > len(d.buf)/least {
		d.fail()
		return 0
	}
	return n
}

func (d *decoder) bytes(n int) []byte {
	if n < 0 || n > len(d.buf) {
		d.fail()
		return nil
	}
	b := d.buf[:n]
	d.buf = d.buf[n:]
	return b
}

func (d *decoder) uint64() uint64 {
	if b := d.bytes(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (d *decoder) bool() bool {
	b := d.bytes(1)
	return len(b) == 1 && b[0] != 0
}

func (d *decoder) told() (bool, phi.Sex) {
	b := d.bytes(1)
	if len(b) != 1 {
		return false, phi.Untold
	}
	if b[0]>>1 > byte(phi.Male) {
		d.err = errDamaged
	}
	return b[0]&1 != 0, phi.Sex(b[0] >> 1)
}

func (d *decoder) string() string { return string(d.bytes(d.int())) }

func (d *decoder) spans() []phi.Found {
	n := d.count(12)
	if n == 0 {
		return nil
	}
	spans := make([]phi.Found, n)
	at := 0
	for i := range spans {
		s := &spans[i]
		s.Text = d.int()
		s.Start = at + d.int()
		s.End = s.Start + d.int()
		at = s.Start
		s.Type = phi.Type(d.int())
		s.Tagger = phi.Tagger(d.int())
		if b := d.bytes(4); b != nil {
			s.Score = math.Float32frombits(binary.LittleEndian.Uint32(b))
		}
		s.Surface = d.string()
		s.Cue, s.Sex = d.told()
		s.Allowed = d.bool()
	}
	return spans
}

func (d *decoder) close() error {
	if d.err == nil && len(d.buf) > 0 {
		d.err = errDamaged
	}
	return d.err
}
