// Package convert moves annotated corpora between formats: i2b2 2014 XML,
// in-line XML of i2b2 2006, brat standoff, plain text, marked notes, and this
// project's tables of notes with gold spans or findings.
package convert

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/phi/schemes"
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/pipeline/cli"
	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// Main runs the command and returns its exit status.
func Main(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	return cli.Exit(stderr, help.Command, run(ctx, args, stdout, stderr))
}

var help = cli.Help{
	Command: "palimpsest convert",
	About: `
convert moves an annotated corpus from one format to another. Texts stay as they
are, to the byte; offsets that disagree with the text stop it.

  palimpsest convert --from brat --to parquet --input meddocan/train --output train
  palimpsest convert --config job.yaml --from parquet --to i2b2 --record_names \
      --annotations held/jan/findings --output system
`,
	Brief: []cli.Setting{
		{Flags: "--from, --to FORMAT", Text: "i2b2, i2b2-2006, brat, text, marked or parquet"},
		{Flags: "--input PATH", Text: "folder or file to read"},
		{Flags: "--output DIR", Text: "folder to write, which must be empty or missing"},
		{Flags: "--annotations FILES", Text: "gold spans or findings beside a Parquet table of notes"},
		{Flags: "--scheme, --mapping", Text: "translate labels: by whose they are, or by a YAML file"},
		{Flags: "--config FILE", Text: "the job's settings: its columns and, from parquet, its input"},
	},
	More: formatsHelp(),
}

func formatsHelp() string {
	var b strings.Builder
	b.WriteString(`Formats
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

Parquet: --input is notes.parquet, a glob, or a folder; a folder with
notes.parquet is read with the gold.parquet in it. --annotations names other
gold, or the job's findings; these hold the offsets and the ids of the job's
input, whatever --ids was, so give the notes that went in. What is written has
the columns note_id, patient_id and text, and gold of the examples' columns.

Labels stay as they are, unless --scheme says whose they are: then they become
those of --to_scheme. --mapping names a YAML file of lines "LABEL: OTHER" or
"LABEL: drop", alone or before --scheme.

Schemes
`)
	for _, scheme := range schemes.Schemes() {
		fmt.Fprintf(&b, "  %-14s %s\n", scheme.Name(), scheme.Title())
	}
	return b.String()
}

// settings are the flags.
type settings struct {
	config                    string
	from, to, input, output   string
	read                      corpus.ReadOptions
	write                     corpus.WriteOptions
	mapping, scheme, toScheme string
}

// parse reads the flags. asked is true where they ask for help, which is given.
func parse(ctx context.Context, args []string, stdout io.Writer) (s settings, asked bool, err error) {
	flags := flag.NewFlagSet("convert", flag.ContinueOnError)
	flags.StringVar(&s.config, "config", "",
		"YAML file of the job's settings; columns default to what it says, and --input where --from is parquet")
	flags.StringVar(&s.from, "from", "", "format of the input: "+strings.Join(corpus.Formats(), ", "))
	flags.StringVar(&s.to, "to", "", "format of the output: "+strings.Join(corpus.WriteFormats(), ", "))
	flags.StringVar(&s.input, "input", "", "folder or file to read; local, gs:// or s3://")
	flags.StringVar(&s.output, "output", "", "folder to write, which must be empty or missing, and not in the job's release: the "+
		"original notes go there, in files for their owner alone; local, gs:// or s3://")
	flags.StringVar(&s.read.Annotations, "annotations", "", "Parquet file, glob or folder of gold spans or findings, or none (parquet; "+
		"default gold.parquet beside notes.parquet)")
	flags.StringVar(&s.read.DocumentIDColumn, "document_id_column", "",
		"column of document ids (parquet; default: as in --config, or note_id)")
	flags.StringVar(&s.read.PatientIDColumn, "patient_id_column", "",
		"column of patient ids (parquet; default: as in --config, or patient_id if there is one)")
	flags.StringVar(&s.read.TextColumn, "text_column", "", "column of texts (parquet; default: as in --config, or text)")
	flags.BoolVar(&s.read.TrustOffsets, "trust_offsets", false, "where offsets and quoted text disagree, warn and go by the offsets")
	flags.StringVar(&s.write.Discontinuous, "discontinuous", corpus.RefuseDiscontinuous,
		"brat's discontinuous annotations, where the output has none: error, hull (one, gaps included) or split (one for each piece)")
	flags.StringVar(&s.write.Split, "split", "", "what to write as split of documents that have none, such as train (parquet, jsonl)")
	flags.BoolVar(&s.write.RecordNames, "record_names", false, "name files as the i2b2 2014 evaluation script wants them: 1001703-01.xml "+
		"for the id 1001703 (i2b2)")
	flags.StringVar(&s.scheme, "scheme", "", "scheme of the input's labels")
	flags.StringVar(&s.toScheme, "to_scheme", "", "scheme of the output's labels (default i2b2 if --scheme is given)")
	flags.StringVar(&s.mapping, "mapping", "", "YAML file that maps labels")
	rest, which, err := cli.Parse(flags, args)
	if which != cli.NoHelp {
		help.Write(stdout, flags, which)
		return s, true, nil
	}
	if err == nil {
		err = cli.NoArguments(rest)
	}
	if err == nil {
		err = fault.Mark(fault.Settings, s.complete(ctx))
	}
	return s, false, err
}

