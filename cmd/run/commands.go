package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/palimpsest-deid/palimpsest/cmd/adapt"
	"github.com/palimpsest-deid/palimpsest/cmd/attack"
	"github.com/palimpsest-deid/palimpsest/cmd/canaries"
	"github.com/palimpsest-deid/palimpsest/cmd/check"
	"github.com/palimpsest-deid/palimpsest/cmd/convert"
	"github.com/palimpsest-deid/palimpsest/cmd/estimate"
	"github.com/palimpsest-deid/palimpsest/cmd/evaluate"
	"github.com/palimpsest-deid/palimpsest/cmd/explain"
	"github.com/palimpsest-deid/palimpsest/cmd/key"
	"github.com/palimpsest-deid/palimpsest/cmd/reidentify"
	"github.com/palimpsest-deid/palimpsest/cmd/report"
	"github.com/palimpsest-deid/palimpsest/cmd/review"
	"github.com/palimpsest-deid/palimpsest/cmd/show"
	"github.com/palimpsest-deid/palimpsest/cmd/tokenize"
	"github.com/palimpsest-deid/palimpsest/cmd/version"
	"github.com/palimpsest-deid/palimpsest/cmd/weights"
	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/nearest"
	"github.com/palimpsest-deid/palimpsest/pipeline/cli"
)

// entry runs a command with the arguments behind its name and returns its exit
// status.
type entry func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int

// commands are all there are, in the order of the help, which leaves out those that
// it has nothing to say about. Each is a package of its own with a function Main,
// but for the job, which owns the process's flags.
var commands = []struct {
	name, about string
	main        entry
}{
	{"run", "de-identify tables of notes; flags without a command mean this", job},
	{"check", "say what a job would do, from footers and a sample", check.Main},
	{"explain", "tell what found each span of a note, and what was overruled", explain.Main},
	{"show", "print notes before and after", show.Main},
	{"review", "look at a sample of released notes in a browser, and judge them", review.Main},
	{"estimate", "tell from reviewed notes how much is left in the release", estimate.Main},
	{"canaries", "plant made-up identifiers in copies of notes, and count how many are found", canaries.Main},
	{"adapt", "go on training a model with reviewed notes, and keep it if it is better", adapt.Main},
	{"evaluate", "score what was found against annotations", evaluate.Main},
	{"attack", "try to take a release back, and count how far that gets", attack.Main},
	{"report", "write the page by which a release is signed off", report.Main},
	{"convert", "move annotated corpora between formats", convert.Main},
	{"reidentify", "tell, and log, which original id a pseudonym stands for", reidentify.Main},
	{"key", "make a secret key, or tell a key's id", key.Main},
	{"version", "print the versions of the program and of what it runs with", version.Main},
	{"tokenize", "", tokenize.Main}, // training calls it, and the next
	{"weights", "", weights.Main},
}

// dispatch runs the command that args name.
func dispatch(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	switch {
	case len(args) == 0:
		overview(stderr)
		return int(fault.Settings)
	case len(args) == 1 && (args[0] == "help" || args[0] == "--help" || args[0] == "-help" || args[0] == "-h"):
		overview(stdout)
		return int(fault.Done)
	case args[0] == "help":
		return dispatch(ctx, append(args[1:], "--help"), stdin, stdout, stderr)
	case args[0] == "--version" || args[0] == "-version":
		return version.Main(ctx, args[1:], stdin, stdout, stderr)
	case strings.HasPrefix(args[0], "-"):
		return job(ctx, args, stdin, stdout, stderr)
	}
	var names []string
	for _, c := range commands {
		if c.name == args[0] {
			return c.main(ctx, args[1:], stdin, stdout, stderr)
		}
		names = append(names, c.name)
	}
	hint := nearest.DidYouMean("%s", args[0], names, "palimpsest --help lists them")
	return cli.Exit(stderr, "palimpsest", fault.Mark(fault.Settings, fmt.Errorf("%q is no command%s", args[0], hint)))
}

// overview is the help of the program.
func overview(w io.Writer) {
	fmt.Fprint(w, `Palimpsest removes protected health information (PHI) from tables of clinical
notes: Parquet in, Parquet out, with the same schema.

  palimpsest key new KEYFILE
  palimpsest --input 'notes/*.parquet' --output release/jan --private held/jan --key file:KEYFILE

Commands
`)
	for _, c := range commands {
		if c.about == "" {
			continue
		}
		fmt.Fprintf(w, "  %-11s%s\n", c.name, c.about)
	}
	fmt.Fprintf(w, `
palimpsest COMMAND --help explains one of them. All that read a job's notes take its
settings from one file: --config job.yaml.
%s`, fault.Help)
}
