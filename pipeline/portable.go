package pipeline

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"

	"github.com/palimpsest-deid/palimpsest/transforms"
)

// runPortable sends the job to a job server and waits for its end.
func runPortable(ctx context.Context, cfg transforms.Config, out io.Writer) error {
	remove, err := ownTemporary() // Beam stages a file, even an empty one
	if err != nil {
		return err
	}
	defer remove()
	job, err := prepareSubmission(cfg, out)
	if err != nil {
		return err
	}
	defer job.end()
	_, err = execute(ctx, cfg)
	return described(job.outcome(ctx, err))
}

// submission is what a job server needs beside the pipeline, and what it has
// said of the job.
type submission struct {
	out     io.Writer
	before  *slog.Logger
	inner   slog.Handler
	cleanup func()

	mu         *sync.Mutex
	job, state string
}

// prepareSubmission sets what Beam's flags leave open, and follows what the
// job server says. The caller must call end.
func prepareSubmission(cfg transforms.Config, out io.Writer) (*submission, error) {
	if *jobopts.JobName == "" {
		*jobopts.JobName = "palimpsest-" + cfg.RunID
	}
	s := &submission{out: out, before: slog.Default(), cleanup: func() {}, mu: &sync.Mutex{}}
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
	s.inner = s.before.Handler()
	if fmt.Sprintf("%T", s.inner) == "*slog.defaultHandler" {
		s.inner = slog.DiscardHandler // it would come back here through package log
	}
	slog.SetDefault(slog.New(s))
	return s, nil
}

func (s *submission) end() {
	slog.SetDefault(s.before)
	s.cleanup()
}

// Beam tells the id of a job and how it fares nowhere but in its log.
const (
	submittedPrefix = "Submitted job: "
	statePrefix     = "] state: "
)

// Enabled, Handle, WithAttrs and WithGroup make a submission a slog.Handler.
func (s *submission) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelInfo || s.inner.Enabled(ctx, level)
}

func (s *submission) Handle(ctx context.Context, r slog.Record) error {
	if id, ok := strings.CutPrefix(r.Message, submittedPrefix); ok {
		s.mu.Lock()
		s.job = id
		s.mu.Unlock()
		fmt.Fprintf(s.out, "submitted to %s as %s\n", *jobopts.Endpoint, id)
	} else if _, state, ok := strings.Cut(r.Message, statePrefix); ok && strings.HasPrefix(r.Message, "Job[") {
		s.mu.Lock()
		s.state = state
		s.mu.Unlock()
		if state != jobpb.JobState_STOPPED.String() { // where every job begins
			fmt.Fprintf(s.out, "the job is %s\n", strings.ToLower(state))
		}
	}
	if s.inner.Enabled(ctx, r.Level) {
		return s.inner.Handle(ctx, r)
	}
	return nil
}

func (s *submission) WithAttrs(attrs []slog.Attr) slog.Handler { return s.inner.WithAttrs(attrs) }
func (s *submission) WithGroup(name string) slog.Handler       { return s.inner.WithGroup(name) }

// outcome turns what Beam says of an ended or interrupted wait into what is
// true of the job.
func (s *submission) outcome(ctx context.Context, err error) error {
	s.mu.Lock()
	job, state := s.job, s.state
	s.mu.Unlock()
	switch {
	case job == "":
		return err
	case ctx.Err() != nil:
		if failed := cancelJob(job); failed != nil {
			return fmt.Errorf("interrupted, but the job could not be cancelled and may go on; cancel it on Flink's pages: %w", failed)
		}
		return fmt.Errorf("interrupted; the job was cancelled")
	case state == jobpb.JobState_CANCELLED.String():
		return fmt.Errorf("the job was cancelled")
	case err != nil && state != jobpb.JobState_FAILED.String():
		return fmt.Errorf("the job server at %s was lost, so nobody watches the job %s; it may go on, and _SUCCESS will say that it is complete: %w", *jobopts.Endpoint, job, err)
	case err != nil && strings.Contains(err.Error(), "StatusRuntimeException"):
		return fmt.Errorf("a worker was lost, or could not be started: see the log of the worker pool, if it runs; Flink says: %w", err)
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
	inputs := make([]string, len(c.Inputs))
	for i, name := range c.Inputs {
		inputs[i] = full(name)
	}
	c.Inputs = inputs
	for _, name := range []*string{&c.Output, &c.Private, &c.Census, &c.Staff, &c.Model, &c.ONNXRuntime} {
		*name = full(*name)
	}
	if name, ok := strings.CutPrefix(c.Key, "file:"); ok {
		c.Key = "file:" + full(name)
	}
	return c
}
