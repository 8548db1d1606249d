// Package prism starts Beam's Prism runner in this process and shuts it, as far
// as can be done from outside, to everybody else. Prism listens on all
// interfaces and takes jobs from whoever connects, also jobs that start
// programs or containers; it has no setting for either. Here its socket takes
// only what comes through the loopback device, and the process can start no
// program. Other users of the machine can still connect: they can submit jobs
// of the functions that this program has, and read what stages send each other.
package prism

import (
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net"
	"os"
	"strconv"
	"sync"

	beamprism "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"golang.org/x/sys/unix"

	"github.com/palimpsest-deid/palimpsest/pipeline/sockets"
)

// Warning says what stays open, for the user of a run on Prism.
const Warning = "WARNING: while a job runs on Prism, other users of this machine can connect to it and read names from it; leave " +
	"--runner out unless you are the only user"

// loopback is the name of the loopback device in every network namespace.
const loopback = "lo"

// Check reports why Prism cannot be shut to other machines on this one. It
// opens nothing that listens.
func Check() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("--runner=prism: no socket can be opened: %w; leave --runner out: the default runner needs none", err)
	}
	defer unix.Close(fd)
	if err := unix.BindToDevice(fd, loopback); err != nil {
		return fmt.Errorf("--runner=prism: this system does not let the program bind a socket to the loopback device (%w), so Prism would be "+
			"open to the network; Linux 5.7 and newer do; leave --runner out: the default runner opens no socket", err)
	}
	return nil
}

var server struct {
	sync.Mutex
	endpoint string
}

// Start starts Prism, once for all jobs of the process, and returns the address
// that it answers at. From then on the process can start no program.
func Start(ctx context.Context) (endpoint string, err error) {
	server.Lock()
	defer server.Unlock()
	if server.endpoint != "" {
		return server.endpoint, nil
	}
	if err := Check(); err != nil {
		return "", err
	}
	if err := forbidPrograms(); err != nil {
		return "", err
	}
	// Jobs that ask for a container find no Docker.
	if err := os.Setenv("DOCKER_HOST", "unix:///dev/null"); err != nil {
		return "", err
	}
	server.endpoint, err = open(ctx)
	return server.endpoint, err
}

// open starts Prism with its socket shut to other machines.
func open(ctx context.Context) (endpoint string, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	h := newHook(cancel)
	restore := h.install()
	_, err = beamprism.CreateJobServer(ctx, beamprism.Options{})
	restore()
	switch port, failed := h.result(); {
	case failed != nil:
		return "", failed
	case err != nil:
		return "", fmt.Errorf("prism did not start: %w", err)
	case port == 0:
		return "", errors.New("prism was started, but its socket was not found before it served, so nobody can say who has connected; leave " +
			"--runner out")
	default:
		return net.JoinHostPort("localhost", strconv.Itoa(port)), nil
	}
}

// hook is the handler of the log while Prism starts. Prism says that it is
// about to serve after it has opened its socket and before it takes the first
// connection from it: the one moment to shut it.
type hook struct {
	after  slog.Handler // takes what is logged later: Prism keeps its logger
	cancel func()       // gives the start up

	mu      sync.Mutex
	started bool
	port    int
	failed  error
}

func newHook(cancel func()) *hook {
	h := &hook{after: slog.Default().Handler(), cancel: cancel}
	if fmt.Sprintf("%T", h.after) == "*slog.defaultHandler" {
		// The same lines, but not by way of package log, which leads back here.
		h.after = slog.NewTextHandler(os.Stderr, nil)
	}
	return h
}

// install makes h the handler of the log, until restore is called.
func (h *hook) install() (restore func()) {
	before, out, flags := slog.Default(), log.Writer(), log.Flags()
	slog.SetDefault(slog.New(h))
	return func() {
		slog.SetDefault(before)
		log.SetOutput(out) // SetDefault redirects it
		log.SetFlags(flags)
		h.mu.Lock()
		defer h.mu.Unlock()
		h.started = true
	}
}

func (h *hook) result() (port int, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.port, h.failed
}

// Enabled, Handle, WithAttrs and WithGroup make a hook a slog.Handler.
func (h *hook) Enabled(ctx context.Context, level slog.Level) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return !h.started || h.after.Enabled(ctx, level)
}

func (h *hook) Handle(ctx context.Context, r slog.Record) error {
	h.mu.Lock()
	if !h.started && h.port == 0 && h.failed == nil {
		if h.port, h.failed = shut(); h.failed != nil {
			h.cancel()
		}
	}
	h.mu.Unlock()
	if h.after.Enabled(ctx, r.Level) {
		return h.after.Handle(ctx, r)
	}
	return nil
}

func (h *hook) WithAttrs(attrs []slog.Attr) slog.Handler { return h.after.WithAttrs(attrs) }
func (h *hook) WithGroup(name string) slog.Handler       { return h.after.WithGroup(name) }

// shut binds every TCP socket of this process that listens on all interfaces
// to the loopback device and returns the port of one, 0 where there is none. A
// socket that cannot be bound is closed to everybody.
func shut() (port int, err error) {
	own, err := sockets.Own()
	if err != nil {
		return 0, fmt.Errorf("the sockets of this process cannot be listed, so Prism cannot be shut to the network: %w; leave --runner out", err)
	}
	for _, s := range own {
		if !s.Listening || s.Kind != "tcp" && s.Kind != "tcp6" || !s.Local.Addr().IsUnspecified() {
			continue
		}
		port = int(s.Local.Port())
		if err := unix.BindToDevice(s.FD, loopback); err != nil {
			_ = unix.Shutdown(s.FD, unix.SHUT_RDWR)
			return 0, fmt.Errorf("prism's socket cannot be bound to the loopback device: %w; leave --runner out", err)
		}
		// Between its opening and now, some microseconds, anybody could connect.
		if err := nobodyElse(s.Local.Port()); err != nil {
			_ = unix.Shutdown(s.FD, unix.SHUT_RDWR)
			return 0, err
		}
	}
	return port, nil
}

// nobodyElse returns an error if somebody has connected to a port by another
// address than the loopback device's.
func nobodyElse(port uint16) error {
	table, err := sockets.Table()
	if err != nil {
		return err
	}
	for _, s := range table {
		if !s.Listening && s.Local.Port() == port && !s.Local.Addr().IsLoopback() && (s.Kind == "tcp" || s.Kind == "tcp6") {
			return errors.New("somebody has connected to Prism from another machine while it started, so it was not used; run the command again, " +
				"without --runner")
		}
	}
	return nil
}
