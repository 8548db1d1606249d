// Command profile runs the job in this process over some notes, and says what it
// took: processor time and the share of the cores that stood idle, garbage
// collection, allocations and memory. It writes profiles for go tool pprof, a
// flame graph, and the profile that the program is built with; see --help.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/google/pprof/profile"

	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/pipeline/memory"
)

type options struct {
	input, identifiers, model, cpu, heap, allocs, flame, title, pgo, from string
	shardMB                                                               int
}

func main() {
	var o options
	flag.StringVar(&o.input, "input", "", "notes to run over, such as bench --generate writes")
	flag.StringVar(&o.identifiers, "identifiers", "", "a table of known identifiers, with the job's usual column names")
	flag.StringVar(&o.model, "model", "en-clinical", "model: a shipped one's name, or a directory")
	flag.IntVar(&o.shardMB, "shard_mb", 0, "as the job's; 0 for its default")
	flag.StringVar(&o.cpu, "cpu", "", "write the CPU profile to this file")
	flag.StringVar(&o.heap, "heap", "", "write the heap profile at its largest to this file")
	flag.StringVar(&o.allocs, "allocs", "", "write the profile of all allocations to this file; counting them slows the job")
	flag.StringVar(&o.flame, "flame", "", "write a flame graph of the CPU profile to this file (SVG)")
	flag.StringVar(&o.title, "title", "The job's processor time", "of the flame graph")
	flag.StringVar(&o.pgo, "pgo", "", "write what the compiler needs of the CPU profile to this file")
	flag.StringVar(&o.from, "from", "", "run nothing: draw the flame graph and make the compiler's profile of this CPU profile")
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), "profile runs the job over notes and says what took time and memory.\n\n"+
			"  go run ./tools/bench --notes 5000 --generate notes.parquet\n"+
			"  go run ./tools/profile --input notes.parquet --cpu cpu.pprof --flame flame.svg\n\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	beam.Init()
	slog.SetDefault(slog.New(slog.DiscardHandler)) // Beam prints its plans
	if err := run(context.Background(), o, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "profile:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options, out io.Writer) error {
	raw, err := os.ReadFile(o.from)
	if o.from == "" {
		raw, err = measured(ctx, o, out)
	}
	if err != nil {
		return err
	}
	p, err := profile.ParseData(raw)
	if err != nil {
		return err
	}
	if o.cpu != "" {
		if err := os.WriteFile(o.cpu, raw, 0o644); err != nil {
			return err
		}
	}
	if o.flame != "" {
		if err := os.WriteFile(o.flame, draw(o.title, stacks(p)), 0o644); err != nil {
			return err
		}
	}
	if o.pgo == "" {
		return nil
	}
	slim, err := forCompiler(p)
	if err != nil {
		return err
	}
	return os.WriteFile(o.pgo, slim, 0o644)
}

// measured runs the job, prints what it took and returns its CPU profile.
func measured(ctx context.Context, o options, out io.Writer) ([]byte, error) {
	if o.input == "" {
		return nil, errors.New("--input is missing")
	}
	dir, err := os.MkdirTemp("", "palimpsest-profile-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	const key = "PALIMPSEST_PROFILE_KEY"
	if err := os.Setenv(key, strings.Repeat("a key to measure with ", 2)); err != nil {
		return nil, err
	}
	set := pipeline.DefaultOptions()
	set.Input, set.Output, set.Key, set.Model = []string{o.input}, filepath.Join(dir, "out"), "env:"+key, o.model
	set.Identifiers = o.identifiers
	set.Private, set.Beside = filepath.Join(dir, "private"), true
	set.DateColumns, set.ExecutionProvider = []string{"note_date"}, "cpu"
	if o.shardMB > 0 {
		set.ShardMB = o.shardMB
	}
	memory.Govern()
	cfg, err := pipeline.NewConfig(set)
	if err != nil {
		return nil, err
	}
	if cfg, _, err = pipeline.Prepare(ctx, cfg); err != nil {
		return nil, err
	}
	var raw bytes.Buffer
	if o.allocs != "" {
		runtime.MemProfileRate = 4096
	}
	watch := begin(o.heap)
	if err := pprof.StartCPUProfile(&raw); err != nil {
		return nil, err
	}
	err = pipeline.Run(ctx, cfg, io.Discard)
	pprof.StopCPUProfile()
	if err != nil {
		return nil, err
	}
	if o.allocs != "" {
		var allocs bytes.Buffer
		if err := pprof.Lookup("allocs").WriteTo(&allocs, 0); err != nil {
			return nil, err
		}
		if err := os.WriteFile(o.allocs, allocs.Bytes(), 0o644); err != nil {
			return nil, err
		}
	}
	report, err := pipeline.ReadReport(ctx, cfg.Output)
	if err != nil {
		return nil, err
	}
	return raw.Bytes(), watch.end(out, report.RowsIn)
}
