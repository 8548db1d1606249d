package explain

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/merge"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/score"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// mark is a row of the annotations.
type mark struct {
	DocumentID, TextColumn string
	Start, End             int64 // code points
	Type, Split            string
}

// readMarks reads a table of annotations.
func readMarks(ctx context.Context, name string) (marks []mark, err error) {
	err = table.WithFile(ctx, name, func(file *table.File) error {
		var columns []table.TextColumn
		for _, column := range []string{"document_id", "text_column", "start", "end", "type", "split"} {
			columns = append(columns, table.TextColumn{Name: column, Required: true})
		}
		rows, err := file.Texts(columns...)
		if err != nil {
			return err
		}
		return rows.Each(ctx, func(r *table.TextRow) error {
			var text [6]string
			for i := range text {
				text[i], _ = r.One(i)
			}
			m := mark{DocumentID: text[0], TextColumn: text[1], Type: text[4], Split: text[5]}
			var errs [2]error
			m.Start, errs[0] = strconv.ParseInt(text[2], 10, 64)
			m.End, errs[1] = strconv.ParseInt(text[3], 10, 64)
			if errs[0] != nil || errs[1] != nil {
				return r.Error(2, errors.New("the start or the end is no number"))
			}
			marks = append(marks, m)
			return nil
		})
	})
	return marks, err
}

// component is one row of the table.
type component struct {
	name    string
	setting deid.Setting
}

// components adds the steps one by one, in the order of Lee et al. 2017,
// table 7, with what that paper does not have behind.
func components() []component {
	var steps []string
	row := func(name string, known bool, add ...string) component {
		steps = append(steps, add...)
		return component{name, deid.Setting{Steps: append([]string{}, steps...), Known: known}}
	}
	return []component{
		row("network", false),
		row("+ rules", false, deid.StepRules),
		row("+ known identifiers", true),
		row("+ guards of medicine", true, deid.StepGuards),
		row("+ reconciliation", true, deid.StepReconciliation),
		row("+ patient sweep", true, deid.StepSweep),
	}
}

// shuffles is that of Lee et al. 2017, section 3.4.
const shuffles = 9999

// measure writes the tables.
func measure(ctx context.Context, w io.Writer, cfg transforms.Config, goldFile string) error {
	marks, err := readMarks(ctx, goldFile)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, `# What each step adds

Made by `+"`make components`"+` from the invented notes of %s, with the shipped
model %s. In the manner of Lee et al. 2017, table 7: each row has one step
more than the row above. Precision, recall and F1 in percent, micro-averaged:
strict counts spans with exact offsets and the right type; binary token counts
runs of letters and digits whatever the type, which is what decides whether
something is left in clear. An asterisk: the difference to the row above is
significant by approximate randomisation over documents (%d shuffles, p < 0.1
as in the paper). "Whole" is the number of notes without a byte of PHI left.

The test notes were looked at for none of these steps. Dev notes, where there
are any, were used to write them.
`, "`"+filepath.ToSlash(filepath.Dir(goldFile))+"`", cfg.ModelNames(), shuffles)
	for _, part := range []string{"test", "dev"} {
		if err := measurePart(ctx, w, cfg, part, marks); err != nil {
			return err
		}
	}
	return nil
}

