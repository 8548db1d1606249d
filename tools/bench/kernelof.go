package main

import (
	"context"
	"encoding/json"
	"os"

	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/tools/bench/figures"
	"github.com/palimpsest-deid/palimpsest/tools/bench/invent"
)

// kernelOf measures the network alone over notes of a file, on the batches that the job
// would form of them.
func kernelOf(ctx context.Context, file string, workers int) error {
	texts, err := invent.Texts(ctx, file)
	if err != nil {
		return err
	}
	k, err := newKernel(ctx, workers)
	if err != nil {
		return err
	}
	texts = texts[:min(1000, len(texts))]
	batches, err := k.batches(texts, pipeline.DefaultOptions().BatchKB<<10)
	if err != nil {
		return err
	}
	f, err := k.run(figures.Kernel, batches)
	if err != nil {
		return err
	}
	for _, t := range texts {
		f.bytes += int64(len(t))
	}
	return json.NewEncoder(os.Stdout).Encode(figures.Part{Name: f.name, Cores: f.workers, Seconds: f.seconds, CPUSeconds: f.cpu,
		Tokens: f.tokens, Bytes: f.bytes})
}
