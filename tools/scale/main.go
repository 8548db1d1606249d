// Command scale measures how the job's cost grows with the shape of its input;
// see --help.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(command(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

type options struct {
	standIn, only, binary, source, work, out, text, model string
	sizes                                                 string
	full, plot                                            bool
	timeout                                               time.Duration
	maxMiB                                                int
}

// command runs the command line and returns the exit status.
func command(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == "mimic" {
		return mimicCommand(ctx, args[1:], stdout, stderr)
	}
	var o options
	fs := flag.NewFlagSet("scale", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.StringVar(&o.only, "only", "", "sweeps to run, comma separated (default all)")
	fs.BoolVar(&o.full, "full", false, "the sizes of docs/scale.md, which take half an hour or more, instead of a quick look")
	fs.StringVar(&o.sizes, "sizes", "", "sizes to run in place of those of the sweep, comma separated, 0 for the base; what is in "+
		"--out of others stays")
	fs.BoolVar(&o.plot, "plot", false, "measure nothing: draw and describe what the CSV files in --out hold")
	fs.StringVar(&o.binary, "binary", "bin/palimpsest", "the job's program, as make build makes it")
	fs.StringVar(&o.source, "source", "examples/notes.parquet", "notes to make the inputs from")
	fs.StringVar(&o.model, "model", "", "model directory; by default a stand-in for the network that finds nothing and costs little, so "+
		"that it does not hide what else grows")
	fs.StringVar(&o.standIn, "stand_in", "", "write that stand-in to this folder, and measure nothing")
	fs.StringVar(&o.work, "work", os.TempDir(), "where inputs and outputs are put while they are needed: up to 5 GB with --full")
	fs.StringVar(&o.out, "out", "out-scale", "where CSV files and plots go")
	fs.StringVar(&o.text, "text", "", "Markdown file whose tables are replaced: what stands between <!-- table NAME --> and <!-- end -->")
	fs.DurationVar(&o.timeout, "timeout", 15*time.Minute, "a run that takes longer is ended, and said to be")
	fs.IntVar(&o.maxMiB, "max_mib", 8192, "a run that takes more memory is ended, and said to be")
	fs.Usage = func() { usage(stdout, fs) }
	err := fs.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		return 2
	}
	chosen, err := choose(o.only)
	if err == nil && fs.NArg() > 0 {
		err = fmt.Errorf("%q is no setting", fs.Arg(0))
	}
	if err != nil {
		fmt.Fprintf(stderr, "scale: %v; --help says more\n", err)
		return 2
	}
	if o.standIn != "" {
		err, chosen = writeStandIn(o.standIn), nil
	} else if !o.plot {
		err = measure(ctx, o, chosen, stderr)
	}
	if err == nil {
		err = describe(o, chosen, stdout)
	}
	if err != nil {
		fmt.Fprintln(stderr, "scale:", err)
		return 1
	}
	return 0
}

func usage(w io.Writer, fs *flag.FlagSet) {
	fmt.Fprint(w, `scale runs the job over generated inputs that differ in one thing each, and
measures CPU seconds, memory, bytes shuffled and bytes written. Every run is a
process of its own. What grows how is fitted, tabled and plotted.

  make build
  go run ./tools/scale                       a quick look at every sweep
  go run ./tools/scale --full --only files   one sweep, at the sizes of docs/scale.md
  go run ./tools/scale mimic --help          a release of MIMIC-IV-Note's size, in parts

Compare exponents, not seconds. CPU seconds hardly depend on who else uses the
machine; wall seconds do.

`)
	for _, s := range sweeps {
		fmt.Fprintf(w, "  %-18s %s\n", s.name, s.axis)
	}
	fmt.Fprintln(w)
	fs.SetOutput(w)
	fs.PrintDefaults()
}

