package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// phraseNote is a line of clinical text as a note. The lines around it are those
// of any note, and nothing in them is anybody's.
type phraseNote struct {
	ID   string `parquet:"note_id"`
	Text string `parquet:"text"`
}

const phraseLead, phraseTail = "The patient was seen today.\n", "\nPlan as above.\n"

// eaten is one replacement in a line that is nobody's.
type eaten struct {
	line                        int // from 1
	kind, source, before, after string
}

// phrases runs the job, with its default settings, over a file of clinical text
// without PHI, a line to a note, and prints how many replacements it makes in
// 1,000 words, by type and by who found them; each is an error. Unless
// countOnly, it lists them. Lines that are blank or begin with # are passed over.
func phrases(ctx context.Context, file, model string, countOnly bool, out io.Writer) error {
	lines, numbers, err := phraseLines(file)
	if err != nil {
		return err
	}
	words := wordsIn(lines)
	all, err := runPhrases(ctx, lines, model)
	if err != nil {
		return err
	}
	for i := range all {
		all[i].line = numbers[all[i].line]
	}
	touched := map[int]bool{}
	types, sources := map[string]int{}, map[string]int{}
	for _, e := range all {
		touched[e.line] = true
		types[e.kind]++
		sources[e.source]++
		if !countOnly {
			fmt.Fprintf(out, "%s:%d: %s by %s: %q became %q\n", file, e.line, e.kind, e.source, e.before, e.after)
		}
	}
	fmt.Fprintf(out, "%d replacements in %d words of %d lines: %.2f in 1,000 words; %d lines changed\n", len(all), words, len(lines),
		1000*float64(len(all))/float64(max(words, 1)), len(touched))
	for _, counts := range []map[string]int{types, sources} {
		for _, k := range slices.Sorted(maps.Keys(counts)) {
			fmt.Fprintf(out, "  %-14s %d\n", k, counts[k])
		}
	}
	return nil
}

func wordsIn(lines []string) (n int) {
	for _, l := range lines {
		n += len(strings.Fields(l))
	}
	return n
}

func phraseLines(file string) (lines []string, numbers []int, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	scan := bufio.NewScanner(f)
	for n := 1; scan.Scan(); n++ {
		if line := strings.TrimSpace(scan.Text()); line != "" && line[0] != '#' {
			lines, numbers = append(lines, line), append(numbers, n)
		}
	}
	if len(lines) == 0 && scan.Err() == nil {
		return nil, nil, errors.New(file + " has no lines")
	}
	return lines, numbers, scan.Err()
}

// runPhrases returns what the job replaces, with indices of lines.
func runPhrases(ctx context.Context, lines []string, model string) ([]eaten, error) {
	dir, err := os.MkdirTemp("", "palimpsest-phrases-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var rows []phraseNote
	for i, l := range lines {
		rows = append(rows, phraseNote{fmt.Sprintf("%05d", i), phraseLead + l + phraseTail})
	}
	in := filepath.Join(dir, "notes.parquet")
	if err := parquet.WriteFile(in, rows); err != nil {
		return nil, err
	}
	const key = "PALIMPSEST_PHRASES_KEY"
	if err := os.Setenv(key, strings.Repeat("phrases of medicine to count ", 2)); err != nil {
		return nil, err
	}
	beam.Init()
	slog.SetDefault(slog.New(slog.DiscardHandler))
	o := pipeline.DefaultOptions()
	o.Input, o.Output, o.Private, o.Beside, o.Key = []string{in}, filepath.Join(dir, "out"), filepath.Join(dir, "private"), true, "env:"+key
	o.PatientIDColumn, o.IDs, o.ExecutionProvider, o.RowOrder = "", "keep", "cpu", "keep"
	if model != "" {
		o.Model = model
	}
	cfg, err := pipeline.NewConfig(o)
	if err != nil {
		return nil, err
	}
	if cfg, _, err = pipeline.Prepare(ctx, cfg); err != nil {
		return nil, err
	}
	if err := pipeline.Run(ctx, cfg, io.Discard); err != nil {
		return nil, err
	}
	after, err := readRows[phraseNote](filepath.Join(cfg.Output, "notes"))
	if err != nil {
		return nil, err
	}
	if len(after) != len(rows) {
		return nil, fmt.Errorf("%d of %d lines came out", len(after), len(rows))
	}
	at := map[string]int{}
	for i, n := range after {
		if n.ID != rows[i].ID {
			return nil, errors.New("the lines came out in another order")
		}
		at[n.ID] = i
	}
	found, err := readRows[table.Finding](filepath.Join(cfg.Private, "findings"))
	if err != nil {
		return nil, err
	}
	var all []eaten
	for _, f := range found {
		i := at[f.DocumentID]
		old, made := []rune(rows[i].Text), []rune(after[i].Text)
		e := eaten{i, f.Type, f.Source, string(old[f.Start:f.End]), string(made[f.OutputStart:f.OutputEnd])}
		if e.before != e.after {
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b eaten) int { return a.line - b.line })
	return all, nil
}

// readRows reads all Parquet files of a folder.
func readRows[T any](dir string) (all []T, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.parquet"))
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		rows, err := parquet.ReadFile[T](f)
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	return all, nil
}
