package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// corpus is a table of notes and what a job made of it.
type corpus struct {
	notes []note
	birth map[string]string // YYYY-MM-DD by patient id
}

// note is one note before and after. Offsets are code points.
type note struct {
	id, patient   string
	before, after []rune
	day, moved    int // of the note, in days since 1970-01-01
	found         []table.Finding
	gold          []mark
}

// mark is an annotated span.
type mark struct {
	start, end int
	typ        string
}

type goldRow struct {
	DocumentID string `parquet:"document_id"`
	Start      int32  `parquet:"start"`
	End        int32  `parquet:"end"`
	Type       string `parquet:"type"`
}

func readCorpus(ctx context.Context, in, identifiers, gold, out string) (*corpus, error) {
	before, err := readNotes(ctx, in)
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(out, "notes", "*.parquet"))
	if err != nil {
		return nil, err
	}
	var after []table.Note
	for _, f := range files {
		more, err := readNotes(ctx, f)
		if err != nil {
			return nil, err
		}
		after = append(after, more...)
	}
	held, err := filepath.Glob(filepath.Join(out+"-private", "quarantine", "*.parquet"))
	if err != nil {
		return nil, err
	}
	for _, f := range held {
		notes, err := readNotes(ctx, f)
		if err != nil {
			return nil, err
		}
		for _, q := range notes {
			before = slices.DeleteFunc(before, func(n table.Note) bool { return n.DocumentID.Text == q.DocumentID.Text })
		}
	}
	if len(before) != len(after) {
		return nil, fmt.Errorf("%s: %d notes in and not in quarantine, %d out; they are matched by position", in, len(before), len(after))
	}
	c := &corpus{birth: map[string]string{}}
	at := map[string]int{}
	for i, b := range before {
		at[b.DocumentID.Text] = i
		c.notes = append(c.notes, note{id: b.DocumentID.Text, patient: b.PatientID.Text, before: []rune(b.Texts[0].Value),
			after: []rune(after[i].Texts[0].Value),
			day:   int(b.NoteDate), moved: int(after[i].NoteDate)})
		if b.PatientID.Text == "" {
			c.notes[i].patient = "note " + b.DocumentID.Text
		}
	}
	found, err := filepath.Glob(filepath.Join(out+"-private", "findings", "*.parquet"))
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		rows, err := parquet.ReadFile[table.Finding](f)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			n := &c.notes[at[r.DocumentID]]
			n.found = append(n.found, r)
		}
	}
	if gold != "" {
		rows, err := parquet.ReadFile[goldRow](gold)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			i, ok := at[r.DocumentID]
			if !ok {
				continue // in quarantine
			}
			n := &c.notes[i]
			n.gold = append(n.gold, mark{int(r.Start), int(r.End), r.Type})
		}
	}
	for i := range c.notes {
		slices.SortFunc(c.notes[i].found, func(a, b table.Finding) int { return int(a.Start - b.Start) })
	}
	object, err := storage.Open(ctx, identifiers)
	if err != nil {
		return nil, err
	}
	defer object.Close()
	people, err := table.OpenIdentifiers(object, object.Size(), identifiers, nil)
	if err != nil {
		return nil, err
	}
	err = people.Each(ctx, func(p lexicon.Identifiers) error {
		c.birth[p.PatientID] = p.BirthDate
		return nil
	})
	return c, err
}

// only leaves the notes of the patients that a split's part names.
func (c *corpus) only(split, part string) error {
	raw, err := os.ReadFile(split)
	if err != nil {
		return err
	}
	var parts map[string][]string
	if err := json.Unmarshal(raw, &parts); err != nil {
		return fmt.Errorf("%s: %w", split, err)
	}
	if len(parts[part]) == 0 {
		return fmt.Errorf("%s has no part %q", split, part)
	}
	c.notes = slices.DeleteFunc(c.notes, func(n note) bool { return !slices.Contains(parts[part], n.patient) })
	return nil
}

func readNotes(ctx context.Context, path string) (notes []table.Note, err error) {
	err = table.WithFile(ctx, path, func(file *table.File) error {
		b, err := file.Bind(table.Columns{DocumentID: "note_id", PatientID: "patient_id", Text: []string{"text"}, Dates: []string{"note_date"},
			NoteDate: "note_date"})
		if err != nil {
			return err
		}
		return b.ReadAllNotes(ctx, func(batch []table.Note) error {
			notes = append(notes, batch...)
			return nil
		})
	})
	return notes, err
}

// released returns what stands for before[start:end] in the released text, both
// widened to the edges of the findings that overlap it, and these findings.
func (n *note) released(start, end int) (before, after string, lead, tail string, by []table.Finding) {
	a, b := start, end
	for _, f := range n.found {
		if int(f.Start) < end && int(f.End) > start {
			by = append(by, f)
			a, b = min(a, int(f.Start)), max(b, int(f.End))
		}
	}
	return string(n.before[a:b]), string(n.after[n.place(a):n.place(b)]), string(n.before[a:start]), string(n.before[end:b]), by
}

// place returns where an offset outside of all findings, or at an edge of one,
// lies in the released text.
func (n *note) place(at int) int {
	shift := 0
	for _, f := range n.found {
		if int(f.End) > at {
			break
		}
		shift = int(f.OutputEnd - f.End)
	}
	return at + shift
}
