package corpus

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"unicode/utf8"
)

// readCoNLL reads .conll files of lines "token<tab>BIO label", blank lines
// between sentences, as WNUT 2017 has them. A sentence becomes a document, its
// tokens joined by blanks, called by the file's name and its number from 1. Of
// several labels, divided by commas where annotators disagreed, the first
// counts.
func readCoNLL(ctx context.Context, path string, _ ReadOptions) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		files, err := list(ctx, path, ".conll")
		if err != nil {
			yield(Document{}, err)
			return
		}
		for _, f := range files {
			data, err := readFile(ctx, f.name)
			if err == nil && !utf8.Valid(data) {
				err = fmt.Errorf("%s: %w", f.name, errNotUTF8)
			}
			if err != nil {
				yield(Document{}, err)
				return
			}
			number, d := 0, Document{}
			for i, line := range append(strings.Split(string(data), "\n"), "") {
				line = strings.TrimSuffix(line, "\r")
				if strings.TrimSpace(line) != "" {
					if err := addToken(&d, line); err != nil {
						yield(Document{}, fmt.Errorf("%s:%d: %w", f.name, i+1, err))
						return
					}
					continue
				} else if d.Text == "" {
					continue
				}
				number++
				d.ID, d.Source = fmt.Sprintf("%s-%d", f.base, number), fmt.Sprintf("%s:%d", f.name, i)
				if !yield(d, nil) {
					return
				}
				d = Document{}
			}
		}
	}
}

// addToken appends the token of a line to a sentence, with its label.
func addToken(d *Document, line string) error {
	token, labels, ok := strings.Cut(line, "\t")
	label, _, _ := strings.Cut(labels, ",")
	prefix, kind, typed := strings.Cut(label, "-")
	token = strings.TrimSpace(token)
	if !ok || token == "" || label != "O" && (!typed || prefix != "B" && prefix != "I" || strings.TrimSpace(kind) == "") {
		return errors.New("not a token, a tab and a label: O, or B- or I- and a type")
	}
	if d.Text != "" {
		d.Text += " "
	}
	start := len(d.Text)
	d.Text += token
	last := len(d.Annotations) - 1
	switch {
	case label == "O":
	case prefix == "I" && last >= 0 && d.Annotations[last].Label == kind && d.Annotations[last].End == start-1:
		d.Annotations[last].End = len(d.Text)
	default:
		d.Annotations = append(d.Annotations, Annotation{Start: start, End: len(d.Text), Label: kind})
	}
	return nil
}
