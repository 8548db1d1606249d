package table

import (
	"context"
	"errors"
	"io"

	"github.com/parquet-go/parquet-go"
)

// assemble writes the chunks of the row group's first rows in the order of the
// schema.
func (w *Rewriter) assemble(ctx context.Context, group int, rows int64, counts Counts, out, held *groupEncoders, gone []fate) error {
	column := map[*node]int{}
	for i, c := range w.b.columns {
		column[c.leaf] = i
	}
	release := counts.Released > 0
	if release {
		if err := w.out.begin(); err != nil {
			return err
		}
	}
	if held != nil {
		if err := w.quarantine.begin(); err != nil {
			return err
		}
	}
	for _, leaf := range w.b.f.leaves {
		if err := ctx.Err(); err != nil {
			return err
		}
		in := w.b.f.chunk(group, leaf)
		var forOut, forHeld *encoder
		if i, ok := column[leaf]; ok {
			forOut = out.columns[i]
			if held != nil {
				forHeld = held.columns[i]
			}
		}
		toOut := release && !w.b.dropped[leaf]
		toHeld := held != nil
		if len(gone) == 0 && forOut == nil && rows == w.b.f.infos[group].Rows {
			if !toOut {
				continue
			}
			stale, err := w.b.f.staleDictionary(group, leaf)
			if err != nil {
				return err
			}
			if !stale {
				if err := w.out.copyChunk(group, leaf); err != nil {
					return err
				}
				continue
			}
		}
		var err error
		if forOut, forHeld, err = w.split(group, rows, leaf, toOut, toHeld, forOut, forHeld, gone); err != nil {
			return err
		}
		if toOut {
			if err := w.out.encodedChunk(forOut, in, leaf.path, !w.out.changed[leaf]); err != nil {
				return w.b.f.errorAt(group, leaf, -1, err)
			}
		}
		if toHeld {
			if err := w.quarantine.encodedChunk(forHeld, in, leaf.path, !w.out.changed[leaf]); err != nil {
				return w.b.f.errorAt(group, leaf, -1, err)
			}
		}
	}
	if held != nil {
		name := w.quarantine.schema[len(w.quarantine.schema)-1].str(seName)
		if err := w.quarantine.encodedChunk(held.reason, nil, []string{name}, false); err != nil {
			return err
		}
		if err := w.quarantine.end(group, counts.Quarantined); err != nil {
			return err
		}
	}
	if release {
		return w.out.end(group, counts.Released)
	}
	return nil
}

// split makes the encoders that are missing and fills them from the input: the
// rows that stay go to the one, those that are gone to the other.
func (w *Rewriter) split(group int, rows int64, leaf *node, toOut, toHeld bool, forOut, forHeld *encoder,
	gone []fate) (_, _ *encoder, err error) {
	fillOut, fillHeld := toOut && forOut == nil, toHeld && forHeld == nil
	if !fillOut && !fillHeld {
		return forOut, forHeld, nil
	}
	if fillOut {
		if forOut, err = w.encoder(group, leaf, true, false); err != nil {
			return nil, nil, err
		}
	}
	if fillHeld {
		if forHeld, err = w.encoder(group, leaf, true, false); err != nil {
			return nil, nil, err
		}
	}
	c, err := newCursor(w.b.f, group, leaf)
	if err != nil {
		return nil, nil, err
	}
	defer c.close()
	var values []parquet.Value
	for row := range rows {
		values, err = c.nextRow(values[:0])
		if err == io.EOF {
			err = w.b.f.errorAt(group, leaf, row, io.ErrUnexpectedEOF)
		}
		if err != nil {
			return nil, nil, err
		}
		e, fill := forOut, fillOut
		if row < int64(len(gone)) && gone[row] == aside {
			e, fill = forHeld, fillHeld
		} else if row < int64(len(gone)) && gone[row] == nowhere {
			fill = false
		}
		if fill {
			if err := e.row(values); err != nil {
				return nil, nil, w.b.f.errorAt(group, leaf, row, err)
			}
		}
	}
	if rows < w.b.f.infos[group].Rows {
		return forOut, forHeld, nil
	}
	if _, err := c.next(); err != io.EOF {
		return nil, nil, w.b.f.errorAt(group, leaf, -1, errors.New("the column chunk is damaged: it has more rows than its row group"))
	}
	return forOut, forHeld, nil
}
