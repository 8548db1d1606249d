// Command bench measures the job and its parts on generated notes and prints a
// table: tokeniser, rules, the ONNX kernel alone, detection as a whole, and the
// whole job with its peak memory; then rules, lists and the sweep for a
// patient's identifiers beside the network, on ordinary and on dense notes. "MB/s" is by the clock,
// "per core" by processor time. Ratios within
// one table are what to compare; absolute figures are those of the machine and
// its neighbours.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"text/tabwriter"
	"time"

	"github.com/palimpsest-deid/palimpsest/tools/cputime"
)

func main() {
	notes := flag.Int("notes", 20_000, "notes to generate")
	source := flag.String("source", "examples/notes.parquet", "notes to generate them from")
	flag.StringVar(&model, "model", model, "model directory")
	workers := flag.Int("workers", runtime.GOMAXPROCS(0), "goroutines, and cores for the whole job")
	only := flag.String("generate", "", "write the generated notes to this file, and measure nothing")
	written := flag.String("json", "", "write the figures to this file too, for tools/sizing")
	keep := flag.String("dir", "", "keep the generated file and the output here instead of in a temporary folder")
	rounds := flag.Int("rounds", 3, "rounds in which kernel, detect and whole job take turns")
	programs := flag.String("pairs", "", "measure nothing but the whole job with two programs in turn, with a comma between them")
	parts := flag.Bool("parts", false, "measure rules, lists and sweep beside the network, and nothing else")
	markdown := flag.String("markdown", "", "with --parts: write the tables to this file, too")
	kernel := flag.String("kernel", "", "measure the network alone over the first thousand notes of this file, and print one line of JSON")
	own := flag.String("notes_folder", "", "measure rules, lists and sweep on the .txt files of this folder, too")
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), "bench measures the job and its parts.\n\n  go run ./tools/bench --notes 20000 --json "+
			"docs/sizing/measured.json\n\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	if *only != "" {
		if _, err := generate(context.Background(), *source, *only, *notes); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	var err error
	if *kernel != "" {
		err = kernelOf(context.Background(), *kernel, *workers)
	} else if *programs != "" {
		err = pairs(context.Background(), os.Stdout, *programs, *source, *notes, *workers, *rounds)
	} else if *parts {
		err = speed(context.Background(), os.Stdout, *own, *markdown)
	} else {
		err = bench(*notes, *source, *workers, *rounds, *keep, *own, *written)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// figure is one row of the table.
type figure struct {
	name    string
	tokens  int64
	bytes   int64
	seconds float64 // on the clock
	cpu     float64 // seconds of processor time
	workers int
	note    string
}

func (f figure) rate() float64 { return float64(f.tokens) / f.seconds }

// perCore is MB of text per second of processor time, which neighbours on the
// machine disturb less than the clock.
func (f figure) perCore() float64 { return float64(f.bytes) / 1e6 / f.cpu }

func bench(notes int, source string, workers, rounds int, dir, own, written string) error {
	ctx := context.Background()
	if dir == "" {
		temp, err := os.MkdirTemp("", "palimpsest-bench-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(temp)
		dir = temp
	}
	file := filepath.Join(dir, "notes.parquet")
	texts, err := generate(ctx, source, file, notes)
	if err != nil {
		return err
	}
	var size int64
	for _, t := range texts {
		size += int64(len(t))
	}
	fmt.Printf("%d notes, %.1f MB of text, %d cores, %s\n\n", len(texts), float64(size)/1e6, workers, runtime.Version())

	var table []figure
	add := func(f figure, err error) error {
		if err == nil {
			table = append(table, f)
			fmt.Fprintf(os.Stderr, "%s: %.1f s\n", f.name, f.seconds)
		}
		return err
	}
	if err := add(benchTokenizer(texts)); err != nil {
		return err
	}
	if err := add(benchRules(texts)); err != nil {
		return err
	}
	if err := add(benchSurrogates("examples/source")); err != nil {
		return err
	}
	surrogates := table[len(table)-1].rate()
	t, err := takeTurns(ctx, texts, file, filepath.Join(dir, "out"), workers, rounds)
	if err != nil {
		return err
	}
	table = append(table, t.total[:]...)
	kernel := t.total[kernelPart].rate()
	if written != "" {
		if err := writeFigures(written, file, size, table, t.job); err != nil {
			return err
		}
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "part\tcores\tseconds\ttokens/s\tMB/s\tper core\tof kernel\t  \t")
	for _, f := range table {
		fmt.Fprintf(w, "%s\t%d\t%.1f\t%.0f\t%.2f\t%.2f\t%.2f\t  %s\t\n",
			f.name, f.workers, f.seconds, f.rate(), float64(f.bytes)/1e6/f.seconds, f.perCore(), f.rate()/kernel, f.note)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	t.print(os.Stdout)
	// Both per core and token; the bound is a quarter.
	fmt.Printf("surrogates and rewriting cost %.2f of the network's time per token\n", kernel/float64(workers)/surrogates)
	fmt.Println()
	return speed(ctx, os.Stdout, own, "")
}

// timed runs f and returns the seconds on the clock and those of this process's
// processor time, of all threads.
func timed(f func() error) (clock, cpu float64, err error) {
	start, before := time.Now(), cputime.Used().Seconds()
	err = f()
	return time.Since(start).Seconds(), cputime.Used().Seconds() - before, err
}
