package corpus

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// The names of a table's files and columns, where options leave them open.
const (
	notesFile = "notes.parquet"
	goldFile  = "gold.parquet"

	documentIDColumn = "note_id"
	patientIDColumn  = "patient_id"
	textColumn       = "text"

	noAnnotations = "none"
)

// readParquet reads a table of notes, and with it a table of gold spans or
// findings.
//
// The two are read in step. Whether their orders agree is seen beforehand, in a
// pass over the ids alone; if they do not, the annotations are sorted in memory.
func readParquet(ctx context.Context, path string, o ReadOptions) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		r := &parquetReader{ctx: ctx, o: o}
		defer r.close()
		if err := r.open(path); err != nil {
			yield(Document{}, err)
			return
		}
		if err := r.read(yield); err != nil && !errors.Is(err, errStopped) {
			yield(Document{}, err)
		}
	}
}

// errStopped ends the reading where the consumer has had enough.
var errStopped = errors.New("stopped")

type parquetReader struct {
	ctx     context.Context
	o       ReadOptions
	notes   []object
	spans   []object
	next    func() (spanRow, bool) // the next span in the order of the table
	stop    func()
	nextErr error
	ahead   *spanRow
	sorted  *sortedSpans // instead of next
}

// object is an open file.
type object struct {
	storage.Object
	name string
}

func (r *parquetReader) close() {
	if r.stop != nil {
		r.stop()
	}
	for _, o := range append(r.notes, r.spans...) {
		_ = o.Close() // was only read
	}
}

// open finds and opens the files of both tables.
func (r *parquetReader) open(path string) error {
	if r.o.DocumentIDColumn == "" {
		r.o.DocumentIDColumn = documentIDColumn
	}
	if r.o.TextColumn == "" {
		r.o.TextColumn = textColumn
	}
	notes, spans := path, r.o.Annotations
	if inFolder := storage.Join(path, notesFile); !strings.HasSuffix(path, ".parquet") {
		infos, err := storage.Glob(r.ctx, inFolder)
		if err != nil {
			return err
		}
		if len(infos) > 0 {
			notes = inFolder
		}
		if len(infos) > 0 && spans == "" {
			gold := storage.Join(path, goldFile)
			if infos, err = storage.Glob(r.ctx, gold); err != nil {
				return err
			}
			if len(infos) > 0 {
				spans = gold
			}
		}
	}
	var err error
	if r.notes, err = openAll(r.ctx, notes); err != nil {
		return err
	}
	if spans == "" || spans == noAnnotations {
		return nil
	}
	r.spans, err = openAll(r.ctx, spans)
	return err
}

// openAll opens all files that match, in order of name.
func openAll(ctx context.Context, pattern string) ([]object, error) {
	infos, err := storage.Glob(ctx, pattern)
	if err != nil {
		return nil, err
	}
	if len(infos) == 0 {
		return nil, fmt.Errorf("%s: no Parquet file matches", pattern)
	}
	var out []object
	for _, info := range infos {
		o, err := storage.Open(ctx, info.Name)
		if err != nil {
			for _, open := range out {
				_ = open.Close()
			}
			return nil, err
		}
		out = append(out, object{o, info.Name})
	}
	return out, nil
}

func (r *parquetReader) read(yield func(Document, error) bool) error {
	if err := r.prepareSpans(); err != nil {
		return err
	}
	for _, o := range r.notes {
		f, err := table.Open(o, o.Size(), o.name)
		if err != nil {
			return err
		}
		c := table.Columns{DocumentID: r.o.DocumentIDColumn, PatientID: r.o.PatientIDColumn, Text: []string{r.o.TextColumn}}
		if c.PatientID == "" && slices.Contains(f.ColumnNames(), patientIDColumn) {
			c.PatientID = patientIDColumn
		}
		b, err := f.Bind(c)
		if err != nil {
			return err
		}
		for g, group := range f.RowGroups() {
			if err := b.ReadNotes(r.ctx, g, func(batch []table.Note) error {
				for i := range batch {
					d, err := r.document(o.name, group.FirstRow+batch[i].Row, &batch[i])
					if err != nil {
						return err
					}
					if !yield(d, nil) {
						return errStopped
					}
				}
				return nil
			}); err != nil {
				return err
			}
		}
	}
	return r.leftOver()
}

// document makes a document of a row and takes its spans.
func (r *parquetReader) document(file string, row int64, n *table.Note) (Document, error) {
	d := Document{ID: n.DocumentID.Text, Patient: n.PatientID.Text, Text: n.Texts[0].Value, Source: fmt.Sprintf("%s: row %d", file, row)}
	if d.ID == "" {
		return d, fmt.Errorf("%s: the document id is null or empty", d.Source)
	}
	if err := (&Document{ID: d.ID, Text: d.Text, Source: d.Source}).Check(); err != nil {
		return d, err
	}
	spans, err := r.spansOf(d.ID)
	if err != nil || len(spans) == 0 {
		return d, err
	}
	b := newBuilder(&d, &r.o)
	for i := range spans {
		s := &spans[i]
		if err := b.add(s.annotation, [][2]int{{s.start, s.end}}, nil, s.where); err != nil {
			return d, err
		}
		if s.split == "" {
			continue
		}
		if d.Split != "" && s.split != d.Split {
			return d, fmt.Errorf("%s puts its document into another split than the rows before it", s.where())
		}
		d.Split = s.split
	}
	return d, nil
}
