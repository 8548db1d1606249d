package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/model/phi/marked"
)

// tables are the three tables of the examples.
type tables struct {
	patients []marked.Patient
	notes    []noteRow // in order of writing, as a warehouse appends them
	known    []identifiersRow
	gold     []goldRow // in the order of notes, then of text
}

// nullPatients is how many notes have lost their patient id, as happens in
// real tables.
const nullPatients = 2

// read makes the tables from the marked sources.
func read(fsys fs.FS, source string) (tables, error) {
	var t tables
	var err error
	if t.patients, err = marked.ReadDir(fsys, source); err != nil {
		return t, err
	}
	part, err := readSplit(fsys, path.Join(path.Dir(source), "split.json"), t.patients)
	if err != nil {
		return t, err
	}
	type annotated struct {
		row   noteRow
		spans []marked.Span
		part  string
	}
	var all []annotated
	for _, p := range t.patients {
		t.known = append(t.known, newIdentifiersRow(p))
		stays, err := encounters(p)
		if err != nil {
			return t, fmt.Errorf("patient %s: %w", p.ID, err)
		}
		for i, n := range p.Notes {
			row, err := newNoteRow(p, i, stays[i])
			if err != nil {
				return t, fmt.Errorf("patient %s, note %d: %w", p.ID, i+1, err)
			}
			all = append(all, annotated{row, n.Spans, part[p.ID]})
		}
	}
	slices.SortFunc(all, func(a, b annotated) int {
		return cmp.Or(cmp.Compare(a.row.WrittenAt, b.row.WrittenAt), cmp.Compare(a.row.NoteID, b.row.NoteID))
	})
	for _, a := range all {
		t.notes = append(t.notes, a.row)
		for _, s := range a.spans {
			t.gold = append(t.gold, goldRow{
				DocumentID: strconv.FormatInt(a.row.NoteID, 10), TextColumn: "text",
				Start: int32(s.RuneStart), End: int32(s.RuneEnd), Type: s.Type.String(), Split: a.part,
			})
		}
	}
	losePatients(t.notes, part)
	return t, nil
}

// losePatients takes the patient id from a few notes of the training part:
// those whose draw is lowest.
func losePatients(notes []noteRow, part map[string]string) {
	var train []*noteRow
	for i := range notes {
		if part[*notes[i].PatientID] == "train" {
			train = append(train, &notes[i])
		}
	}
	lot := func(n *noteRow) uint64 { return newDraw("no patient", strconv.FormatInt(n.NoteID, 10)).next() }
	slices.SortFunc(train, func(a, b *noteRow) int { return cmp.Compare(lot(a), lot(b)) })
	for _, n := range train[:min(nullPatients, len(train))] {
		n.PatientID = nil
	}
}

// write writes the three files into the folder, whole or not at all.
func (t tables) write(folder string, groupRows int) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(folder, "notes.parquet"), t.notes, groupRows); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(folder, "identifiers.parquet"), t.known, groupRows); err != nil {
		return err
	}
	return writeFile(filepath.Join(folder, "gold.parquet"), t.gold, len(t.gold))
}

// writeFile writes one table. Equal rows give equal bytes: the file says
// nothing of the time or of the program's build, and Zstandard, unlike Snappy,
// is coded alike on every processor.
func writeFile[T any](file string, rows []T, groupRows int) error {
	var b bytes.Buffer
	w := parquet.NewGenericWriter[T](&b,
		parquet.Compression(&parquet.Zstd),
		parquet.CreatedBy("palimpsest-examples", "1", "none"),
	)
	for group := range slices.Chunk(rows, groupRows) {
		if _, err := w.Write(group); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if err := w.Flush(); err != nil { // ends the row group
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	if err := w.Close(); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	temporary := file + ".tmp"
	if err := os.WriteFile(temporary, b.Bytes(), 0o644); err != nil {
		return err
	}
	return os.Rename(temporary, file)
}
