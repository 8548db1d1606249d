package report

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"

	"github.com/palimpsest-deid/palimpsest/model/score"
)

// WriteJSON writes all of r, indented. It holds the paths that the user gave,
// but no text and no document id.
func WriteJSON(w io.Writer, r *Result) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// WriteCSV writes r in long form, one number a line, with a header: metric,
// subset, label, measure, value, low, high. Low and high bound the 95 %
// bootstrap interval and are empty where there is none. The label is empty for
// all types; in a confusion matrix it is GOLD>SYSTEM, with one side empty
// where there is no partner.
func WriteCSV(w io.Writer, r *Result) error {
	c := csv.NewWriter(w)
	line := func(metric, subset, label, measure, value, low, high string) {
		// The writer keeps its first error for Flush.
		_ = c.Write([]string{metric, subset, label, measure, value, low, high})
	}
	count := func(metric, subset, label, measure string, n int) {
		line(metric, subset, label, measure, strconv.Itoa(n), "", "")
	}
	number := func(metric, subset, label, measure string, x float64) {
		line(metric, subset, label, measure, decimal(x), "", "")
	}
	line("metric", "subset", "label", "measure", "value", "low", "high")

	s := r.Score
	count("corpus", "all", "", "documents", s.Documents)
	count("corpus", "all", "", "documents_with_phi", s.WithPHI)
	count("corpus", "all", "", "tokens", s.Tokens)
	count("corpus", "all", "", "gold_spans", s.Gold)
	count("corpus", "all", "", "system_spans", s.System)

	meddocan := []score.Metric{s.MEDDOCAN.NER, s.MEDDOCAN.Spans, s.MEDDOCAN.Merged}
	for i := range meddocan {
		meddocan[i].Measure = "meddocan " + meddocan[i].Measure
		meddocan[i].Subset = score.All
	}
	for _, group := range [][]score.Metric{s.Metrics, meddocan, s.ByCategory, s.ByType} {
		for _, m := range group {
			metric, subset, label := string(m.Measure), string(m.Subset), labelOf(m)
			count(metric, subset, label, "tp", m.TP)
			count(metric, subset, label, "fp", m.FP)
			count(metric, subset, label, "fn", m.FN)
			i := m.Intervals
			if i == nil {
				i = &score.Intervals{}
			}
			for _, x := range []struct {
				measure string
				value   float64
				score.Interval
			}{
				{"precision", m.Micro.Precision, i.Precision},
				{"recall", m.Micro.Recall, i.Recall},
				{"f1", m.Micro.F1, i.F1},
			} {
				if m.Intervals == nil {
					number(metric, subset, label, x.measure, x.value)
				} else {
					line(metric, subset, label, x.measure, decimal(x.value), decimal(x.Low), decimal(x.High))
				}
			}
			number(metric, subset, label, "macro_precision", m.Macro.Precision)
			number(metric, subset, label, "macro_precision_sd", m.Macro.PrecisionSD)
			number(metric, subset, label, "macro_recall", m.Macro.Recall)
			number(metric, subset, label, "macro_recall_sd", m.Macro.RecallSD)
			number(metric, subset, label, "macro_f1", m.Macro.F1)
		}
	}
	for _, f := range r.figures() {
		count(f.id, "all", "", "count", f.part)
		count(f.id, "all", "", "of", f.whole)
		if v, ok := f.value(); ok {
			name := "share"
			switch {
			case f.perThousand:
				name = "per_thousand"
			case f.plain:
				name = "rate"
			}
			number(f.id, "all", "", name, v)
		}
	}
	for _, k := range s.Kinds {
		count("errors", "all", k.Label, string(k.Kind), k.Count)
	}
	for _, k := range s.Causes {
		count("error cause "+string(k.Cause), "all", "", "fn", k.FN)
		count("error cause "+string(k.Cause), "all", "", "fp", k.FP)
	}
	for _, x := range []struct {
		name string
		score.Confusion
	}{{"confusion", s.Confusion}, {"confusion overlap", s.ConfusionOverlap}} {
		cells(x.Confusion, func(gold, system string, n int) { count(x.name, "all", gold+">"+system, "count", n) })
	}
	if r.Comparison != nil {
		for _, m := range r.Comparison.Measures {
			metric, subset := "comparison "+string(m.Measure), string(m.Subset)
			for _, x := range []struct {
				name string
				score.Rates
			}{{"system", m.A}, {"other", m.B}, {"difference", m.Difference}, {"p", m.P}} {
				number(metric, subset, "", "precision_"+x.name, x.Precision)
				number(metric, subset, "", "recall_"+x.name, x.Recall)
				number(metric, subset, "", "f1_"+x.name, x.F1)
			}
		}
	}
	c.Flush()
	return c.Error()
}

// labelOf writes a category as NAME/*, so that it is no type of that name.
func labelOf(m score.Metric) string {
	if m.Category != "" && m.Label == "" {
		return m.Category + "/*"
	}
	return m.Label
}

// cells calls f for every cell of c that is not 0, row by row; a side without
// a partner is "".
func cells(c score.Confusion, f func(gold, system string, n int)) {
	cell := func(gold, system string, n int) {
		if n != 0 {
			f(gold, system, n)
		}
	}
	for i, gold := range c.Labels {
		for j, system := range c.Labels {
			cell(gold, system, c.Counts[i][j])
		}
		cell(gold, "", c.Missing[i])
	}
	for j, system := range c.Labels {
		cell("", system, c.Spurious[j])
	}
}

// decimal prints x so that it reads back equal.
func decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
