package report

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"net/url"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/score"
)

// The pictures are SVG within the page. Colours come from its style sheet, by
// class, so that they follow light and dark; nothing here sets a style.

// forest draws a rate and its interval on a line from 0 to 1.
func forest(value float64, i *score.Interval) template.HTML {
	const width, height, pad = 120.0, 14.0, 4.0
	x := func(v float64) float64 { return pad + v*(width-2*pad) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="forest" viewBox="0 0 %g %g" width="%g" height="%g" aria-hidden="true" focusable="false">`, width, height,
		width, height)
	fmt.Fprintf(&b, `<path class="axis" d="M%.1f 7H%.1f"/>`, x(0), x(1))
	for _, v := range []float64{0, 0.5, 1} {
		fmt.Fprintf(&b, `<path class="axis" d="M%.1f 4.5V9.5"/>`, x(v))
	}
	if i != nil {
		fmt.Fprintf(&b, `<path class="whisker" d="M%.1f 7H%.1f"/>`, x(i.Low), x(i.High))
	}
	fmt.Fprintf(&b, `<circle class="dot" cx="%.1f" cy="7" r="3"/></svg>`, x(value))
	return template.HTML(b.String())
}

// curve draws precision against recall as the threshold falls, with lines of
// equal F1 where it is large.
func curve(c score.Curve, size float64, large bool) template.HTML {
	left, bottom, top, right := 26.0, 20.0, 6.0, 8.0
	if large {
		left, bottom = 44, 38
	}
	width, height := size, size*0.9
	x := func(recall float64) float64 { return left + recall*(width-left-right) }
	y := func(precision float64) float64 { return top + (1-precision)*(height-top-bottom) }

	name := c.Label
	if name == "" {
		name = "all types"
	}
	var b strings.Builder
	said := name + ": no findings"
	last := score.Point{}
	if n := len(c.Points); n > 0 {
		last = c.Points[n-1]
		said = fmt.Sprintf("%s: precision %.3f at recall %.3f with all findings", name, last.Precision, last.Recall)
	}
	fmt.Fprintf(&b, `<svg class="curve" viewBox="0 0 %g %g" width="%g" height="%g" role="img" aria-label="%s">`, width, height, width, height,
		html.EscapeString(said))
	fmt.Fprintf(&b, `<title>%s</title>`, html.EscapeString(said))
	for _, v := range []float64{0, 0.5, 1} {
		fmt.Fprintf(&b, `<path class="rule" d="M%.1f %.1fH%.1f"/><path class="rule" d="M%.1f %.1fV%.1f"/>`, x(0), y(v), x(1), x(v), y(0), y(1))
		fmt.Fprintf(&b, `<text class="tick" x="%.1f" y="%.1f" text-anchor="end">%s</text>`, x(0)-4, y(v)+3.5, tick(v))
		fmt.Fprintf(&b, `<text class="tick" x="%.1f" y="%.1f" text-anchor="middle">%s</text>`, x(v), y(0)+12, tick(v))
	}
	if large {
		for _, f1 := range []float64{0.5, 0.7, 0.8, 0.9} {
			var line []string
			// F1 = 2PR/(P+R), so P = F1 R / (2R - F1), from where P is 1 on.
			low := f1 / (2 - f1)
			for k := 0; k <= 40; k++ {
				r := low + (1-low)*float64(k)/40
				line = append(line, fmt.Sprintf("%.1f %.1f", x(r), y(f1*r/(2*r-f1))))
			}
			fmt.Fprintf(&b, `<path class="iso" d="M%s"/>`, strings.Join(line, "L"))
			fmt.Fprintf(&b, `<text class="tick iso" x="%.1f" y="%.1f" text-anchor="end">F1 %s</text>`, x(1)-3, y(low)-3, tick(f1))
		}
		fmt.Fprintf(&b, `<text class="label" x="%.1f" y="%.1f" text-anchor="middle">recall</text>`, (x(0)+x(1))/2, height-6)
		fmt.Fprintf(&b, `<text class="label" x="12" y="%.1f" text-anchor="middle" transform="rotate(-90 12 %.1f)">precision</text>`,
			(y(0)+y(1))/2, (y(0)+y(1))/2)
	}
	if len(c.Points) > 0 {
		var line []string
		for _, p := range c.Points {
			if p.TP+p.FP > 0 {
				at := fmt.Sprintf("%.1f %.1f", x(p.Recall), y(p.Precision))
				if len(line) == 0 || line[len(line)-1] != at {
					line = append(line, at)
				}
			}
		}
		if len(line) > 1 {
			fmt.Fprintf(&b, `<path class="line" d="M%s"/>`, strings.Join(line, "L"))
		}
		fmt.Fprintf(&b, `<circle class="dot" cx="%.1f" cy="%.1f" r="%g"/>`, x(last.Recall), y(last.Precision),
			map[bool]float64{true: 4, false: 3}[large])
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String())
}

// tick prints a number in [0, 1] as an axis shows it: 0, .5, 1.
func tick(v float64) string {
	if v == 0 {
		return "0"
	}
	return strings.TrimPrefix(fmt.Sprint(v), "0")
}

// heat draws a confusion matrix: gold in rows, system in columns, with a row of
// spurious and a column of missing spans. Cells are as dark as their share of
// the row. A cell of errors leads to these errors. ok is false where there is
// nothing to draw.
func heat(c score.Confusion) (picture template.HTML, ok bool) {
	const side, left, top = 29.0, 132.0, 116.0
	c = withoutEmpty(c)
	n := len(c.Labels)
	if n == 0 {
		return "", false
	}
	// One more for the last row and column, half a cell apart.
	at := func(i int) float64 {
		if i == n {
			return float64(i)*side + side/3
		}
		return float64(i) * side
	}
	width, height := left+at(n)+side+4, top+at(n)+side+4
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="heat" viewBox="0 0 %g %g" width="%g" height="%g" role="group" aria-label="Confusion matrix: rows are gold `+
		`types, columns are system types">`, width, height, width, height)
	for i := 0; i <= n; i++ {
		column, rowName := "missing", "spurious"
		class := "edge"
		if i < n {
			column, rowName, class = c.Labels[i], c.Labels[i], "name"
		}
		x, y := left+at(i)+side/2, top+at(i)+side/2
		fmt.Fprintf(&b, `<text class="%s" x="%.1f" y="%.1f" text-anchor="end">%s</text>`, class, left-6, y+4, html.EscapeString(short(rowName)))
		fmt.Fprintf(&b, `<text class="%s" x="%.1f" y="%.1f" transform="rotate(-55 %.1f %.1f)">%s</text>`, class, x, top-6, x, top-6,
			html.EscapeString(short(column)))
	}
	draw := func(i, j, count, whole int) {
		x, y := left+at(j), top+at(i)
		fmt.Fprintf(&b, `<rect class="cell" x="%.1f" y="%.1f" width="%g" height="%g"/>`, x, y, side-1, side-1)
		if count == 0 {
			return
		}
		class, gold, system := "wrong", "", ""
		if i < n {
			gold = c.Labels[i]
		}
		if j < n {
			system = c.Labels[j]
		}
		if i == j {
			class = "right"
		}
		share := math.Sqrt(float64(count) / float64(max(whole, 1)))
		said := fmt.Sprintf("gold %s, system %s: %s", orNone(gold), orNone(system), thousands(count))
		if i != j {
			fmt.Fprintf(&b, `<a href="%s" aria-label="%s">`, html.EscapeString(errorsLink(gold, system)), html.EscapeString(said))
		}
		fmt.Fprintf(&b, `<rect class="%s" x="%.1f" y="%.1f" width="%g" height="%g" fill-opacity="%.3f"><title>%s</title></rect>`,
			class, x, y, side-1, side-1, 0.12+0.88*share, html.EscapeString(said))
		number := "count"
		if share > 0.55 {
			number = "count on"
		}
		fmt.Fprintf(&b, `<text class="%s" x="%.1f" y="%.1f" text-anchor="middle">%s</text>`, number, x+side/2-0.5, y+side/2+3.5, brief(count))
		if i != j {
			b.WriteString(`</a>`)
		}
	}
	spurious := 0
	for _, k := range c.Spurious {
		spurious += k
	}
	for i := range n {
		whole := c.Missing[i]
		for _, k := range c.Counts[i] {
			whole += k
		}
		for j := range n {
			draw(i, j, c.Counts[i][j], whole)
		}
		draw(i, n, c.Missing[i], whole)
	}
	for j := range n {
		draw(n, j, c.Spurious[j], spurious)
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String()), true
}

