package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"

	"github.com/palimpsest-deid/palimpsest/pipeline/prism"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// ErrStopped wraps the reason why a job was stopped before it published
// anything.
var ErrStopped = errors.New("nothing was published")

// stopGrace is how long a job that was stopped has to tidy up. What it holds up
// then is one long text in the network. It can publish nothing any more.
const stopGrace = 5 * time.Second

// runInProcess runs the job in this process. When ctx ends, the job does, unless
// it has begun to publish: then it comes to its end.
func runInProcess(ctx context.Context, cfg transforms.Config, out io.Writer) error {
	end, err := openRunner(ctx, out)
	if err != nil {
		return unbegun(ctx, cfg, err)
	}
	defer end()
	transforms.BeginJob()
	ended := make(chan error, 1)
	go func() {
		// Not ctx itself: DoFns are stopped by transforms.Stop, and Prism hears
		// of their end by connections that would end with ctx.
		_, err := execute(context.WithoutCancel(ctx), cfg)
		ended <- err
	}()
	select {
	case err := <-ended:
		return givenUp(ctx, cfg, err)
	case <-ctx.Done():
	}
	if !transforms.Stop() {
		return givenUp(ctx, cfg, <-ended)
	}
	select {
	case <-ended:
	case <-time.After(stopGrace):
	}
	return stopped(ctx, transforms.GiveUp(context.WithoutCancel(ctx), cfg))
}

// stopped says what has become of a job that ctx has ended before it published
// anything; left is why what it had begun could not be removed.
func stopped(ctx context.Context, left error) error {
	err := fmt.Errorf("%w: %w; run the same command again to do the work from its beginning", context.Cause(ctx), ErrStopped)
	if left != nil {
		err = fmt.Errorf("%w (what was not finished is still below _temporary: %w)", err, left)
	}
	return err
}

// givenUp describes how the job ended. One that failed tidies up; what it cannot
// remove, the next run does.
func givenUp(ctx context.Context, cfg transforms.Config, err error) error {
	if err == nil {
		return nil
	}
	if refused := refusal(ctx, cfg); refused != nil {
		return refused
	}
	_ = transforms.GiveUp(context.WithoutCancel(ctx), cfg)
	return describe(err)
}

// refusal returns why a gate has refused the release, if one has, and tidies up.
func refusal(ctx context.Context, cfg transforms.Config) error {
	ctx = context.WithoutCancel(ctx)
	refused := transforms.Refusal(ctx, cfg)
	if refused == nil {
		return nil
	}
	if left := transforms.GiveUp(ctx, cfg); left != nil {
		return fmt.Errorf("%w\n(what was not finished is still below _temporary: %w)", refused, left)
	}
	return refused
}

// openRunner starts what the runner needs beside Beam, until end is called.
func openRunner(ctx context.Context, out io.Writer) (end func(), err error) {
	if !runsOn(onPrism) {
		return func() {}, nil
	}
	fmt.Fprintln(out, prism.Warning)
	remove, err := ownTemporary() // Beam leaves a file behind for each job
	if err != nil {
		return nil, err
	}
	endpoint, err := prism.Start(ctx)
	if err != nil {
		remove()
		return nil, err
	}
	*jobopts.Endpoint, *jobopts.EnvironmentType = endpoint, "LOOPBACK"
	return func() {
		*jobopts.Endpoint, *jobopts.EnvironmentType = "", ""
		remove()
	}, nil
}

// execute builds the job and runs it to its end on Beam's runner.
func execute(ctx context.Context, cfg transforms.Config) (beam.PipelineResult, error) {
	name, err := runner()
	if err != nil {
		return nil, err
	}
	p, s := beam.NewPipelineWithRoot()
	Build(s, cfg)
	return beam.Run(ctx, name, p)
}

// described is describe, for an error or none.
func described(err error) error {
	if err == nil {
		return nil
	}
	return describe(err)
}