func choose(only string) ([]sweep, error) {
	if only == "" {
		return sweeps, nil
	}
	var chosen []sweep
	for name := range strings.SplitSeq(only, ",") {
		s, ok := sweepNamed(strings.TrimSpace(name))
		if !ok {
			return nil, fmt.Errorf("there is no sweep %q", name)
		}
		chosen = append(chosen, s)
	}
	return chosen, nil
}

// measure runs the sweeps and writes a CSV file each, after every run.
func measure(ctx context.Context, o options, chosen []sweep, log io.Writer) error {
	if _, err := os.Stat(o.binary); err != nil {
		return fmt.Errorf("%w; run make build first", err)
	}
	binary, err := filepath.Abs(o.binary)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp(o.work, "palimpsest-scale-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	r := runner{binary: binary, model: o.model, timeout: o.timeout, maxMiB: o.maxMiB}
	if r.model == "" {
		r.model = filepath.Join(work, "model")
		if err := writeStandIn(r.model); err != nil {
			return err
		}
	}
	for _, s := range chosen {
		values := s.quick
		if o.full {
			values = s.full
		}
		var points []point
		values = slices.Concat([]int{0}, values)
		if o.sizes != "" {
			if points, values, err = further(filepath.Join(o.out, s.name+".csv"), o.sizes); err != nil {
				return err
			}
		}
		for _, x := range values {
			p, err := r.once(ctx, o.source, filepath.Join(work, "run"), s, x)
			if err != nil {
				return fmt.Errorf("%s, %d: %w", s.name, x, err)
			}
			fmt.Fprintf(log, "%s %d: %.1f CPU s, %.1f s, %.0f MiB, %s, %d in quarantine (input made in %.1f s)\n", s.name, x, p.CPU, p.Wall,
				p.PeakMiB, p.Outcome, p.Quarantined, p.Generated)
			points = append(slices.DeleteFunc(points, func(old point) bool { return old.X == x }), p)
			slices.SortFunc(points, func(a, b point) int { return a.X - b.X })
			if err := writeCSV(filepath.Join(o.out, s.name+".csv"), points); err != nil {
				return err
			}
			if p.Outcome != "ok" {
				break // the next would be worse
			}
		}
	}
	return nil
}

// further returns the points that were measured already, and the sizes to measure now.
func further(name, sizes string) (points []point, values []int, err error) {
	for size := range strings.SplitSeq(sizes, ",") {
		x, err := strconv.Atoi(strings.TrimSpace(size))
		if err != nil || x < 0 {
			return nil, nil, fmt.Errorf("--sizes=%s: %q is no size", sizes, size)
		}
		values = append(values, x)
	}
	points, err = readCSV(name)
	return points, values, err
}

// once makes an input, runs the job over it and removes both. x 0 is the base:
// what is there whatever x is, which mostly is one note.
func (r runner) once(ctx context.Context, source, dir string, s sweep, x int) (point, error) {
	defer os.RemoveAll(dir)
	want := s.base
	if x > 0 {
		want = s.shape(x)
	} else if want.Notes == 0 {
		want = shape{Notes: 1, Patients: 1, Short: true}
	}
	start := time.Now()
	if _, _, err := generate(ctx, source, filepath.Join(dir, "in"), want); err != nil {
		return point{}, err
	}
	// Of a patient with very many notes the short numbers are all known, and some surrogate
	// is one of them: such notes go to quarantine, and cost the same.
	flags := slices.Concat(s.flags, []string{"--max_quarantined", "100"})
	if want.Known > 0 {
		name := filepath.Join(dir, "identifiers.parquet")
		if err := writeKnown(name, want); err != nil {
			return point{}, err
		}
		flags = slices.Concat(flags, []string{"--identifiers", name})
	}
	made := time.Since(start).Seconds()
	p, err := r.run(ctx, dir, flags)
	if err == nil && p.Outcome == "ok" && p.Notes != int64(want.Notes) {
		err = fmt.Errorf("the job read %d notes of %d", p.Notes, want.Notes)
	}
	p.X, p.Generated = x, made
	return p, err
}
