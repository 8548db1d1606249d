// Package check says what a job would do, from its settings, the footers of its
// input and a sample of its notes: it writes nothing. The job's --dry_run on a
// runner of one machine is this too.
package check

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/dustin/go-humanize"

	"github.com/palimpsest-deid/palimpsest/cmd/show"
	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/pipeline/cli"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// Options say what is looked at beside the settings.
type Options struct {
	Sample int  // notes that the taggers look at
	Show   bool // print these before and after
}

// DefaultOptions are those of a call without flags.
func DefaultOptions() Options { return Options{Sample: 20} }

var help = cli.Help{
	Command: "palimpsest check",
	About: `
check says what a job would do and what would stop it, from its settings, the footers of
its input and a sample of its notes. It writes nothing. The exit status is 0 where the job
would run, else the one that it would stop with.

  palimpsest check --config job.yaml
`,
	Brief: []cli.Setting{
		{Flags: "--config FILE", Text: "the job's settings; any of them can be a flag here too"},
		{Flags: "--input FILES", Text: "Parquet files: paths, globs (quoted) or directories"},
		{Flags: "--preset NAME", Text: "roles for the columns of a usual table, such as omop-note"},
		{Flags: "--sample N", Text: "how many notes the taggers look at (20); 0 for none"},
		{Flags: "--show", Text: "print these notes before and after: original text, on a terminal only"},
	},
}

// own are the settings that are not the job's.
var own = cli.Group{Title: "What is looked at", Flags: []string{"sample", "show"}}

// Main runs the command and returns its exit status.
func Main(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	options, o := pipeline.DefaultOptions(), DefaultOptions()
	fs := flag.NewFlagSet("check", flag.ContinueOnError)
	options.Register(fs)
	fs.IntVar(&o.Sample, "sample", o.Sample,
		"how many notes the taggers look at, and in columns that are kept a thousand values of each; what they "+
			"find is counted by type, and how long it takes them tells about how long the job takes. 0 for none")
	fs.BoolVar(&o.Show, "show", false, "print these notes before and after. They are original text: only where the output is a terminal")
	flag.VisitAll(func(f *flag.Flag) { // Beam's, such as --runner
		if fs.Lookup(f.Name) == nil {
			fs.Var(f.Value, f.Name, f.Usage)
		}
	})
	return options.Main(ctx, help, own, fs, args, stdout, stderr, func() error {
		if err := o.check(stdout); err != nil {
			return fault.Mark(fault.Settings, err)
		}
		cfg, err := pipeline.NewConfig(options)
		if err != nil {
			return fault.Mark(fault.Settings, fmt.Errorf("%w\npalimpsest check --help all explains the settings", err))
		}
		if !options.Verbose {
			slog.SetDefault(slog.New(slog.DiscardHandler)) // what it says is said here in words
		}
		return Job(ctx, stdout, cfg, o)
	})
}

// check refuses numbers that are none, and to print notes into a file.
func (o Options) check(stdout io.Writer) error {
	if o.Sample < 0 {
		return errors.New("--sample: write a number that is not below 0")
	}
	if f, ok := stdout.(*os.File); o.Show && !(ok && term.IsTerminal(int(f.Fd()))) {
		return errors.New("--show prints original text of notes, so it does so on a terminal only; leave it out, or do not redirect the output")
	}
	return nil
}

// Job examines a job and prints what it would do. The error is what the job would
// stop with.
func Job(ctx context.Context, out io.Writer, cfg transforms.Config, o Options) error {
	p, refused := pipeline.Examine(ctx, cfg, o.Sample)
	if ctx.Err() != nil {
		return refused
	}
	r := &report{out: out, p: p, cfg: p.Config}
	err := r.tryOut(ctx, o)
	if err != nil && refused == nil {
		return err
	}
	r.write(o)
	if len(r.kept) > 0 {
		refused = errors.Join(refused, fault.Mark(fault.Refused, fmt.Errorf("it would publish nothing, as far as the first %s values of columns "+
			"tell:\n%s", humanize.Comma(keptValues), strings.Join(r.kept, "\n"))))
	}
	if refused != nil {
		return fmt.Errorf("the job would not run (exit status %d):\n%w", fault.Of(refused), refused)
	}
	fmt.Fprintln(out, "\nThe job would run; nothing was written.")
	return nil
}

// keptValues is how many values of a kept column are looked at.
const keptValues = 1000

// tryOut does the job to parts of the sample, where there is one and what finds
// PHI is ready.
func (r *report) tryOut(ctx context.Context, o Options) (err error) {
	if err := r.lookAtTables(ctx, o); err != nil {
		return err
	}
	if r.p.Sample == nil || !r.p.Taggers.Here || len(r.p.Sample.Notes) == 0 {
		return nil
	}
	if r.dates, err = r.p.Sample.Try(ctx, r.cfg, false); err != nil || o.Sample == 0 {
		return err
	}
	if r.p.Columns == nil {
		return r.tag(ctx, o)
	}
	kept, err := transforms.LookAtKept(ctx, r.cfg, r.p.Inputs.Shards[0].File, r.p.Columns, keptValues)
	if err != nil {
		return err
	}
	r.kept = append(r.kept, kept...)
	return r.tag(ctx, o)
}

// lookAtTables looks at what tables without texts keep.
func (r *report) lookAtTables(ctx context.Context, o Options) error {
	for _, t := range r.p.Tables {
		if t.Columns == nil || r.cfg.What.Tables[t.Number-1].Unreleased || !r.p.Taggers.Here && t.Inputs.Words || o.Sample == 0 ||
			r.cfg.KeyID == "" {
			continue
		}
		kept, err := transforms.LookAtKept(ctx, r.cfg.OfTable(t.Number), t.Inputs.Shards[0].File, t.Columns, keptValues)
		if err != nil {
			return err
		}
		for _, why := range kept {
			r.kept = append(r.kept, "table "+t.Name+": "+why)
		}
	}
	return nil
}

// tag lets all taggers look at some notes.
func (r *report) tag(ctx context.Context, o Options) (err error) {
	r.tried = r.p.Sample.Some(o.Sample)
	r.found, err = r.tried.Try(ctx, r.cfg, true)
	return err
}

// showNotes prints notes before and after.
func showNotes(out io.Writer, notes []transforms.OutcomeNote) {
	for _, n := range notes {
		fmt.Fprintf(out, "\n=== note %s\n", n.Document)
		if n.Failure != "" {
			fmt.Fprintf(out, "  goes to quarantine: %s\n", n.Failure)
			continue
		}
		for i := range n.Before {
			show.Diff(out, n.Before[i], n.After[i], false)
		}
	}
}
