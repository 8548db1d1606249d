// Package worker runs the job's DoFns for a portable runner such as Flink,
// from the program's own binary: as one worker process that the runner starts
// (environment type PROCESS), or as a pool that starts worker processes when
// the runner asks for them (EXTERNAL). No container and no staged binary take
// part.
package worker

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/graphx"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/harness"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"

	"github.com/palimpsest-deid/palimpsest/pipeline/beamlog"
)

// Flags are what a runner or a pool tells a worker process.
type Flags struct {
	id, control, logging, provision string
}

// RegisterFlags adds the flags that runners give to a worker process and that
// Beam's Go SDK does not know. The others (--id, --control_endpoint,
// --logging_endpoint) are Beam's.
func RegisterFlags(fs *flag.FlagSet) {
	fs.String("provision_endpoint", "", "where a worker asks what it is to do; runners give it")
	fs.String("artifact_endpoint", "", "not used: a worker runs this very binary; runners give it")
}

// FromFlags returns what the parsed command line tells a worker, and whether
// it is a worker's at all.
func FromFlags(fs *flag.FlagSet) (Flags, bool) {
	value := func(name string) string {
		if f := fs.Lookup(name); f != nil {
			return f.Value.String()
		}
		return ""
	}
	f := Flags{id: value("id"), control: value("control_endpoint"), logging: value("logging_endpoint"), provision: value("provision_endpoint")}
	return f, f.id != "" && (f.provision != "" || f.control != "")
}

// ErrUnreachable marks a worker that could not connect to the runner. Nothing
// was done, so it may be tried again.
var ErrUnreachable = errors.New("the runner does not answer")

// connectedLine is what a worker says on standard output once the runner knows
// of it.
const connectedLine = "connected"

// connectFor bounds how long a worker tries to reach the runner.
const connectFor = 30 * time.Second

// Run is a worker process: it executes what the runner sends until the runner
// hangs up, which is no error. beam.Init must have been called. The process
// should end when Run returns, as the harness keeps global state.
func Run(ctx context.Context, f Flags) error {
	// The pool reads this line.
	tell := sync.OnceFunc(func() { fmt.Println(connectedLine) })
	hear := func(message string) {
		if beamlog.Connected(message) {
			tell()
		}
	}
	warnings := slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})
	slog.SetDefault(slog.New(&beamlog.Handler{Next: warnings, Hear: hear, Short: true}))
	ctx = grpcx.WriteWorkerID(ctx, f.id)
	var options harness.Options
	if f.provision != "" {
		if err := reachable(ctx, f.provision); err != nil {
			return err
		}
		info, err := tools.ProvisionInfo(ctx, f.provision)
		if err != nil {
			return fmt.Errorf("asking %s what to do: %w", f.provision, err)
		}
		if f.control == "" {
			f.control = info.GetControlEndpoint().GetUrl()
		}
		if f.logging == "" {
			f.logging = info.GetLoggingEndpoint().GetUrl()
		}
		options.StatusEndpoint = info.GetStatusEndpoint().GetUrl()
		// Sampling would show elements, and with them PHI, to whoever may see
		// the runner's pages.
		options.RunnerCapabilities = slices.DeleteFunc(info.GetRunnerCapabilities(), func(urn string) bool {
			return urn == graphx.URNDataSampling
		})
	}
	if f.control == "" || f.logging == "" {
		return errors.New("the runner names no control or no logging endpoint")
	}
	for _, endpoint := range []string{f.control, f.logging} {
		if err := reachable(ctx, endpoint); err != nil {
			return err
		}
	}
	return harness.MainWithOptions(ctx, f.logging, f.control, options)
}

// reachable waits until something listens at an address. gRPC by itself would
// retry for long and not say why.
func reachable(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, connectFor)
	defer cancel()
	var dialer net.Dialer
	for {
		conn, err := dialer.DialContext(ctx, "tcp", address)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w at %s: %w", ErrUnreachable, address, err)
		case <-time.After(500 * time.Millisecond):
		}
	}
}

// EndWithParent ends the process when its parent is gone. A pool and a Flink
// task manager keep the other end of a worker's standard input open and never
// write to it.
func EndWithParent() {
	info, err := os.Stdin.Stat()
	if err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		return
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		fmt.Fprintln(os.Stderr, "palimpsest: worker: whoever started this worker is gone")
		os.Exit(ExitOrphaned)
	}()
}

// Exit codes of a worker process, besides 0 for a runner that has hung up and
// 1 for a failure.
const (
	ExitUnreachable = 3 // the runner does not answer
	ExitOrphaned    = 4 // the parent is gone
)

// ExitCode returns the exit code that says what Run returned.
func ExitCode(err error) int {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, ErrUnreachable):
		return ExitUnreachable
	}
	return 1
}
