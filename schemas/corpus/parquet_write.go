package corpus

import (
	"fmt"
	"math"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/storage"
)

// noteRow is a row of notes.parquet.
type noteRow struct {
	NoteID    string  `parquet:"note_id"`
	PatientID *string `parquet:"patient_id,optional"`
	Text      string  `parquet:"text"`
}

// goldRow is a row of gold.parquet: the examples' columns, then those that
// other formats need. Offsets are code points, End is exclusive.
type goldRow struct {
	DocumentID   string  `parquet:"document_id,dict"`
	TextColumn   string  `parquet:"text_column,dict"`
	Start        int32   `parquet:"start"`
	End          int32   `parquet:"end"`
	Type         string  `parquet:"type,dict"`
	Split        string  `parquet:"split,dict"`
	AnnotationID *string `parquet:"annotation_id,optional,dict"`
	Category     *string `parquet:"category,optional,dict"`
	Comment      *string `parquet:"comment,optional"`
}

// The bounds of a row group, which is kept in memory until it is full.
const (
	notesPerGroup = 1 << 14
	textPerGroup  = 32 << 20 // bytes
	goldPerGroup  = 1 << 18
)

// parquetWriter writes notes and gold. Equal documents give equal bytes.
type parquetWriter struct {
	*folder
	o           WriteOptions
	files       [2]storage.Writer
	notes       *parquet.GenericWriter[noteRow]
	gold        *parquet.GenericWriter[goldRow]
	rows, bytes int // of the row group of notes
	goldRows    int
}

func newParquetWriter(f *folder, o WriteOptions) Writer { return &parquetWriter{folder: f, o: o} }

// open makes the files, so that a corpus without documents gives empty tables.
func (w *parquetWriter) open() error {
	if w.notes != nil {
		return nil
	}
	for i, name := range []string{notesFile, goldFile} {
		f, err := storage.CreatePrivate(w.ctx, storage.Join(w.path, name))
		if err != nil {
			return err
		}
		w.files[i] = f
	}
	options := []parquet.WriterOption{
		parquet.Compression(&parquet.Zstd),
		parquet.DataPageVersion(1),
		parquet.CreatedBy("palimpsest", "1.0.0", "0"),
	}
	w.notes = parquet.NewGenericWriter[noteRow](w.files[0], options...)
	w.gold = parquet.NewGenericWriter[goldRow](w.files[1], options...)
	return nil
}

func (w *parquetWriter) Write(d Document) error {
	if err := w.check(&d); err != nil {
		return err
	}
	annotations, err := flatten(&d, w.o.Discontinuous)
	if err != nil {
		return err
	}
	if err := w.open(); err != nil {
		return err
	}
	if len(d.Rest) > 0 {
		w.o.Warn(fmt.Sprintf("%s: lines that are no text-bound annotations are left out: tables hold none", d.Source))
	}
	if len(d.Text) > math.MaxInt32 {
		return fmt.Errorf("%s: the text is longer than 2 GiB", d.Source)
	}
	if _, err := w.notes.Write([]noteRow{{NoteID: d.ID, PatientID: optional(d.Patient), Text: d.Text}}); err != nil {
		return w.fail(err)
	}
	if w.rows, w.bytes = w.rows+1, w.bytes+len(d.Text); w.rows >= notesPerGroup || w.bytes >= textPerGroup {
		if err := w.notes.Flush(); err != nil {
			return w.fail(err)
		}
		w.rows, w.bytes = 0, 0
	}
	split := d.Split
	if split == "" {
		split = w.o.Split
	}
	at := NewOffsets(d.Text)
	for i, a := range annotations {
		if a.Label == "" {
			return fmt.Errorf("%s: annotation %s has no type", d.Source, nameOf(a, i))
		}
		start, _ := at.CodePoint(a.Start)
		end, _ := at.CodePoint(a.End)
		row := goldRow{
			DocumentID: d.ID, TextColumn: textColumn, Start: int32(start), End: int32(end), Type: a.Label, Split: split,
			AnnotationID: optional(a.ID), Category: optional(a.Category), Comment: optional(a.Comment),
		}
		if _, err := w.gold.Write([]goldRow{row}); err != nil {
			return w.fail(err)
		}
		if w.goldRows++; w.goldRows >= goldPerGroup {
			if err := w.gold.Flush(); err != nil {
				return w.fail(err)
			}
			w.goldRows = 0
		}
	}
	return nil
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func (w *parquetWriter) fail(err error) error {
	return fmt.Errorf("%s: writing Parquet: %w", w.path, err)
}

func (w *parquetWriter) Close() error {
	if w.closed {
		return nil
	}
	if err := w.open(); err != nil {
		return err
	}
	if err := w.notes.Close(); err != nil {
		return w.fail(err)
	}
	if err := w.gold.Close(); err != nil {
		return w.fail(err)
	}
	for i, f := range w.files {
		if err := f.Close(); err != nil {
			return err
		}
		w.files[i] = nil
		w.written = append(w.written, storage.Join(w.path, []string{notesFile, goldFile}[i]))
	}
	return w.folder.Close()
}

func (w *parquetWriter) Abort() error {
	if w.closed {
		return nil
	}
	for _, f := range w.files {
		if f != nil {
			_ = f.Abort() // what it made is temporary
		}
	}
	return w.folder.Abort()
}
