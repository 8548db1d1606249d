package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// stopped is the cause of a context that a signal has ended.
type stopped struct{ signal syscall.Signal }

func (s stopped) Error() string { return "stopped by " + unix.SignalName(s.signal) }

// status is the exit status that shells give a program that a signal has ended.
func (s stopped) status() int { return 128 + int(s.signal) }

// untilSignal returns a context that the first SIGINT or SIGTERM ends. A second
// one ends the process at once.
func untilSignal() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		s := <-signals
		signal.Stop(signals)
		cancel(stopped{s.(syscall.Signal)})
	}()
	return ctx
}

// bySignal returns what has ended ctx, if a signal has.
func bySignal(ctx context.Context) (s stopped, ok bool) {
	ok = errors.As(context.Cause(ctx), &s)
	return s, ok
}
