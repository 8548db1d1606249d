package table

import (
	"context"
	"fmt"
	"io"

	"github.com/palimpsest-deid/palimpsest/model/deid"
)

// Kinds of links between patients.
const (
	LinkSame   = "same_person"
	LinkFamily = "family"
)

// ReadLinks reads a table of linked patients and returns a link for each row, in order.
// name is the path that errors use. Its columns are patient_id and linked_to, strings or
// integers, and link, which is same_person or family. Other columns are ignored.
func ReadLinks(ctx context.Context, r io.ReaderAt, size int64, name string) (all []deid.Link, err error) {
	f, err := Open(r, size, name)
	if err != nil {
		return nil, err
	}
	t, err := f.Texts(TextColumn{Name: "patient_id", Role: "patient id", Required: true},
		TextColumn{Name: "linked_to", Role: "linked patient id", Required: true}, TextColumn{Name: "link", Role: "kind of link", Required: true})
	if err != nil {
		return nil, err
	}
	err = t.Each(ctx, func(r *TextRow) error {
		l := deid.Link{Patient: first(r.Values[0]), To: first(r.Values[1])}
		switch first(r.Values[2]) {
		case LinkSame:
			l.Same = true
		case LinkFamily:
		default:
			return r.Error(2, fmt.Errorf("write %s for two ids of one person, or %s for two persons who share names and dates", LinkSame,
				LinkFamily))
		}
		all = append(all, l)
		return nil
	})
	return all, err
}
