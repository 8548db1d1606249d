package pipeline

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/pipeline/beamlog"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// progressLine shows how far the workers of this process are: one line that
// rewrites itself on a terminal, a plain line now and then otherwise.
type progressLine struct {
	out      io.Writer
	terminal bool
	started  time.Time
	done     chan struct{}
	wait     sync.WaitGroup
}

func startProgress(out io.Writer, started time.Time) *progressLine {
	p := &progressLine{out: out, started: started, done: make(chan struct{})}
	every := 15 * time.Second
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.terminal, every = true, 200*time.Millisecond
	}
	p.wait.Add(1)
	go func() {
		defer p.wait.Done()
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-p.done:
				if p.terminal {
					fmt.Fprint(p.out, "\r\x1b[K")
				}
				return
			case <-tick.C:
				p.show()
			}
		}
	}()
	return p
}

func (p *progressLine) stop() {
	close(p.done)
	p.wait.Wait()
}

func (p *progressLine) show() {
	if e, ok := p.out.(*Events); ok {
		e.progress(transforms.ProcessProgress())
		return
	}
	line := describeProgress(transforms.ProcessProgress(), time.Since(p.started))
	switch {
	case line == "":
	case p.terminal:
		fmt.Fprintf(p.out, "\r\x1b[K%s", line)
	default:
		fmt.Fprintln(p.out, line)
	}
}

// rewriteShare is the part of a job's time that the second pass takes, for the
// estimate of the time left.
const rewriteShare = 0.15

func describeProgress(p *transforms.Progress, elapsed time.Duration) string {
	shards, rows := p.Shards.Load(), p.Rows.Load()
	if shards == 0 {
		return ""
	}
	notes, released := p.Notes.Load(), p.Released.Load()
	pass, done := "detect", p.Detected.Load()
	if released > 0 || done == shards {
		pass, done = "rewrite", p.Rewritten.Load()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d of %d shards, %d of %d notes", pass, done, shards, max(notes, released), rows)
	if pass == "rewrite" {
		fmt.Fprintf(&b, ", %d rewritten", released)
	}
	if n := p.Gathered.Load(); n > 0 {
		fmt.Fprintf(&b, ", %d files of regrouped rows", n)
	}
	if seconds := elapsed.Seconds(); seconds > 0 && notes > 0 {
		fmt.Fprintf(&b, ", %.0f notes/s", float64(notes)/seconds)
		if rows > 0 {
			share := (1-rewriteShare)*float64(notes)/float64(rows) + rewriteShare*float64(released)/float64(rows)
			if share > 0.02 && share < 1 {
				left := time.Duration(seconds / share * (1 - share) * float64(time.Second))
				fmt.Fprintf(&b, ", %s left", left.Round(time.Second))
			}
		}
	}
	return b.String()
}

// describe makes Beam's error readable: what the DoFn said, without the
// execution plan around it.
func describe(err error) error {
	text := err.Error()
	if _, said, ok := beamlog.Failed(text); ok && !strings.HasPrefix(text, workerLost) {
		text = said
	}
	err = fmt.Errorf("%w: %s", ErrFailed, strings.TrimSpace(text))
	for _, locked := range []error{transforms.ErrLocked, transforms.ErrStateTaken} {
		if strings.Contains(text, locked.Error()) {
			err = fault.Mark(fault.Locked, err)
		}
	}
	return err
}
