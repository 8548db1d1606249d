package transforms

import "testing"

// A bucket's notes are in memory at once, so their number must not grow with the input.
func TestBucketsGrowWithTheNotes(t *testing.T) {
	for _, test := range []struct {
		least int
		notes int64
		want  int
	}{
		{128, 1, 128}, {128, 2_560_000, 128}, {128, 2_560_001, 256}, {128, 100_000_000, 8192},
		{1, 2_653_149, 256}, {1000, 100_000_000, 8000}, {128, 1e12, mostBuckets}, {100_000, 1e12, 100_000},
	} {
		if got := BucketsFor(test.least, test.notes); got != test.want {
			t.Errorf("%d notes, at least %d: %d buckets, want %d", test.notes, test.least, got, test.want)
		}
	}
}
