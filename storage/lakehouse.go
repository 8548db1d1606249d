package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
)

// A lakehouse keeps a table as Parquet files and a log that says which of them
// are in use: the others hold rows that were deleted or replaced, and what reads
// the files alone takes those for rows too.
type lakehouse struct {
	name   string
	log    string // files below a table's folder by which it is known
	export string // writes one version as plain Parquet; %s is the folder
}

var lakehouses = []lakehouse{
	{"a Delta Lake table", "_delta_log/*",
		`duckdb -c "COPY (FROM delta_scan('%s')) TO 'notes.parquet'"`},
	{"an Apache Iceberg table", "metadata/*.metadata.json",
		`duckdb -c "COPY (FROM iceberg_scan('%s')) TO 'notes.parquet'"`},
	{"an Apache Hudi table", ".hoodie/*",
		`spark.read.format("hudi").load("%s").write.parquet("notes")`},
}

// TableFiles returns the Parquet files that patterns name, each once, in order of
// name: those of a table that is to be read. A pattern that no file matches is an
// error, and so are files of a Delta, Iceberg or Hudi table, however they were named:
// by the table's folder, by a pattern, or one by one.
func TableFiles(ctx context.Context, patterns ...string) ([]Info, error) {
	var all []Info
	for _, pattern := range patterns {
		s, err := For(ctx, pattern)
		if err != nil {
			return nil, err
		}
		infos, err := globTable(ctx, s, pattern)
		if err != nil {
			return nil, err
		}
		if len(infos) == 0 {
			return nil, fmt.Errorf("no file matches %s; give a path, a glob such as 'notes/*.parquet' (quoted) or a directory of Parquet files",
				pattern)
		}
		all = append(all, infos...)
	}
	slices.SortStableFunc(all, func(a, b Info) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(all, func(a, b Info) bool { return a.Name == b.Name }), nil
}

func globTable(ctx context.Context, s System, pattern string) ([]Info, error) {
	infos, err := s.Glob(ctx, pattern)
	if err != nil {
		return nil, err
	}
	return infos, notOfLakehouse(ctx, s, infos)
}

// lookingAtOnce bounds the folders that are looked into at the same time.
const lookingAtOnce = 16

// notOfLakehouse looks for the logs of lakehouses in the folders above some
// files.
func notOfLakehouse(ctx context.Context, s System, infos []Info) error {
	folders := foldersAbove(infos)
	refused := make([]error, len(folders))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(lookingAtOnce)
	for i, folder := range folders {
		g.Go(func() error {
			for _, l := range lakehouses {
				found, err := s.Glob(ctx, strings.TrimRight(Literal(folder), "/")+"/"+l.log)
				if errors.Is(err, fs.ErrPermission) {
					continue // who may read the files need not see what lies above
				}
				if err != nil {
					return err
				}
				if len(found) > 0 {
					export := fmt.Sprintf(l.export, strings.ReplaceAll(folder, "'", "''"))
					refused[i] = &Error{Op: "read", Name: folder,
						Err:    unusable("it is %s, whose Parquet files also hold rows that were deleted or replaced", l.name),
						Advice: "write the version that you want as plain Parquet, and name that: " + export}
					return nil
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for _, err := range refused {
		if err != nil {
			return err
		}
	}
	return nil
}

// foldersAbove returns the folders above files, each once, the shortest names
// first. Those of partitions (dt=2024-03-01) are no table's own.
func foldersAbove(infos []Info) []string {
	seen := map[string]bool{}
	var all []string
	for _, info := range infos {
		name := info.Name
		if scheme, _ := splitScheme(name); scheme == "" {
			if full, err := filepath.Abs(name); err == nil {
				name = full
			}
		}
		for dir := Dir(name); !seen[dir]; dir = Dir(dir) {
			seen[dir] = true
			if !strings.Contains(Base(dir), "=") {
				all = append(all, dir)
			}
			if Dir(dir) == dir {
				break
			}
		}
	}
	slices.SortFunc(all, func(a, b string) int { return len(a) - len(b) })
	return all
}
