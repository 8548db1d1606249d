package corpus

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// The formats, as Read and NewWriter take them.
const (
	I2B2     = "i2b2"
	I2B22006 = "i2b2-2006"
	Brat     = "brat"
	Text     = "text"
	Marked   = "marked" // can only be read
	CoNLL    = "conll"  // can only be read
	JSONL    = "jsonl"
	Parquet  = "parquet"
)

// Formats returns the names of all formats, those that can be read.
func Formats() []string { return []string{I2B2, I2B22006, Brat, Text, Marked, CoNLL, JSONL, Parquet} }

// WriteFormats returns the names of the formats that can be written.
func WriteFormats() []string { return []string{I2B2, I2B22006, Brat, Text, JSONL, Parquet} }

// Document is one text with its annotations.
type Document struct {
	// ID names the document within its corpus. It is the file's name without
	// extension (brat, text); of i2b2 files the record's name, without what
	// names a system ("110-02" of 110-02mist.xml); the RECORD's ID; the
	// patient's id and the note's number, "p017-03" (marked); the file's name
	// and the sentence's number (conll); what the line says (jsonl); or the
	// document id as text, integers in decimal (parquet).
	ID string

	// Patient is the patient's id: the digits before the hyphen (i2b2), or what
	// the notes say (marked, jsonl, parquet). "" where it is not known.
	Patient string

	// System is what follows the record's name in an i2b2 file's name. "" for
	// gold files and in all other formats.
	System string

	// Split is the part of the corpus, such as "train", that a gold table's
	// rows or a JSON line say. "" where nothing says it, which includes
	// documents without gold rows.
	Split string

	// Text is valid UTF-8.
	Text string

	// Annotations are in the order of the file, which need not be that of the
	// text. They may nest, overlap, touch and repeat.
	Annotations []Annotation

	// Rest holds the lines of a brat .ann file that are neither text-bound
	// annotations nor notes on one: relations, events, attributes and such. They
	// are written to brat again and to no other format.
	Rest []string

	// Source says where the document stands, for messages: a file's name, or a
	// file and a row. It holds no text, and no id of a table.
	Source string
}

// Annotation is one annotated stretch of a text.
type Annotation struct {
	// ID names the annotation within its document: P0 (i2b2), T1 (brat), or
	// what the column annotation_id says (parquet). "" where the format has
	// none. Ids can repeat in files, though they should not.
	ID string

	// Start and End are bytes of Document.Text; End is exclusive. They lie on
	// boundaries of code points, and 0 <= Start <= End <= len(Text). A
	// discontinuous annotation reaches from its first to its last byte.
	Start, End int

	// Fragments are the pieces of a discontinuous annotation in the order of
	// the text, two at least. nil for all others, which is nearly all.
	Fragments []Fragment

	// Category is the i2b2 2014 element's name, such as NAME. "" where the
	// format has none.
	Category string

	// Label is the type, spelt as the corpus spells it.
	Label string

	// Tagger tells which part of the job found the span ("network", "rules"),
	// and Score its confidence in (0, 1]. Both come from findings alone; ""
	// and 0 elsewhere.
	Tagger string
	Score  float32

	// Comment is the annotator's remark (i2b2's comment, brat's
	// AnnotatorNotes). It may quote the text.
	Comment string
}

// Fragment is one piece of a discontinuous annotation, in bytes of the text.
type Fragment struct{ Start, End int }

// ReadOptions says how Read reads. The zero value is right for folders, and for
// tables whose columns have the default names.
type ReadOptions struct {
	// Annotations names a Parquet file or glob of gold spans or of the job's
	// findings, for the format parquet; which of the two, the columns tell.
	// "": gold.parquet beside notes.parquet where the path is a folder that has
	// it, else none. "none": none in any case.
	Annotations string

	// DocumentIDColumn, PatientIDColumn and TextColumn name columns of the
	// table of notes. "": note_id, patient_id where there is such a column, and
	// text. Of the annotations, only rows with that text_column are read.
	DocumentIDColumn, PatientIDColumn, TextColumn string

	// TrustOffsets lets an annotation pass whose offsets and quoted text
	// disagree: the offsets count. Each is told to Warn. Without it, the first
	// ends the reading.
	TrustOffsets bool

	// Warn is told what was passed over, in words that hold no text. nil: none.
	Warn func(message string)
}

// Read yields the documents of a corpus: of folders in ascending byte order of
// their ids, of single files and tables in the order in which they stand.
// After an error, which comes with a zero Document, there is nothing more. No
// two documents have the same id: that is an error. The path is a folder, or a
// file for i2b2-2006, marked, conll and jsonl, or a file, glob or folder for
// parquet.
//
// Memory holds one document (of marked notes, one patient; of tables, one batch
// of rows), the names of a folder's files, and 16 bytes for each document to
// tell repeated ids. Annotations that do not stand in the order of their notes
// are held as a whole, 50 to 100 bytes each; those that tools/examples, a Writer
// and the job write do stand so.
//
// Notes and findings are matched by document id. The job's findings hold the
// ids and offsets of its input, whatever --ids says, so they belong to the
// notes that went in and not to those that came out.
func Read(ctx context.Context, format, path string, o ReadOptions) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		read, ok := readers[format]
		if !ok {
			yield(Document{}, fmt.Errorf("corpus: there is no format %q to read; formats are %s", format, strings.Join(Formats(), ", ")))
			return
		}
		if o.Warn == nil {
			o.Warn = func(string) {}
		}
		seen := map[docKey]struct{}{}
		for d, err := range read(ctx, path, o) {
			if err == nil {
				err = ctx.Err()
			}
			if err == nil {
				k := keyOf(d.ID)
				if _, twice := seen[k]; twice {
					err = fmt.Errorf("%s: the document's id is that of an earlier one; ids must differ", d.Source)
				}
				seen[k] = struct{}{}
			}
			if err != nil {
				yield(Document{}, err)
				return
			}
			if !yield(d, nil) {
				return
			}
		}
	}
}

