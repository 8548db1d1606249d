package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/palimpsest-deid/palimpsest/pipeline"
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
	Generated float64 // seconds that the input took; not stored
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
		"--key", "env:" + keyName, "--model", r.model, "--date_columns", "note_date", "--execution_provider", "cpu"}, flags...)...)
	cmd.Env = append(os.Environ(), keyName+"="+strings.Repeat("a key to measure with ", 2))
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return p, err
	}
	over := r.watch(limited, cmd.Process, cancel)
	err := cmd.Wait()
	p.Wall = time.Since(start).Seconds()
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		p.CPU = seconds(u.Utime) + seconds(u.Stime)
		p.PeakMiB = float64(u.Maxrss) / 1024
	}
	cancel()
	if over := <-over; err != nil {
		switch {
		case ctx.Err() != nil:
			return p, ctx.Err()
		case over:
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
	p.Notes, p.Text, p.Spans = report.RowsIn, report.TextBytes, report.Spans
	if report.Quarantined > 0 {
		return p, fmt.Errorf("%d of %d notes went to quarantine: %v", report.Quarantined, report.RowsIn, report.Reasons)
	}
	if m := shuffledLine.FindSubmatch(said.Bytes()); m != nil {
		p.Shuffled, _ = strconv.ParseInt(string(m[1]), 10, 64)
	}
	if p.Input, err = size(filepath.Join(dir, "in")); err != nil {
		return p, err
	}
	released, err := size(out)
	if err != nil {
		return p, err
	}
	private, err := size(out + "-private")
	p.Written = released + private
	return p, err
}

var shuffledLine = regexp.MustCompile(`(?m)^ *shuffled +(\d+) bytes`)

func seconds(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }

// watch ends the process, by way of cancel, when it takes too much memory. Its
// channel tells whether it did, once ctx has ended.
func (r runner) watch(ctx context.Context, p *os.Process, cancel func()) <-chan bool {
	result := make(chan bool, 1)
	go func() {
		tick := time.NewTicker(250 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				result <- false
				return
			case <-tick.C:
				if mib, err := resident(p.Pid); err == nil && mib > r.maxMiB {
					cancel()
					result <- true
					return
				}
			}
		}
	}()
	return result
}

// resident returns the MiB of memory that a process takes.
func resident(pid int) (int, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(raw))
	if len(fields) < 2 {
		return 0, errors.New("statm is not what it was")
	}
	pages, err := strconv.Atoi(fields[1])
	return pages * os.Getpagesize() >> 20, err
}

// size returns the bytes of all files below dir; a missing one has none.
func size(dir string) (total int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) || err == nil && d.IsDir() {
			return nil
		}
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		total += info.Size()
		return nil
	})
	return total, err
}
