// Package memory fits the process into the memory that it may have: that of its
// container, or of the machine.
package memory

import (
	"io/fs"
	"math"
	"os"
	"path"
	"strconv"
	"strings"
)

// Available returns how many bytes of memory this process may have: the machine's,
// or those of the smallest limit on a control group that it is in. It returns 0
// where the system says neither.
func Available() int64 { return available(os.DirFS("/")) }

// available is Available, with the root of the file system to look in.
func available(root fs.FS) int64 {
	least := int64(math.MaxInt64)
	for _, name := range limitFiles(root) {
		if limit, ok := number(root, name); ok {
			least = min(least, limit)
		}
	}
	if total, ok := machine(root); ok {
		least = min(least, total)
	}
	if least == math.MaxInt64 {
		return 0
	}
	return least
}

// limitFiles returns the files that may hold a limit on this process's memory: of
// its control group and of each above it, of version 2 and 1. In a container the
// group's path may be the host's, which is not there; the container's own limit
// then stands at the top.
func limitFiles(root fs.FS) []string {
	raw, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return nil
	}
	var names []string
	for line := range strings.Lines(string(raw)) { // number:controllers:path
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		tops, file := []string{"sys/fs/cgroup", "sys/fs/cgroup/unified"}, "memory.max"
		if parts[1] != "" {
			tops, file = []string{"sys/fs/cgroup/memory"}, "memory.limit_in_bytes"
		}
		if parts[1] != "" && !strings.Contains(","+parts[1]+",", ",memory,") {
			continue
		}
		for group := path.Clean("/" + parts[2]); ; group = path.Dir(group) {
			for _, top := range tops {
				names = append(names, path.Join(top, group, file))
			}
			if group == "/" {
				break
			}
		}
	}
	return names
}

// number reads a limit; "max", and a file that is not there, say nothing.
func number(root fs.FS, name string) (int64, bool) {
	raw, err := fs.ReadFile(root, name)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(raw)), 10, 64)
	return n, err == nil && n > 0
}

// machine returns the bytes of memory that the machine has.
func machine(root fs.FS) (int64, bool) {
	raw, err := fs.ReadFile(root, "proc/meminfo")
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(raw)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "MemTotal:" && f[2] == "kB" {
			kib, err := strconv.ParseInt(f[1], 10, 64)
			return kib << 10, err == nil && kib > 0
		}
	}
	return 0, false
}