// complete takes from the job's settings what the flags leave open, and checks
// what there is then.
func (s *settings) complete(ctx context.Context) error {
	job, inFile, err := pipeline.ReadFile(ctx, s.config)
	if err != nil {
		return err
	}
	if s.read.DocumentIDColumn == "" {
		s.read.DocumentIDColumn = job.DocumentIDColumn
	}
	if s.read.PatientIDColumn == "" && inFile["patient_id_column"] {
		s.read.PatientIDColumn = job.PatientIDColumn
	}
	if s.from == corpus.Parquet {
		if s.read.TextColumn == "" {
			if s.read.TextColumn, err = job.OneTextColumn(); err != nil {
				return err
			}
		}
		if s.input == "" && len(job.Input) == 1 {
			s.input = job.Input[0]
		}
	}
	for _, f := range []struct{ name, value string }{{"from", s.from}, {"to", s.to}, {"input", s.input}, {"output", s.output}} {
		if f.value == "" {
			return fmt.Errorf("--%s is missing; palimpsest convert --help says how to give it", f.name)
		}
	}
	if inFile["output"] && storage.Inside(s.output, job.Output) {
		return fmt.Errorf("--output=%s lies in %s, where the job's release is: a corpus holds the original notes; name another folder", s.output,
			job.Output)
	}
	if s.toScheme != "" && s.scheme == "" && s.mapping == "" {
		return errors.New("--to_scheme needs --scheme, which says whose labels the input has, or --mapping")
	}
	return nil
}

// labels returns the map of labels that the flags ask for, nil for none.
func (s *settings) labels(ctx context.Context) (corpus.LabelMap, error) {
	if s.scheme == "" && s.mapping == "" {
		return nil, nil
	}
	var m *schemes.Mapping
	var to *schemes.Scheme
	if s.toScheme == "" && s.scheme != "" {
		s.toScheme = schemes.I2B2.Name()
	}
	if s.toScheme != "" {
		var err error
		if to, err = schemes.ParseScheme(s.toScheme); err != nil {
			return nil, err
		}
	}
	if s.scheme != "" {
		from, err := schemes.ParseScheme(s.scheme)
		if err != nil {
			return nil, err
		}
		m = schemes.Between(from, to)
	}
	if s.mapping != "" {
		data, err := storage.ReadFile(ctx, s.mapping, 1<<20)
		if err != nil {
			return nil, err
		}
		if m, err = schemes.ReadMapping(s.mapping, data, to, m); err != nil {
			return nil, err
		}
	}
	return m.Map, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	s, asked, err := parse(ctx, args, stdout)
	if asked || err != nil {
		return err
	}
	labels, err := s.labels(ctx)
	if err != nil {
		return fault.Mark(fault.Settings, err)
	}
	r := newReporter(stderr)
	s.read.Warn, s.write.Warn = r.warn, r.warn
	w, err := corpus.NewWriter(ctx, s.to, s.output, s.write)
	if err != nil {
		return fault.Mark(fault.Settings, err)
	}
	if err := convert(ctx, s, labels, w, r); err != nil {
		return fault.Mark(fault.Refused, errors.Join(err, w.Abort()))
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
