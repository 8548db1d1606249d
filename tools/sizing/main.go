// Command sizing reckons how long a corpus takes on each engine, in how much
// memory and for how much money; see --help.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/palimpsest-deid/palimpsest/tools/bench/figures"
)

func main() { os.Exit(command(os.Args[1:], os.Stdout, os.Stderr)) }

// command runs the command line and returns the exit status.
func command(args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("sizing", flag.ContinueOnError)
	fs.SetOutput(stderr)
	var c corpus
	measured := fs.String("measured", "docs/sizing/measured.json",
		"what `go run ./tools/bench --json FILE` wrote, best on a machine like the workers'")
	list := fs.String("prices", "docs/sizing/prices.yaml", "engines, their machines and list prices: an example, to be replaced by yours")
	fs.Float64Var(&c.Notes, "notes", 2_650_000, "notes in the corpus")
	fs.Float64Var(&c.NoteBytes, "note_bytes", 0, "mean bytes of text per note (default those of the measured notes)")
	fs.Float64Var(&c.ShardMB, "shard_mb", 64, "the job's --shard_mb")
	fs.Float64Var(&c.GPURate, "gpu_notes_per_second", 0, "notes per second that one GPU does, where you have measured it")
	fs.Float64Var(&c.Hours, "hours", 0, "take as many workers as it needs to be done in so many hours, instead of the number in the prices")
	workers := fs.String("workers", "",
		"write how long the job takes by the number of Flink's workers, from what make workers wrote to this file")
	markdown := fs.Bool("markdown", false, "write Markdown")
	fs.Usage = func() {
		fmt.Fprint(stdout, `sizing reckons what a corpus takes on each engine: hours, workers, shards, memory
and money. Nothing in it is a promise: it multiplies what was measured on one
machine by what you say the others cost.

  go run ./tools/sizing                                  2.65 million notes
  go run ./tools/sizing --notes 400000 --note_bytes 3000 --hours 2

How it reckons:

  notes per core      measured notes / measured CPU seconds: measure on a machine
                      that does nothing else; in proportion to the bytes of a note
  hours               notes / (notes per core * cores * workers) and setting up
  with a GPU          the slower of the GPU and the cores that feed it
  shards              Parquet bytes / --shard_mb; where that is under four for
                      each worker, a smaller --shard_mb is named
  memory of a worker  worker_mib in the prices; on Prism, which keeps what is
                      shuffled, shuffle_in_memory times the shuffled bytes more
  money               hours * (machines, cores, memory, disk, GPUs), shuffled
                      bytes, and requests to storage

`)
		fs.SetOutput(stdout)
		fs.PrintDefaults()
	}
	if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	if fs.NArg() > 0 {
		fmt.Fprintf(stderr, "sizing: %q is no setting; --help says more\n", fs.Arg(0))
		return 2
	}
	if c.Notes < 1 || c.NoteBytes < 0 || c.ShardMB < 1 || c.GPURate < 0 || c.Hours < 0 {
		fmt.Fprintln(stderr, "sizing: --notes and --shard_mb are at least 1, and no number is below 0")
		return 2
	}
	var err error
	if *workers != "" {
		err = byWorkers(stdout, *workers, *measured)
	} else {
		err = size(stdout, c, *measured, *list, *markdown)
	}
	if err != nil {
		fmt.Fprintln(stderr, "sizing:", err)
		return 1
	}
	return 0
}

func size(out io.Writer, c corpus, measured, list string, markdown bool) error {
	f, err := figures.Read(measured)
	if err != nil {
		return err
	}
	s, err := speedOf(f)
	if err != nil {
		return fmt.Errorf("%s: %w", measured, err)
	}
	p, err := readPrices(list)
	if err != nil {
		return err
	}
	if c.NoteBytes == 0 {
		c.NoteBytes = s.noteBytes
	}
	var all []estimate
	for _, e := range p.Engines {
		all = append(all, reckon(c, s, p, e))
	}
	return write(out, markdown, c, f, s, p, all)
}
