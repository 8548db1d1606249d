package report

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dustin/go-humanize"

	"github.com/palimpsest-deid/palimpsest/model/score"
)

// Selection says what of a Result to print.
type Selection struct {
	Summary bool            // a few lines only
	Metrics []score.Measure // these measures alone; none: all
}

func (s Selection) has(m score.Measure) bool {
	for _, x := range s.Metrics {
		if x == m {
			return true
		}
	}
	return len(s.Metrics) == 0
}

// WriteText prints r as tables for a terminal of 100 columns.
func WriteText(w io.Writer, r *Result, s Selection) error {
	var b strings.Builder
	writeHead(&b, r)
	if s.Summary {
		writeSummary(&b, r, s)
	} else {
		writeOverall(&b, r, s)
		writeMacro(&b, r, s)
		writeLabels(&b, "By category", r.Score.ByCategory, s)
		writeLabels(&b, "By type", r.Score.ByType, s)
		if len(s.Metrics) == 0 {
			writeFigures(&b, r)
			writeMistakes(&b, r)
		}
	}
	writeComparison(&b, r.Comparison, s)
	_, err := io.WriteString(w, strings.Map(printable, b.String()))
	return err
}

// printable keeps what labels and paths hold from steering the terminal.
func printable(r rune) rune {
	if r != '\n' && unicode.IsControl(r) {
		return unicode.ReplacementChar
	}
	return r
}

func writeHead(b *strings.Builder, r *Result) {
	in, s := r.Inputs, r.Score
	fmt.Fprintf(b, "gold      %s (%s)\nsystem    %s (%s)\n", in.Gold, in.GoldFormat, in.System, in.SystemFormat)
	if in.Documents != "" {
		fmt.Fprintf(b, "of these  %s\n", in.Documents)
	}
	if in.Scheme != "" {
		fmt.Fprintf(b, "labels    %s\n", in.Scheme)
	}
	fmt.Fprintf(b, "%s documents, %s with PHI; %s tokens; %s gold spans, %s found\n",
		thousands(s.Documents), thousands(s.WithPHI), thousands(s.Tokens), thousands(s.Gold), thousands(s.System))
}

func writeSummary(b *strings.Builder, r *Result, s Selection) {
	g := newGrid("", "P", "R", "F1", "R 95 %", "F1 95 %")
	for _, x := range r.overall() {
		switch x.metric.Measure {
		case score.Strict, score.Token, score.BinaryToken, score.Character:
			if s.has(x.metric.Measure) {
				g.add(append([]string{x.name}, micro(x.metric)...)...)
			}
		}
	}
	g.write(b)
	for _, f := range r.figures()[:1] {
		fmt.Fprintf(b, "%s: %s\n", f.name, f)
	}
	for _, f := range r.figures()[3:4] {
		fmt.Fprintf(b, "%s: %s\n", f.name, f)
	}
}

func writeOverall(b *strings.Builder, r *Result, s Selection) {
	form := "the official script counts it, without IDNUM"
	if r.Inputs.HIPAA == HIPAADocumented {
		form = "its README documents it, with IDNUM"
	}
	heading(b, "All types (micro)", "HIPAA as "+form)
	g := newGrid("", "P", "R", "F1", "R 95 %", "F1 95 %", "TP", "FP", "FN")
	for _, x := range r.overall() {
		if s.has(x.metric.Measure) {
			g.add(append(append([]string{x.name}, micro(x.metric)...), counts(x.metric.Counts)...)...)
		}
	}
	g.write(b)
}

func writeMacro(b *strings.Builder, r *Result, s Selection) {
	heading(b, "Means over documents (macro)", "with their standard deviation")
	g := newGrid("", "P", "SD", "R", "SD", "F1")
	for _, x := range r.overall() {
		if m := x.metric.Macro; s.has(x.metric.Measure) {
			g.add(x.name, rate(m.Precision), rate(m.PrecisionSD), rate(m.Recall), rate(m.RecallSD), rate(m.F1))
		}
	}
	g.write(b)
}

// writeLabels prints one line for each category or type: strict in full, and
// recall and F1 by token.
func writeLabels(b *strings.Builder, title string, metrics []score.Metric, s Selection) {
	if len(metrics) == 0 || !s.has(score.Strict) && !s.has(score.Token) {
		return
	}
	heading(b, title, "strict; at the right by token")
	g := newGrid("", "P", "R", "F1", "R 95 %", "F1 95 %", "TP", "FP", "FN", "tok R", "tok F1")
	for _, m := range labelled(metrics, score.Strict) {
		cells := append(append([]string{nameOfLabel(m)}, micro(m)...), counts(m.Counts)...)
		if t, ok := find(metrics, score.Token, score.All, m.Category, m.Label); ok {
			cells = append(cells, rates(t)[1:]...) // all three do not fit
		}
		g.add(cells...)
	}
	g.write(b)
}

