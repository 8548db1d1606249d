package check

import (
	"fmt"
	"math"
	"runtime"
	"time"

	"golang.org/x/sys/unix"

	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/pipeline/memory"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// What a job takes, by what was measured: docs/sizing.md, and for memory on the
// direct runner docs/performance.md: 20,000 notes with the default model, and two
// sizes of tables of short notes with five spans each, 1 KB a note apart.
const (
	usualSpeed    = 0.15e6    // bytes of text that a core does in a second, where no sample was tagged
	restOfJob     = 1.35      // a job's time beside that of tagging alone
	usualSpans    = 10        // of a note
	baseMemory    = 600 << 20 // bytes of a process with the default model, and what one shard in work takes
	noteMemory    = 700       // for each note while patients are resolved, and
	spanMemory    = 160       // for each span
	bytesOfSpan   = 17        // of the private findings
	roomForOutput = 1.1       // of the input's bytes: other values, compressed anew
)

// estimate says about what the whole input takes.
func (r *report) estimate() {
	in, s := r.p.Inputs, r.p.Sample
	rows := float64(in.Rows)
	text := rows * float64(s.Bytes()) / float64(len(s.Notes))
	speed, spans, by := usualSpeed, float64(usualSpans), "by what a usual core does"
	if f := r.found; f != nil && f.Tagging > 0 && r.tried.Bytes() > 0 {
		speed, by = float64(r.tried.Bytes())/f.Tagging.Seconds(), "by the speed of the sample"
		var all int64
		for _, n := range f.ByType {
			all += n
		}
		spans = float64(all) / float64(len(f.Notes))
	}
	cores := r.cfg.Workers
	if cores == 0 {
		cores = runtime.GOMAXPROCS(0)
	}
	r.head("About what it takes")
	took := time.Duration(restOfJob * text / speed / float64(cores) * float64(time.Second))
	r.line("time: about %s on %s like this machine's, %s", duration(took), pipeline.Count(int64(cores), "core"), by)
	if pipeline.InProcess() {
		r.memory(int64(baseMemory + rows*(noteMemory+spanMemory*spans)))
	} else {
		r.line("memory: about 2 GB for each worker; docs/sizing.md tells more")
	}
	share := rows / math.Max(float64(in.All), 1)
	r.space("--output", r.cfg.Output, int64(roomForOutput*share*float64(in.Bytes)))
	if r.cfg.Findings {
		r.space("--private", r.cfg.Private, int64(rows*spans*bytesOfSpan))
	}
}

// memory says how much one process needs.
func (r *report) memory(need int64) {
	room := ""
	if has := memory.Available(); has > 0 {
		room = fmt.Sprintf(", and here it may have %s", size(has))
		if need > has*9/10 {
			room = fmt.Sprintf("; warning: here it may have %s. Run the job on some of the files at a time, or on Flink or Dataflow", size(has))
		}
	}
	r.line("memory: about %s in this one process%s", size(need), room)
}

// space says how much room a place needs and, on a local disk, how much it has.
func (r *report) space(what, dir string, need int64) {
	room := ""
	if free, ok := freeBelow(dir); ok {
		room = fmt.Sprintf(", where %s are free", size(free))
		if need > free {
			room = fmt.Sprintf("; warning: only %s are free there", size(free))
		}
	}
	r.line("space: about %s below %s=%s%s", size(need), what, dir, room)
}

// freeBelow returns the free space of the local disk that a directory is on, or
// will be.
func freeBelow(dir string) (int64, bool) {
	for {
		var system unix.Statfs_t
		if unix.Statfs(dir, &system) == nil {
			return int64(system.Bavail) * system.Bsize, true
		}
		up := storage.Dir(dir)
		if up == dir {
			return 0, false
		}
		dir = up
	}
}

// duration writes a time as people would say it.
func duration(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "a minute or less"
	case d < 100*time.Minute:
		return fmt.Sprintf("%.0f minutes", d.Minutes())
	case d < 72*time.Hour:
		return fmt.Sprintf("%.0f hours", d.Hours())
	}
	return fmt.Sprintf("%.0f days", d.Hours()/24)
}
