// Command convert moves annotated corpora between formats: i2b2 2014 XML,
// in-line XML of i2b2 2006, brat standoff, plain text, marked notes, and this
// project's tables of notes with gold spans or findings.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
	"github.com/palimpsest-deid/palimpsest/storage"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "convert:", err)
		if errors.Is(err, errUsage) {
			os.Exit(2)
		}
		os.Exit(1)
	}
}

// errUsage marks settings that cannot be, which no file is to blame for.
var errUsage = errors.New("see --help")

const help = `convert moves an annotated corpus from one format to another.

  go run ./cmd/convert --from brat --to parquet --input meddocan/train --output train
  go run ./cmd/convert --from parquet --to i2b2 --record_names \
      --input examples/notes.parquet --annotations out-private/findings --output system
  go run ./cmd/convert --from brat --to i2b2 --scheme meddocan --input meddocan/dev --output dev-xml

Formats:
  i2b2       folder of i2b2 2014 XML files, one per record
  i2b2-2006  in-line XML, <RECORD ID="1"><TEXT>...<PHI TYPE="DATE">...; a file or a folder
  brat       folder of brat standoff pairs, NAME.txt and NAME.ann
  text       folder of .txt files; annotations are left out
  marked     notes marked inline, as in examples/source; can only be read
  conll      a token, a tab and its BIO label a line; can only be read
  jsonl      JSON lines, one document a line, which model/training reads
  parquet    table of notes with a table of gold spans or findings

The text of a document never changes: byte-order marks, carriage returns and
leading line ends stay, and count. Where an annotation's offsets and the text
that the file quotes for it disagree, convert stops and names both file and
annotation; --trust_offsets goes by the offsets. Messages never quote a text.
Exit status: 0 converted, 1 an error, 2 settings that cannot be.

Parquet: --input is notes.parquet, a glob, or a folder; a folder with
notes.parquet is read with the gold.parquet in it. --annotations names other
gold, or the job's findings; these hold the offsets and the ids of the job's
input, whatever --ids was, so give the notes that went in. What is written has
the columns note_id, patient_id and text, and gold of the examples' columns.

Labels stay as they are, unless --scheme says whose they are: then they become
those of --to_scheme. --mapping names a YAML file of lines "LABEL: OTHER" or
"LABEL: drop", alone or before --scheme. Schemes:
`

// settings are the flags.
type settings struct {
	from, to, input, output   string
	read                      corpus.ReadOptions
	write                     corpus.WriteOptions
	mapping, scheme, toScheme string
}

