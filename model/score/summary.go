package score

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// Result sums up all documents added so far. More documents may be added
// afterwards.
func (s *Scorer) Result() *Result {
	labels := ordered(s.labels, typeNames())
	r := &Result{
		Documents: len(s.ids), WithPHI: s.documents.WithPHI,
		Gold: s.gold, System: s.system, Tokens: s.tokens,
		DocumentRecall:   s.documents,
		OverRedaction:    s.over,
		Confusion:        s.exact.table(s.labels, labels),
		ConfusionOverlap: s.overlap.table(s.labels, labels),
		Kinds:            s.kindCounts(labels),
		Causes:           s.causeCounts(),
		Resamples:        s.options.Resamples,
		Seed:             s.options.Seed,
	}
	r.OverRedaction.PerThousand = 1000 * ratio(s.over.Spans, s.over.FreeTokens)
	r.OverRedaction.Share = ratio(s.over.LostTokens, s.over.FreeTokens)

	metrics := s.columnMetrics()
	for i, m := range metrics {
		switch {
		case i == nerColumn:
			r.MEDDOCAN.NER = m
		case i == spansColumn:
			r.MEDDOCAN.Spans = m
		case i == mergedColumn:
			r.MEDDOCAN.Merged = m
		case s.shows(i):
			r.Metrics = append(r.Metrics, m)
		}
	}
	sparse := s.sparseMetrics()
	for _, i := range labels {
		for _, what := range []int{labelStrict, labelToken} {
			m := sparse[i*numSparse+int32(what)]
			m.Label = s.labels[i]
			r.ByType = append(r.ByType, m)
		}
	}
	r.ByCategory = s.byCategory(sparse)
	r.Curves = s.curveList(labels, sparse)
	return r
}

// official reports whether the labels are i2b2's: at least half of those seen.
// In other label sets the reports over HIPAA types and the i2b2 categories
// mean nothing and are left out.
func (s *Scorer) official() bool { return 2*s.i2b2 >= len(s.classes) }

func (s *Scorer) shows(column int) bool { return columns[column].subset == All || s.official() }

func typeNames() []string {
	var names []string
	for _, t := range phi.Types() {
		names = append(names, t.String())
	}
	return names
}

// ordered returns the indexes of names: those of first in its order, then the
// others by name.
func ordered(names, first []string) []int32 {
	order := make([]int32, len(names))
	for i := range order {
		order[i] = int32(i)
	}
	rank := func(i int32) int {
		if k := slices.Index(first, names[i]); k >= 0 {
			return k
		}
		return len(first)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(names[a], names[b]))
	})
	return order
}

// columnMetrics sums the rows.
func (s *Scorer) columnMetrics() []Metric {
	n := len(s.ids)
	metrics := make([]Metric, len(columns))
	for c, col := range columns {
		m := Metric{Measure: col.measure, Subset: col.subset, Official: col.official}
		for d := range n {
			row := s.rows[d*width+3*c:]
			m.TP += int(row[0])
			m.FP += int(row[1])
			m.FN += int(row[2])
		}
		m.Micro = m.Rates()
		var mean moments
		for d := range n {
			row := s.rows[d*width+3*c:]
			mean.add(row[0], row[1], row[2])
		}
		mean.divide(n)
		for d := range n {
			row := s.rows[d*width+3*c:]
			mean.deviate(row[0], row[1], row[2])
		}
		m.Macro = mean.macro(n)
		metrics[c] = m
	}
	for c, i := range s.intervals().columns {
		metrics[c].Intervals = i
	}
	return metrics
}

// sparseMetrics sums the entries of categories and labels, by key.
func (s *Scorer) sparseMetrics() []Metric {
	n := numSparse * max(len(s.labels), len(s.categories))
	metrics := make([]Metric, n)
	means := make([]moments, n)
	for _, e := range s.entries {
		m := &metrics[e.key]
		m.TP += int(e.tp)
		m.FP += int(e.fp)
		m.FN += int(e.fn)
		means[e.key].add(e.tp, e.fp, e.fn)
	}
	for i := range means {
		means[i].divide(len(s.ids))
	}
	for _, e := range s.entries {
		means[e.key].deviate(e.tp, e.fp, e.fn)
	}
	kinds := [numSparse]column{
		labelStrict:         {measure: Strict, subset: All},
		labelToken:          {measure: Token, subset: All},
		categoryToken:       {measure: Token, subset: All},
		categoryStrict:      {measure: Strict, subset: All},
		categoryHIPAAToken:  {measure: Token, subset: HIPAAScript},
		categoryHIPAAStrict: {measure: Strict, subset: HIPAAScript},
	}
	intervals := s.intervals().sparse
	for i := range metrics {
		m := &metrics[i]
		m.Measure, m.Subset = kinds[i%numSparse].measure, kinds[i%numSparse].subset
		m.Micro = m.Rates()
		m.Macro = means[i].macro(len(s.ids))
		if intervals != nil {
			m.Intervals = intervals[i]
		}
	}
	return metrics
}

