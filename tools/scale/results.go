package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"strconv"
)

// The columns of a sweep's CSV. The first row after the header is the base: a
// run over next to nothing, with x 0.
var columns = []string{"x", "notes", "text_bytes", "input_bytes", "written_bytes", "spans", "shuffled_bytes", "cpu_seconds",
	"wall_seconds", "peak_mib", "outcome"}

func writeCSV(name string, points []point) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	w := csv.NewWriter(f)
	_ = w.Write(columns)
	for _, p := range points {
		_ = w.Write([]string{
			strconv.Itoa(p.X), whole(p.Notes), whole(p.Text), whole(p.Input), whole(p.Written), whole(p.Spans), whole(p.Shuffled),
			strconv.FormatFloat(p.CPU, 'f', 2, 64), strconv.FormatFloat(p.Wall, 'f', 2, 64), strconv.FormatFloat(p.PeakMiB, 'f', 0, 64), p.Outcome,
		})
	}
	if w.Flush(); w.Error() != nil {
		return w.Error()
	}
	return f.Close()
}

func whole(n int64) string { return strconv.FormatInt(n, 10) }

// readCSV reads what writeCSV wrote; a missing file has no points.
func readCSV(name string) ([]point, error) { return readResults(name, parseCSV) }

// readResults reads a file of results; a missing one has none.
func readResults[T any](name string, parse func(io.Reader) ([]T, error)) ([]T, error) {
	f, err := os.Open(name)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	results, err := parse(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return results, nil
}

func parseCSV(r io.Reader) ([]point, error) {
	rows, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return nil, err
	}
	var points []point
	for i, row := range rows {
		if len(row) != len(columns) {
			return nil, fmt.Errorf("row %d has %d columns, want %d", i+1, len(row), len(columns))
		}
		if i == 0 {
			continue
		}
		numbers := make([]float64, len(row)-1)
		for k := range numbers {
			if numbers[k], err = strconv.ParseFloat(row[k], 64); err != nil {
				return nil, fmt.Errorf("row %d, column %s: not a number", i+1, columns[k])
			}
		}
		points = append(points, point{
			X: int(numbers[0]), Notes: int64(numbers[1]), Text: int64(numbers[2]), Input: int64(numbers[3]), Written: int64(numbers[4]),
			Spans: int64(numbers[5]), Shuffled: int64(numbers[6]), CPU: numbers[7], Wall: numbers[8], PeakMiB: numbers[9], Outcome: row[len(row)-1],
		})
	}
	return points, nil
}
