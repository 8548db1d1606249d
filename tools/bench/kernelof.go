package main

import (
	"context"
	"encoding/json"
	"os"

	"github.com/palimpsest-deid/palimpsest/tools/bench/figures"
	"github.com/palimpsest-deid/palimpsest/tools/bench/invent"
)

// kernelOf measures the network alone over notes of a file.
func kernelOf(ctx context.Context, file string, workers int) error {
	texts, err := invent.Texts(ctx, file)
	if err != nil {
		return err
	}
	f, err := benchKernel(ctx, texts[:min(1000, len(texts))], workers)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(figures.Part{Name: f.name, Cores: f.workers, Seconds: f.seconds, CPUSeconds: f.cpu,
		Tokens: f.tokens, Bytes: f.bytes})
}
