// Command tag writes what a model finds in a corpus, in the model's own
// labels, so that a model of another annotation scheme can be scored by that
// scheme's official metric. Nothing is replaced. The job itself reports the
// types of the i2b2 2014 guideline; see cmd/run.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/palimpsest-deid/palimpsest/model/chain"
	"github.com/palimpsest-deid/palimpsest/model/tagger"
	"github.com/palimpsest-deid/palimpsest/model/token"
	"github.com/palimpsest-deid/palimpsest/onnx"
	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
	"github.com/palimpsest-deid/palimpsest/storage"
	"github.com/palimpsest-deid/palimpsest/tools/meddocan"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "tag:", err)
		os.Exit(1)
	}
}

const help = `tag writes what a model finds in a corpus, in the model's own labels.

  go run ./tools/tag --model onnx/models/es-meddocan --input meddocan/dev --output found
  bin/palimpsest evaluate --gold meddocan/dev --system found --official

Annotations of the input are not looked at. --rules meddocan has the rules of
package tools/meddocan work beside the network; none leaves it alone;
meddocan:STEP stops after one of their steps, to measure what each brings; auto
is meddocan where the model has that corpus's labels.
--found takes spans from a folder of brat files in place of the network's, such
as those that "python -m training folds" writes.

Flags:
`

// The values of --rules.
const (
	autoRules     = "auto"
	noRules       = "none"
	meddocanRules = "meddocan"
)

type settings struct {
	model, runtime, provider    string
	from, to, input, output     string
	found, rules                string
	bias                        float64
	documentIDColumn, textColum string
}

