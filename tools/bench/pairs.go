package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// pairs runs the whole job with two programs in turn and writes what the second takes
// of the first's CPU seconds, which neighbours on the machine disturb less than the
// clock.
func pairs(ctx context.Context, w io.Writer, programs, source string, notes, workers, rounds int) error {
	first, second, ok := strings.Cut(programs, ",")
	if !ok {
		return fmt.Errorf("--pairs=%s: name two programs with a comma between them", programs)
	}
	dir, err := os.MkdirTemp("", "palimpsest-pairs-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "notes.parquet")
	texts, err := generate(ctx, source, file, notes)
	if err != nil {
		return err
	}
	var ratios []float64
	for range rounds {
		var took [2]float64
		for i, program := range []string{first, second} {
			f, _, err := benchJob(program, file, filepath.Join(dir, "out"), workers, len(texts))
			if err != nil {
				return fmt.Errorf("%s: %w", program, err)
			}
			took[i] = f.cpu
		}
		ratios = append(ratios, took[1]/took[0])
		fmt.Fprintf(w, "%s %.2f, %s %.2f CPU s: %.3f\n", first, took[0], second, took[1], took[1]/took[0])
	}
	slices.Sort(ratios)
	_, err = fmt.Fprintf(w, "median %.3f, least %.3f, greatest %.3f of the first program's CPU seconds\n",
		(ratios[(len(ratios)-1)/2]+ratios[len(ratios)/2])/2, ratios[0], ratios[len(ratios)-1])
	return err
}
