package table

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// EachID hands the ids of some columns, which a file need not all have, to yield,
// one column and row group after the other, nulls left out and of equal ones that
// follow each other the first alone. No other column need be in the file.
func (f *File) EachID(ctx context.Context, columns []string, yield func(column string, id ID) error) error {
	for group := range f.groups {
		for _, name := range columns {
			n, _ := f.root.find(name)
			if n == nil {
				continue
			}
			if bits, _ := n.integer(); n.leaf < 0 || n.maxRep > 0 || !n.isString() && bits == 0 {
				return fmt.Errorf("%s: column %q is no column of ids: it has type %s", f.name, name, n.typeName())
			}
			if err := f.eachIn(ctx, group, n, func(id ID) error { return yield(name, id) }); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *File) eachIn(ctx context.Context, group int, leaf *node, yield func(ID) error) error {
	c, err := newCursor(f, group, leaf)
	if err != nil {
		return err
	}
	defer c.close()
	last := ID{Null: true}
	for row := 0; ; row++ {
		if row%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		v, err := c.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		d := detach(v)
		id := idOf(leaf, &d)
		if id.Null || id == last {
			continue
		}
		last = id
		if err := yield(id); err != nil {
			return err
		}
	}
}

// HasColumn tells whether the file has a column, or field of a struct, of a name.
func (f *File) HasColumn(name string) bool {
	n, _ := f.root.find(name)
	return n != nil
}
