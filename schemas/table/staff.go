package table

import (
	"context"
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
func ReadStaff(ctx context.Context, r io.ReaderAt, size int64, name string, yield func(lexicon.Staff) error) error {
	f, err := Open(r, size, name)
	if err != nil {
		return err
	}
	const given, family, username, pager, whole = 0, 1, 2, 3, 4
	t, err := f.Texts(TextColumn{Name: "given_name"}, TextColumn{Name: "family_name"}, TextColumn{Name: "username"},
		TextColumn{Name: "pager"}, TextColumn{Name: "name"})
	if err != nil {
		return err
	}
	if !t.Has(whole) && !t.Has(family) {
		return fmt.Errorf("%s: there is no column name or family_name; the columns are: %s", name, f.listColumns())
	}
	return t.Each(ctx, func(r *TextRow) error {
		s := lexicon.Staff{Given: first(r.Values[given]), Family: first(r.Values[family]), Username: first(r.Values[username]),
			Pager: first(r.Values[pager])}
		if name := first(r.Values[whole]); s.Family == "" && name != "" {
			s.Given, s.Family = splitName(name)
		}
		return yield(s)
	})
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