func measurePart(ctx context.Context, w io.Writer, cfg transforms.Config, part string, marks []mark) error {
	gold := map[string][]mark{}
	for _, m := range marks {
		if m.Split == part {
			gold[m.DocumentID] = append(gold[m.DocumentID], m)
		}
	}
	if len(gold) == 0 {
		return nil
	}
	patients := map[string]bool{}
	for id := range gold {
		p, err := transforms.PatientOf(ctx, cfg, id)
		if err != nil {
			return err
		}
		patients[p] = true
	}
	study, err := transforms.NewStudy(ctx, cfg, func(p string) bool { return patients[p] })
	if err != nil {
		return err
	}
	run := func(set deid.Setting) (*score.Scorer, error) {
		texts := study.Run(set, nil)
		s := score.New(score.Options{})
		for _, t := range texts {
			if gold[t.Document] == nil {
				continue // of another part, or without annotations
			}
			if _, err := s.Add(document(t, gold[t.Document])); err != nil {
				return nil, err
			}
		}
		return s, nil
	}
	rows := components()
	fmt.Fprintf(w, "\n## %s notes (%d)\n\n", strings.ToUpper(part[:1])+part[1:], len(gold))
	if err := writeRows(w, rows, run, true); err != nil {
		return err
	}
	all := rows[len(rows)-1].setting
	fmt.Fprintf(w, "\nAll steps, and one step left out (an asterisk: against all steps):\n\n")
	without := []component{{"all", all}}
	for _, step := range all.Steps {
		set := deid.Setting{Known: true}
		for _, s := range all.Steps {
			if s != step {
				set.Steps = append(set.Steps, s)
			}
		}
		without = append(without, component{"without " + step, set})
	}
	set := all
	set.Known = false
	without = append(without, component{"without known identifiers", set})
	if err := writeRows(w, without, run, false); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nAll steps, by how overlapping spans are merged (against union):\n\n")
	var modes []component
	for _, m := range []merge.Mode{merge.Union, merge.Priority, merge.Vote} {
		set := all
		set.Mode = m
		modes = append(modes, component{string(m), set})
	}
	return writeRows(w, modes, run, false)
}

// writeRows writes rows. Each is compared to the one above it, or to the first.
func writeRows(w io.Writer, rows []component, run func(deid.Setting) (*score.Scorer, error), above bool) error {
	fmt.Fprintln(w, "| | strict P | R | F1 | binary token P | R | F1 | whole |")
	fmt.Fprintln(w, "|---|--:|--:|--:|--:|--:|--:|--:|")
	var base *score.Scorer
	for i, c := range rows {
		s, err := run(c.setting)
		if err != nil {
			return err
		}
		var stars map[score.Measure]score.Rates
		if i > 0 {
			if stars, err = significance(s, base); err != nil {
				return err
			}
		}
		r := s.Result()
		fmt.Fprintf(w, "| %s |", c.name)
		for _, m := range []score.Measure{score.Strict, score.BinaryToken} {
			micro := metric(r, m).Micro
			p := stars[m]
			fmt.Fprintf(w, " %s | %s | %s |", cell(micro.Precision, p.Precision, i > 0), cell(micro.Recall, p.Recall, i > 0),
				cell(micro.F1, p.F1, i > 0))
		}
		fmt.Fprintf(w, " %d |\n", r.DocumentRecall.Covered)
		if above || i == 0 {
			base = s
		}
	}
	return nil
}

func cell(rate, p float64, compared bool) string {
	star := ""
	if compared && p < 0.1 {
		star = "*"
	}
	return fmt.Sprintf("%.2f%s", 100*rate, star)
}

func metric(r *score.Result, m score.Measure) score.Metric {
	for _, x := range r.Metrics {
		if x.Measure == m && x.Subset == score.All {
			return x
		}
	}
	return score.Metric{}
}

// significance returns the p-values of the differences.
func significance(a, b *score.Scorer) (map[score.Measure]score.Rates, error) {
	c, err := score.Compare(a, b, shuffles, 1)
	if err != nil {
		return nil, err
	}
	p := map[score.Measure]score.Rates{}
	for _, m := range c.Measures {
		if m.Subset == score.All {
			p[m.Measure] = m.P
		}
	}
	return p, nil
}

// document pairs a text's spans with its annotations.
func document(t deid.StudiedText, marks []mark) score.Document {
	d := score.Document{ID: t.Document, Text: t.Text}
	offsets := make([]int, 0, len(t.Text)+1) // code point to byte
	for i := range t.Text {
		offsets = append(offsets, i)
	}
	offsets = append(offsets, len(t.Text))
	for _, m := range marks {
		typ, _ := phi.ParseType(m.Type)
		d.Gold = append(d.Gold, score.Annotation{Start: offsets[m.Start], End: offsets[m.End], Category: typ.Category(), Label: m.Type})
	}
	for _, s := range t.Spans {
		d.System = append(d.System, score.Annotation{Start: s.Start, End: s.End, Category: s.Type.Category(), Label: s.Type.String(),
			Score: s.Score})
	}
	return d
}
