package transforms

import (
	"context"
	"fmt"
	"slices"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// FirstColumns returns the columns of the first input file, without roles.
func FirstColumns(ctx context.Context, cfg Config) ([]table.Column, error) {
	infos, err := storage.TableFiles(ctx, cfg.Inputs...)
	if err != nil {
		return nil, fault.Mark(fault.Refused, err)
	}
	f, object, err := openFile(ctx, infos[0])
	if err != nil {
		return nil, fault.Mark(fault.Refused, err)
	}
	defer object.Close()
	return f.Columns(), nil
}

// BoundColumns returns the columns of a shard's file and their roles.
func BoundColumns(ctx context.Context, cfg Config, shard schemas.Shard) ([]table.Column, error) {
	b, object, err := openShard(ctx, cfg, shard, false)
	if err != nil {
		return nil, err
	}
	defer object.Close()
	return b.Columns(), nil
}

// SampleColumns returns the first values of columns of a file.
func SampleColumns(ctx context.Context, file string, columns []table.Column, n int) ([]table.Sample, error) {
	infos, err := storage.Glob(ctx, storage.Literal(file))
	if err != nil {
		return nil, err
	}
	if len(infos) != 1 {
		return nil, fmt.Errorf("%s changed while it was read", file)
	}
	f, object, err := openFile(ctx, infos[0])
	if err != nil {
		return nil, err
	}
	defer object.Close()
	all := make([]table.Sample, len(columns))
	for i, c := range columns {
		if all[i], err = f.Sample(c.Path, n); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Fate says in a word what happens to a column's values.
func Fate(col table.Column, c table.Columns, keepIDs bool) string {
	switch col.Role {
	case table.RoleText:
		return "replaced"
	case table.RoleNoteDate:
		if !slices.Contains(c.Dates, col.Path) {
			return "copied"
		}
		return "shifted"
	case table.RoleDate:
		return "shifted"
	case table.RoleDocumentID, table.RolePatientID, table.RoleID:
		if keepIDs {
			return "copied"
		}
		return "pseudonymised"
	case table.RoleKeep, table.RoleLine:
		return "copied"
	}
	return "dropped"
}
