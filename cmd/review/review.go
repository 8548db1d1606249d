// Package review lets people look at a sample of released notes in a browser on
// their own machine, and say what was replaced rightly and what was missed. What
// they say makes gold annotations and, by palimpsest estimate, an estimate of
// what is left in the release.
package review

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/palimpsest-deid/palimpsest/cmd/review/store"
	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/pipeline/cli"
)

var help = cli.Help{
	Command: "palimpsest review",
	About: `
review shows a sample of released notes in a browser on this machine, one after
the other, for somebody to say what was replaced rightly and what was missed.
It shows original text: run it only where the input may be seen.

  palimpsest review --config job.yaml --reviewer ann
  palimpsest review --config job.yaml --export reviewed
`,
	Brief: []cli.Setting{
		{Flags: "--config FILE", Text: "the settings of the job: its input, output, private part and key"},
		{Flags: "--reviewer NAME", Text: "who you are; two people may review a sample"},
		{Flags: "--notes N", Text: "how many notes to draw (50), the first time"},
		{Flags: "--adjudicate", Text: "decide where the two reviewers differ"},
		{Flags: "--export PATH", Text: "write gold annotations instead: a folder, or a .parquet file without the texts"},
	},
}

// options are the settings as the user gives them.
type options struct {
	store.Flags
	reviewer, export string
	adjudicate       bool
	wanted           store.Wanted
}

// Main runs the command and returns its exit status.
func Main(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	var o options
	fs := flag.NewFlagSet("review", flag.ContinueOnError)
	o.Register(fs)
	fs.StringVar(&o.Inputs, "input", "", "the job's input (default: as in --config)")
	fs.StringVar(&o.Key, "key", "", "reference to the job's key, which finds the notes of the input in the release when the sample is drawn "+
		"(default: as in --config)")
	fs.StringVar(&o.reviewer, "reviewer", "", "name or initials of who reviews: decisions carry them")
	fs.BoolVar(&o.adjudicate, "adjudicate", false, "show only what two reviewers see otherwise, for --reviewer, a third, to decide")
	fs.StringVar(&o.export, "export", "", "write what was decided as gold annotations and end: a folder gets notes.parquet and "+
		"gold.parquet, which convert and evaluate read, and documents.txt for evaluate's --documents; a name that ends in "+
		".parquet gets the annotations alone, which hold no text")
	fs.IntVar(&o.wanted.Notes, "notes", 50, "how many notes to draw, when the sample is drawn")
	fs.Uint64Var(&o.wanted.Seed, "seed", 1, "another number draws other notes")
	fs.StringVar(&o.wanted.Stratify, "stratify", "", "a column of the input, such as the note's type, of which each value gets its share")
	return help.Main(fs, args, stdout, stderr, func(rest []string) error {
		if err := cli.NoArguments(rest); err != nil {
			return err
		}
		given := map[string]bool{}
		fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
		return o.run(ctx, stdout, given["notes"] || given["seed"] || given["stratify"])
	})
}

// run reviews, or exports. asked tells that the user says which sample he wants.
func (o *options) run(ctx context.Context, stdout io.Writer, asked bool) error {
	if o.export != "" && (o.adjudicate || o.reviewer != "") {
		return fault.Mark(fault.Settings, errors.New("--export ends after writing; leave out --reviewer and --adjudicate"))
	}
	if o.export == "" {
		if err := store.CheckName(o.reviewer); err != nil {
			return err
		}
	}
	if o.wanted.Notes < 1 {
		return fault.Mark(fault.Settings, errors.New("--notes: write at least 1"))
	}
	job, folder, err := o.Open(ctx)
	if err != nil {
		return err
	}
	wanted := &o.wanted
	if o.export != "" || o.adjudicate {
		wanted = nil
	} else if !asked {
		if wanted, err = store.WantedOf(folder, o.wanted); err != nil {
			return err
		}
	}
	r, err := store.Open(ctx, job, folder, wanted)
	if err != nil {
		return err
	}
	originals, err := r.Originals(ctx)
	if err != nil {
		return err
	}
	if o.export != "" {
		return export(ctx, stdout, r, originals, o.export)
	}
	log, err := r.Append(o.reviewer, o.adjudicate)
	if err != nil {
		return err
	}
	defer log.Close()
	p, err := newPage(r, log, o.reviewer, o.adjudicate, originals)
	if err != nil {
		return err
	}
	s, err := listen(p)
	if err != nil {
		return err
	}
	if err := o.others(r, stdout); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%d notes, %d of them finished. Open this address in a browser on this machine; it lets in whoever knows it:\n\n"+
		"  %s\n\nEvery decision is kept as you make it. End with Ctrl-C.\n", len(p.order), p.finished(), s.url)
	return s.serve(ctx)
}

// others tells who else reviews the sample: who mistypes his own name is a second
// reviewer, and would wonder where his decisions are.
func (o *options) others(r *store.Review, stdout io.Writer) error {
	names, said, _, err := r.Reviewers()
	for i, name := range names {
		finished := 0
		for _, s := range said[i] {
			if s.Finished {
				finished++
			}
		}
		if name != o.reviewer && !o.adjudicate {
			fmt.Fprintf(stdout, "%s reviews this sample too, and has finished %d notes; you are %s.\n", name, finished, o.reviewer)
		}
	}
	return err
}
