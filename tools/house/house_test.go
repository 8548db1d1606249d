package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi/marked"
)

const committed = "../../examples/house"

// TestCommitted holds the notes to what they are made from.
func TestCommitted(t *testing.T) {
	out := t.TempDir()
	if err := write(out); err != nil {
		t.Fatal(err)
	}
	notes := map[string]int{}
	for _, part := range []string{"adapt", "test"} {
		files, err := filepath.Glob(filepath.Join(out, part, "*.txt"))
		if err != nil {
			t.Fatal(err)
		}
		there, _ := filepath.Glob(filepath.Join(committed, part, "*"))
		if len(there) != len(files) {
			t.Errorf("%s has %d files, want %d; run: make house", part, len(there), len(files))
		}
		for _, file := range files {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(filepath.Join(committed, part, filepath.Base(file)))
			if err != nil || string(got) != string(want) {
				t.Errorf("%s is not what its sources give (%v); run: make house", filepath.Base(file), err)
			}
			p, err := marked.Parse(file, want)
			if err != nil {
				t.Fatal(err)
			}
			notes[part] += len(p.Notes)
			for _, n := range p.Notes {
				if len(n.Spans) < 5 || strings.ContainsAny(n.Text, "{}[]") {
					t.Errorf("%s: a note has %d spans, or holes", filepath.Base(file), len(n.Spans))
				}
			}
		}
	}
	if notes["adapt"] != 100 || notes["test"] != 200 {
		t.Errorf("%v notes, want 100 to adapt and 200 to test", notes)
	}
}

// TestEveryPhraseCanBeWritten fills each hole there is.
func TestEveryPhraseCanBeWritten(t *testing.T) {
	h, err := readHouse()
	if err != nil {
		t.Fatal(err)
	}
	for _, late := range []bool{false, true} {
		for i := range h.patients {
			if _, err := h.patient(i, late); err != nil {
				t.Fatal(err)
			}
		}
	}
	used := templatesText
	for section := range h.phrases {
		if !strings.Contains(used, "{"+section+"}") {
			t.Errorf("no template uses %s", section)
		}
	}
}

// TestTheHalvesDiffer: patients differ, and each half of the year has staff and
// phrases that the other has not.
func TestTheHalvesDiffer(t *testing.T) {
	text := map[string]string{}
	for _, part := range []string{"adapt", "test"} {
		files, _ := filepath.Glob(filepath.Join(committed, part, "*.txt"))
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text[part] += string(data)
		}
	}
	for who, parts := range map[string][2]bool{"[[DOCTOR:SB]]": {true, false}, "[[DOCTOR:TO]]": {false, true}, "[[DOCTOR:BS]]": {true, true},
		"PATIENT:YARROW": {true, false}, "PATIENT:PUGH": {false, false}, "Thank you for referring this": {true, false},
		"did not attend on": {false, true}} {
		if strings.Contains(text["adapt"], who) != parts[0] {
			t.Errorf("%s stands in adapt: %v", who, !parts[0])
		}
		if strings.Contains(text["test"], who) != parts[1] {
			t.Errorf("%s stands in test: %v", who, !parts[1])
		}
	}
}
