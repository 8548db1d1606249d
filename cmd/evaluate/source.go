package evaluate

import (
	"context"
	"fmt"
	"iter"
	"path/filepath"
	"strings"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// source is one side of the scoring: where its documents are and how to read
// them. It can be read any number of times.
type source struct {
	flag    string // --gold, --system or --compare
	path    string // as the user gave it
	format  string
	read    string // what corpus.Read is given: of Parquet, the table of notes
	options corpus.ReadOptions
}

// documents reads the source. What cannot be read is an error of fault.Refused.
func (s *source) documents(ctx context.Context) iter.Seq2[corpus.Document, error] {
	return func(yield func(corpus.Document, error) bool) {
		for d, err := range corpus.Read(ctx, s.format, s.read, s.options) {
			if !yield(d, fault.Mark(fault.Refused, err)) {
				return
			}
		}
	}
}

// newSource finds out how to read path. notes is the table of texts for
// Parquet annotations; "" looks beside them.
func newSource(ctx context.Context, flag, path, format, notes string, o corpus.ReadOptions) (source, error) {
	s := source{flag: flag, path: path, format: format, read: path, options: o}
	if s.format == "" {
		var err error
		if s.format, err = guess(ctx, flag, path); err != nil {
			return s, err
		}
	}
	if s.format != corpus.Parquet {
		return s, nil
	}
	spans, beside, err := tables(ctx, path)
	if err != nil {
		return s, err
	}
	if notes == "" {
		notes = beside
	}
	if notes == "" {
		return s, fmt.Errorf("%s %s holds annotations without their texts; name the table of notes that they are on with --notes", flag, path)
	}
	if s.read, err = glob(ctx, notes); err != nil {
		return s, err
	}
	s.options.Annotations = spans
	return s, nil
}

// guess tells the format of what lies at path, where that is plain.
func guess(ctx context.Context, flag, path string) (string, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".parquet":
		return corpus.Parquet, nil
	case ".xml":
		return corpus.I2B22006, nil
	}
	for _, sign := range []struct{ files, format string }{
		{"*.ann", corpus.Brat},
		{"*.xml", corpus.I2B2},
		{"*.parquet", corpus.Parquet},
		{"findings/*.parquet", corpus.Parquet},
	} {
		if ok, err := holds(ctx, path, sign.files); err != nil || ok {
			return sign.format, err
		}
	}
	if ok, err := holds(ctx, path, "manifest.json"); err != nil || ok {
		return "", fmt.Errorf("%s %s is what a job released; what it found lies in the folder that its --private names", flag, path)
	}
	if ok, err := holds(ctx, path, "*.txt"); err != nil || ok {
		return "", fmt.Errorf("%s %s holds text files; say with %s_format whether they are %s (annotations inline) or %s (none)", flag, path,
			flag, corpus.Marked, corpus.Text)
	}
	return "", fmt.Errorf("%s %s: nothing there is of a format that can be told; does the path exist? Else say the format with %s_format",
		flag, path, flag)
}

// tables finds the annotations that path means, and the notes that lie beside
// them: a job's private folder or its findings, a folder of notes.parquet and
// gold.parquet, or files of annotations.
func tables(ctx context.Context, path string) (spans, notes string, err error) {
	if strings.HasSuffix(path, ".parquet") {
		beside := storage.Join(storage.Dir(path), "notes.parquet")
		if beside != path {
			if infos, err := storage.Glob(ctx, beside); err == nil && len(infos) > 0 {
				return path, beside, nil
			}
		}
		return path, "", nil
	}
	for _, sign := range []struct{ files, notes string }{
		{"findings/*.parquet", ""},
		{"gold.parquet", "notes.parquet"},
		{"*.parquet", ""},
	} {
		ok, err := holds(ctx, path, sign.files)
		if err != nil {
			return "", "", err
		}
		if !ok {
			continue
		}
		if sign.notes != "" {
			if ok, err := holds(ctx, path, sign.notes); err != nil || !ok {
				return storage.Join(path, sign.files), "", err
			}
			notes = storage.Join(path, sign.notes)
		}
		return storage.Join(path, sign.files), notes, nil
	}
	return "", "", fmt.Errorf("%s holds no Parquet file", path)
}

// glob makes a pattern of a folder of Parquet files.
func glob(ctx context.Context, path string) (string, error) {
	if strings.HasSuffix(path, ".parquet") {
		return path, nil
	}
	for _, files := range []string{"notes.parquet", "*.parquet"} {
		if ok, err := holds(ctx, path, files); err != nil || ok {
			return storage.Join(path, files), err
		}
	}
	return "", fmt.Errorf("--notes %s holds no Parquet file", path)
}

// holds tells whether a file in the folder at path fits the pattern.
func holds(ctx context.Context, path, pattern string) (bool, error) {
	infos, err := storage.Glob(ctx, storage.Join(path, pattern))
	return len(infos) > 0, err
}