func parse(args []string, stderr io.Writer) (s settings, err error) {
	flags := flag.NewFlagSet("convert", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&s.from, "from", "", "format of the input: "+strings.Join(corpus.Formats(), ", "))
	flags.StringVar(&s.to, "to", "", "format of the output: "+strings.Join(corpus.WriteFormats(), ", "))
	flags.StringVar(&s.input, "input", "", "folder or file to read; local or gs://")
	flags.StringVar(&s.output, "output", "", "folder to write, which must be empty or missing; local or gs://")
	flags.StringVar(&s.read.Annotations, "annotations", "", "Parquet file, glob or folder of gold spans or findings, or none (parquet; default gold.parquet beside notes.parquet)")
	flags.StringVar(&s.read.DocumentIDColumn, "document_id_column", "note_id", "column of document ids (parquet)")
	flags.StringVar(&s.read.PatientIDColumn, "patient_id_column", "", "column of patient ids (parquet; default patient_id if there is one)")
	flags.StringVar(&s.read.TextColumn, "text_column", "text", "column of texts (parquet)")
	flags.BoolVar(&s.read.TrustOffsets, "trust_offsets", false, "where offsets and quoted text disagree, warn and go by the offsets")
	flags.StringVar(&s.write.Discontinuous, "discontinuous", corpus.RefuseDiscontinuous, "brat's discontinuous annotations, where the output has none: error, hull (one, gaps included) or split (one for each piece)")
	flags.StringVar(&s.write.Split, "split", "", "what to write as split of documents that have none, such as train (parquet, jsonl)")
	flags.BoolVar(&s.write.RecordNames, "record_names", false, "name files as the i2b2 2014 evaluation script wants them: 1001703-01.xml for the id 1001703 (i2b2)")
	flags.StringVar(&s.scheme, "scheme", "", "scheme of the input's labels")
	flags.StringVar(&s.toScheme, "to_scheme", "", "scheme of the output's labels (default i2b2 if --scheme is given)")
	flags.StringVar(&s.mapping, "mapping", "", "YAML file that maps labels")
	flags.Usage = func() {
		fmt.Fprint(stderr, help)
		for _, scheme := range phi.Schemes() {
			fmt.Fprintf(stderr, "  %-14s %s\n", scheme.Name(), scheme.Title())
		}
		fmt.Fprint(stderr, "\nFlags:\n")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return s, err
		}
		return s, fmt.Errorf("%w; %w", err, errUsage)
	}
	if flags.NArg() > 0 {
		return s, fmt.Errorf("unexpected argument %q; settings are flags, %w", flags.Arg(0), errUsage)
	}
	for _, f := range []struct{ name, value string }{{"from", s.from}, {"to", s.to}, {"input", s.input}, {"output", s.output}} {
		if f.value == "" {
			return s, fmt.Errorf("--%s is missing; %w", f.name, errUsage)
		}
	}
	if s.toScheme != "" && s.scheme == "" && s.mapping == "" {
		return s, fmt.Errorf("--to_scheme needs --scheme, which says whose labels the input has, or --mapping; %w", errUsage)
	}
	return s, nil
}

// labels returns the map of labels that the flags ask for, nil for none.
func (s *settings) labels(ctx context.Context) (corpus.LabelMap, error) {
	if s.scheme == "" && s.mapping == "" {
		return nil, nil
	}
	var m *phi.Mapping
	var to *phi.Scheme
	if s.toScheme == "" && s.scheme != "" {
		s.toScheme = phi.I2B2.Name()
	}
	if s.toScheme != "" {
		var err error
		if to, err = phi.ParseScheme(s.toScheme); err != nil {
			return nil, err
		}
	}
	if s.scheme != "" {
		from, err := phi.ParseScheme(s.scheme)
		if err != nil {
			return nil, err
		}
		m = phi.Between(from, to)
	}
	if s.mapping != "" {
		data, err := storage.ReadFile(ctx, s.mapping, 1<<20)
		if err != nil {
			return nil, err
		}
		if m, err = phi.ReadMapping(s.mapping, data, to, m); err != nil {
			return nil, err
		}
	}
	return m.Map, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	s, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	labels, err := s.labels(ctx)
	if err != nil {
		return err
	}
	r := newReporter(stderr)
	s.read.Warn, s.write.Warn = r.warn, r.warn
	w, err := corpus.NewWriter(ctx, s.to, s.output, s.write)
	if err != nil {
		return err
	}
	if err := convert(ctx, s, labels, w, r); err != nil {
		return errors.Join(err, w.Abort())
	}
	r.finish()
	fmt.Fprintf(stdout, "%d documents with %d annotations written to %s as %s", r.documents, r.annotations, s.output, s.to)
	if r.dropped > 0 {
		fmt.Fprintf(stdout, "; %d annotations dropped by the mapping of labels", r.dropped)
	}
	fmt.Fprintln(stdout)
	return nil
}

// convert copies all documents and closes the writer.
func convert(ctx context.Context, s settings, labels corpus.LabelMap, w corpus.Writer, r *reporter) error {
	for d, err := range corpus.Read(ctx, s.from, s.input, s.read) {
		if err != nil {
			return err
		}
		dropped := 0
		if labels != nil {
			if dropped, err = corpus.Relabel(&d, labels); err != nil {
				return err
			}
		}
		if err := w.Write(d); err != nil {
			return err
		}
		r.wrote(len(d.Annotations), dropped)
	}
	return w.Close()
}
