package table

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"io"
)

// Gather merges files whose rows Scatter has sorted into one, in the order of
// their keys, and returns its number of rows. All must have one schema. What is
// written is like the first file that has rows: its codecs and its metadata.
// A row group ends where its values take groupBytes. In memory there are a page of each column of
// each file, and the compressed pages of one row group.
func Gather(ctx context.Context, files []*File, place Place, groupBytes int64, to io.Writer) (rows int64, err error) {
	if len(files) == 0 {
		return 0, errors.New("table: there is nothing to gather")
	}
	like, digest := files[0], files[0].SchemaDigest()
	for _, f := range files {
		if f.SchemaDigest() != digest {
			return 0, fmt.Errorf("%s: its schema is not that of %s", f.name, files[0].name)
		}
		if len(like.groups) == 0 {
			like = f
		}
	}
	w := like.anew(to, files...)
	var h merge
	defer func() {
		for _, s := range h {
			s.scan.close()
		}
	}()
	for i, f := range files {
		scan, err := f.scan(place)
		if err != nil {
			return 0, err
		}
		s := &stream{scan: scan, number: i}
		if more, err := s.advance(); err != nil {
			scan.close()
			return 0, err
		} else if more {
			h = append(h, s)
		}
	}
	heap.Init(&h)
	for len(h) > 0 {
		s := h[0]
		if err := w.row(s.row); err != nil {
			return rows, err
		}
		rows++
		if w.bytes >= groupBytes {
			if err := w.flush(); err != nil {
				return rows, err
			}
			if err := ctx.Err(); err != nil {
				return rows, err
			}
		}
		last := s.row.key
		more, err := s.advance()
		if err != nil {
			return rows, err
		}
		if !more {
			heap.Pop(&h)
			continue
		}
		if s.row.key.Compare(last) < 0 {
			return rows, fmt.Errorf("%s: its rows are not in the order of their ids", s.scan.f.name)
		}
		heap.Fix(&h, 0)
	}
	return rows, w.close()
}

// stream is one of the files that are merged, at a row.
type stream struct {
	scan   *rowScanner
	number int
	row    *wholeRow
}

// advance goes to the next row, and tells whether there is one.
func (s *stream) advance() (bool, error) {
	row, err := s.scan.next()
	if err == io.EOF {
		s.scan.close()
		return false, nil
	}
	s.row = row
	return err == nil, err
}

// merge is a heap of streams by the keys of their rows.
type merge []*stream

func (m merge) Len() int { return len(m) }
func (m merge) Less(i, j int) bool {
	if c := m[i].row.key.Compare(m[j].row.key); c != 0 {
		return c < 0
	}
	return m[i].number < m[j].number
}
func (m merge) Swap(i, j int) { m[i], m[j] = m[j], m[i] }
func (m *merge) Push(x any)   { *m = append(*m, x.(*stream)) }
func (m *merge) Pop() any {
	old := *m
	s := old[len(old)-1]
	*m = old[:len(old)-1]
	return s
}