// readers holds the reader of each format.
var readers = map[string]func(ctx context.Context, path string, o ReadOptions) iter.Seq2[Document, error]{
	I2B2:     readI2B2,
	I2B22006: readInline,
	Brat:     readBrat,
	Text:     readText,
	Marked:   readMarked,
	CoNLL:    readCoNLL,
	JSONL:    readJSONL,
	Parquet:  readParquet,
}

// Writer writes a corpus. Write takes one document at a time, with an id that
// no earlier one had. Close finishes the corpus; Abort removes all that was
// written, and does nothing after Close, so it can be deferred. After a failed
// Write, only Abort is of use. A Writer is for one goroutine.
type Writer interface {
	Write(Document) error
	Close() error
	Abort() error
}

// What to do with discontinuous annotations where the format has none.
const (
	RefuseDiscontinuous = "error" // Write fails; the default
	HullDiscontinuous   = "hull"  // one annotation from the first piece to the last, gaps included
	SplitDiscontinuous  = "split" // one annotation per piece
)

// WriteOptions says how a Writer writes. The zero value will do.
type WriteOptions struct {
	// Discontinuous is one of the three above. "": RefuseDiscontinuous.
	Discontinuous string

	// Split fills the split of parquet and jsonl where a document has none of
	// its own.
	Split string

	// RecordNames makes the i2b2 2014 evaluation script read what is written in
	// the format i2b2: it passes over files that are not named like 110-02.xml.
	// An id of digits alone gets "-01" behind it; all others must be of that
	// form already.
	RecordNames bool

	// Warn is told what could not be kept, in words that hold no text. nil: none.
	Warn func(message string)
}

// NewWriter returns a writer of a corpus into a folder, which must be empty or
// missing. Documents become
//
//   - i2b2: ID.xml, as the i2b2 2014 corpus has it;
//   - i2b2-2006: one file records.xml; annotations must not overlap;
//   - brat: ID.txt and ID.ann;
//   - text: ID.txt; annotations are left out;
//   - jsonl: one file notes.jsonl, a line for each document:
//     {"id", "patient", "split", "text", "annotations": [{"id", "start", "end",
//     "label", "category", "comment"}]}, without what is empty;
//   - parquet: notes.parquet with the columns note_id (a string), patient_id
//     and text, and gold.parquet with those of the examples' (document_id,
//     text_column, start, end, type, split) and annotation_id, category and
//     comment.
//
// An annotation without category gets that of its type if the i2b2 2014
// guideline has it, else the element PHI. Annotations keep their ids if each is
// of the format's form (P0, T1) and none repeats; else they are numbered anew.
// Tagger and Score are written by no format.
func NewWriter(ctx context.Context, format, path string, o WriteOptions) (Writer, error) {
	open, ok := writers[format]
	if !ok {
		return nil, fmt.Errorf("corpus: there is no format %q to write; formats are %s", format, strings.Join(WriteFormats(), ", "))
	}
	if o.Discontinuous == "" {
		o.Discontinuous = RefuseDiscontinuous
	}
	if kinds := []string{RefuseDiscontinuous, HullDiscontinuous, SplitDiscontinuous}; !slices.Contains(kinds, o.Discontinuous) {
		return nil, fmt.Errorf("corpus: discontinuous annotations cannot be treated as %q; give one of %s", o.Discontinuous,
			strings.Join(kinds, ", "))
	}
	if o.Warn == nil {
		o.Warn = func(string) {}
	}
	f, err := newFolder(ctx, path)
	if err != nil {
		return nil, err
	}
	return open(f, o), nil
}

// writers holds the writer of each format.
var writers = map[string]func(f *folder, o WriteOptions) Writer{
	I2B2:     newI2B2Writer,
	I2B22006: newInlineWriter,
	Brat:     newBratWriter,
	Text:     newTextWriter,
	JSONL:    newJSONLWriter,
	Parquet:  newParquetWriter,
}

// LabelMap maps a label of a corpus to the category and label of another label
// set. keep is false for a label whose annotations are to be left out; an error
// names a label that the map does not know. The Map of a schemes.Mapping is one.
type LabelMap func(label string) (category, to string, keep bool, err error)

// Relabel maps the labels and categories of a document's annotations, in
// place, leaves out those that the map drops, and returns their number.
func Relabel(d *Document, m LabelMap) (dropped int, err error) {
	kept := d.Annotations[:0]
	for i, a := range d.Annotations {
		category, label, keep, err := m(a.Label)
		if err != nil {
			return dropped, fmt.Errorf("%s: annotation %s: %w", d.Source, nameOf(a, i), err)
		}
		if !keep {
			dropped++
			continue
		}
		a.Category, a.Label = category, label
		kept = append(kept, a)
	}
	d.Annotations = kept
	return dropped, nil
}
