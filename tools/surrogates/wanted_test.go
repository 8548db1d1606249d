package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWanted: a figure beyond what is wanted is bold, one within is not, and figures
// that count what is right are read the other way round.
func TestWanted(t *testing.T) {
	out := figures{
		{"examples", "ambiguous dates of patients who write the day first, moved to a wrong day", 1, 200},
		{"held-out", "ambiguous dates of patients who write the day first, moved to a wrong day", 9, 200},
		{"fresh", "ambiguous dates of patients who write the day first, moved to a wrong day", 1, 100},
		{"generated notes", "full dates right", 10, 10},
		{"generated notes", "dates without a year right", 9, 10},
	}.wanted()
	for _, line := range []string{
		"| ≤ 1 % | **examples and held-out 10 of 400**; fresh 1 of 100 |", "| full dates right |  | all | generated notes 10 of 10 |",
		"| all | **generated notes 9 of 10** |",
	} {
		if !strings.Contains(out, line) {
			t.Errorf("%s\nlacks %s", out, line)
		}
	}
}

// TestOnly: of a corpus the notes of one part's patients are left.
func TestOnly(t *testing.T) {
	split := filepath.Join(t.TempDir(), "split.json")
	if err := os.WriteFile(split, []byte(`{"dev": ["p1"], "test": ["p2", "p3"]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	c := &corpus{notes: []note{{id: "1", patient: "p1"}, {id: "2", patient: "p2"}, {id: "3", patient: "note 3"}}}
	if err := c.only(split, "test"); err != nil || len(c.notes) != 1 || c.notes[0].id != "2" {
		t.Errorf("%v, %v", c.notes, err)
	}
	if err := c.only(split, "train"); err == nil {
		t.Error("a part that the split has not is taken")
	}
}

// TestReader: names are told apart by the letters that they were learnt from.
func TestReader(t *testing.T) {
	r := &reader{letters{map[string]float64{}, map[string]float64{}}, letters{map[string]float64{}, map[string]float64{}}}
	for _, w := range strings.Fields("garcia martinez rodriguez gonzalez sanchez perez ramirez quintana") {
		r.spanish.add(w)
	}
	for _, w := range strings.Fields("smith johnson thompson wright bradshaw whitfield harrison underwood") {
		r.english.add(w)
	}
	for w, want := range map[string]bool{"dominguez": true, "marquez": true, "robertson": false, "shaw": false} {
		if got := r.readsSpanish(w); got != want {
			t.Errorf("%s reads as Spanish: %v", w, got)
		}
	}
}
