package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"runtime/pprof"
	"strconv"
	"strings"
	"time"

	"github.com/palimpsest-deid/palimpsest/tools/cputime"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// watch follows what the process takes while the job runs.
type watch struct {
	heap  string // file of the heap profile; "" for none
	start time.Time
	cpu   float64
	gc    float64
	mem   runtime.MemStats
	stop  chan struct{}
	done  chan struct{}

	live, inUse uint64 // largest heap: what was reachable, and with garbage
	stages      [2]busy
	profile     []byte // of the heap when most was reachable
}

// begin begins to follow the process.
func begin(heap string) *watch {
	w := &watch{heap: heap, start: time.Now(), cpu: cputime.Used().Seconds(), gc: gcSeconds(), stop: make(chan struct{}),
		done: make(chan struct{})}
	runtime.ReadMemStats(&w.mem)
	go w.follow()
	return w
}

func (w *watch) follow() {
	defer close(w.done)
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-w.stop:
			return
		case <-tick.C:
		}
		w.stages[stage()].look()
		w.inUse = max(w.inUse, counter("/memory/classes/heap/objects:bytes"))
		live := counter("/gc/heap/live:bytes")
		if w.heap == "" || live <= w.live+w.live/20 {
			w.live = max(w.live, live)
			continue
		}
		runtime.GC() // or the profile tells of the collection before
		w.live = live
		var b bytes.Buffer
		if pprof.Lookup("heap").WriteTo(&b, 0) == nil {
			w.profile = b.Bytes()
		}
	}
}

// end prints what the job took, of so many notes, and writes the heap profile.
func (w *watch) end(out io.Writer, notes int64) error {
	close(w.stop)
	<-w.done
	wall, cpu, gc := time.Since(w.start).Seconds(), cputime.Used().Seconds()-w.cpu, gcSeconds()-w.gc
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	peak, err := peakRSS()
	if err != nil {
		return err
	}
	cores := runtime.GOMAXPROCS(0)
	n := float64(notes)
	fmt.Fprintf(out, "%d notes, %.1f s by the clock, %.1f CPU s, %.0f notes per CPU second; %d cores\n",
		notes, wall, cpu, n/cpu, cores)
	for i, name := range []string{"to the end of Detect", "from there on"} {
		fmt.Fprintf(out, "%s: %.1f %% of the cores had nothing of this to do, by %d looks\n", name, 100*w.stages[i].idle(cores),
			w.stages[i].looks)
	}
	fmt.Fprintf(out, "garbage collection: %d times, %.1f %% of the CPU seconds\n", m.NumGC-w.mem.NumGC, 100*gc/cpu)
	fmt.Fprintf(out, "allocated for a note: %.0f times, %.1f KB\n", float64(m.Mallocs-w.mem.Mallocs)/n,
		float64(m.TotalAlloc-w.mem.TotalAlloc)/n/1e3)
	fmt.Fprintf(out, "peak: %d MiB resident; Go's heap %d MiB, of which %d MiB were reachable\n", peak>>20, w.inUse>>20, w.live>>20)
	if w.heap == "" {
		return nil
	}
	return os.WriteFile(w.heap, w.profile, 0o644)
}

func counter(name string) uint64 {
	s := []metrics.Sample{{Name: name}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// gcSeconds returns the processor time of garbage collection so far, without what
// it took of cores that were idle.
func gcSeconds() float64 {
	s := []metrics.Sample{{Name: "/cpu/classes/gc/total:cpu-seconds"}, {Name: "/cpu/classes/gc/mark/idle:cpu-seconds"}}
	metrics.Read(s)
	return s[0].Value.Float64() - s[1].Value.Float64()
}

// peakRSS returns the most bytes of memory that this process has had.
func peakRSS() (int64, error) {
	raw, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(raw)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
			return kib << 10, err
		}
	}
	return 0, errors.New("the kernel does not say what memory the process takes")
}

// stage returns 0 until all shards are through Detect, then 1.
func stage() int {
	p := transforms.ProcessProgress()
	if n := p.Shards.Load(); n > 0 && p.Detected.Load() >= n {
		return 1
	}
	return 0
}

// busy counts how many threads of this process were at work or waiting for a core
// when it looked. Unlike the clock, that hardly depends on who else uses the machine.
type busy struct {
	looks   int
	threads []int // looks by how many threads there were
}

func (b *busy) look() {
	names, _ := filepath.Glob("/proc/self/task/*/stat")
	n := -1 // the one that looks
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			continue // it has just ended
		}
		// pid (name) state
		if i := bytes.LastIndexByte(raw, ')'); i >= 0 && i+2 < len(raw) && raw[i+2] == 'R' {
			n++
		}
	}
	n = max(n, 0)
	b.threads = append(b.threads, make([]int, max(0, n+1-len(b.threads)))...)
	b.threads[n]++
	b.looks++
}

// idle returns the share of so many cores for which there was nothing to do.
func (b *busy) idle(cores int) float64 {
	if b.looks == 0 {
		return 0
	}
	idle := 0
	for n, looks := range b.threads {
		idle += looks * max(0, cores-n)
	}
	return float64(idle) / float64(cores*b.looks)
}
