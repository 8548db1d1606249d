package table

import (
	"io"
	"time"
)

// Sample is what the first rows of a column hold.
type Sample struct {
	Values []string // strings, numbers in decimal, and dates as YYYY-MM-DD; nothing of other types
	Nulls  int      // among the values that were read
}

// Sample reads up to n values of a column, by its path, from the file's first
// rows.
func (f *File) Sample(path string, n int) (s Sample, err error) {
	var leaf *node
	for _, l := range f.leaves {
		if l.dotted() == path {
			leaf = l
		}
	}
	if leaf == nil {
		return s, nil
	}
	bits, _ := leaf.integer()
	read := 0
	for group := 0; group < len(f.groups) && read < n; group++ {
		if f.infos[group].Rows == 0 {
			continue
		}
		c, err := newCursor(f, group, leaf)
		if err != nil {
			return s, err
		}
		for ; read < n; read++ {
			v, err := c.next()
			if err == io.EOF {
				break
			}
			if err != nil {
				c.close()
				return s, err
			}
			switch {
			case isNull(v):
				s.Nulls++
			case leaf.isString() || bits > 0:
				d := detach(v)
				s.Values = append(s.Values, idOf(leaf, &d).Text)
			case leaf.isNumber():
				text, _ := numberOf(leaf, v)
				s.Values = append(s.Values, text)
			case leaf.isDate():
				if d := dateOf(leaf, v); d.HasDay {
					s.Values = append(s.Values, time.Unix(d.Day*secondsPerDay, 0).UTC().Format("2006-01-02"))
				}
			}
		}
		c.close()
	}
	return s, nil
}
