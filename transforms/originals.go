package transforms

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// Original is an id of the input and the pseudonym that it was released under.
type Original struct {
	Pseudonym string
	Column    string // of the input
	ID        string
}

// FindOriginals looks through the document, patient and other id columns of the
// input for the ids that were released under some pseudonyms. A pseudonym of a
// string is a keyed hash, which nothing turns back, so that each id is hashed and
// compared. Columns that the input does not have are passed over, but one at least
// must be there; looked are those that are. It returns the ids in the order of pseudonym, column and id; one pseudonym
// has one original, but in integers of 8 and 16 bits, whose columns have pseudonyms
// of their own.
func FindOriginals(ctx context.Context, cfg Config, keys *surrogate.Keyring, wanted []string) (all []Original, looked []string, err error) {
	ask := map[string]bool{}
	for _, p := range wanted {
		ask[p] = true
	}
	columns := slices.Concat([]string{cfg.Columns.DocumentID, cfg.Columns.PatientID}, cfg.Columns.IDs)
	columns = slices.DeleteFunc(columns, func(s string) bool { return s == "" })
	infos, err := storage.TableFiles(ctx, cfg.Inputs...)
	if err != nil {
		return nil, nil, fault.Mark(fault.Refused, err)
	}
	e := &engine{cfg: cfg, rewriter: &deid.Rewriter{Keys: keys}}
	found := map[Original]bool{}
	there := map[string]bool{}
	for _, info := range infos {
		file, object, err := openFile(ctx, info)
		if err != nil {
			return nil, nil, fault.Mark(fault.Refused, err)
		}
		for _, c := range columns {
			there[c] = there[c] || file.HasColumn(c)
		}
		err = file.EachID(ctx, columns, func(column string, id table.ID) error {
			if noID(id) {
				return nil
			}
			if p := e.pseudonym(id); ask[p] {
				found[Original{p, column, strings.Clone(id.Text)}] = true
			}
			return nil
		})
		object.Close()
		if err != nil {
			return nil, nil, err
		}
	}
	looked = slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return !there[c] })
	if len(looked) == 0 {
		return nil, nil, fault.Mark(fault.Settings, fmt.Errorf("no file of %q has one of the columns %q; name those that hold ids by "+
			"--patient_id_column or --id_columns", cfg.Inputs, columns))
	}
	for o := range found {
		all = append(all, o)
	}
	slices.SortFunc(all, func(a, b Original) int {
		return cmp.Or(strings.Compare(a.Pseudonym, b.Pseudonym), slices.Index(columns, a.Column)-slices.Index(columns, b.Column),
			strings.Compare(a.ID, b.ID))
	})
	return all, looked, nil
}
