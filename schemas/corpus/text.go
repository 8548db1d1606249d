package corpus

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"unicode/utf8"
)

var errNotUTF8 = errors.New("the file is not UTF-8; convert it first")

// readText reads a folder of plain texts.
func readText(ctx context.Context, path string, _ ReadOptions) iter.Seq2[Document, error] {
	return eachFile(ctx, path, ".txt", func(f file, data []byte) (Document, error) {
		if !utf8.Valid(data) {
			return Document{}, fmt.Errorf("%s: %w", f.name, errNotUTF8)
		}
		return Document{ID: f.base, Text: string(data), Source: f.name}, nil
	})
}

// eachFile yields the document that parse makes of each file of a folder.
func eachFile(ctx context.Context, path, extension string, parse func(f file, data []byte) (Document, error)) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		files, err := list(ctx, path, extension)
		if err != nil {
			yield(Document{}, err)
			return
		}
		for _, f := range files {
			data, err := readFile(ctx, f.name)
			var d Document
			if err == nil {
				d, err = parse(f, data)
			}
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}

type textWriter struct{ *folder }

func newTextWriter(f *folder, _ WriteOptions) Writer { return textWriter{f} }

func (w textWriter) Write(d Document) error {
	if err := checkName(&d); err != nil {
		return err
	}
	if err := w.check(&d); err != nil {
		return err
	}
	return w.write(d.ID+".txt", []byte(d.Text))
}
