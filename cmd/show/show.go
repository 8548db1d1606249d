// Package show prints notes before and after de-identification, line by line
// where they differ. What it prints holds the original text: it is for the
// examples, and for eyes that may see the input.
package show

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/pipeline/cli"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// settings are the flags, and what the job's file of settings says for them.
type settings struct {
	config          string
	before          []string // patterns
	after, findings string
	columns         table.Columns
	notes           int
	all, markdown   bool

	key   string // reference, empty for none
	epoch int
	kept  bool // ids are those of the input
}

var help = cli.Help{
	Command: "palimpsest show",
	About: `
show prints notes before (-) and after (+) de-identification, where they differ.
It prints the original text: run it only where the input may be seen.

  palimpsest show --config job.yaml --after release/jan/notes
  palimpsest show --before examples/notes.parquet --after out/notes --notes 5
`,
	Brief: []cli.Setting{
		{Flags: "--config FILE", Text: "the job's settings: its input, output and columns"},
		{Flags: "--before FILES", Text: "the Parquet that was the input"},
		{Flags: "--after DIR", Text: "the notes of the output"},
		{Flags: "--key KEY", Text: "the job's key, by which notes are matched where rows were regrouped"},
		{Flags: "--notes N", Text: "how many notes to show, spread over the table (3)"},
		{Flags: "--all_lines", Text: "also the lines that did not change"},
		{Flags: "--markdown", Text: "whole notes side by side, as tables in Markdown"},
	},
}

// Main runs the command and returns its exit status.
func Main(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("show", flag.ContinueOnError)
	config := fs.String("config", "", "YAML file of the job's settings; --before, --after, --findings and the columns default to what it says")
	before := fs.String("before", "", "Parquet file, glob or directory that was the input (default: input in --config)")
	after := fs.String("after", "", "the notes of the output (default: notes below output in --config)")
	findings := fs.String("findings", "",
		"with --markdown: the findings in the private output, to set what was replaced in bold (default: below private in --config)")
	id := fs.String("document_id_column", "", "document id (default: as in --config, or note_id)")
	text := fs.String("text_column", "", "text (default: as in --config, or text)")
	key := fs.String("key", "",
		"the job's key, as the job is given it: notes are matched by their ids, not by position (default: as in --config)")
	notes := fs.Int("notes", 3, "how many notes to show, spread over the table")
	all := fs.Bool("all_lines", false, "also lines that did not change")
	asMarkdown := fs.Bool("markdown", false, "write tables of whole notes, side by side")
	return help.Main(fs, args, stdout, stderr, func(rest []string) error {
		if err := cli.NoArguments(rest); err != nil {
			return err
		}
		s := settings{config: *config, after: *after, findings: *findings, notes: *notes, all: *all, markdown: *asMarkdown, key: *key}
		if *before != "" {
			s.before = []string{*before}
		}
		if err := s.complete(ctx, *id, *text); err != nil {
			return fault.Mark(fault.Settings, err)
		}
		if s.markdown {
			return markdown(ctx, stdout, s)
		}
		return show(ctx, stdout, s)
	})
}

// complete takes from the job's settings what the flags leave open.
func (s *settings) complete(ctx context.Context, id, text string) error {
	o, inFile, err := pipeline.ReadFile(ctx, s.config)
	if err != nil {
		return err
	}
	if len(s.before) == 0 {
		s.before = o.Input
	}
	if s.after == "" && o.Output != "" {
		s.after = storage.Join(o.Output, transforms.NotesFolder)
	}
	if s.findings == "" && inFile["private"] {
		s.findings = storage.Join(o.Private, transforms.FindingsFolder)
	}
	if s.key == "" {
		s.key = o.Key
	}
	s.epoch, s.kept = o.SeedEpoch, o.IDs == "keep"
	if id == "" {
		id = o.DocumentIDColumn
	}
	if text == "" {
		if text, err = o.OneTextColumn(); err != nil {
			return err
		}
	}
	s.columns = table.Columns{DocumentID: id, Text: []string{text}}
	s.columns.Line, s.columns.LineSeparator = o.Lines()
	switch {
	case len(s.before) == 0:
		return errors.New("--before is missing: name the Parquet that was the input, or the job's --config")
	case s.after == "":
		return errors.New("--after is missing: name the notes of the output, such as --after release/jan/notes")
	case s.notes < 0:
		return errors.New("--notes: write a number that is not below 0")
	}
	return nil
}

func show(ctx context.Context, w io.Writer, s settings) error {
	in, out, err := readPairs(ctx, s)
	if err != nil {
		return err
	}
	notes := min(s.notes, len(in))
	for k := range notes {
		i := k * len(in) / notes
		fmt.Fprintf(w, "\n=== note %s, released as %s\n", in[i].DocumentID.Text, out[i].DocumentID.Text)
		Diff(w, in[i].Texts[0].Value, out[i].Texts[0].Value, s.all)
	}
	return nil
}

// read returns the notes of all files that match, in order of name and row, as
// the job takes them.
func read(ctx context.Context, patterns []string, c table.Columns) ([]table.Note, error) {
	var notes []table.Note
	err := table.WithFiles(ctx, patterns, func(file *table.File) error {
		b, err := file.Bind(c)
		if err != nil {
			return err
		}
		return b.ReadAllNotes(ctx, func(batch []table.Note) error {
			notes = append(notes, batch...)
			return nil
		})
	})
	return notes, err
}

// Diff prints a note before and after, line by line where they differ, or all
// lines. Replacements never span
// line ends in number, so lines mostly correspond; where a replaced span held
// a line end, the rest of the note is printed whole.
func Diff(w io.Writer, before, after string, all bool) {
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
