// Command run de-identifies Parquet tables of clinical notes: see --help.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/pipeline/worker"
)

func main() {
	options := pipeline.DefaultOptions()
	options.Register(flag.CommandLine)
	worker.RegisterFlags(flag.CommandLine)
	flag.Usage = func() { pipeline.Usage(os.Stdout, flag.CommandLine) }
	flag.Parse()
	worker.RefuseSampling()
	// Before anything that can fail: on a worker it takes over and never returns.
	beam.Init()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if flags, ok := worker.FromFlags(flag.CommandLine); ok {
		worker.EndWithParent()
		err := worker.Run(ctx, flags)
		if err != nil {
			fmt.Fprintf(os.Stderr, "palimpsest: worker: %v\n", err)
		}
		os.Exit(worker.ExitCode(err))
	}
	if err := run(ctx, options); err != nil {
		fmt.Fprintf(os.Stderr, "palimpsest: %v\n", err)
		if errors.Is(err, errUsage) {
			os.Exit(2)
		}
		os.Exit(1)
	}
}

// errUsage marks errors in the settings.
var errUsage = errors.New("--help explains every setting")

func run(ctx context.Context, options pipeline.Options) error {
	if args := flag.Args(); len(args) > 0 {
		return fmt.Errorf("%q is no setting; quote globs, so that the shell leaves them alone, and give true or false with an equals sign, as in --findings=false; %w", args[0], errUsage)
	}
	if err := options.ApplyFile(ctx, flag.CommandLine); err != nil {
		return err
	}
	if options.WorkerPool {
		return servePool(ctx, options)
	}
	config, err := pipeline.NewConfig(options)
	if err != nil {
		return fmt.Errorf("%w\n%w", err, errUsage)
	}
	if !options.Verbose {
		// Beam's log repeats an error with the whole plan around it; the error
		// itself comes back from Run.
		slog.SetDefault(slog.New(slog.DiscardHandler))
	}
	config, summary, err := pipeline.Prepare(ctx, config)
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, summary)
	return pipeline.Run(ctx, config, os.Stderr)
}

// servePool serves workers of this very program until it is told to stop.
func servePool(ctx context.Context, options pipeline.Options) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	pool, err := worker.Listen(options.WorkerPoolAddress, []string{self}, options.WorkerPoolEndpoints, os.Stderr)
	if err != nil {
		return err
	}
	return pool.Serve(ctx)
}
