// Command recall measures --recall: what each level finds and eats, on annotated
// notes that nothing was trained on, the dev parts of the examples, the varied and
// the training notes. Beside the levels it measures numbers of nats, which the
// levels were chosen from. It writes docs/recall.md.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/palimpsest-deid/palimpsest/cmd/convert"
	"github.com/palimpsest-deid/palimpsest/cmd/evaluate"
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/tools/annotated"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	out := flag.String("out", "docs/recall.md", "file to write")
	head := flag.String("head", "docs/recall.head.md", "file that goes before the tables")
	flag.Parse()
	beam.Init()
	slog.SetDefault(slog.New(slog.DiscardHandler))
	if err := run(ctx, *out, *head); err != nil {
		fmt.Fprintln(os.Stderr, "recall:", err)
		os.Exit(1)
	}
}

// corpus is annotated notes and what tells which of them are for choosing.
type corpus struct {
	name, notes, identifiers, gold, split string
}

// row is a setting to measure: a level, or numbers of nats.
type row struct {
	name        string
	level       string
	bias, doubt float32
}

var rows = []row{
	{name: "`balanced`", level: "balanced"},
	{name: "`high`", level: "high"},
	{name: "`maximum`", level: "maximum"},
	{name: "0 nats", bias: 0},
	{name: "0.5", bias: 0.5},
	{name: "1", bias: 1},
	{name: "1.5", bias: 1.5},
	{name: "2", bias: 2},
	{name: "3", bias: 3},
	{name: "0.25, doubts at 1", bias: 0.25, doubt: 1},
	{name: "0.25, doubts at 1.5", bias: 0.25, doubt: 1.5},
	{name: "0.25, doubts at 2", bias: 0.25, doubt: 2},
	{name: "0.25, doubts at 2.5", bias: 0.25, doubt: 2.5},
	{name: "0.25, doubts at 3", bias: 0.25, doubt: 3},
}

// counts are what a setting found in one corpus, or in all.
type counts struct {
	tp, fp, fn        int // tokens, whatever their type
	covered, notes    int // notes without a miss, and all with PHI
	lost, spans, free int // innocent tokens lost, needless spans, innocent tokens
	values            int // measured values in the notes that were replaced
}

func (c *counts) add(o counts) {
	c.tp, c.fp, c.fn = c.tp+o.tp, c.fp+o.fp, c.fn+o.fn
	c.covered, c.notes = c.covered+o.covered, c.notes+o.notes
	c.lost, c.spans, c.free, c.values = c.lost+o.lost, c.spans+o.spans, c.free+o.free, c.values+o.values
}

func run(ctx context.Context, out, head string) error {
	dir, err := os.MkdirTemp("", "palimpsest-recall-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	training, err := trainingDev(ctx, dir)
	if err != nil {
		return err
	}
	corpora := []corpus{
		{"examples", "examples/notes.parquet", "examples/identifiers.parquet", "examples/gold.parquet", "examples/split.json"},
		{"varied", "examples/varied/notes.parquet", "examples/varied/identifiers.parquet", "examples/varied/gold.parquet",
			"examples/varied/split.json"},
		training,
	}
	text, err := os.ReadFile(head)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	b.Write(text)
	b.WriteString("| setting | tokens of PHI found | right, of what was taken | notes without a miss | innocent tokens lost | needless " +
		"spans in 1,000 tokens | measured values replaced |\n" +
		"|---|--:|--:|--:|--:|--:|--:|\n")
	for i, r := range rows {
		var all counts
		for _, c := range corpora {
			n, err := measure(ctx, filepath.Join(dir, fmt.Sprint(i, c.name)), c, r)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", r.name, c.name, err)
			}
			all.add(n)
		}
		line := fmt.Sprintf("| %s | %.1f %% | %.1f %% | %d of %d | %.2f %% | %.1f | %d |\n", r.name, percent(all.tp, all.tp+all.fn),
			percent(all.tp, all.tp+all.fp),
			all.covered, all.notes, percent(all.lost, all.free), 10*percent(all.spans, all.free), all.values)
		b.WriteString(line)
		fmt.Print(line)
	}
	return os.WriteFile(out, b.Bytes(), 0o644)
}

