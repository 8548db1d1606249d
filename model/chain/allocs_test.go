package chain

import (
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/tagger"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// Decoding a window allocates nothing, whatever it finds: its memory is reused.
func TestAllocationsOfAWindow(t *testing.T) {
	n := len(testLabels)
	d, err := New(testLabels, make([]float32, (n+2)*n))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("Seen by Mary Blackwood . ", 40)
	tokens := token.Tokenize(nil, text)
	emissions := make([]float32, len(tokens)*n)
	for k := range tokens {
		label := 0
		if k%5 == 3 {
			label = n - 1 // S-PATIENT
		}
		emissions[k*n+label] = 9
	}
	var s Scratch
	var found []tagger.Found
	run := func() {
		emission := func(k int) []float32 { return emissions[k*n : (k+1)*n] }
		found, err = d.Spans(found[:0], &s, tokens, Bias{Odds: true}, emission, func(k int) string { return tokens[k].Text(text) })
	}
	allocations := testing.AllocsPerRun(20, run)
	if err != nil || len(found) != 40 {
		t.Fatalf("%d spans, %v", len(found), err)
	}
	if t.Logf("%.0f allocations for %d spans", allocations, len(found)); allocations > 0 {
		t.Errorf("%.0f allocations", allocations)
	}
}
