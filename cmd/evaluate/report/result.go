// Package report presents the scores of one system: as a table on the terminal,
// as JSON, as CSV, and as one self-contained HTML page with a browser of errors.
//
// The numbers come in a Result, which holds counts, rates and labels but no
// text and no document id. Errors in context hold note text and ids; they
// travel beside the Result, in Errors, and reach the page alone.
package report

import (
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/score"
)

// Result is what was scored, how, and what came out.
type Result struct {
	Inputs     Inputs            `json:"inputs"`
	Score      *score.Result     `json:"score"`
	Leak       *Leak             `json:"leak,omitempty"`
	Comparison *score.Comparison `json:"comparison,omitempty"`
}

// Inputs says what was scored and how, as the user named it.
type Inputs struct {
	Gold         string `json:"gold"`
	GoldFormat   string `json:"gold_format"`
	System       string `json:"system"`
	SystemFormat string `json:"system_format"`
	Notes        string `json:"notes,omitempty"`
	Other        string `json:"compared_with,omitempty"`
	Documents    string `json:"documents,omitempty"` // which documents were picked; empty: all
	Scheme       string `json:"scheme,omitempty"`    // what labels were translated to; empty: compared as written
	HIPAA        string `json:"hipaa"`               // form that the table and the page show: script or documented
}

// Leak is MEDDOCAN's leak score, which needs the number of sentences.
type Leak struct {
	Sentences int     `json:"sentences"`
	Value     float64 `json:"value"`
}

// The forms of the HIPAA subset.
const (
	HIPAAScript     = "script"
	HIPAADocumented = "documented"
)

// subset returns the HIPAA subset that the reader asked to see.
func (r *Result) subset() score.Subset {
	if r.Inputs.HIPAA == HIPAADocumented {
		return score.HIPAADocumented
	}
	return score.HIPAAScript
}

// row is one line of a table of scores: a metric and what it is called there.
type row struct {
	name   string
	metric score.Metric
}

// overall returns the rows over all types: the ten reports of the i2b2 2014
// script with the HIPAA subset in the form asked for, the other measures that
// ignore types, and MEDDOCAN's three.
func (r *Result) overall() []row {
	var rows []row
	for _, m := range r.Score.Metrics {
		if m.Subset == score.All || m.Subset == r.subset() {
			rows = append(rows, row{metricName(m), m})
		}
	}
	return append(rows,
		row{"MEDDOCAN NER", r.Score.MEDDOCAN.NER},
		row{"MEDDOCAN spans", r.Score.MEDDOCAN.Spans},
		row{"MEDDOCAN merged spans", r.Score.MEDDOCAN.Merged},
	)
}

// metricName is the name of a metric for people: "HIPAA token", "binary strict".
func metricName(m score.Metric) string {
	name := string(m.Measure)
	if m.Subset != score.All {
		name = "HIPAA " + name
		if rest, ok := strings.CutPrefix(name, "HIPAA binary "); ok {
			name = "binary HIPAA " + rest
		}
	}
	return name
}

// labelled returns the metrics of that measure over all types, in order.
func labelled(metrics []score.Metric, measure score.Measure) []score.Metric {
	var out []score.Metric
	for _, m := range metrics {
		if m.Measure == measure && m.Subset == score.All {
			out = append(out, m)
		}
	}
	return out
}

// find returns the metric of that measure, subset, category and label.
func find(metrics []score.Metric, measure score.Measure, subset score.Subset, category, label string) (score.Metric, bool) {
	for _, m := range metrics {
		if m.Measure == measure && m.Subset == subset && m.Category == category && m.Label == label {
			return m, true
		}
	}
	return score.Metric{}, false
}

// figure is a measure that is not precision and recall, for people to read.
type figure struct {
	id, name    string
	part, whole int
	perThousand bool // part for each 1,000 of whole, else a share of it
	plain       bool // printed as a number, not as a percentage: part may exceed whole
	note        string
}

// value is the share, or the rate per 1,000. ok is false where there is
// nothing to take a share of.
func (f figure) value() (v float64, ok bool) {
	if f.whole == 0 {
		return 0, false
	}
	v = float64(f.part) / float64(f.whole)
	if f.perThousand {
		v *= 1000
	}
	return v, true
}

// figures returns them in order of print.
func (r *Result) figures() []figure {
	d, o := r.Score.DocumentRecall, r.Score.OverRedaction
	fs := []figure{
		{id: "documents covered", name: "documents without a miss", part: d.Covered, whole: d.WithPHI,
			note: "of those with PHI: no letter or digit of a gold span stands outside of all system spans"},
		{id: "documents touched", name: "documents with every span touched", part: d.Touched, whole: d.WithPHI,
			note: "each gold span overlaps a system span"},
		{id: "documents strict", name: "documents found exactly", part: d.Strict, whole: d.WithPHI,
			note: "each gold span found with its offsets and type"},
		{id: "over-redaction spans", name: "needless spans per 1,000 tokens", part: o.Spans, whole: o.FreeTokens, perThousand: true,
			note: "system spans that touch no gold span, by tokens outside of gold spans"},
		{id: "over-redaction tokens", name: "tokens lost needlessly", part: o.LostTokens, whole: o.FreeTokens,
			note: "tokens within system spans, of those outside of gold spans"},
	}
	if r.Leak != nil {
		fs = append(fs, figure{id: "meddocan leak", name: "MEDDOCAN leak", part: r.Score.MEDDOCAN.NER.FN, whole: r.Leak.Sentences, plain: true,
			note: "missed spans per sentence"})
	}
	return fs
}

// kinds are the kinds of mistakes in order of print, and their names for people.
var kinds = []struct {
	kind score.Kind
	name string
}{
	{score.Missed, "missed"},
	{score.Spurious, "spurious"},
	{score.WrongType, "wrong type"},
	{score.WrongBoundary, "wrong boundary"},
	{score.WrongBoundaryAndType, "wrong boundary and type"},
}

// kindTotals returns the number of mistakes of each kind, as kinds.
func (r *Result) kindTotals() []int {
	totals := make([]int, len(kinds))
	for _, k := range r.Score.Kinds {
		for i := range kinds {
			if kinds[i].kind == k.Kind {
				totals[i] += k.Count
			}
		}
	}
	return totals
}

// nameOfLabel is the category or type that a metric is over.
func nameOfLabel(m score.Metric) string {
	if m.Label != "" {
		return m.Label
	}
	return m.Category
}
