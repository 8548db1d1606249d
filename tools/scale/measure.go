package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/tools/bench/figures"
)

// point is what one run of the job took.
type point struct {
	X         int     // on the sweep's axis
	Notes     int64   // read
	Text      int64   // bytes of text
	Input     int64   // bytes of the input files
	Written   int64   // bytes of output and private part
	Spans     int64   // replaced
	Shuffled  int64   // bytes between stages, packed
	CPU       float64 // seconds, user and system
	Wall      float64 // seconds
	PeakMiB   float64 // resident, at its largest
	Outcome   string  // "ok", or why the run was given up
	Generated float64 // seconds that the input took; not stored, as what follows

	Tokens          int64
	Windows, Reused int64 // windows of the network, and those found in its cache
	Quarantined     int64 // notes
}

// runner runs the job.
type runner struct {
	binary, model string
	timeout       time.Duration
	maxMiB        int // a run that takes more memory is ended
}

const keyName = "PALIMPSEST_SCALE_KEY"

// run runs the job over dir/in, into dir/out, and measures it. A run that takes
// too long or too much memory is a result, with an outcome that says so.
func (r runner) run(ctx context.Context, dir string, flags []string) (point, error) {
	p := point{Outcome: "ok"}
	out := filepath.Join(dir, "out")
	limited, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	cmd := exec.CommandContext(limited, r.binary, append([]string{"--input", filepath.Join(dir, "in"), "--output", out,
		"--private", out + "-private", "--private_beside_output", "--key", "env:" + keyName, "--model", r.model, "--date_columns", "note_date",
		"--execution_provider", "cpu", "--metrics", filepath.Join(dir, "metrics.prom")}, flags...)...)
	cmd.Env = append(os.Environ(), keyName+"="+strings.Repeat("a key to measure with ", 2))
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return p, err
	}
	watched := r.watch(limited, cmd.Process, cancel)
	err := cmd.Wait()
	p.Wall = time.Since(start).Seconds()
	p.CPU = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	cancel()
	saw := <-watched
	p.PeakMiB = float64(saw.peakKiB) / 1024
	if err != nil {
		switch {
		case ctx.Err() != nil:
			return p, ctx.Err()
		case saw.over:
			p.Outcome = fmt.Sprintf("over %d MiB", r.maxMiB)
			return p, nil
		case p.Wall >= r.timeout.Seconds():
			p.Outcome = fmt.Sprintf("over %s", r.timeout)
			return p, nil
		}
		return p, fmt.Errorf("the job failed: %w\n%s", err, said.String())
	}
	report, err := pipeline.ReadReport(ctx, out)
	if err != nil {
		return p, err
	}
	p.Notes, p.Text, p.Spans, p.Tokens = report.RowsIn, report.TextBytes, report.Spans, report.Tokens
	metrics, err := os.ReadFile(filepath.Join(dir, "metrics.prom"))
	if err != nil {
		return p, err
	}
	p.Windows, p.Reused = counter(metrics, "palimpsest_windows"), counter(metrics, "palimpsest_windows_reused")
	p.Quarantined = report.Quarantined
	p.Shuffled = figures.Shuffled(said.Bytes())
	if p.Input, err = figures.SizeOf(filepath.Join(dir, "in")); err != nil {
		return p, err
	}
	p.Written, err = figures.SizeOf(out, out+"-private")
	return p, err
}

// counter returns the value behind a name in a file of metrics, 0 where it is not there.
func counter(metrics []byte, name string) (n int64) {
	for line := range strings.Lines(string(metrics)) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			_, _ = fmt.Sscan(value, &n)
		}
	}
	return n
}

// watched is what was seen of a process's memory.
type watched struct {
	peakKiB int
	over    bool // it was ended for taking too much
}

// watch follows the memory of a process until ctx ends, and ends it, by way of
// cancel, when it takes too much. What the kernel says of a process that has
// ended will not do: that counts the memory of the one that started it.
func (r runner) watch(ctx context.Context, p *os.Process, cancel func()) <-chan watched {
	result := make(chan watched, 1)
	go func() {
		var w watched
		defer func() { result <- w }()
		tick := time.NewTicker(50 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if kib, err := resident(p.Pid); err == nil {
					w.peakKiB = max(w.peakKiB, kib)
				}
				if w.peakKiB>>10 > r.maxMiB {
					w.over = true
					cancel()
					return
				}
			}
		}
	}()
	return result
}

// resident returns the most KiB of memory that a running process has had.
func resident(pid int) (int, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(raw)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			return strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")))
		}
	}
	return 0, errors.New("the kernel does not say what memory the process takes")
}
