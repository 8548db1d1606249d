// Command evaluate scores what a system found against gold annotations; see
// --help. The numbers are those of package model/score, the formats those of
// package schemas/corpus; the folder report presents the result.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(command(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// command runs the command line and returns the exit status.
func command(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var o options
	fs := flag.NewFlagSet("evaluate", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	groups := o.register(fs)
	err := fs.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		usage(stdout, fs, groups)
		return 0
	}
	if err == nil && fs.NArg() > 0 {
		err = fmt.Errorf("%q is no setting; quote globs, so that the shell leaves them alone", fs.Arg(0))
	}
	if err == nil {
		err = o.check()
	}
	if err != nil {
		if !errors.Is(err, errUsage) {
			err = fmt.Errorf("%w; %w", err, errUsage)
		}
		fmt.Fprintf(stderr, "evaluate: %v\n", err)
		return 2
	}
	if err := run(ctx, &o, stdout, stderr); err != nil {
		fmt.Fprintf(stderr, "evaluate: %v\n", err)
		return 1
	}
	return 0
}