func parse(args []string, stderr io.Writer) (s settings, err error) {
	fs := flag.NewFlagSet("tag", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.StringVar(&s.model, "model", "onnx/models/es-meddocan",
		"model directory, local, gs:// or s3://; of several, with commas between them, spans are united")
	fs.StringVar(&s.input, "input", "", "corpus to tag")
	fs.StringVar(&s.output, "output", "", "folder to write, which must be empty or missing")
	fs.StringVar(&s.from, "from", corpus.Brat, "format of the input: "+strings.Join(corpus.Formats(), ", "))
	fs.StringVar(&s.to, "to", corpus.Brat, "format of the output: "+strings.Join(corpus.WriteFormats(), ", "))
	fs.StringVar(&s.found, "found", "", "folder of brat files with spans to take in place of the network's")
	fs.StringVar(&s.rules, "rules", autoRules, autoRules+", "+noRules+", "+meddocanRules+" or "+meddocanRules+":STEP")
	fs.Float64Var(&s.bias, "recall_bias", 0, "nats taken from the network's \"no PHI\" label; the official scores are at 0")
	fs.StringVar(&s.provider, "execution_provider", "cpu", "auto, cpu or cuda")
	fs.StringVar(&s.runtime, "onnxruntime", "", "libonnxruntime.so or its directory")
	fs.StringVar(&s.documentIDColumn, "document_id_column", "", "column of document ids (parquet; default note_id)")
	fs.StringVar(&s.textColum, "text_column", "", "column of texts (parquet; default text)")
	fs.Usage = func() {
		fmt.Fprint(stderr, help)
		fs.PrintDefaults()
	}
	if err := fs.Parse(args); err != nil {
		return s, err
	}
	switch {
	case fs.NArg() > 0:
		return s, fmt.Errorf("unexpected argument %q; settings are flags, see --help", fs.Arg(0))
	case s.input == "" || s.output == "":
		return s, errors.New("--input and --output are needed; see --help")
	}
	return s, nil
}

// steps returns how many steps of the rules are taken.
func (s settings) steps() (int, error) {
	switch last, some := strings.CutPrefix(s.rules, meddocanRules+":"); {
	case s.rules == noRules:
		return 0, nil
	case s.rules == meddocanRules, s.rules == autoRules:
		return len(meddocan.Steps()), nil
	case some && slices.Contains(meddocan.Steps(), last):
		return slices.Index(meddocan.Steps(), last) + 1, nil
	}
	return 0, fmt.Errorf("--rules=%s: give %s, %s, %s, or %s: and the last step to take, of %s", s.rules, autoRules, noRules, meddocanRules,
		meddocanRules, strings.Join(meddocan.Steps(), ", "))
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	s, err := parse(args, stderr)
	if err != nil {
		return err
	}
	steps, err := s.steps()
	if err != nil {
		return err
	}
	find, native, err := s.finder(ctx)
	if err != nil {
		return err
	}
	if s.rules == autoRules && !native {
		steps = 0
	}
	w, err := corpus.NewWriter(ctx, s.to, s.output, corpus.WriteOptions{})
	if err != nil {
		return err
	}
	documents, spans := 0, 0
	write := func(batch []corpus.Document) error {
		found, err := find(batch)
		if err != nil {
			return err
		}
		for i, d := range batch {
			found[i] = meddocan.ApplyUpTo(d.Text, found[i], steps)
			d.Annotations, d.Rest = nil, nil
			for k, f := range found[i] {
				d.Annotations = append(d.Annotations, corpus.Annotation{ID: fmt.Sprintf("T%d", k+1), Start: f.Start, End: f.End, Label: f.Label})
			}
			documents++
			spans += len(found[i])
			if err := w.Write(d); err != nil {
				return err
			}
		}
		return nil
	}
	if err := batches(ctx, s, write); err != nil {
		return errors.Join(err, w.Abort())
	}
	if err := w.Close(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%d documents with %d spans written to %s as %s\n", documents, spans, s.output, s.to)
	return err
}

// maxModelFile bounds a file of a model directory.
const maxModelFile = 1 << 30

// batchSize is how many documents the network sees at once.
const batchSize = 64

// batches gives the documents of the input to f, some at a time.
func batches(ctx context.Context, s settings, f func([]corpus.Document) error) error {
	var batch []corpus.Document
	o := corpus.ReadOptions{DocumentIDColumn: s.documentIDColumn, TextColumn: s.textColum, Annotations: "none"}
	for d, err := range corpus.Read(ctx, s.from, s.input, o) {
		if err != nil {
			return err
		}
		if batch = append(batch, d); len(batch) == batchSize {
			if err := f(batch); err != nil {
				return err
			}
			batch = batch[:0]
		}
	}
	if len(batch) == 0 {
		return nil
	}
	return f(batch)
}

// finder finds the spans of documents, in text order.
type finder func([]corpus.Document) ([][]meddocan.Span, error)

// finder returns what finds, and whether its labels are MEDDOCAN's.
func (s settings) finder(ctx context.Context) (find finder, native bool, err error) {
	if s.found != "" {
		find, err = taken(ctx, s.found)
		return find, true, err
	}
	provider, err := onnx.ParseProvider(s.provider)
	if err != nil {
		return nil, false, err
	}
	var union tagger.Union
	for dir := range strings.SplitSeq(s.model, ",") {
		m, err := onnx.LoadModel(func(name string) ([]byte, error) {
			return storage.ReadFile(ctx, storage.Join(dir, name), maxModelFile)
		})
		if err != nil {
			return nil, false, fmt.Errorf("model %s: %w", dir, err)
		}
		running, err := m.Run(onnx.Setup{Library: s.runtime, Device: onnx.Device{Provider: provider},
			Bias: chain.Bias{Recall: float32(s.bias)}})
		if err != nil {
			return nil, false, fmt.Errorf("model %s: %w", dir, err)
		}
		union = append(union, tagger.Member{Name: m.Name, Tagger: running.Tagger})
		native = native || slices.Contains(m.Labels(), meddocan.Patient)
	}
	return func(documents []corpus.Document) ([][]meddocan.Span, error) {
		texts := make([]tagger.Text, len(documents))
		for i, d := range documents {
			texts[i] = tagger.Text{Text: d.Text, Tokens: token.Tokenize(nil, d.Text)}
		}
		kinds, err := union.TagKinds(texts)
		if err != nil {
			return nil, err
		}
		out := make([][]meddocan.Span, len(kinds))
		for i, of := range kinds {
			for _, f := range of {
				out[i] = append(out[i], meddocan.Span{Start: f.Start, End: f.End, Label: f.Kind})
			}
		}
		return out, nil
	}, native, nil
}

// taken reads the spans that stand in a folder of brat files.
func taken(ctx context.Context, path string) (finder, error) {
	texts := map[string]string{}
	spans := map[string][]meddocan.Span{}
	for d, err := range corpus.Read(ctx, corpus.Brat, path, corpus.ReadOptions{}) {
		if err != nil {
			return nil, err
		}
		texts[d.ID] = d.Text
		for _, a := range d.Annotations {
			spans[d.ID] = append(spans[d.ID], meddocan.Span{Start: a.Start, End: a.End, Label: a.Label})
		}
		slices.SortFunc(spans[d.ID], func(a, b meddocan.Span) int { return a.Start - b.Start })
	}
	return func(documents []corpus.Document) ([][]meddocan.Span, error) {
		out := make([][]meddocan.Span, len(documents))
		for i, d := range documents {
			text, ok := texts[d.ID]
			if !ok || text != d.Text {
				return nil, fmt.Errorf("--found %s: document %q is missing there or has another text", path, d.ID)
			}
			out[i] = slices.Clone(spans[d.ID])
		}
		return out, nil
	}, nil
}
