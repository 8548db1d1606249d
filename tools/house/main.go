// Command house writes examples/house: notes of one invented hospital that repeats
// itself, as real ones do. Its templates, letterheads, wards, staff, patients and
// phrases were written by hand for it and lie beside this file; which of them
// meet in a note, dates and numbers are drawn. Equal files give equal notes.
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

//go:embed people.txt
var peopleText string

//go:embed patients.txt
var patientsText string

//go:embed places.txt
var placesText string

//go:embed templates.txt
var templatesText string

//go:embed phrases.txt
var phrasesText string

// Notes of each patient, and patients whose notes are for adapting. The others,
// who came in the second half of the year, are for testing.
const (
	notesEach     = 4
	adaptPatients = 25
)

func main() {
	out := flag.String("out", "examples/house", "folder to write adapt/ and test/ to")
	flag.Parse()
	if err := write(*out); err != nil {
		fmt.Fprintln(os.Stderr, "house:", err)
		os.Exit(1)
	}
}

// write writes a file of marked notes for each patient.
func write(out string) error {
	h, err := readHouse()
	if err != nil {
		return err
	}
	for i := range h.patients {
		part := "test"
		if i < adaptPatients {
			part = "adapt"
		}
		text, err := h.patient(i, part == "test")
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Join(out, part), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(out, part, h.patients[i].id+".txt"), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
