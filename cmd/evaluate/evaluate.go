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
	return h.Main(fs, args, stdout, stderr, func(rest []string) error {
		if err := cli.NoArguments(rest); err != nil {
			return err
		}
		if err := o.complete(ctx); err != nil {
			return fault.Mark(fault.Settings, err)
		}
		return run(ctx, &o, stdout, stderr)
	})
}
