package bilstmcrf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/palimpsest-deid/palimpsest/model/chain"
)

// Int8 is the precision of weights that are kept in 8 bits and multiplied as
// integers.
const Int8 = "int8"

// FixedRanges says that the inputs of 8-bit weights are rounded by ranges that do not depend on
// what a run brings.
const FixedRanges = "fixed"

// eightBitEmbeddingFile is the embedding in 8 bits a number, with a scale for each
// row, in place of embeddingFile.
const eightBitEmbeddingFile = "embedding.i8"

// inputScaleFile holds, for a model with inputs of 8 bits, by what each number of a token's embedding and
// of its characters' vector is multiplied, as little-endian float32; 1/2 is added then, and
// what is not between 0 and 1 is cut off.
const inputScaleFile = "input_scale.f32"

// Execution is what model.json says of how the graphs are run.
type Execution struct {
	// Precision of the token graph's weights: "" for 32 bits, or Int8.
	Precision string `json:"precision,omitempty"`
	// WindowsPerRun is 1 for a token graph whose result for a window depends on
	// what else is in the run, as its inputs are rounded by the range of all of
	// them; 0 for any number.
	WindowsPerRun int `json:"windows_per_run,omitempty"`
	// InputRanges is FixedRanges for 8-bit weights whose inputs are rounded by the same ranges
	// in every run, so that any number of windows may share one; "" otherwise.
	InputRanges string `json:"input_ranges,omitempty"`
	// InputBits is 8 for a token graph whose inputs are numbers of 8 bits, of which 0 and 255 are
	// what 0 and 1 are in 32; 0 for one that takes 32. How inputs are brought between 0 and 1 is
	// said in input_scale.f32.
	InputBits int `json:"input_bits,omitempty"`
	// PositionsPerRun is what suits the model on a CPU; 0 for DefaultPositions.
	PositionsPerRun int `json:"positions_per_run,omitempty"`
}

func (e Execution) check() error {
	switch {
	case e.Precision != "" && e.Precision != Int8:
		return fmt.Errorf("precision is %q, want none or %q", e.Precision, Int8)
	case e.WindowsPerRun != 0 && e.WindowsPerRun != 1:
		return fmt.Errorf("windows_per_run is %d, want none or 1", e.WindowsPerRun)
	case e.InputRanges != "" && (e.InputRanges != FixedRanges || e.Precision != Int8):
		return fmt.Errorf("input_ranges is %q, want none, or %q with precision %q", e.InputRanges, FixedRanges, Int8)
	case e.Precision == Int8 && e.WindowsPerRun != 1 && e.InputRanges != FixedRanges:
		return fmt.Errorf("precision is %q, windows_per_run is not 1 and input_ranges is not %q: what is found would depend on how "+
			"notes are batched", Int8, FixedRanges)
	case e.InputBits != 0 && (e.InputBits != 8 || e.InputRanges != FixedRanges):
		return fmt.Errorf("input_bits is %d, want none, or 8 with input_ranges %q", e.InputBits, FixedRanges)
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

// embedding is a table of a row of numbers for each form of the vocabulary.
type embedding struct {
	width int
	wide  []float32 // of 32 bits
	eight []byte    // or of 8, each row behind its scale
}

// readEmbedding reads the embedding in whichever width the directory has.
func (m *Model) readEmbedding(file func(name string) []byte) (e embedding, err error) {
	e.width = m.Dimensions.Token
	name := embeddingFile
	if _, ok := m.Files[eightBitEmbeddingFile]; ok {
		name = eightBitEmbeddingFile
		e.eight = file(name)
		err = e.checkEights()
	} else {
		e.wide, err = floats(file(name))
	}
	if err != nil {
		return e, fmt.Errorf("%s: %w", name, err)
	}
	return e, nil
}

// numbers returns how many numbers the table holds.
func (e *embedding) numbers() int {
	if e.eight != nil {
		return len(e.eight) / e.stride() * e.width
	}
	return len(e.wide)
}

// stride is the size of a row of 8 bits: a little-endian float32, the scale, and the
// numbers, each of which times the scale is what it stands for.
func (e *embedding) stride() int { return 4 + e.width }

// row returns a row, written into memory where it is not one of the table's.
func (e *embedding) row(id int32, memory []float32) []float32 {
	if e.eight == nil {
		return e.wide[int(id)*e.width : (int(id)+1)*e.width]
	}
	row := e.eight[int(id)*e.stride() : (int(id)+1)*e.stride()]
	scale := math.Float32frombits(binary.LittleEndian.Uint32(row))
	for i, b := range row[4:] {
		memory[i] = float32(int8(b)) * scale
	}
	return memory
}

// checkEights checks rows of 8 bits.
func (e *embedding) checkEights() error {
	if len(e.eight)%e.stride() != 0 {
		return fmt.Errorf("length is no multiple of %d bytes, which a row of %d numbers of 8 bits and its scale takes", e.stride(), e.width)
	}
	for at := 0; at < len(e.eight); at += e.stride() {
		most := math.Float32frombits(binary.LittleEndian.Uint32(e.eight[at:])) * math.MinInt8
		if !chain.Finite([]float32{most}) {
			return errors.New("a number is not finite")
		}
	}
	return nil
}

// readInputScale reads the scale of a model with inputs of 8 bits.
func (m *Model) readInputScale(file func(name string) []byte) error {
	d := m.Dimensions
	if d.Context > 0 {
		return fmt.Errorf("input_bits is %d, and states of language models have no scale", m.InputBits)
	}
	scale, err := floats(file(inputScaleFile))
	if err != nil {
		return fmt.Errorf("%s: %w", inputScaleFile, err)
	}
	if want := d.Token + d.Char; len(scale) != want {
		return fmt.Errorf("%s: has %d numbers, want %d", inputScaleFile, len(scale), want)
	}
	m.inputScale = scale
	return nil
}

// join writes an embedding and a characters' vector one behind the other.
func join(row, token, char []float32) {
	copy(row[copy(row, token):], char)
}

// narrow writes them in 8 bits, rounded as ONNX Runtime rounds the inputs of an LSTM of 8 bits whose
// range is 0 to 1.
func (m *Model) narrow(row []uint8, token, char []float32) {
	const step = float32(1) / math.MaxUint8
	for i, scale := range m.inputScale {
		var x float32
		if i < len(token) {
			x = token[i]
		} else {
			x = char[i-len(token)]
		}
		x = float32(x*scale) + 0.5 // not fused, so that all processors round alike
		row[i] = uint8(math.RoundToEven(float64(min(max(x, 0), 1) / step)))
	}
}
