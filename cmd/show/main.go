// Command show prints notes before and after de-identification, line by line
// where they differ. What it prints holds the original text: it is for the
// examples, and for eyes that may see the input.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
)

func main() {
	before := flag.String("before", "", "Parquet file (or glob) that was the input")
	after := flag.String("after", "", "the output's notes directory")
	id := flag.String("document_id_column", "note_id", "document id")
	text := flag.String("text_column", "text", "text")
	notes := flag.Int("notes", 3, "how many notes to show, spread over the table")
	all := flag.Bool("all_lines", false, "also lines that did not change")
	asMarkdown := flag.Bool("markdown", false, "write tables of whole notes, side by side")
	findings := flag.String("findings", "", "with --markdown: the findings in the private output, to set what was replaced in bold")
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), "show prints notes before (-) and after (+) de-identification.\n\n  go run ./cmd/show --before examples/notes.parquet --after out/notes\n\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	if *asMarkdown {
		err := markdown(os.Stdout, *before, *after, *findings, table.Columns{DocumentID: *id, Text: []string{*text}}, *notes)
		if err != nil {
			fmt.Fprintln(os.Stderr, "show:", err)
			os.Exit(1)
		}
		return
	}
	if err := show(os.Stdout, *before, *after, table.Columns{DocumentID: *id, Text: []string{*text}}, *notes, *all); err != nil {
		fmt.Fprintln(os.Stderr, "show:", err)
		os.Exit(1)
	}
}

func show(w io.Writer, before, after string, c table.Columns, notes int, all bool) error {
	in, out, err := readPairs(context.Background(), before, after, c)
	if err != nil {
		return err
	}
	notes = min(notes, len(in))
	for k := range notes {
		i := k * len(in) / notes
		fmt.Fprintf(w, "\n=== note %s, released as %s\n", in[i].DocumentID.Text, out[i].DocumentID.Text)
		diff(w, in[i].Texts[0].Value, out[i].Texts[0].Value, all)
	}
	return nil
}

// readPairs returns the notes before and after, the same number of them.
func readPairs(ctx context.Context, before, after string, c table.Columns) (in, out []table.Note, err error) {
	if in, err = read(ctx, before, c); err != nil {
		return nil, nil, err
	}
	if out, err = read(ctx, after, c); err != nil {
		return nil, nil, err
	}
	if len(in) != len(out) {
		return nil, nil, fmt.Errorf("%d notes in and %d out: rows were quarantined, so they cannot be matched by position", len(in), len(out))
	}
	return in, out, nil
}

// read returns the notes of all files that match, in order of name and row.
func read(ctx context.Context, pattern string, c table.Columns) ([]table.Note, error) {
	infos, err := storage.Glob(ctx, pattern)
	if err != nil {
		return nil, err
	}
	if len(infos) == 0 {
		return nil, fmt.Errorf("no file matches %s", pattern)
	}
	var notes []table.Note
	for _, info := range infos {
		object, err := storage.Open(ctx, info.Name)
		if err != nil {
			return nil, err
		}
		defer object.Close()
		file, err := table.Open(object, object.Size(), info.Name)
		if err != nil {
			return nil, err
		}
		b, err := file.Bind(c)
		if err != nil {
			return nil, err
		}
		for g := range file.RowGroups() {
			if err := b.ReadNotes(ctx, g, func(batch []table.Note) error {
				notes = append(notes, batch...)
				return nil
			}); err != nil {
				return nil, err
			}
		}
	}
	return notes, nil
}

// diff prints lines side by side where they differ. Replacements never span
// line ends in number, so lines mostly correspond; where a replaced span held
// a line end, the rest of the note is printed whole.
func diff(w io.Writer, before, after string, all bool) {
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	if len(a) != len(b) {
		fmt.Fprintf(w, "- %s\n+ %s\n", before, after)
		return
	}
	skipped := false
	for i := range a {
		switch {
		case a[i] != b[i]:
			fmt.Fprintf(w, "- %s\n+ %s\n", a[i], b[i])
			skipped = false
		case all:
			fmt.Fprintf(w, "  %s\n", a[i])
		case !skipped && strings.TrimSpace(a[i]) != "":
			fmt.Fprintln(w, "  ...")
			skipped = true
		}
	}
}
