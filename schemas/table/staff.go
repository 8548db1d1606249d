package table

import (
	"fmt"
	"io"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/lexicon"
)

// ReadStaff reads a table of the people who work at an institution and hands
// each row to yield, in order. name is the path that errors use. Its columns
// are given_name and family_name, or name ("Family, Given" or "Given Family"),
// and optionally username and pager; each holds strings, or integers. Other
// columns are ignored. An error of yield ends the reading and is returned.
func ReadStaff(r io.ReaderAt, size int64, name string, yield func(lexicon.Staff) error) error {
	f, err := Open(r, size, name)
	if err != nil {
		return err
	}
	t := &textTable{f: f, columns: map[string]*node{}}
	for _, column := range []string{"name", "given_name", "family_name", "username", "pager"} {
		n, ambiguous := f.root.find(column)
		if ambiguous {
			return fmt.Errorf("%s: the column %q is there more than once; rename one of them", name, column)
		}
		if n == nil {
			continue
		}
		if !n.isPlain() || n.maxRep > 0 {
			return fmt.Errorf("%s: the column %q has type %s; needed is a string", name, column, n.typeName())
		}
		t.columns[column] = n
	}
	if t.columns["name"] == nil && t.columns["family_name"] == nil {
		return fmt.Errorf("%s: there is no column name or family_name; the columns are: %s", name, f.listColumns())
	}
	one := func(values []string) string { return strings.Join(values, " ") }
	for g := range f.groups {
		err := t.readGroup(g, func(texts textsOf, row int64) error {
			var s lexicon.Staff
			for _, c := range []struct {
				column string
				to     *string
			}{{"given_name", &s.Given}, {"family_name", &s.Family}, {"username", &s.Username}, {"pager", &s.Pager}} {
				values, err := texts(c.column, row)
				if err != nil {
					return err
				}
				*c.to = one(values)
			}
			whole, err := texts("name", row)
			if err != nil {
				return err
			}
			if s.Family == "" && len(whole) > 0 {
				s.Given, s.Family = splitName(one(whole))
			}
			return yield(s)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// splitName cuts "Family, Given" at its comma and "Given Family" before its
// last word.
func splitName(name string) (given, family string) {
	if family, given, ok := strings.Cut(name, ","); ok {
		return strings.TrimSpace(given), strings.TrimSpace(family)
	}
	i := strings.LastIndexByte(strings.TrimSpace(name), ' ')
	if i < 0 {
		return "", strings.TrimSpace(name)
	}
	return strings.TrimSpace(name[:i]), strings.TrimSpace(name[i+1:])
}
