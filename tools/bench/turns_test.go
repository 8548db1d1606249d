package main

import (
	"context"
	"slices"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/bilstmcrf"
	"github.com/palimpsest-deid/palimpsest/model/token"
	"github.com/palimpsest-deid/palimpsest/tools/bench/invent"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// The kernel must compute what the job computes, or their ratio says nothing.
func TestTheKernelComputesTheJobsWindows(t *testing.T) {
	ctx := context.Background()
	loaded, err := transforms.LoadModel(ctx, "../../onnx/models/en-clinical-fast")
	if err != nil {
		t.Fatal(err)
	}
	texts, err := invent.Texts(ctx, "../../examples/notes.parquet")
	if err != nil {
		t.Fatal(err)
	}
	var want []int32 // lengths
	cutting := bilstmcrf.DefaultCutting(loaded.Network.Tokenizer.WindowTokens)
	for _, text := range texts {
		for _, w := range cutting.Windows(nil, text, token.Tokenize(nil, text)) {
			want = append(want, int32(w.End-w.Start))
		}
	}
	slices.Sort(want)
	k := &kernel{model: loaded.Network}
	batches, err := k.batches(texts, 64<<10)
	if err != nil {
		t.Fatal(err)
	}
	padded := func(batches [][]int32) (positions int) {
		var all []int32
		for _, b := range batches {
			if !slices.IsSorted(b) || len(b) > 1 && len(b)*int(b[len(b)-1]) > bilstmcrf.DefaultPositions {
				t.Fatalf("a run has windows of %v", b)
			}
			all = append(all, b...)
			positions += len(b) * int(b[len(b)-1])
		}
		slices.Sort(all)
		if !slices.Equal(all, want) {
			t.Fatalf("%d windows, want %d of the same lengths", len(all), len(want))
		}
		return positions
	}
	job, ideal := padded(batches), padded(k.ideal(batches))
	if t.Logf("%d positions as the job batches, %d at best", job, ideal); ideal > job {
		t.Errorf("ideal batches have %d positions, the job's %d", ideal, job)
	}
}
