package flink

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A wait is given up when the processes of the test do nothing any more, not
// when a clock says so: on a busy machine all of this takes as long as it takes.
// Idle virtual machines use a little CPU, too, which is no sign of life.
const (
	idleTime = 10 * time.Minute
	idleCPU  = 20 * time.Second // of all processes together, in that time
)

// patience watches what the test's processes use of the CPU.
type patience struct {
	seen  map[int]time.Duration // CPU time by process
	moved time.Duration         // since the last sign of life
	since time.Time             // of that
}

func newPatience() *patience { return &patience{seen: descendants(), since: time.Now()} }

// over tells whether nothing has moved for long.
func (p *patience) over() bool {
	if time.Since(p.since) < idleTime/20 {
		return false
	}
	now := descendants()
	for pid, used := range now {
		p.moved += max(0, used-p.seen[pid])
	}
	p.seen = now
	if p.moved >= idleCPU {
		p.moved, p.since = 0, time.Now()
	}
	return time.Since(p.since) > idleTime
}

// descendants returns the CPU time of every process that comes from this one.
func descendants() map[int]time.Duration {
	const tick = 10 * time.Millisecond // what the kernel counts in, on all Linux that Go runs on
	parent, used := map[int]int{}, map[int]time.Duration{}
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		pid, _ := strconv.Atoi(strings.Split(name, "/")[2])
		fields := strings.Fields(string(raw[strings.LastIndexByte(string(raw), ')')+1:]))
		parent[pid], _ = strconv.Atoi(fields[1])
		for _, f := range fields[11:13] {
			n, _ := strconv.Atoi(f)
			used[pid] += time.Duration(n) * tick
		}
	}
	for pid := range used {
		up := pid
		for up > 1 && up != os.Getpid() {
			up = parent[up]
		}
		if up != os.Getpid() || pid == os.Getpid() {
			delete(used, pid)
		}
	}
	return used
}
