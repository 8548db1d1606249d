package main

import (
	"context"
	"fmt"
	"math/rand"
	"os"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/tools/bench/invent"
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

// generate writes n notes, made from the source's, to file and returns their
// texts.
func generate(ctx context.Context, source, file string, n int) ([]string, error) {
	sources, err := invent.Texts(ctx, source)
	if err != nil {
		return nil, err
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
		texts[i] = invent.Vary(r, r, sources[i%len(sources)])
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
