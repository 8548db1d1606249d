// Package evaluate scores what a system found against gold annotations. The
// numbers are those of package model/score, the formats those of package
// schemas/corpus; the folder report presents the result.
package evaluate

import (
	"context"
	"flag"
	"io"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/pipeline/cli"
)

// Main runs the command and returns its exit status.
func Main(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	var o options
	fs := flag.NewFlagSet("evaluate", flag.ContinueOnError)
	h := help
	h.Groups = o.register(fs)
	rest, asked, err := cli.Parse(fs, args)
	if asked != cli.NoHelp {
		h.Write(stdout, fs, asked)
		return int(fault.Done)
	}
	if err == nil {
		err = cli.NoArguments(rest)
	}
	if err == nil {
		err = fault.Mark(fault.Settings, o.complete(ctx))
	}
	if err == nil {
		err = run(ctx, &o, stdout, stderr)
	}
	return cli.Exit(stderr, h.Command, err)
}
