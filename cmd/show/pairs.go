package show

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// readPairs returns the notes before and after, in the order of the input: by their
// ids where the job's key is at hand, else by position. Tables that cannot be read, or
// do not fit together, are errors of fault.Refused.
func readPairs(ctx context.Context, s settings) (in, out []table.Note, err error) {
	defer func() { err = fault.Mark(fault.Refused, err) }()
	if in, err = read(ctx, s.before, s.columns); err != nil {
		return nil, nil, err
	}
	if out, err = read(ctx, []string{s.after}, s.columns); err != nil {
		return nil, nil, err
	}
	pseudonym, noKey := s.pseudonym(ctx)
	if pseudonym != nil {
		if a, b := byID(in, out, pseudonym); len(a) > 0 {
			return a, b, nil
		}
		noKey = errors.New("none of the released ids is of one of these notes under this key")
	}
	if regrouped, err := regrouped(ctx, s.after); err != nil {
		return nil, nil, err
	} else if regrouped {
		return nil, nil, fmt.Errorf("the job has regrouped rows by patient, so notes can only be matched by the job's key: "+
			"name it by --config or --key (%w)", noKey)
	}
	if len(in) != len(out) {
		return nil, nil, fmt.Errorf("%d notes in and %d out: rows were quarantined, so they cannot be matched by position; "+
			"name the job's key by --config or --key", len(in), len(out))
	}
	return in, out, nil
}

// pseudonym returns what tells a document's released id, or why nothing does.
func (s settings) pseudonym(ctx context.Context) (func(table.ID) string, error) {
	of := transforms.What{KeepIDs: s.kept}
	if s.kept {
		return func(id table.ID) string { return of.ReleasedID(nil, id) }, nil
	}
	if s.key == "" {
		return nil, errors.New("no key is named")
	}
	keys, err := transforms.Keys(ctx, s.key, s.epoch)
	if err != nil {
		return nil, err
	}
	return func(id table.ID) string { return of.ReleasedID(keys, id) }, nil
}

// byID returns the notes that were released, each beside what it was.
func byID(in, out []table.Note, pseudonym func(table.ID) string) (a, b []table.Note) {
	released := map[string]int{}
	for i, n := range out {
		released[n.DocumentID.Text] = i
	}
	for _, n := range in {
		id := pseudonym(n.DocumentID)
		if i, ok := released[id]; ok && !n.DocumentID.Null {
			a, b = append(a, n), append(b, out[i])
			delete(released, id) // of two notes of one id the first was released
		}
	}
	return a, b
}

// regrouped tells whether the job that wrote these notes says that rows have
// left their places.
func regrouped(ctx context.Context, notes string) (bool, error) {
	m, err := transforms.ReadManifest(ctx, storage.Dir(notes))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil // notes alone
	}
	if err != nil {
		return false, err
	}
	return m.RowOrder.Taken == transforms.OrderShuffle, nil
}
