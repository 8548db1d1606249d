package bilstmcrf

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Int8 is the precision of weights that are kept in 8 bits and multiplied as
// integers.
const Int8 = "int8"

// halfEmbeddingFile is the embedding in 16 bits a number, in place of
// embeddingFile.
const halfEmbeddingFile = "embedding.f16"

// Execution is what model.json says of how the graphs are run.
type Execution struct {
	// Precision of the token graph's weights: "" for 32 bits, or Int8.
	Precision string `json:"precision,omitempty"`
	// WindowsPerRun is 1 for a token graph whose result for a window depends on
	// what else is in the run, as its inputs are rounded by the range of all of
	// them; 0 for any number.
	WindowsPerRun int `json:"windows_per_run,omitempty"`
	// PositionsPerRun is what suits the model on a CPU; 0 for DefaultPositions.
	PositionsPerRun int `json:"positions_per_run,omitempty"`
}

func (e Execution) check() error {
	switch {
	case e.Precision != "" && e.Precision != Int8:
		return fmt.Errorf("precision is %q, want none or %q", e.Precision, Int8)
	case e.WindowsPerRun != 0 && e.WindowsPerRun != 1:
		return fmt.Errorf("windows_per_run is %d, want none or 1", e.WindowsPerRun)
	case e.Precision == Int8 && e.WindowsPerRun != 1:
		return fmt.Errorf("precision is %q and windows_per_run is not 1: what is found would depend on how notes are batched", Int8)
	case e.PositionsPerRun < 0 || e.PositionsPerRun > 1<<20:
		return fmt.Errorf("positions_per_run is %d, want 0 to %d", e.PositionsPerRun, 1<<20)
	}
	return nil
}

// positions returns how many positions a run has: those that are asked for, or
// what suits the model.
func (e Execution) positions(asked int) int {
	switch {
	case e.WindowsPerRun == 1:
		return 1 // which no second window fits into
	case asked > 0:
		return asked
	case e.PositionsPerRun > 0:
		return e.PositionsPerRun
	}
	return DefaultPositions
}

// readEmbedding reads the embedding in whichever width the directory has.
func (m *Model) readEmbedding(file func(name string) []byte) ([]float32, error) {
	name, read := embeddingFile, floats
	if _, ok := m.Files[halfEmbeddingFile]; ok {
		name, read = halfEmbeddingFile, halves
	}
	table, err := read(file(name))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return table, nil
}

// halves reads little-endian IEEE 754 numbers of 16 bits.
func halves(data []byte) ([]float32, error) {
	if len(data)%2 != 0 {
		return nil, errNotHalves
	}
	fs := make([]float32, len(data)/2)
	for i := range fs {
		h := binary.LittleEndian.Uint16(data[2*i:])
		if h&0x7c00 == 0x7c00 {
			return nil, errNotHalves
		}
		fs[i] = half(h)
	}
	return fs, nil
}

var errNotHalves = fmt.Errorf("length is no multiple of 2 bytes, or a number is not finite")

// half returns a finite number of 16 bits: one of sign, five of exponent, ten of
// fraction.
func half(h uint16) float32 {
	sign, exponent, fraction := uint32(h>>15)<<31, uint32(h>>10)&31, uint32(h)&1023
	if exponent == 0 { // zero and what is too small for a leading one
		return math.Float32frombits(sign | math.Float32bits(float32(fraction)/(1<<24)))
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}
