package chain

import (
	"math"
	"testing"
)

func TestExp(t *testing.T) {
	for x := float32(0); x > -70; x -= 0.0137 {
		want := math.Exp(float64(x))
		if got := exp(x); math.Abs(got-want) > 1e-6*want+1e-25 {
			t.Fatalf("exp(%v) = %v, want %v", x, got, want)
		}
	}
}
