package main

import (
	"os"
	"runtime"
	"strings"

	"github.com/palimpsest-deid/palimpsest/tools/bench/figures"
)

// writeFigures writes the table, and what the whole job took, to a file.
func writeFigures(name, notes string, textBytes int64, table []figure, job figures.Job) error {
	info, err := os.Stat(notes)
	if err != nil {
		return err
	}
	f := figures.Figures{
		Machine:   figures.Machine{CPU: processor(), Go: runtime.Version()},
		Notes:     job.Notes,
		TextBytes: textBytes,
		FileBytes: info.Size(),
		Job:       job,
	}
	for _, t := range table {
		f.Parts = append(f.Parts, figures.Part{Name: t.name, Cores: t.workers, Seconds: t.seconds, CPUSeconds: t.cpu, Tokens: t.tokens,
			Bytes: t.bytes})
		f.Machine.Cores = max(f.Machine.Cores, t.workers)
	}
	return f.Write(name)
}

// processor returns what the system calls the processor.
func processor() string {
	raw, err := os.ReadFile("/proc/cpuinfo")
	if err == nil {
		for line := range strings.Lines(string(raw)) {
			if name, ok := strings.CutPrefix(line, "model name"); ok {
				return strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(name), ":"))
			}
		}
	}
	return runtime.GOARCH
}
