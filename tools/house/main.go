// Command house writes examples/house: notes of one invented hospital that repeats
// itself, as real ones do. Its templates, letterheads, wards, staff, patients and
// phrases were written by hand for it and lie beside this file; which of them
// meet in a note, dates and numbers are drawn. Equal files give equal notes.
//
//	go run ./tools/house
//	go run ./tools/house odd --out DIR
//	go run ./tools/house table --out DIR
//
// The second collects what such a house is not: notes in as many styles as
// patients, of those that no model was trained on and that are there to choose by.
// The third prints a table of docs/adapt.md from what make adapt-house left in DIR.
package main

import (
	_ "embed"
	"encoding/json"
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
	out := flag.String("out", "examples/house", "folder to write adapt/ and test/ to, or the odd notes; of table, make adapt-house's")
	flag.Parse()
	do := write
	if other, ok := map[string]func(string) error{"odd": odd, "table": printed}[flag.Arg(0)]; ok { // flags may stand behind it, too
		_ = flag.CommandLine.Parse(flag.Args()[1:])
		do = other
	}
	if err := do(*out); err != nil {
		fmt.Fprintln(os.Stderr, "house:", err)
		os.Exit(1)
	}
}

// odd copies the dev parts of the examples and of the training notes.
func odd(out string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for _, from := range []struct{ split, notes string }{
		{"examples/split.json", "examples/source"},
		{"model/training/notes/split.json", "model/training/notes"},
	} {
		data, err := os.ReadFile(from.split)
		if err != nil {
			return err
		}
		var split struct {
			Dev []string `json:"dev"`
		}
		if err := json.Unmarshal(data, &split); err != nil {
			return fmt.Errorf("%s: %w", from.split, err)
		}
		for _, id := range split.Dev {
			text, err := os.ReadFile(filepath.Join(from.notes, id+".txt"))
			if err == nil {
				err = os.WriteFile(filepath.Join(out, id+".txt"), text, 0o644)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
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
