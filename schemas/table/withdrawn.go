package table

import (
	"context"
	"fmt"
	"io"
)

// ReadWithdrawn reads a table of what was withdrawn and hands each row to yield: the
// id of a note, or, where a row has none, of a patient all of whose notes are
// withdrawn. The columns are called as those of the notes are, or document_id and
// patient_id; one of them may be missing. name is the path that errors use.
func ReadWithdrawn(ctx context.Context, r io.ReaderAt, size int64, name string, c Columns,
	yield func(document, patient string) error) error {
	f, err := Open(r, size, name)
	if err != nil {
		return err
	}
	pick := func(own, usual string) string {
		if n, _ := f.root.find(own); own != "" && n != nil {
			return own
		}
		return usual
	}
	document, patient := pick(c.DocumentID, "document_id"), pick(c.PatientID, "patient_id")
	t, err := f.Texts(TextColumn{Name: document, Role: "document id"}, TextColumn{Name: patient, Role: "patient id"})
	if err != nil {
		return err
	}
	if !t.Has(0) && !t.Has(1) {
		return fmt.Errorf("%s: there is no column %q or %q, so it withdraws nothing; the columns are: %s", name, document, patient,
			f.listColumns())
	}
	return t.Each(ctx, func(r *TextRow) error {
		d, p := first(r.Values[0]), first(r.Values[1])
		if d != "" {
			p = ""
		}
		return yield(d, p)
	})
}