// byCategory lists the script's four reports for each category, and for all
// i2b2 categories where the labels are i2b2's; in other label sets it lists
// those over all types.
func (s *Scorer) byCategory(sparse []Metric) []Metric {
	var list []Metric
	first := phi.Categories()
	names := slices.Clone(s.categories)
	if s.official() {
		for _, c := range first {
			if !slices.Contains(names, c) {
				names = append(names, c)
			}
		}
	}
	for _, i := range ordered(names, first) {
		if names[i] == "" {
			continue
		}
		official := s.official() && slices.Contains(first, names[i])
		for _, report := range []struct {
			what   int
			name   string
			always bool
			blank  Metric
		}{
			{categoryToken, "Token", true, Metric{Measure: Token, Subset: All}},
			{categoryStrict, "Strict", true, Metric{Measure: Strict, Subset: All}},
			{categoryHIPAAToken, "HIPPA Token", false, Metric{Measure: Token, Subset: HIPAAScript}},
			{categoryHIPAAStrict, "Binary HIPAA Strict", false, Metric{Measure: Strict, Subset: HIPAAScript}},
		} {
			if !report.always && !official {
				continue
			}
			m := report.blank
			if int(i) < len(s.categories) {
				m = sparse[i*numSparse+int32(report.what)]
			}
			m.Category = names[i]
			if official {
				m.Official = names[i] + " " + report.name
			}
			list = append(list, m)
		}
	}
	return list
}

func (s *Scorer) curveList(labels []int32, sparse []Metric) []Curve {
	gold := 0
	var single []Curve
	for _, i := range labels {
		c := sparse[i*numSparse+labelStrict].Counts
		gold += c.TP + c.FN
		single = append(single, Curve{Label: s.labels[i], Gold: c.TP + c.FN, Points: points(s.curves[i:i+1], c.TP+c.FN)})
	}
	return append([]Curve{{Gold: gold, Points: points(s.curves, gold)}}, single...)
}

func (s *Scorer) kindCounts(labels []int32) []KindCount {
	var list []KindCount
	for _, kind := range []Kind{Missed, Spurious, WrongType, WrongBoundary, WrongBoundaryAndType} {
		for _, i := range labels {
			if n := s.kinds[kindKey{kind, i}]; n > 0 {
				list = append(list, KindCount{kind, s.labels[i], n})
			}
		}
	}
	return list
}

func (s *Scorer) causeCounts() []CauseCount {
	var list []CauseCount
	for _, cause := range []Cause{Tokenisation, Abbreviation, Prefix, CommonLanguage, OtherCause} {
		c := CauseCount{Cause: cause}
		if have := s.causes[cause]; have != nil {
			c = *have
		}
		list = append(list, c)
	}
	return list
}

// moments computes means and population deviations of precision and recall
// over documents in two passes: add each, divide, deviate each. Documents that
// are left out of both passes count as 0.
type moments struct {
	seen   int     // documents of the second pass
	p, r   float64 // sums, then means
	pp, rr float64 // squared deviations
}

func (m *moments) add(tp, fp, fn uint32) {
	m.p += ratio(int(tp), int(tp)+int(fp))
	m.r += ratio(int(tp), int(tp)+int(fn))
}

func (m *moments) divide(n int) {
	if n > 0 {
		m.p /= float64(n)
		m.r /= float64(n)
	}
}

func (m *moments) deviate(tp, fp, fn uint32) {
	p := ratio(int(tp), int(tp)+int(fp)) - m.p
	r := ratio(int(tp), int(tp)+int(fn)) - m.r
	m.pp += p * p
	m.rr += r * r
	m.seen++
}

// macro returns means and population deviations over n documents.
func (m *moments) macro(n int) Macro {
	if n == 0 {
		return Macro{}
	}
	absent := float64(n - m.seen)
	return Macro{
		Rates:       Rates{Precision: m.p, Recall: m.r, F1: harmonic(m.p, m.r)},
		PrecisionSD: math.Sqrt((m.pp + absent*m.p*m.p) / float64(n)),
		RecallSD:    math.Sqrt((m.rr + absent*m.r*m.r) / float64(n)),
	}
}
