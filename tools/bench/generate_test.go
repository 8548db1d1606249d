package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/tools/bench/invent"
)

// The generated notes are the same each time, and not copies of their source.
func TestGenerate(t *testing.T) {
	const source = "../../examples/notes.parquet"
	ctx := context.Background()
	first, err := generate(ctx, source, filepath.Join(t.TempDir(), "a.parquet"), 300)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "b.parquet")
	second, err := generate(ctx, source, file, 300)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(first, "") != strings.Join(second, "") || len(first) != 300 {
		t.Error("two runs differ")
	}
	if first[0] == first[278] { // the source has 278 notes
		t.Error("the second round repeats the first")
	}
	stored, err := invent.Texts(ctx, file)
	if err != nil || len(stored) != 300 || stored[7] != second[7] {
		t.Errorf("the file holds %d notes, %v", len(stored), err)
	}
}
