package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/palimpsest-deid/palimpsest/cmd/check"
	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/pipeline/cli"
	"github.com/palimpsest-deid/palimpsest/pipeline/worker"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

var help = cli.Help{
	Command: "palimpsest",
	About: `
run removes protected health information (PHI) from tables of clinical notes. What a
neural network and rules find is replaced by surrogates that stay consistent for each
patient; all of a patient's dates move by one secret number of days.

  palimpsest --input 'notes/*.parquet' --output release/jan --private held/jan \
      --key file:KEYFILE --date_columns note_date --identifiers patients.parquet
`,
	Brief: []cli.Setting{
		{Flags: "--config FILE", Text: "any settings, in YAML under the same names"},
		{Flags: "--input FILES", Text: "Parquet files: paths, globs (quoted) or directories"},
		{Flags: "--output DIR", Text: "for what may be released"},
		{Flags: "--private DIR", Text: "for what must not be, as sensitive as the input"},
		{Flags: "--key REF", Text: "the secret key: file:PATH, env:NAME or gcp-secret:RESOURCE"},
		{Flags: "--text_column", Text: "also --document_id_column, --patient_id_column"},
		{Flags: "--date_columns", Text: "dates that move too; also --id_columns, --drop_columns"},
		{Flags: "--identifiers FILE", Text: "known identifiers of patients, looked for in all their notes"},
		{Flags: "--policy", Text: "what is done to each type: a YAML file, or limited, ..."},
		{Flags: "--replacement", Text: "for all types: surrogate, tag ([DOCTOR]) or mask (Xxxxx)"},
		{Flags: "--recall", Text: "balanced, high or maximum; also --allow, for what must stay"},
	},
	Groups: pipeline.Groups(),
}

// job runs the command run. Its flags are the process's, beside Beam's own, and
// it is also what runners start as a worker.
func job(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	options := pipeline.DefaultOptions()
	options.Register(flag.CommandLine)
	worker.RegisterFlags(flag.CommandLine)
	rest, asked, err := cli.Parse(flag.CommandLine, args)
	if asked != cli.NoHelp {
		h := help
		h.More = pipeline.RunnerHelp(flag.CommandLine)
		h.Write(stdout, flag.CommandLine, asked)
		return int(fault.Done)
	}
	worker.RefuseSampling()
	// Before anything that can fail: on a worker it takes over and never returns.
	beam.Init()
	if flags, ok := worker.FromFlags(flag.CommandLine); ok {
		worker.EndWithParent()
		err := worker.Run(ctx, flags)
		if err != nil {
			fmt.Fprintf(stderr, "palimpsest: worker: %v\n", err)
		}
		os.Exit(worker.ExitCode(err)) // a pool tells these codes apart
	}
	if err == nil {
		err = cli.NoArguments(rest)
	}
	if err == nil {
		err = options.ApplyFile(ctx, flag.CommandLine)
	}
	if err != nil || options.WorkerPool {
		if err == nil {
			err = servePool(ctx, options, stderr)
		}
		return cli.Exit(stderr, "palimpsest", err)
	}
	return recorded(ctx, options, stdout, stderr)
}

// recorded runs a job and leaves its record, metrics and last line of the log.
func recorded(ctx context.Context, options pipeline.Options, stdout, stderr io.Writer) int {
	start := time.Now()
	var events *pipeline.Events
	if options.Log == "json" {
		events = pipeline.NewEvents(stderr)
		stderr = events
	}
	config, err := run(ctx, options, stdout, stderr)
	end := time.Now()
	var report *transforms.Report
	if err == nil {
		if r, left := pipeline.ReadReport(context.WithoutCancel(ctx), config.Output); left == nil {
			report = &r
			if left := pipeline.NewRecord(options, config, r, start, end).Write(context.WithoutCancel(ctx), config.Private); left != nil {
				fmt.Fprintf(stderr, "warning: the output is complete, but not its %s: %v\n", pipeline.RunFile, left)
			}
		}
	}
	status := int(fault.Of(err))
	if s, ok := bySignal(ctx); ok && status != 0 {
		status = s.status()
	}
	if options.Metrics != "" {
		if failed := pipeline.WriteMetrics(options.Metrics, status, end, end.Sub(start).Seconds(), report); failed != nil {
			fmt.Fprintf(stderr, "warning: --metrics: %v\n", failed)
		}
	}
	if events == nil {
		return cli.Exit(stderr, "palimpsest", err)
	}
	last := pipeline.Event{Level: "info", Event: "result", ExitStatus: &status, Seconds: end.Sub(start).Seconds(), Output: config.Output,
		Private: config.Private}
	if report != nil {
		last.Counts = pipeline.ResultCounts(*report)
	}
	if err != nil {
		last.Level, last.Message = "error", err.Error()
	}
	events.Tell(last)
	return int(fault.Of(err))
}

func run(ctx context.Context, options pipeline.Options, stdout, stderr io.Writer) (transforms.Config, error) {
	config, err := pipeline.NewConfig(options)
	if err != nil {
		return config, fault.Mark(fault.Settings, fmt.Errorf("%w\npalimpsest run --help explains the settings", err))
	}
	if !options.Verbose {
		// Beam's log repeats an error with the whole plan around it; the error
		// itself comes back from Run.
		slog.SetDefault(slog.New(slog.DiscardHandler))
	}
	if pipeline.OnlyExamines() {
		return config, check.Job(ctx, stdout, config, check.DefaultOptions())
	}
	config, summary, err := pipeline.Prepare(ctx, config)
	if s, ok := bySignal(ctx); ok {
		return config, fmt.Errorf("%w before any work: %w; run the same command again", s, pipeline.ErrStopped)
	}
	if err != nil {
		return config, fault.Mark(fault.Settings, err) // unless the data is to blame
	}
	fmt.Fprintln(stderr, summary)
	return config, pipeline.Run(ctx, config, stderr)
}

// servePool serves workers of this very program until it is told to stop.
func servePool(ctx context.Context, options pipeline.Options, stderr io.Writer) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	pool, err := worker.Listen(options.WorkerPoolAddress, []string{self}, options.WorkerPoolEndpoints, stderr)
	if err != nil {
		return err
	}
	return pool.Serve(ctx)
}