func writeFigures(b *strings.Builder, r *Result) {
	heading(b, "Documents and over-redaction", "")
	g := newGrid("", "", "")
	for _, f := range r.figures() {
		v, of := f.String(), fmt.Sprintf("%s of %s", thousands(f.part), thousands(f.whole))
		g.add(f.name, v, of)
	}
	g.write(b)
}

func writeMistakes(b *strings.Builder, r *Result) {
	heading(b, "Errors by kind", "")
	g := newGrid("", "spans")
	for i, n := range r.kindTotals() {
		g.add(kinds[i].name, thousands(n))
	}
	g.write(b)
	heading(b, "Errors by probable cause", "strict")
	g = newGrid("", "FN", "share", "FP", "share")
	fn, fp := 0, 0
	for _, c := range r.Score.Causes {
		fn, fp = fn+c.FN, fp+c.FP
	}
	for _, c := range r.Score.Causes {
		g.add(string(c.Cause), thousands(c.FN), share(c.FN, fn), thousands(c.FP), share(c.FP, fp))
	}
	g.write(b)
}

func writeComparison(b *strings.Builder, c *score.Comparison, s Selection) {
	if c == nil {
		return
	}
	heading(b, "Against the other system", fmt.Sprintf("difference, and p by approximate randomisation with %s shuffles",
		thousands(c.Shuffles)))
	g := newGrid("", "P", "p", "R", "p", "F1", "p")
	for _, m := range c.Measures {
		if !s.has(m.Measure) {
			continue
		}
		g.add(comparedName(m), signed(m.Difference.Precision), rate(m.P.Precision), signed(m.Difference.Recall), rate(m.P.Recall),
			signed(m.Difference.F1), rate(m.P.F1))
	}
	g.write(b)
}

// comparedName tells apart both forms of the HIPAA subset, as a comparison
// holds both.
func comparedName(m score.MeasureComparison) string {
	name := metricName(score.Metric{Measure: m.Measure, Subset: m.Subset})
	if m.Subset == score.HIPAADocumented {
		name += " (documented)"
	}
	return name
}

// heading separates tables.
func heading(b *strings.Builder, title, remark string) {
	fmt.Fprintf(b, "\n%s", title)
	if remark != "" {
		fmt.Fprintf(b, " — %s", remark)
	}
	b.WriteByte('\n')
}

func micro(m score.Metric) []string {
	low := []string{"", ""}
	if i := m.Intervals; i != nil && m.Counts != (score.Counts{}) {
		low = []string{interval(i.Recall), interval(i.F1)}
	}
	return append(rates(m), low...)
}

// rates prints a dash each where there is nothing to take a rate of.
func rates(m score.Metric) []string {
	if m.Counts == (score.Counts{}) {
		return []string{"-", "-", "-"}
	}
	return []string{rate(m.Micro.Precision), rate(m.Micro.Recall), rate(m.Micro.F1)}
}

func counts(c score.Counts) []string {
	return []string{thousands(c.TP), thousands(c.FP), thousands(c.FN)}
}

// rate prints a number in [0, 1] with four decimals.
func rate(x float64) string { return fmt.Sprintf("%.4f", x) }

func signed(x float64) string { return fmt.Sprintf("%+.4f", x) }

func interval(i score.Interval) string { return fmt.Sprintf("%.3f-%.3f", i.Low, i.High) }

func share(part, whole int) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}

// String prints the figure's value.
func (f figure) String() string {
	v, ok := f.value()
	switch {
	case !ok:
		return "-"
	case f.perThousand:
		return fmt.Sprintf("%.2f", v)
	case f.plain:
		return rate(v)
	default:
		return share(f.part, f.whole)
	}
}

// thousands prints n with separators: 1,234,567.
func thousands(n int) string { return humanize.Comma(int64(n)) }

// grid is a table of text: the first column to the left, all others to the right.
type grid struct{ rows [][]string }

func newGrid(head ...string) *grid { return &grid{[][]string{head}} }

func (g *grid) add(cells ...string) { g.rows = append(g.rows, cells) }

func (g *grid) write(b *strings.Builder) {
	width := make([]int, len(g.rows[0]))
	for k, r := range g.rows {
		for i, c := range r {
			if k > 0 { // a column of its heading alone, such as intervals that nobody asked for, is left out
				width[i] = max(width[i], utf8.RuneCountInString(c))
			}
		}
	}
	for i, c := range g.rows[0] {
		if width[i] > 0 {
			width[i] = max(width[i], utf8.RuneCountInString(c))
		}
	}
	for _, r := range g.rows {
		var line strings.Builder
		for i, c := range r {
			if width[i] == 0 {
				continue
			}
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(c))
			if i == 0 {
				line.WriteString("  " + c + pad)
			} else {
				line.WriteString("  " + pad + c)
			}
		}
		if s := strings.TrimRight(line.String(), " "); s != "" {
			b.WriteString(s + "\n")
		}
	}
}
