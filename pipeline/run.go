package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx" // the runners

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/storage"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// OnlyExamines reports whether the job is to be examined by this very process and
// not done: --dry_run on a runner of one machine.
func OnlyExamines() bool { return flagValue("dry_run") == "true" && InProcess() }

// Run builds the job, runs it on the runner that Beam's flags choose, and
// writes progress and a closing summary to out. beam.Init must have been called.
func Run(ctx context.Context, cfg transforms.Config, out io.Writer) error {
	if flagValue("dry_run") == "true" && !runsOn(dataflow) {
		fmt.Fprintln(out, "dry run: settings, key, model, columns and footers fit; nothing was written")
		return nil
	}
	shown := cfg
	cfg = placed(cfg)
	cfg.RunID = cfg.NewRun()
	switch {
	case flagValue("dry_run") == "true": // nothing is done
	case flagValue("template_location") != "":
		cfg.Locks = true
	default:
		if err := acquire(ctx, cfg); err != nil {
			return err
		}
	}
	if runsOn(dataflow) {
		return runDataflow(ctx, cfg, out)
	}
	started := time.Now()
	watch := startProgress(out, started)
	var err error
	if InProcess() {
		err = runInProcess(ctx, cfg, out)
	} else {
		err = runPortable(ctx, cfg, out)
	}
	watch.stop()
	if err != nil {
		return err
	}
	if *jobopts.Async && !InProcess() {
		notWaiting(out, cfg)
		return nil
	}
	report, err := ReadReport(context.WithoutCancel(ctx), cfg.Output) // the job has ended well, whatever has ended ctx
	if err != nil {
		return err
	}
	writeSummary(out, shown, report, time.Since(started))
	return nil
}

// acquire makes the lock of this run, and looks again whether the places are
// free: another job may have ended between that look and the lock.
func acquire(ctx context.Context, cfg transforms.Config) error {
	state := ""
	if *jobopts.Async {
		state = transforms.Detached
	}
	err := transforms.Acquire(ctx, cfg, state)
	if err == nil {
		err = fault.Mark(fault.Settings, checkPlaces(ctx, cfg))
	}
	if err == nil {
		return nil
	}
	left := transforms.GiveUp(context.WithoutCancel(ctx), cfg)
	if ctx.Err() != nil {
		return stopped(ctx, left)
	}
	return err
}

// unbegun gives up the lock of a run whose runner could not be started, and says why.
func unbegun(ctx context.Context, cfg transforms.Config, err error) error {
	return errors.Join(err, transforms.GiveUp(context.WithoutCancel(ctx), cfg))
}

// notWaiting says what becomes of a job that is left to its runner.
func notWaiting(out io.Writer, cfg transforms.Config) {
	fmt.Fprintf(out, "not waiting for it; %s will say that it is complete\n", storage.Join(cfg.Output, cfg.LastFile()))
}

// placed returns the configuration as workers need it: with local paths in
// full, but on Dataflow, whose paths are those of its image.
func placed(cfg transforms.Config) transforms.Config {
	if runsOn(dataflow) {
		return cfg
	}
	return absolute(cfg)
}

// withdraw makes every step of the run stop that may still be at work somewhere.
func withdraw(ctx context.Context, cfg transforms.Config) error {
	return transforms.Cancel(context.WithoutCancel(ctx), cfg)
}

// maxReport bounds report.json.
const maxReport = 16 << 20

// ReadReport reads the report of a finished output. A missing one says that
// the job did not finish, such as after --dry_run or --async.
func ReadReport(ctx context.Context, output string) (transforms.Report, error) {
	var r transforms.Report
	raw, err := storage.ReadFile(ctx, storage.Join(output, transforms.ReportFile), maxReport)
	if err != nil {
		return r, fmt.Errorf("the job was submitted, but it has left no report yet: %w", err)
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return r, fmt.Errorf("%s: %w", transforms.ReportFile, err)
	}
	return r, nil
}

// ErrFailed wraps what made a job fail. Nothing is published before every shard
// is complete; a failure while files are renamed leaves some of them, and no
// _SUCCESS.
var ErrFailed = errors.New("the job failed; without _SUCCESS the output is not complete")
