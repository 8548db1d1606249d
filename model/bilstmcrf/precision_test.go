package bilstmcrf

import (
	"slices"
	"testing"
)

func TestInputsAreRoundedToEightBits(t *testing.T) {
	m := &Model{inputScale: []float32{0.5, 0.5, 2, 0.25, 1, 0.5, 1}}
	row := make([]uint8, 9)
	row[8] = 7
	m.narrow(row, []float32{-1, 1, 9, -3}, []float32{0, 1.0 / 255, -1.5 / 255})
	// A half is 127.49999 steps of 1/255 in 32 bits, for ONNX Runtime too; what is beyond the range is cut off.
	if want := []uint8{0, 255, 255, 0, 127, 128, 126, 0, 7}; !slices.Equal(row, want) {
		t.Errorf("%v, want %v", row, want)
	}
}
