// Package figures is what tools/bench measures, as a file that other commands
// read.
package figures

import (
	"encoding/json"
	"fmt"
	"os"
)

// Figures are the result of one run of tools/bench.
type Figures struct {
	Machine   Machine `json:"machine"`
	Notes     int     `json:"notes"`      // generated
	TextBytes int64   `json:"text_bytes"` // of these notes
	FileBytes int64   `json:"file_bytes"` // of the Parquet file that they are in
	Parts     []Part  `json:"parts"`      // in the order of the table
	Job       Job     `json:"job"`
}

// Machine is what the figures were measured on.
type Machine struct {
	CPU   string `json:"cpu"`
	Cores int    `json:"cores"` // that the job was given
	Go    string `json:"go"`
}

// Part is one row of the table.
type Part struct {
	Name       string  `json:"name"`
	Cores      int     `json:"cores"`
	Seconds    float64 `json:"seconds"`     // wall
	CPUSeconds float64 `json:"cpu_seconds"` // user and system, of all cores
	Tokens     int64   `json:"tokens"`
	Bytes      int64   `json:"bytes"` // of text
}

// Job is the whole job, in a process of its own.
type Job struct {
	Notes         int     `json:"notes"`
	Tokens        int64   `json:"tokens"`
	Seconds       float64 `json:"seconds"`     // wall
	CPUSeconds    float64 `json:"cpu_seconds"` // user and system, of all cores
	PeakMiB       int     `json:"peak_mib"`    // resident, at its largest
	ShuffledBytes int64   `json:"shuffled_bytes"`
	WrittenBytes  int64   `json:"written_bytes"` // output and private part
}

// Kernel is the name of the part that is the network alone.
const Kernel = "ONNX kernel alone"

// Part returns the part of that name.
func (f *Figures) Part(name string) (Part, bool) {
	for _, p := range f.Parts {
		if p.Name == name {
			return p, true
		}
	}
	return Part{}, false
}

// Write writes the figures to a file.
func (f *Figures) Write(name string) error {
	raw, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(raw, '\n'), 0o644)
}

// Read reads what Write wrote, and refuses figures that nothing can be reckoned
// with.
func Read(name string) (*Figures, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	f := &Figures{}
	if err := json.Unmarshal(raw, f); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if f.Notes <= 0 || f.TextBytes <= 0 || f.FileBytes <= 0 || f.Job.Notes <= 0 || f.Job.CPUSeconds <= 0 {
		return nil, fmt.Errorf("%s holds no figures of the whole job; write it by go run ./tools/bench --json %s", name, name)
	}
	return f, nil
}
