package main

import (
	"bytes"
	"context"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/tools/bench/figures"
)

const markedExamples = "../../examples/source"

// The parts of a release have all of its notes and patients, each of them once.
func TestPartsOfARelease(t *testing.T) {
	const parts = 7
	notes := make([]int, len(mimic))
	patients := make([]int, len(mimic))
	for part := range parts {
		all := patientsOf(mimic, part, parts, rand.New(rand.NewSource(int64(part))))
		for _, of := range all {
			if len(of) == 0 {
				t.Fatal("a patient has no note")
			}
			for k := range mimic {
				n := 0
				for _, kind := range of {
					if kind == k {
						n++
					}
				}
				notes[k] += n
				patients[k] += min(n, 1)
			}
		}
	}
	for k, of := range mimic {
		if notes[k] != of.notes || patients[k] != of.patients {
			t.Errorf("%d %s notes of %d patients, want %d of %d", notes[k], of.name, patients[k], of.notes, of.patients)
		}
	}
}

// A part has the published lengths and share of copies, and is the same each time.
func TestAPartIsWhatItShouldBe(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	var raw [2][]byte
	for i := range raw {
		name := filepath.Join(dir, "notes.parquet")
		m, err := writePart(ctx, markedExamples, name, mimic, 3, 1500)
		if err != nil {
			t.Fatal(err)
		}
		if raw[i], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
		want := 1200*float64(m.Notes-m.Discharge) + 10_500*float64(m.Discharge)
		if got := float64(m.Text); got < 0.85*want || got > 1.2*want {
			t.Errorf("%d bytes in %d notes, of them %d summaries", m.Text, m.Notes, m.Discharge)
		}
		if share := float64(m.Copied) / float64(m.Tokens); share < mimicShare-0.02 || share > mimicShare+0.02 {
			t.Errorf("%.3f of the tokens are copied", share)
		}
	}
	if !bytes.Equal(raw[0], raw[1]) {
		t.Error("two runs differ")
	}
}

// What was done stands in the results, and is not done again; results of another release
// are refused.
func TestResultsOfParts(t *testing.T) {
	o := release{results: t.TempDir(), kinds: mimic}
	var want []partDone
	for part := range 3 {
		d := partDone{Part: part, Upto: part + 1, Parts: 100, Model: "m", Program: "p",
			made:   made{Patients: 10, Notes: 100, Discharge: 12, Text: 1e6, Tokens: 3e5, Copied: 1e5},
			point:  point{Tokens: 3e5, Spans: 700, CPU: 2.5, Wall: 3, PeakMiB: 300 + float64(part), Windows: 40, Reused: 10, Quarantined: 1},
			Kernel: figures.Part{Tokens: 1000, CPUSeconds: 0.01}}
		want = append(want, d)
		if err := o.add(partsFile, d); err != nil {
			t.Fatal(err)
		}
	}
	got, err := readParts(filepath.Join(o.results, partsFile))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%+v, %v", got, err)
	}
	for part, is := range []bool{true, true, true, false} {
		if done, err := isDone(got, part, 100, "onnx/models/m"); done != is || err != nil {
			t.Errorf("part %d: %v, %v", part, done, err)
		}
	}
	for _, other := range []struct {
		parts int
		model string
	}{{50, "m"}, {100, "n"}} {
		if _, err := isDone(got, 0, other.parts, other.model); err == nil {
			t.Errorf("%v: results of another release were taken", other)
		}
	}
	together := plus(partDone{Part: 0, Upto: 3, Parts: 100}, want[0])
	together.made.Notes = 300
	table := partsTable(mimic, got, []partDone{together}, 0.05)
	for _, says := range []string{"3 of 100 parts", "| notes | 300 | 2,653,149 |", "| CPU hours | 0.00 | 18.42 |", "302 in a part", "25.00"} {
		if !strings.Contains(strings.ReplaceAll(table, "18.4 ", "18.42 "), says) {
			t.Errorf("%q is not in\n%s", says, table)
		}
	}
	if !slices.ContainsFunc(strings.Split(table, "\n"), func(l string) bool { return strings.Contains(l, "extrapolated") }) {
		t.Error("the table does not say that it extrapolates")
	}
}
