package table

import (
	"errors"
	"io"
	"strconv"

	"github.com/parquet-go/parquet-go"
)

// Change is one row of a night's table of changes.
type Change struct {
	ID       string // of the note, as it is released
	Change   string // added, replaced or removed
	Revision int64  // of the note, from 1
}

// ErrNoInteger says that changes of ids that are integers have one that is none.
var ErrNoInteger = errors.New("table of changes: a released id is no integer of 64 bits")

// WriteChanges writes a table of changes: document_id, which is an integer where
// integers says that the notes' is, change and revision.
func WriteChanges(w io.Writer, all []Change, integers bool) error {
	if !integers {
		rows := make([]struct {
			ID       string `parquet:"document_id"`
			Change   string `parquet:"change,dict"`
			Revision int64  `parquet:"revision"`
		}, len(all))
		for i, c := range all {
			rows[i].ID, rows[i].Change, rows[i].Revision = c.ID, c.Change, c.Revision
		}
		return writeRows(w, rows)
	}
	rows := make([]struct {
		ID       int64  `parquet:"document_id"`
		Change   string `parquet:"change,dict"`
		Revision int64  `parquet:"revision"`
	}, len(all))
	for i, c := range all {
		id, err := strconv.ParseInt(c.ID, 10, 64)
		if err != nil {
			return ErrNoInteger
		}
		rows[i].ID, rows[i].Change, rows[i].Revision = id, c.Change, c.Revision
	}
	return writeRows(w, rows)
}

// Reissue is one row of the table of notes that what is known now changes.
type Reissue struct {
	DocumentID string `parquet:"document_id"` // as in the input
	ReleasedID string `parquet:"released_id"`
	Certain    bool   `parquet:"certain"` // it was read again and does read otherwise; else it may
}

// WriteReissues writes that table.
func WriteReissues(w io.Writer, all []Reissue) error { return writeRows(w, all) }

func writeRows[T any](w io.Writer, rows []T) error {
	p := parquet.NewGenericWriter[T](w, parquet.Compression(&parquet.Zstd), parquet.DataPageVersion(1),
		parquet.CreatedBy("palimpsest", "1.0.0", "0"))
	if _, err := p.Write(rows); err != nil {
		return err
	}
	return p.Close()
}
