package transforms

import (
	"context"
	"fmt"
	"slices"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// FirstColumns returns the columns of the first input file, without roles.
func FirstColumns(ctx context.Context, cfg Config) ([]table.Column, error) {
	infos, err := match(ctx, cfg.Inputs)
	if err != nil {
		return nil, fault.Mark(fault.Refused, err)
	}
	return openedColumns(ctx, infos[0], func(f *table.File) ([]table.Column, error) { return f.Columns(), nil })
}

// BoundColumns returns the columns of the first input file and their roles.
func BoundColumns(ctx context.Context, cfg Config) ([]table.Column, error) {
	infos, err := match(ctx, cfg.Inputs)
	if err != nil {
		return nil, fault.Mark(fault.Refused, err)
	}
	return openedColumns(ctx, infos[0], func(f *table.File) ([]table.Column, error) {
		b, err := f.Bind(cfg.Columns)
		if err != nil {
			return nil, err
		}
		return b.Columns(), nil
	})
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
	return openedColumns(ctx, infos[0], func(f *table.File) ([]table.Sample, error) {
		all := make([]table.Sample, len(columns))
		for i, c := range columns {
			if all[i], err = f.Sample(c.Path, n); err != nil {
				return nil, err
			}
		}
		return all, nil
	})
}

func openedColumns[T any](ctx context.Context, info storage.Info, use func(*table.File) ([]T, error)) ([]T, error) {
	object, err := storage.OpenVersion(ctx, info)
	if err != nil {
		return nil, err
	}
	defer object.Close()
	f, err := footers.open(object, info.Name)
	if err != nil {
		return nil, fault.Mark(fault.Refused, err)
	}
	return use(f)
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
	case table.RoleKeep:
		return "copied"
	}
	return "dropped"
}
