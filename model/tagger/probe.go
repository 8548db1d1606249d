package tagger

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash"
	"math"

	"github.com/palimpsest-deid/palimpsest/model/token"
)

// Emitter runs a graph that gives each token of some windows a score for each label.
type Emitter interface {
	// Emit fills emissions, time-major [steps, n, labels], for n windows whose
	// rows are x, time-major [steps, n, width], with lengths [n] of at least
	// 1. Emissions past a window's length are undefined. The result for one
	// window does not depend on the others. Safe for concurrent use.
	Emit(emissions, x []float32, lengths []int32, steps int) error
}

// NarrowEmitter runs a graph whose inputs are numbers of 8 bits.
type NarrowEmitter interface {
	// EmitNarrow is Emit with rows of 8 bits a number.
	EmitNarrow(emissions []float32, x []uint8, lengths []int32, steps int) error
}

var errNotNarrow = errors.New("the graph's inputs are numbers of 8 bits, and nothing runs it with these")

// Narrow returns e's way to run a graph with inputs of 8 bits, or one that says that it has none.
func Narrow(e Emitter) func(emissions []float32, x []uint8, lengths []int32, steps int) error {
	if n, ok := e.(NarrowEmitter); ok {
		return n.EmitNarrow
	}
	return func([]float32, []uint8, []int32, int) error { return errNotNarrow }
}

// probeText is an invented note of one window or two, with what makes a network's
// inputs wide: names, numbers, capitals, other letters, a form that no vocabulary has.
const probeText = `DISCHARGE SUMMARY / INFORME DE ALTA
Patient: Quillfeather, Ambrosine   MRN: 0048-2237-Q   DOB: 03/14/1951
Seen by Dr. Oyelowo-Blackwood (pager 4-7719) at St. Ninian's, Ward 7B, on Tuesday 5 Nov 2019.
Mrs. Q. is a 68 y/o retired lighthouse keeper from Port Ellen with CHF (EF 35%), T2DM, CKD III; BNP 1,482 pg/mL.
Paciente de 68 años, natural de Peñaranda, con disnea de esfuerzo; Dra. M. Ibáñez Núñez, n.º col. 28 28 41177.
call daughter zxqvwth 555-0142, email a.quill@example.org, http://example.org/r?id=9f3c
d/c meds: furosemide 40 mg PO BID, metoprolol 25mg, insulin glargine 18 u qhs -- f/u 2 wks w/ dr smith
`

// Probe runs a fixed text through a graph and returns the SHA-256 of what it emits, in
// hex. Where two machines return the same, they round alike; on different processors, or
// under different versions of ONNX Runtime, they may not. ready makes a tagger that runs
// the graph through an emitter, and remembers no form and no window.
func Probe(labels int, emitter Emitter, ready func(Emitter) Tagger) (string, error) {
	r := &recorder{emitter: emitter, labels: labels, hash: sha256.New()}
	text := Text{Text: probeText, Tokens: token.Tokenize(nil, probeText)}
	if _, err := ready(r).TagKinds([]Text{text}); err != nil {
		return "", err
	}
	if r.positions < len(text.Tokens) { // margins of windows are read besides
		return "", errors.New("the probe's text did not reach the network")
	}
	return hex.EncodeToString(r.hash.Sum(nil)), nil
}

// recorder hashes the emissions that pass it.
type recorder struct {
	emitter   Emitter
	labels    int
	hash      hash.Hash
	positions int
}

func (r *recorder) Emit(emissions, x []float32, lengths []int32, steps int) error {
	if err := r.emitter.Emit(emissions, x, lengths, steps); err != nil {
		return err
	}
	r.record(emissions, lengths)
	return nil
}

func (r *recorder) EmitNarrow(emissions []float32, x []uint8, lengths []int32, steps int) error {
	if err := Narrow(r.emitter)(emissions, x, lengths, steps); err != nil {
		return err
	}
	r.record(emissions, lengths)
	return nil
}

// record hashes what a run has emitted.
func (r *recorder) record(emissions []float32, lengths []int32) {
	n := len(lengths)
	for i, length := range lengths {
		for k := range int(length) {
			for _, e := range emissions[(k*n+i)*r.labels : (k*n+i+1)*r.labels] {
				r.hash.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(e)))
			}
			r.positions++
		}
	}
}
