package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/bilstmcrf"
	"github.com/palimpsest-deid/palimpsest/model/chain"
	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/score"
	"github.com/palimpsest-deid/palimpsest/model/token"
	"github.com/palimpsest-deid/palimpsest/onnx"
	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
	"github.com/palimpsest-deid/palimpsest/tools/annotated"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// cut is a way of cutting texts into windows.
type cut struct {
	name    string
	windows func(dst []token.Window, text string, tokens []token.Token) []token.Window
	margin  int
}

// byPlace is how texts were cut before: by how far a line is from their beginning.
var byPlace = cut{name: "by place, 128 at most", windows: func(dst []token.Window, text string, tokens []token.Token) []token.Window {
	return token.Windows(dst, text, tokens, 128)
}}

func byContent(least, inner, margin int) cut {
	c := shorter(least, inner, 128)
	if c.margin = margin; margin > 0 {
		c.name += fmt.Sprintf(", margin %d", margin)
	}
	return c
}

// shorter is byContent with windows of at most so many tokens, other than the 128 that
// the networks were trained on.
func shorter(least, inner, most int) cut {
	name := fmt.Sprintf("by content, sections from %d, lines from %d", least, inner)
	if most != 128 {
		name += fmt.Sprintf(", %d at most", most)
	}
	return cut{name: name, windows: token.Cutting{Least: least, Inner: inner, Most: most}.Windows}
}

// corpora is some sets of notes, read by a model's own way of cutting.
type corpora struct {
	studies []*deid.Study
	gold    []map[string][]score.Annotation // by document
}

// outcome is what one way of cutting found.
type outcome struct {
	network, job *score.Scorer
	windows      int
	tokens, read int // tokens, and those that the network read
}

const cutsHead = `# Windows

Made by ` + "`go run ./tools/copies -windows`; with `-confirm`" + `, on the held-out and unseen notes.

The network reads windows of at most 128 tokens. Where they are cut, a text's content says
([copied text](copies.md)); before, it was how far a line is from the text's beginning ("by place": as many whole lines as
fit). *p* compares with that, by 9,999 shuffles of documents. *Network* is the network alone, *job* the job with default
settings and known identifiers; recall and precision are of tokens of PHI, whatever their type. "Sections from 16, lines from
64" says how far apart cuts are at least, in tokens: before headings and between paragraphs, and within sections; a margin is
what the network sees beyond a window's edges.
`

// writeCuts measures ways of cutting and writes a page.
func writeCuts(ctx context.Context, out string, sets []annotated.Set, models []string, cuts []cut) error {
	b := bytes.NewBufferString(cutsHead)
	if err := compareCuts(ctx, b, sets, models, cuts); err != nil {
		return err
	}
	return os.WriteFile(out, b.Bytes(), 0o644)
}

// compareCuts measures ways of cutting and writes a table.
func compareCuts(ctx context.Context, out io.Writer, sets []annotated.Set, models []string, cuts []cut) error {
	for _, name := range models {
		sets, cuts, open := sets, cuts, open
		if strings.HasPrefix(name, "es-") { // the choice was made in English
			sets, cuts, open = []annotated.Set{{Name: "MEDDOCAN dev", Folder: spanishFolder}}, chosen, openSpanish
		}
		a, cfg, err := open(ctx, sets, name)
		if err != nil {
			return err
		}
		m, err := transforms.LoadModel(ctx, cfg.Where.Model)
		if err != nil {
			return err
		}
		graphs, err := onnx.NewGraphs(m.Network, onnx.Device{Provider: onnx.CPU})
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "\n`%s`, %s:\n\n| windows | mean length | network: recall | p | precision | p | job: recall | p | precision | p | "+
			"notes without a miss |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n", name, a.count(sets))
		var before *outcome
		for _, c := range append([]cut{byPlace}, cuts...) {
			t := bilstmcrf.NewTagger(m.Network, graphs, graphs, bilstmcrf.Options{
				Cut: c.windows, Margin: c.margin, Bias: chain.Bias{Recall: cfg.RecallBias},
			})
			o, err := a.measure(t, c)
			if err != nil {
				return err
			}
			if before == nil {
				before = o
			}
			row := fmt.Sprintf("| %s | %d |", c.name, o.tokens/max(o.windows, 1))
			for _, pair := range [][2]*score.Scorer{{o.network, before.network}, {o.job, before.job}} {
				r, err := rates(pair[0], pair[1])
				if err != nil {
					return err
				}
				if o == before {
					row += fmt.Sprintf(" %.2f %% | | %.2f %% | |", 100*r.A.Recall, 100*r.A.Precision)
				} else {
					row += fmt.Sprintf(" %.2f %% | %.2f | %.2f %% | %.2f |", 100*r.A.Recall, r.P.Recall, 100*r.A.Precision, r.P.Precision)
				}
			}
			d := o.job.Result().DocumentRecall
			fmt.Fprintf(out, "%s %d of %d |\n", row, d.Covered, d.WithPHI)
		}
	}
	return nil
}

