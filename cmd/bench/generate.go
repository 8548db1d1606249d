package main

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/model/token"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// row is one generated note.
type row struct {
	NoteID    int64  `parquet:"note_id"`
	PatientID string `parquet:"patient_id"`
	NoteDate  int32  `parquet:"note_date,date"`
	Text      string `parquet:"text,zstd"`
}

// notesPerPatient and rowsPerGroup shape the generated table.
const (
	notesPerPatient = 8
	rowsPerGroup    = 1000
)

// generate writes n notes to file and returns their texts. Each is one of the
// source's notes with all digits redrawn and many names exchanged for made-up
// ones, since repeating the same words would flatter every cache.
func generate(ctx context.Context, source, file string, n int) ([]string, error) {
	sources, err := readTexts(ctx, source)
	if err != nil {
		return nil, err
	}
	if len(sources) == 0 {
		return nil, fmt.Errorf("%s holds no notes", source)
	}
	f, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	w := parquet.NewGenericWriter[row](f, parquet.MaxRowsPerRowGroup(rowsPerGroup))
	r := rand.New(rand.NewSource(1))
	texts := make([]string, n)
	for i := range texts {
		texts[i] = vary(r, sources[i%len(sources)])
		_, err := w.Write([]row{{
			NoteID: int64(i + 1), PatientID: fmt.Sprintf("p%06d", r.Intn(n/notesPerPatient+1)),
			NoteDate: int32(14_000 + r.Intn(5000)), Text: texts[i],
		}})
		if err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return texts, f.Close()
}

func readTexts(ctx context.Context, name string) ([]string, error) {
	object, err := storage.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer object.Close()
	file, err := table.Open(object, object.Size(), name)
	if err != nil {
		return nil, err
	}
	b, err := file.Bind(table.Columns{DocumentID: "note_id", Text: []string{"text"}})
	if err != nil {
		return nil, err
	}
	var texts []string
	for g := range file.RowGroups() {
		err := b.ReadNotes(ctx, g, func(batch []table.Note) error {
			for _, n := range batch {
				texts = append(texts, n.Texts[0].Value)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// vary redraws every digit and a third of the capitalised words.
func vary(r *rand.Rand, text string) string {
	var b strings.Builder
	b.Grow(len(text))
	at := 0
	for _, t := range token.Tokenize(nil, text) {
		b.WriteString(text[at:t.Start])
		form := t.Text(text)
		switch {
		case t.Class == token.Digits:
			for range form {
				b.WriteByte(byte('0' + r.Intn(10)))
			}
		case t.Class == token.Title && len(form) > 3 && r.Intn(3) == 0:
			b.WriteString(madeUp(r))
		default:
			b.WriteString(form)
		}
		at = int(t.End)
	}
	b.WriteString(text[at:])
	return b.String()
}

// madeUp returns a pronounceable capitalised word.
func madeUp(r *rand.Rand) string {
	const onsets, vowels = "bcdfghjklmnprstvwz", "aeiou"
	var b strings.Builder
	for i := range 2 + r.Intn(2) {
		c := onsets[r.Intn(len(onsets))]
		if i == 0 {
			c -= 'a' - 'A'
		}
		b.WriteByte(c)
		b.WriteByte(vowels[r.Intn(len(vowels))])
	}
	return b.String()
}
