package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/palimpsest-deid/palimpsest/storage"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// Run builds the job, runs it on the runner that Beam's flags choose, and
// writes progress and a closing summary to out. beam.Init must have been called.
func Run(ctx context.Context, cfg transforms.Config, out io.Writer) error {
	if dataflowRunner() {
		return runDataflow(ctx, cfg, out)
	}
	shown := cfg
	cfg = absolute(cfg)
	outcome := func(err error) error { return err }
	if portableRunner() {
		job, err := prepareSubmission(cfg, out)
		if err != nil {
			return err
		}
		defer job.end()
		outcome = func(err error) error { return job.outcome(ctx, err) }
	}
	p, s := beam.NewPipelineWithRoot()
	Build(s, cfg)
	started := time.Now()
	watch := startProgress(out, started)
	err := outcome(beamx.Run(ctx, p))
	watch.stop()
	if err != nil {
		return describe(err)
	}
	report, err := ReadReport(ctx, cfg.Output)
	if err != nil {
		return err
	}
	writeSummary(out, shown, report, time.Since(started))
	return nil
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
