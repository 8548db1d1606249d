package transforms

import (
	"fmt"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// partitionsOf returns the columns that a file's folders stand for, as Hive writes
// them: "dt" of notes/dt=2024-01-31/a.parquet. Folders that a pattern names to the
// letter are not counted: whoever writes --input notes/dt=2024-01-31/*.parquet knows
// which rows these are.
func partitionsOf(patterns []string, name string) []string {
	fewest, found := []string(nil), false
	name = strings.TrimPrefix(name, "./")
	for _, p := range patterns {
		p = strings.TrimPrefix(p, "./")
		literal := p
		if i := strings.IndexAny(p, "*?["); i >= 0 {
			literal = p[:i]
		}
		if literal == p && !strings.HasSuffix(p, ".parquet") {
			literal = strings.TrimRight(p, "/") + "/" // a folder
		}
		literal, _ = split(literal)
		rest, ok := strings.CutPrefix(name, literal)
		if !ok {
			continue
		}
		var keys []string
		folders, _ := split(rest)
		for _, folder := range strings.Split(folders, "/") {
			if key, _, ok := strings.Cut(folder, "="); ok && key != "" {
				keys = append(keys, key)
			}
		}
		if !found || len(keys) < len(fewest) {
			fewest, found = keys, true
		}
	}
	return fewest
}

// withoutPartitions returns the columns as a file is to be bound to them: those that its
// folders stand for and it does not hold need no dropping. One that nobody drops is
// an error: its values would be lost, as the names of folders stay behind.
func withoutPartitions(patterns []string, name string, f *table.File, c table.Columns) (table.Columns, error) {
	for _, key := range partitionsOf(patterns, name) {
		switch {
		case slices.Contains(f.ColumnNames(), key):
		case slices.Contains(c.Drop, key):
			c.Drop = slices.DeleteFunc(slices.Clone(c.Drop), func(s string) bool { return s == key })
		default:
			return c, fmt.Errorf("%s: the column %q is in the names of folders alone (%s=...), which are not released, so it would be lost; "+
				"leave it out by --drop_columns=%s, name one partition's folder in --input, or write it into the files, such as with DuckDB: "+
				"COPY (FROM read_parquet('notes/**/*.parquet', hive_partitioning = true)) TO 'notes.parquet'", name, key, key, key)
		}
	}
	return c, nil
}
