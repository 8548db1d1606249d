package chain

import (
	"math"
	"testing"
)

func TestFinite(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		numbers []float32
		want    bool
	}{
		{nil, true}, {[]float32{0, -3e38, 3e38}, true}, {[]float32{1, nan, 2}, false}, {[]float32{inf, -inf}, false}, {[]float32{1, -inf}, false},
	} {
		if got := Finite(c.numbers); got != c.want {
			t.Errorf("Finite(%v) = %v", c.numbers, got)
		}
	}
}