// withoutEmpty leaves out labels that neither side has.
func withoutEmpty(c score.Confusion) score.Confusion {
	var keep []int
	for i := range c.Labels {
		n := c.Missing[i] + c.Spurious[i]
		for j := range c.Labels {
			n += c.Counts[i][j] + c.Counts[j][i]
		}
		if n > 0 {
			keep = append(keep, i)
		}
	}
	var d score.Confusion
	for _, i := range keep {
		var counts []int
		for _, j := range keep {
			counts = append(counts, c.Counts[i][j])
		}
		d.Labels = append(d.Labels, c.Labels[i])
		d.Counts = append(d.Counts, counts)
		d.Missing = append(d.Missing, c.Missing[i])
		d.Spurious = append(d.Spurious, c.Spurious[i])
	}
	return d
}

// errorsLink leads to the browser of errors, narrowed to a pair of labels; ""
// stands for none. It holds labels alone, as links stay in the history.
func errorsLink(gold, system string) string {
	return "#errors?" + url.Values{"gold": {orNone(gold)}, "system": {orNone(system)}}.Encode()
}

// none is what the browser of errors calls the missing side of a pair. Labels
// are upper case, so none is called so.
const none = "none"

func orNone(label string) string {
	if label == "" {
		return none
	}
	return label
}

// short cuts a label to what the matrix has room for.
func short(label string) string {
	const most = 18
	if r := []rune(label); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return label
}

// brief prints a count within a cell: 12, 999, 12k, 3M.
func brief(n int) string {
	switch {
	case n < 10_000:
		return fmt.Sprint(n)
	case n < 1_000_000:
		return fmt.Sprintf("%dk", n/1000)
	default:
		return fmt.Sprintf("%dM", n/1_000_000)
	}
}
