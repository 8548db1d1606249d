package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"

	"github.com/palimpsest-deid/palimpsest/pipeline/beamlog"
	"github.com/palimpsest-deid/palimpsest/storage"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// runPortable sends the job to a job server and waits for its end.
func runPortable(ctx context.Context, cfg transforms.Config, out io.Writer) error {
	remove, err := ownTemporary() // Beam stages a file, even an empty one
	if err != nil {
		return unbegun(ctx, cfg, err)
	}
	defer remove()
	job, err := prepareSubmission(cfg, out)
	if err != nil {
		return unbegun(ctx, cfg, err)
	}
	defer job.end()
	if onFlink() {
		job.flink = watchFlink(context.WithoutCancel(ctx), *jobopts.JobName, out)
		defer job.flink.stop()
		defer sendRunnerOptions(map[string]string{"execution_mode_for_batch": flagValue("execution_mode_for_batch")})()
	}
	_, err = execute(ctx, cfg)
	return described(job.outcome(ctx, cfg, err))
}

// submission is what a job server needs beside the pipeline, and what it has
// said of the job.
type submission struct {
	out     io.Writer
	cleanup func()
	flink   *flinkWatch // nil on other runners

	mu         sync.Mutex
	job, state string
}

// prepareSubmission sets what Beam's flags leave open, and follows what the
// job server says. The caller must call end.
func prepareSubmission(cfg transforms.Config, out io.Writer) (*submission, error) {
	name := *jobopts.JobName
	if name == "" {
		*jobopts.JobName = "palimpsest-" + cfg.RunID // unlike those of the job's other runs, to be told from them in Flink
	}
	s := &submission{out: out, cleanup: func() { *jobopts.JobName = name }}
	if *jobopts.WorkerBinary == "" {
		switch strings.ToLower(*jobopts.EnvironmentType) {
		case "external", "process":
			// The workers run a binary of their own; what is staged is not
			// used. Beam would else cross-compile this program without cgo,
			// which fails.
			f, err := os.CreateTemp("", "palimpsest-worker-*")
			if err != nil {
				return nil, err
			}
			f.Close()
			*jobopts.WorkerBinary = f.Name()
			s.cleanup = func() {
				*jobopts.JobName = name
				os.Remove(f.Name())
				*jobopts.WorkerBinary = ""
			}
		case "loopback":
		default:
			self, err := os.Executable()
			if err != nil {
				return nil, err
			}
			*jobopts.WorkerBinary = self
		}
	}
	unstage := s.cleanup
	deaf := beamlog.Listen(s.hear, slog.DiscardHandler)
	s.cleanup = func() {
		deaf()
		unstage()
	}
	return s, nil
}

func (s *submission) end() { s.cleanup() }

// hear follows what Beam says of the job.
func (s *submission) hear(message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id, ok := beamlog.Submitted(message); ok {
		s.job = id
		fmt.Fprintf(s.out, "submitted to %s as %s\n", *jobopts.Endpoint, id)
	} else if state, ok := beamlog.State(message); ok {
		s.state = state
		if state != jobpb.JobState_STOPPED.String() { // where every job begins
			fmt.Fprintf(s.out, "the job is %s\n", strings.ToLower(state))
		}
	}
}

// outcome turns what Beam says of an ended or interrupted wait into what is
// true of the job. A job that is over, or was told to stop, publishes nothing
// any more: its lock says so to whatever of it still works.
func (s *submission) outcome(ctx context.Context, cfg transforms.Config, err error) error {
	s.mu.Lock()
	job, state := s.job, s.state
	s.mu.Unlock()
	lost := job != "" && ctx.Err() == nil && err != nil && state != jobpb.JobState_FAILED.String() &&
		state != jobpb.JobState_CANCELLED.String()
	if lost {
		return fmt.Errorf("the job server at %s was lost, so nobody watches the job %s; it may go on, and _SUCCESS will say that it is "+
			"complete: %w", *jobopts.Endpoint, job, err)
	}
	if err == nil && ctx.Err() == nil && state != jobpb.JobState_CANCELLED.String() {
		return nil
	}
	if ctx.Err() == nil {
		if refused := refusal(ctx, cfg); refused != nil {
			return refused
		}
	}
	withdrawn := withdraw(ctx, cfg)
	switch {
	case ctx.Err() != nil:
		var known []string
		if job != "" {
			if err := cancelJob(job); err != nil {
				known = append(known, fmt.Sprintf("the job server did not take the request to cancel it (%v)", err))
			}
		}
		if s.flink != nil {
			known = append(known, s.flink.cancel(context.WithoutCancel(ctx), job != ""))
		}
		return interrupted(ctx, cfg, withdrawn, known)
	case job == "" || withdrawn != nil:
		return errors.Join(err, withdrawn)
	case state == jobpb.JobState_CANCELLED.String():
		return fmt.Errorf("the job was cancelled")
	case strings.Contains(err.Error(), "FlinkJobNotFoundException"):
		return errors.New("the job is lost: Flink knows it no longer, as its job manager was lost; run the same command again")
	case strings.Contains(err.Error(), "StatusRuntimeException"):
		return fmt.Errorf("%s, or could not be started: see the log of the worker pool, if it runs; Flink says: %w", workerLost, untraced(err))
	}
	return untraced(err)
}

