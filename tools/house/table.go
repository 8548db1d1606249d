package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/palimpsest-deid/palimpsest/model/score"
)

// adapted is what palimpsest adapt --json writes, as far as the table shows it.
type adapted struct {
	Method    string         `json:"method"`
	Notes     map[string]int `json:"notes"`
	Patients  map[string]int `json:"patients"`
	Better    bool           `json:"better"`
	Job       *score.Paired  `json:"job"`
	JobStrict *score.Paired  `json:"job_strict"`
}

// ways are the ways to adapt, in the order of the table.
var ways = []struct{ name, what string }{{"lists", "lists"}, {"crf", "feature CRF beside the network"}, {"network", "network"}}

// printed prints the table of a folder.
func printed(folder string) error { return table(folder, []int{24, 48, 100}, os.Stdout) }

// table writes what each way to adapt brings by the number of notes: a row for each of
// the files WAY-NOTES.json in a folder that make adapt-house has filled.
func table(folder string, sizes []int, w io.Writer) error {
	fmt.Fprint(w,
		"| notes (patients) | way | tokens of PHI found | right, of what was taken | F2 | spans, F1 | kept |\n|--:|---|--:|--:|--:|--:|---|\n")
	cell := func(d score.PairedDifference) string {
		return fmt.Sprintf("%.2f, %+.2f (%+.2f to %+.2f)", 100*d.A, 100*d.Difference, 100*d.Low, 100*d.High)
	}
	for _, n := range sizes {
		for _, way := range ways {
			data, err := os.ReadFile(filepath.Join(folder, fmt.Sprintf("%s-%d.json", way.name, n)))
			if err != nil {
				return err
			}
			var v adapted
			if err := json.Unmarshal(data, &v); err != nil {
				return err
			}
			if got := v.Notes["train"] + v.Notes["stop"]; got != n || v.Method != way.name {
				return fmt.Errorf("%s-%d.json is of %s and %d notes", way.name, n, v.Method, got)
			}
			kept := "yes"
			if !v.Better {
				kept = "no"
			}
			fmt.Fprintf(w, "| %d (%d) | %s | %s | %s | %s | %s | %s |\n", n, v.Patients["train"]+v.Patients["stop"], way.what, cell(v.Job.Recall),
				cell(v.Job.Precision), cell(v.Job.F2), cell(v.JobStrict.F1), kept)
		}
	}
	return nil
}
