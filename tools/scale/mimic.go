package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// release are the settings of a release in parts.
type release struct {
	runner
	kinds                              []kind
	source, results, work, bench, text string
	parts, together, limit             int
	coreHour                           float64
	report                             bool
}

// mimicCommand runs the command line behind "mimic" and returns the exit status.
func mimicCommand(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o := release{kinds: mimic}
	o.maxMiB = 16 << 10
	fs := flag.NewFlagSet("scale mimic", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.StringVar(&o.binary, "binary", "bin/palimpsest", "the job's program, as make build makes it")
	fs.StringVar(&o.source, "source", "examples/source", "folder of marked notes to invent the release from")
	fs.StringVar(&o.model, "model", "onnx/models/en-clinical-fast", "model directory")
	fs.IntVar(&o.parts, "parts", 100, "parts that the release is cut into, of whole patients each")
	fs.IntVar(&o.limit, "limit", 0, "stop after so many parts; 0 for all that are left")
	fs.IntVar(&o.together, "together", 0, "run so many parts, from the first on, as one job, and nothing else")
	fs.StringVar(&o.results, "results", "out-mimic", "folder of the results, which decide what is left to do")
	fs.StringVar(&o.work, "work", os.TempDir(), "where a part's input and output are put while they are needed: 200 MB")
	fs.DurationVar(&o.timeout, "timeout", 3*time.Hour, "a job that takes longer is ended, and its part left to do")
	fs.BoolVar(&o.report, "report", false, "run nothing: tell what the results say so far")
	fs.StringVar(&o.text, "text", "", "with --report: Markdown file that it is put into, between <!-- table mimic --> and <!-- end -->")
	fs.Float64Var(&o.coreHour, "core_hour", 0.05, "with --report: price of an hour of one core, in dollars")
	fs.Usage = func() {
		fmt.Fprint(stdout, `scale mimic runs the job over an invented release of MIMIC-IV-Note's size: 331,794
discharge summaries and 2,321,355 radiology reports, half of the text copied. It is cut
into parts of whole patients, each of them one job with default settings. Whatever ends
it, the next call goes on with the parts that are left.

  make build
  nice go run ./tools/scale mimic            all parts that are left
  go run ./tools/scale mimic --together 4    four parts as one job
  go run ./tools/scale mimic --report        what was measured so far

`)
		fs.SetOutput(stdout)
		fs.PrintDefaults()
	}
	if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	if fs.NArg() > 0 || o.parts < 1 || o.together < 0 || o.together > o.parts || o.limit < 0 {
		fmt.Fprintln(stderr, "scale mimic: --parts is at least 1, --together at most --parts, and there are no other words; --help says more")
		return 2
	}
	err := o.run(ctx, stdout, stderr)
	if err != nil {
		fmt.Fprintln(stderr, "scale mimic:", err)
		return 1
	}
	return 0
}

func (o release) run(ctx context.Context, stdout, stderr io.Writer) error {
	if o.report {
		return o.tell(stdout)
	}
	if _, err := os.Stat(o.binary); err != nil {
		return fmt.Errorf("%w; run make build first", err)
	}
	if err := os.MkdirAll(o.results, 0o755); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(o.work, "palimpsest-mimic-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	// The program and the measuring of the bare network are those of the beginning, whatever
	// is built while parts run.
	if o.runner, o.bench, err = o.programs(ctx, dir); err != nil {
		return err
	}
	program, err := digest(o.binary)
	if err != nil {
		return err
	}
	if o.together > 0 {
		d, err := o.job(ctx, filepath.Join(dir, "job"), 0, o.together)
		if err != nil {
			return err
		}
		d.Program = program
		fmt.Fprintln(stderr, d)
		return o.add(togetherFile, d)
	}
	done, err := readParts(filepath.Join(o.results, partsFile))
	if err != nil {
		return err
	}
	ran := 0
	for part := range o.parts {
		if o.limit > 0 && ran == o.limit {
			break
		}
		if has, err := isDone(done, part, o.parts, o.model); err != nil {
			return err
		} else if has {
			continue
		}
		d, err := o.job(ctx, filepath.Join(dir, "job"), part, part+1)
		if err != nil {
			return fmt.Errorf("part %d of %d: %w", part, o.parts, err)
		}
		d.Program = program
		if err := o.add(partsFile, d); err != nil {
			return err
		}
		fmt.Fprintln(stderr, d)
		ran++
	}
	return nil
}

// isDone says whether a part stands in the results. Those of another cut, or of another
// model, are no use.
func isDone(done []partDone, part, parts int, model string) (bool, error) {
	for _, d := range done {
		if d.Parts != parts || d.Model != filepath.Base(model) {
			return false, fmt.Errorf("the results are of %d parts with %s; give another folder as --results", d.Parts, d.Model)
		}
		if d.Part == part {
			return true, nil
		}
	}
	return false, nil
}

// cores are those that job and network are measured on.
var cores = runtime.GOMAXPROCS(0)