// untraced leaves the stacks out of what a Java program says of an error.
func untraced(err error) error {
	var said []string
	for line := range strings.Lines(err.Error()) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "at ") && !strings.HasPrefix(line, "... ") && line != "" {
			said = append(said, line)
		}
	}
	if text := strings.Join(said, "\n"); text != strings.TrimSpace(err.Error()) {
		return errors.New(text)
	}
	return err
}

const workerLost = "a worker was lost"

// interrupted says what is known of a job on other machines that was told to
// stop. That the job server has been asked to cancel it means little: Flink may
// go on with it, or begin.
func interrupted(ctx context.Context, cfg transforms.Config, withdrawn error, known []string) error {
	cause := context.Cause(ctx)
	if withdrawn != nil {
		return fmt.Errorf("%w, but the job could not be told, and may go on and publish; cancel it on the runner's pages: %w",
			also(cause, known), withdrawn)
	}
	last := storage.Join(cfg.Output, cfg.LastFile())
	if there, err := storage.Glob(context.WithoutCancel(ctx), storage.Literal(last)); err == nil && len(there) > 0 {
		return fmt.Errorf("%w, but the job was complete by then: %s is there", cause, last)
	}
	return also(fmt.Errorf("%w; the job will not complete its output: its lock says that it is cancelled, and each of its steps stops when "+
		"it looks there; "+
		"the output is free for another run", cause), known)
}

// also adds to an error what else is known.
func also(err error, known []string) error {
	for _, k := range known {
		err = fmt.Errorf("%w; %s", err, k)
	}
	return err
}

// cancelJob asks the job server to cancel a job.
func cancelJob(job string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	conn, err := grpcx.Dial(ctx, *jobopts.Endpoint, 10*time.Second)
	if err != nil {
		return err
	}
	defer conn.Close()
	_, err = jobpb.NewJobServiceClient(conn).Cancel(ctx, &jobpb.CancelJobRequest{JobId: job})
	return err
}

// jobName is the default name of a job: that of all its runs.
func jobName(cfg transforms.Config) string { return "palimpsest-" + cfg.Digest()[:12] }

// absolute writes local paths in full: workers may have other working
// directories, and what is written must not depend on ours.
func absolute(c transforms.Config) transforms.Config {
	full := func(name string) string {
		if name == "" || strings.Contains(name, "://") {
			return name
		}
		if abs, err := filepath.Abs(name); err == nil {
			return abs
		}
		return name
	}
	allFull := func(names []string) []string {
		all := make([]string, len(names))
		for i, name := range names {
			all[i] = full(name)
		}
		return all
	}
	c.Inputs, c.Where.MoreModels = allFull(c.Inputs), allFull(c.Where.MoreModels)
	c.Where.Tables = slices.Clone(c.Where.Tables)
	for i := range c.Where.Tables {
		c.Where.Tables[i].Inputs = allFull(c.Where.Tables[i].Inputs)
	}
	if c.Gate != nil && c.Gate.ReaderDir != "" {
		gate := *c.Gate
		gate.ReaderDir = full(gate.ReaderDir)
		c.Gate = &gate
	}
	for _, name := range []*string{&c.Output, &c.Private, &c.Identifiers, &c.Staff, &c.PatientLinks, &c.SiteRules, &c.Allow, &c.Lists,
		&c.Where.Model, &c.ONNXRuntime, &c.State, &c.Withdrawn} {
		*name = full(*name)
	}
	for _, key := range []*string{&c.Key, &c.StateKey} {
		if name, ok := strings.CutPrefix(*key, "file:"); ok {
			*key = "file:" + full(name)
		}
	}
	return c
}
