package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/model/bilstmcrf"
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/tools/bench/invent"
	"github.com/palimpsest-deid/palimpsest/tools/copies/charts"
	"github.com/palimpsest-deid/palimpsest/tools/cputime"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// point is what the job took at one share of copied text.
type point struct {
	share           float64 // of tokens, as the charts were made
	notes, tokens   int
	reused          float64   // share of windows
	without, with   []float64 // CPU seconds of the job, of each pair of runs
	clockOff, clock []float64 // seconds on the clock
	allowed         float64   // how many times as fast, by Amdahl's law
}

// gain is how many times as many notes a CPU second holds with the cache: the median
// of the pairs.
func (p point) gain() float64 { return medianOf(p.without, p.with) }

func (p point) clockGain() float64 { return medianOf(p.clockOff, p.clock) }

func medianOf(a, b []float64) float64 {
	var all []float64
	for i := range a {
		all = append(all, a[i]/b[i])
	}
	return median(all)
}

// median sorts all, and returns what stands in the middle.
func median(all []float64) float64 {
	slices.Sort(all)
	return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
}

// study is all that docs/copies.md tells.
type study struct {
	model   string
	pairs   int
	network float64 // share of the job's CPU time without copies that the cache can save
	points  []point
	lengths []reuse
}

// reuse is which share of tokens lies in windows seen before, by length of passages.
type reuse struct {
	passage int
	tokens  float64
}

// measure runs the job on charts of each share, with and without the cache in turn.
func measure(ctx context.Context, model string, shares []float64, notes, pairs, workers int, dir string) (*study, error) {
	sources, err := invent.Texts(ctx, "examples/notes.parquet")
	if err != nil {
		return nil, err
	}
	binary := filepath.Join(dir, "palimpsest")
	if out, err := exec.Command("go", "build", "-trimpath", "-o", binary, "./cmd/run").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building the job: %w\n%s", err, out)
	}
	s := &study{model: model, pairs: pairs}
	for _, share := range shares {
		shape := charts.Usual
		shape.Notes, shape.Share = notes, share
		made := charts.Make(1, sources, shape)
		p := point{notes: len(made)}
		copied := 0
		for _, n := range made {
			p.tokens += n.Tokens
			copied += n.Copied
		}
		p.share = float64(copied) / float64(p.tokens)
		file := filepath.Join(dir, fmt.Sprintf("charts-%02.0f.parquet", 100*share))
		if err := write(file, made); err != nil {
			return nil, err
		}
		for range pairs {
			for _, cacheMB := range []int{0, 64} {
				cpu, clock, reused, err := runJob(binary, file, filepath.Join(dir, "out"), model, cacheMB, workers)
				if err != nil {
					return nil, err
				}
				if cacheMB == 0 {
					p.without, p.clockOff = append(p.without, cpu), append(p.clockOff, clock)
				} else {
					p.with, p.clock, p.reused = append(p.with, cpu), append(p.clock, clock), reused
				}
			}
		}
		if s.network == 0 {
			seconds, err := networkSeconds(ctx, file, model, workers)
			if err != nil {
				return nil, err
			}
			s.network = seconds / median(slices.Clone(p.without))
		}
		p.allowed = 1 / (1 - s.network*p.share)
		s.points = append(s.points, p)
		fmt.Fprintf(os.Stderr, "%.0f %% copied: %.1f and %.1f CPU s, %.2f times as fast of %.2f\n", 100*p.share, slices.Min(p.without),
			slices.Min(p.with), p.gain(), p.allowed)
	}
	for _, passage := range []int{50, 100, 200, 400, 800} {
		shape := charts.Usual
		shape.Notes, shape.Share, shape.Passage = notes, 0.5, passage
		seen, _ := reusable(charts.Make(1, sources, shape), bilstmcrf.DefaultCutting(128))
		s.lengths = append(s.lengths, reuse{passage, seen})
	}
	return s, nil
}

// row is a row of the charts' table, in the order of patients and days.
type row struct {
	NoteID    int64  `parquet:"note_id"`
	PatientID string `parquet:"patient_id"`
	NoteDate  int32  `parquet:"note_date,date"`
	Text      string `parquet:"text,zstd"`
}

func write(file string, notes []charts.Note) error {
	var rows []row
	for i, n := range notes {
		// The days of patients overlap, or they would tell the order of rows.
		day := 15_000 + int32(n.Patient*7919%1500) + int32(11*n.Number)
		rows = append(rows, row{int64(i + 1), fmt.Sprintf("p%05d", n.Patient), day, n.Text})
	}
	return parquet.WriteFile(file, rows, parquet.MaxRowsPerRowGroup(500))
}

const keyName = "PALIMPSEST_COPIES_KEY"

// runJob runs the job in a process of its own and returns its CPU seconds, those on
// the clock and the share of windows that were reused.
func runJob(binary, file, out, model string, cacheMB, workers int) (cpu, clock, reused float64, err error) {
	for _, dir := range []string{out, out + "-private"} {
		if err := os.RemoveAll(dir); err != nil {
			return 0, 0, 0, err
		}
	}
	metrics := out + ".prom"
	cmd := exec.Command(binary, "--input", file, "--output", out, "--private", out+"-private", "--private_beside_output", "--key",
		"env:"+keyName,
		"--model", model, "--date_columns", "note_date", "--workers", fmt.Sprint(workers), "--execution_provider", "cpu",
		"--window_cache_mb", fmt.Sprint(cacheMB), "--metrics", metrics)
	cmd.Env = append(os.Environ(), keyName+"="+strings.Repeat("copies key ", 4), fmt.Sprintf("GOMAXPROCS=%d", workers))
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return 0, 0, 0, fmt.Errorf("the job failed: %w\n%s", err, log.String())
	}
	clock = time.Since(start).Seconds()
	cpu = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	raw, err := os.ReadFile(metrics)
	if err != nil {
		return 0, 0, 0, err
	}
	return cpu, clock, number(raw, "palimpsest_windows_reused ") / number(raw, "palimpsest_windows "), nil
}

// number returns the value behind a name in a file of metrics.
func number(metrics []byte, name string) (x float64) {
	for _, l := range strings.Split(string(metrics), "\n") {
		if at, ok := strings.CutPrefix(l, name); ok {
			fmt.Sscan(at, &x)
		}
	}
	return x
}

// networkSeconds returns the CPU seconds of a job that go into computing windows: what
// a first pass over all notes takes more than a second one, which finds them all.
func networkSeconds(ctx context.Context, file, model string, workers int) (float64, error) {
	if err := os.Setenv(keyName, strings.Repeat("copies key ", 4)); err != nil {
		return 0, err
	}
	o := pipeline.DefaultOptions()
	o.Input, o.Output, o.Private, o.Beside, o.Key, o.Model = []string{file}, file+"-out", file+"-private", true, "env:"+keyName, model
	o.DateColumns, o.ExecutionProvider, o.Workers, o.WindowMB = []string{"note_date"}, "cpu", workers, 1024
	cfg, err := pipeline.NewConfig(o)
	if err != nil {
		return 0, err
	}
	if cfg, _, err = pipeline.Prepare(ctx, cfg); err != nil {
		return 0, err
	}
	if _, err := transforms.NewStudyOfTexts(ctx, cfg, []string{"1"}, []string{"The model is loaded."}); err != nil {
		return 0, err
	}
	var passes [2]float64
	for k := range passes {
		before := cputime.Used().Seconds()
		if _, _, err := transforms.DetectAlone(ctx, cfg); err != nil {
			return 0, err
		}
		passes[k] = cputime.Used().Seconds() - before
	}
	return passes[0] - passes[1], nil
}