// rates compares two systems by tokens, whatever their type.
func rates(a, b *score.Scorer) (score.MeasureComparison, error) {
	c, err := score.Compare(a, b, score.Shuffles, 1)
	if err != nil {
		return score.MeasureComparison{}, err
	}
	k := slices.IndexFunc(c.Measures, func(m score.MeasureComparison) bool {
		return m.Measure == score.BinaryToken && m.Subset == score.All
	})
	return c.Measures[k], nil
}

func (a *corpora) count(sets []annotated.Set) string {
	var all []string
	for k, s := range sets {
		all = append(all, fmt.Sprintf("%d %s notes", len(a.gold[k]), s.Name))
	}
	return strings.Join(all, " and ")
}

// measure scores the network alone and the job with it.
func (a *corpora) measure(t *bilstmcrf.Tagger, c cut) (*outcome, error) {
	o := &outcome{network: score.New(score.Options{}), job: score.New(score.Options{})}
	for k, s := range a.studies {
		study, err := s.WithNetwork(t)
		if err != nil {
			return nil, err
		}
		for _, x := range study.Tagged() {
			n := len(x.Input.Tokens)
			for _, w := range c.windows(nil, x.Input.Text, x.Input.Tokens) {
				o.windows++
				o.tokens += w.End - w.Start
				o.read += min(w.End+c.margin, n) - max(w.Start-c.margin, 0)
			}
			if err := a.score(o.network, k, study.Document(x), x.Input.Text, x.Network); err != nil {
				return nil, err
			}
		}
		for _, x := range study.Run(deid.Setting{Known: true, Steps: deid.AllSteps()}, nil) {
			if err := a.score(o.job, k, x.Document, x.Text, x.Spans); err != nil {
				return nil, err
			}
		}
	}
	return o, nil
}

func (a *corpora) score(to *score.Scorer, k int, document, text string, spans []phi.Span) error {
	gold, ok := a.gold[k][document]
	if !ok {
		return fmt.Errorf("a text has no annotations")
	}
	d := score.Document{ID: fmt.Sprint(k, "/", document), Text: text, Gold: gold}
	for _, s := range spans {
		d.System = append(d.System, score.Annotation{Start: s.Start, End: s.End, Category: s.Type.Category(), Label: s.Type.String(),
			Score: s.Score})
	}
	_, err := to.Add(d)
	return err
}

// open reads and tags the notes of some sets, and returns the configuration of the last.
func open(ctx context.Context, sets []annotated.Set, model string) (a *corpora, cfg transforms.Config, err error) {
	a = &corpora{}
	for _, s := range sets {
		if cfg, err = s.Configuration(ctx, model, annotated.OnCPU); err != nil {
			return nil, cfg, err
		}
		notes, patients, err := s.Read(ctx)
		if err != nil {
			return nil, cfg, err
		}
		gold := map[string][]score.Annotation{}
		for id, n := range notes {
			gold[id] = n.Gold
		}
		study, err := transforms.NewStudy(ctx, cfg, func(p string) bool { return patients[p] })
		if err != nil {
			return nil, cfg, err
		}
		a.studies, a.gold = append(a.studies, study), append(a.gold, gold)
	}
	return a, cfg, nil
}

// spanishFolder has the notes on which Spanish models are measured.
const spanishFolder = "../shared/data/meddocan/dev"

// openSpanish is open for a folder of brat's files, of which each is a patient's only note.
func openSpanish(ctx context.Context, sets []annotated.Set, model string) (a *corpora, cfg transforms.Config, err error) {
	a = &corpora{}
	if cfg, err = annotated.Configuration(ctx, model, "notes.parquet", "", annotated.OnCPU); err != nil {
		return nil, cfg, err
	}
	for _, s := range sets {
		gold := map[string][]score.Annotation{}
		var ids, texts []string
		for d, err := range corpus.Read(ctx, corpus.Brat, s.Folder, corpus.ReadOptions{}) {
			if err != nil {
				return nil, cfg, err
			}
			ids, texts, gold[d.ID] = append(ids, d.ID), append(texts, d.Text), annotations(d)
		}
		study, err := transforms.NewStudyOfTexts(ctx, cfg, ids, texts)
		if err != nil {
			return nil, cfg, err
		}
		a.studies, a.gold = append(a.studies, study), append(a.gold, gold)
	}
	return a, cfg, nil
}

// annotations returns what is marked in a document. Types count for nothing here.
func annotations(d corpus.Document) []score.Annotation {
	all := []score.Annotation{}
	for _, x := range d.Annotations {
		t, _ := phi.ParseType(x.Label)
		all = append(all, score.Annotation{Start: x.Start, End: x.End, Category: t.Category(), Label: x.Label})
	}
	return all
}
