package table

import (
	"context"

	"github.com/palimpsest-deid/palimpsest/storage"
)

// WithFile opens the Parquet file of that name in storage for as long as do takes.
func WithFile(ctx context.Context, name string, do func(*File) error) error {
	object, err := storage.Open(ctx, name)
	if err != nil {
		return err
	}
	defer object.Close()
	f, err := Open(object, object.Size(), name)
	if err != nil {
		return err
	}
	return do(f)
}

// WithFiles is WithFile for each file that patterns name, as storage.TableFiles
// lists them. An error of do ends it and is returned.
func WithFiles(ctx context.Context, patterns []string, do func(*File) error) error {
	infos, err := storage.TableFiles(ctx, patterns...)
	if err != nil {
		return err
	}
	for _, info := range infos {
		if err := WithFile(ctx, info.Name, do); err != nil {
			return err
		}
	}
	return nil
}

// ReadFindings hands the findings in all files that match a pattern to yield, in
// order of file and row, and returns how many files there are: none is no error. An
// error of yield ends the reading and is returned.
func ReadFindings(ctx context.Context, pattern string, yield func(Finding) error) (files int, err error) {
	infos, err := storage.Glob(ctx, pattern)
	if err != nil {
		return 0, err
	}
	for _, info := range infos {
		if err := WithFile(ctx, info.Name, func(f *File) error { return f.EachFinding(ctx, yield) }); err != nil {
			return len(infos), err
		}
	}
	return len(infos), nil
}
