package transforms

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// The types of released ids. A note goes by its id as text, and its released id depends on
// the type: under another, notes would be released a second time.
const (
	integerIDs = "integers"
	textIDs    = "text"
)

// idsOf returns the type of the notes' ids.
func idsOf(cfg Config, columns []schemas.Column) string {
	for _, c := range columns {
		if c.Path == cfg.Columns.DocumentID && strings.Contains(c.Type, " INT") {
			return integerIDs
		}
	}
	return textIDs
}

// checkIDs refuses ids of another type than those of other files, or of the release; heads
// of earlier versions do not say of which those are.
func (h *head) checkIDs(others, ids string) error {
	for _, before := range []string{others, cmp.Or(h.IDs, ids)} {
		if before != ids {
			return otherIDs(before, ids)
		}
	}
	return nil
}

func otherIDs(before, ids string) error {
	return fault.Mark(fault.Refused, fmt.Errorf("the notes' ids are %s, and those of the release so far are %s: it would hold notes twice. "+
		"Write the column of ids with the type that it had, in all files, or begin a new release with another --state", ids, before))
}

// CheckIDs refuses, before any work, notes whose ids are of another type than those of
// the nights before. columns are those of the input.
func CheckIDs(ctx context.Context, cfg Config, columns []table.Column) error {
	h, _, err := cfg.headBefore(ctx)
	if h == nil || len(columns) == 0 || err != nil {
		return err
	}
	var all []schemas.Column
	for _, c := range columns {
		all = append(all, schemas.Column{Path: c.Path, Type: c.Type})
	}
	ids := idsOf(cfg, all)
	return h.checkIDs(ids, ids)
}
