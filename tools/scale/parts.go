package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
)

// The results of a release in parts: one row for each job over one part, and one for
// each job over several.
const (
	partsFile    = "parts.csv"
	togetherFile = "together.csv"
)

// partColumn is one column of the results: where it stands in a partDone.
type partColumn struct {
	name string
	of   func(*partDone) any // *int, *int64, *float64 or *string
}

var partColumns = []partColumn{
	{"part", func(d *partDone) any { return &d.Part }},
	{"upto", func(d *partDone) any { return &d.Upto }},
	{"parts", func(d *partDone) any { return &d.Parts }},
	{"model", func(d *partDone) any { return &d.Model }},
	{"program", func(d *partDone) any { return &d.Program }},
	{"patients", func(d *partDone) any { return &d.Patients }},
	{"notes", func(d *partDone) any { return &d.made.Notes }},
	{"discharge", func(d *partDone) any { return &d.Discharge }},
	{"text_bytes", func(d *partDone) any { return &d.made.Text }},
	{"made_tokens", func(d *partDone) any { return &d.made.Tokens }},
	{"copied_tokens", func(d *partDone) any { return &d.Copied }},
	{"tokens", func(d *partDone) any { return &d.point.Tokens }},
	{"quarantined", func(d *partDone) any { return &d.Quarantined }},
	{"spans", func(d *partDone) any { return &d.Spans }},
	{"windows", func(d *partDone) any { return &d.Windows }},
	{"windows_reused", func(d *partDone) any { return &d.Reused }},
	{"cpu_seconds", func(d *partDone) any { return &d.CPU }},
	{"wall_seconds", func(d *partDone) any { return &d.Wall }},
	{"peak_mib", func(d *partDone) any { return &d.PeakMiB }},
	{"input_bytes", func(d *partDone) any { return &d.Input }},
	{"written_bytes", func(d *partDone) any { return &d.Written }},
	{"shuffled_bytes", func(d *partDone) any { return &d.Shuffled }},
	{"kernel_tokens", func(d *partDone) any { return &d.Kernel.Tokens }},
	{"kernel_cpu_seconds", func(d *partDone) any { return &d.Kernel.CPUSeconds }},
}

// add writes one more row to a file of results. The file is as it was, or has the row.
func (o release) add(file string, d partDone) error {
	name := filepath.Join(o.results, file)
	done, err := readParts(name)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(o.results, file)
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	w := csv.NewWriter(f)
	var row []string
	for _, c := range partColumns {
		row = append(row, c.name)
	}
	_ = w.Write(row)
	for _, d := range append(done, d) {
		row = row[:0]
		for _, c := range partColumns {
			switch x := c.of(&d).(type) {
			case *float64:
				row = append(row, strconv.FormatFloat(*x, 'f', 3, 64))
			case *int:
				row = append(row, strconv.Itoa(*x))
			case *int64:
				row = append(row, whole(*x))
			case *string:
				row = append(row, *x)
			}
		}
		_ = w.Write(row)
	}
	if w.Flush(); w.Error() != nil {
		return w.Error()
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// readParts reads a file of results; a missing one has none.
func readParts(name string) ([]partDone, error) { return readResults(name, parseParts) }

func parseParts(r io.Reader) ([]partDone, error) {
	rows, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return nil, err
	}
	var done []partDone
	for i, row := range rows {
		if len(row) != len(partColumns) {
			return nil, fmt.Errorf("it has %d columns, want %d", len(row), len(partColumns))
		}
		if i == 0 {
			continue
		}
		d := partDone{}
		for k, c := range partColumns {
			switch x := c.of(&d).(type) {
			case *string:
				*x = row[k]
			default:
				if _, err := fmt.Sscan(row[k], x); err != nil {
					return nil, fmt.Errorf("row %d, column %s: not a number", i+1, c.name)
				}
			}
		}
		done = append(done, d)
	}
	return done, nil
}