func percent(part, whole int) float64 { return 100 * float64(part) / float64(max(whole, 1)) }

// trainingDev writes the dev part of the training notes as tables.
func trainingDev(ctx context.Context, dir string) (c corpus, err error) {
	const notes = "model/training/notes"
	split, err := annotated.Set{Folder: notes, Part: "dev"}.Split()
	if err != nil {
		return c, err
	}
	from, to := filepath.Join(dir, "dev"), filepath.Join(dir, "training")
	if err := os.Mkdir(from, 0o700); err != nil {
		return c, err
	}
	for _, name := range split["dev"] {
		text, err := os.ReadFile(filepath.Join(notes, name+".txt"))
		if err == nil {
			err = os.WriteFile(filepath.Join(from, name+".txt"), text, 0o600)
		}
		if err != nil {
			return c, err
		}
	}
	var said bytes.Buffer
	if code := convert.Main(ctx, []string{"--from", "marked", "--to", "parquet", "--input", from, "--output", to}, nil, io.Discard,
		&said); code != 0 {
		return c, errors.New(said.String())
	}
	return corpus{name: "training", notes: filepath.Join(to, "notes.parquet"), gold: filepath.Join(to, "gold.parquet")}, nil
}

// measure runs the job with a setting and scores it.
func measure(ctx context.Context, dir string, c corpus, r row) (n counts, err error) {
	const key = "PALIMPSEST_RECALL_KEY"
	if err := os.Setenv(key, strings.Repeat("surrogates to count with ", 2)); err != nil {
		return n, err
	}
	o := pipeline.DefaultOptions()
	o.Input, o.Identifiers, o.Key, o.Output, o.Private, o.Beside = []string{c.notes}, c.identifiers, "env:"+key, dir, dir+"-private", true
	o.OtherColumns, o.IDs, o.ExecutionProvider = "keep", "keep", "cpu"
	o.AcceptColumns = []string{"orders.list.element.code", "note_title", "note_type"}
	o.Recall = r.level
	if c.identifiers != "" {
		o.DateColumns, o.IDColumns = []string{"note_date", "written_at", "admitted_at"}, []string{"encounter_id"}
	}
	cfg, err := pipeline.NewConfig(o)
	if err != nil {
		return n, err
	}
	if r.level == "" {
		cfg.RecallBias, cfg.DoubtBias = r.bias, r.doubt
	}
	if cfg, _, err = pipeline.Prepare(ctx, cfg); err != nil {
		return n, err
	}
	if err := pipeline.Run(ctx, cfg, io.Discard); err != nil {
		return n, err
	}
	args := []string{"--gold", c.gold, "--notes", c.notes, "--system", cfg.Private, "--json", dir + ".json", "--bootstrap", "0"}
	if c.split != "" {
		args = append(args, "--documents", c.split, "--split", "dev")
	}
	var said bytes.Buffer
	if code := evaluate.Main(ctx, args, nil, io.Discard, &said); code != 0 {
		return n, errors.New(said.String())
	}
	if n, err = read(dir + ".json"); err != nil {
		return n, err
	}
	n.values, err = replacedValues(ctx, c.notes, cfg)
	return n, err
}

// read takes the counts out of what evaluate writes.
func read(file string) (n counts, err error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return n, err
	}
	var r struct {
		Score struct {
			Metrics []struct {
				Measure    string
				Subset     string
				TP, FP, FN int
			}
			DocumentRecall struct {
				WithPHI int `json:"with_phi"`
				Covered int
			} `json:"document_recall"`
			OverRedaction struct {
				Spans      int
				FreeTokens int `json:"free_tokens"`
				LostTokens int `json:"lost_tokens"`
			} `json:"over_redaction"`
		}
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return n, err
	}
	for _, m := range r.Score.Metrics {
		if m.Measure == "binary token" && m.Subset == "all" {
			n.tp, n.fp, n.fn = m.TP, m.FP, m.FN
		}
	}
	n.covered, n.notes = r.Score.DocumentRecall.Covered, r.Score.DocumentRecall.WithPHI
	n.spans, n.free, n.lost = r.Score.OverRedaction.Spans, r.Score.OverRedaction.FreeTokens, r.Score.OverRedaction.LostTokens
	return n, nil
}
