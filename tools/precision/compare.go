package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/score"
)

// significant is the p-value below which a difference counts.
const significant = 0.05

// changed tells how many spans and tokens the two models see differently.
func changed(out io.Writer, models [2]model, notes []note) error {
	var found [2][][]score.Annotation
	for i, m := range models {
		var err error
		if found[i], err = byNetwork(m, notes); err != nil {
			return err
		}
	}
	var spans, both, tokens, phi, types int
	for i, n := range notes {
		for _, a := range found[0][i] {
			if spans++; slices.Contains(found[1][i], a) {
				both++
			}
		}
		labels := [2][]string{labels(n, found[0][i]), labels(n, found[1][i])}
		for k := range labels[0] {
			tokens++
			switch a, b := labels[0][k], labels[1][k]; {
			case a == b:
			case a == "" || b == "":
				phi++
			default:
				types++
			}
		}
	}
	_, err := fmt.Fprintf(out, "\nOf %d spans that %s finds in %d notes, %s finds %d the same (%.2f %%). "+
		"Of %d tokens, %d (%.3f %%) change between PHI "+
		"and none, %d more change their type.\n", spans, models[0], len(notes), models[1], both, percent(both, spans), tokens, phi,
		percent(phi, tokens), types)
	return err
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

// labels returns the label of each token of a note, "" for none.
func labels(n note, spans []score.Annotation) []string {
	out := make([]string, len(n.text.Tokens))
	for k, t := range n.text.Tokens {
		for _, s := range spans {
			if int(t.Start) < s.End && int(t.End) > s.Start {
				out[k] = s.Label
			}
		}
	}
	return out
}

// columns are the measures of a table.
var columns = []struct {
	name    string
	measure score.Measure
	subset  score.Subset
}{
	{"strict", score.Strict, score.All}, {"token", score.BinaryToken, score.All}, {"HIPAA token", score.BinaryToken, score.HIPAADocumented},
}

// scores writes a table of what the models find in some notes, by themselves and in
// the job.
func (s settings) scores(ctx context.Context, out io.Writer, p part, models [2]model, notes []note) error {
	spanish := models[0].loaded.Language == "es"
	rows := []string{"alone"}
	if s.job && !spanish {
		rows = append(rows, "in the job")
	}
	gold := 0
	for _, n := range notes {
		gold += len(n.gold)
	}
	fmt.Fprintf(out, "\n%s: %d notes, %d spans; in percent, and by chance: how often such a difference arises where there is none "+
		"(approximate randomisation, %d shuffles).\n\n| | measure | P | difference | by chance | R | difference | by chance | F1 | difference | "+
		"by chance |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n", p.title, len(notes), gold, score.Shuffles)
	for _, row := range rows {
		var scorers [2]*score.Scorer
		for i, m := range models {
			found, err := byNetwork(m, notes)
			if row != "alone" {
				found, err = byJob(ctx, m, p, notes)
			}
			if err != nil {
				return err
			}
			scorers[i] = score.New(score.Options{})
			for k, n := range notes {
				d := score.Document{ID: n.set + "/" + n.id, Text: n.text.Text, Gold: n.gold, System: found[k]}
				if _, err := scorers[i].Add(d); err != nil {
					return err
				}
			}
		}
		c, err := score.Compare(scorers[1], scorers[0], score.Shuffles, 1)
		if err != nil {
			return err
		}
		for _, m := range c.Measures {
			name := measureName(m, spanish)
			if name == "" {
				continue
			}
			fmt.Fprintf(out, "| %s | %s |%s|%s|%s|\n", row, name, cell(m.B.Precision, m.Difference.Precision, m.P.Precision),
				cell(m.B.Recall, m.Difference.Recall, m.P.Recall), cell(m.B.F1, m.Difference.F1, m.P.F1))
		}
	}
	return nil
}

// measureName returns what a measure is called in the table, "" for one that is not in it.
func measureName(m score.MeasureComparison, spanish bool) string {
	if spanish {
		return map[score.Measure]string{score.NER: "MEDDOCAN, entities", score.Spans: "MEDDOCAN, spans"}[m.Measure]
	}
	for _, c := range columns {
		if c.measure == m.Measure && c.subset == m.Subset {
			return c.name
		}
	}
	return ""
}

func cell(rate, difference, p float64) string {
	star := ""
	if p < significant {
		star = " *"
	}
	return fmt.Sprintf(" %.2f | %+.2f%s | %.2f ", 100*rate, 100*difference, star, p)
}
