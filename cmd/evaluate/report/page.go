package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"

	"github.com/palimpsest-deid/palimpsest/model/score"
)

var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS string
	//go:embed page.js
	pageJS string

	pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{"thousands": thousands}).Parse(pageHTML))
)

// WritePage writes r and its errors as one HTML page that needs nothing else:
// no script, style, font or picture from elsewhere. The page holds note text,
// so it is as sensitive as the notes.
//
// Note text is in it only as JSON in a block that browsers do not run, with <,
// > and & escaped, and reaches the document only as text nodes. A content
// security policy lets the page's own script run, by its digest, and nothing
// else; it may load nothing.
func WritePage(w io.Writer, r *Result, e *Errors) error {
	v, err := newView(r, e)
	if err != nil {
		return err
	}
	return pageTemplate.Execute(w, v)
}

// view is what the template prints.
type view struct {
	Policy     string
	CSS        template.CSS
	JS         template.JS
	Data       template.JS // JSON
	Result     *Result
	Key        []keyFigure
	Overall    []line
	HIPAA      string
	Categories []line
	Types      []line
	Figures    []figureLine
	Curve      template.HTML // all types
	Curves     []curveView
	Overlap    template.HTML
	Exact      template.HTML
	Kinds      []kindLine
	Causes     []causeLine
	Compared   []comparedLine
	Shown      int // errors in the page
	Errors     int // errors in all
	Sampled    bool
	Intervals  bool
}

type keyFigure struct{ Name, Value, Remark string }

// line is one row of a table of scores.
type line struct {
	Name                string
	TP, FP, FN          string
	Precision           cell
	Recall              cell
	F1                  cell
	Forest              template.HTML
	MacroP, MacroR, MF1 string
	TokenP, TokenR, TF1 string
}

type cell struct{ Value, Interval string }

type figureLine struct{ Name, Value, Of, Note string }

type curveView struct {
	Label, Gold, P, R string
	SVG               template.HTML
}

type kindLine struct{ Name, Count string }

type causeLine struct{ Name, FN, FNShare, FP, FPShare string }

type comparedLine struct {
	Name    string
	P, R, F comparedCell
}

type comparedCell struct {
	A, B, Difference, P string
	Clear               bool // p < .05
}

func newView(r *Result, e *Errors) (*view, error) {
	mistakes := e.list()
	data, err := json.Marshal(embed(mistakes)) // escapes <, > and &
	if err != nil {
		return nil, err
	}
	v := &view{
		Policy: "default-src 'none'; script-src '" + digest(pageJS) + "'; style-src '" + digest(pageCSS) +
			"'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
		CSS: template.CSS(pageCSS), JS: template.JS(pageJS), Data: template.JS(data),
		Result: r, HIPAA: "the official script counts it, without IDNUM",
		Shown: len(mistakes), Errors: e.seen, Sampled: len(mistakes) < e.seen,
		Intervals: r.Score.Resamples > 0,
	}
	if r.Inputs.HIPAA == HIPAADocumented {
		v.HIPAA = "its README documents it, with IDNUM"
	}
	for _, x := range r.overall() {
		l := newLine(x.name, x.metric)
		v.Overall = append(v.Overall, l)
		switch {
		case x.metric.Measure == score.Strict && x.metric.Subset == score.All:
			v.Key = append(v.Key, keyFigure{"strict F1", l.F1.Value, l.F1.Interval})
		case x.metric.Measure == score.BinaryToken && x.metric.Subset != score.All:
			v.Key = append(v.Key, keyFigure{"recall, " + x.name, l.Recall.Value, l.Recall.Interval})
		case x.metric.Measure == score.Character:
			v.Key = append(v.Key, keyFigure{"recall of characters", l.Recall.Value, l.Recall.Interval})
		}
	}
	for _, g := range []struct {
		from []score.Metric
		to   *[]line
	}{{r.Score.ByCategory, &v.Categories}, {r.Score.ByType, &v.Types}} {
		for _, m := range labelled(g.from, score.Strict) {
			l := newLine(nameOfLabel(m), m)
			if t, ok := find(g.from, score.Token, score.All, m.Category, m.Label); ok {
				token := rates(t)
				l.TokenP, l.TokenR, l.TF1 = token[0], token[1], token[2]
			}
			*g.to = append(*g.to, l)
		}
	}
	for i, f := range r.figures() {
		l := figureLine{f.name, f.String(), thousands(f.part) + " of " + thousands(f.whole), f.note}
		v.Figures = append(v.Figures, l)
		if i == 0 || f.perThousand {
			v.Key = append(v.Key, keyFigure{l.Name, l.Value, l.Of})
		}
	}
	for _, c := range r.Score.Curves {
		switch {
		case c.Label == "":
			v.Curve = curve(c, 400, true)
		case c.Gold > 0 && len(c.Points) > 0:
			last := c.Points[len(c.Points)-1]
			v.Curves = append(v.Curves, curveView{c.Label, thousands(c.Gold), rate(last.Precision), rate(last.Recall), curve(c, 136, false)})
		}
	}
	v.Overlap, _ = heat(r.Score.ConfusionOverlap)
	v.Exact, _ = heat(r.Score.Confusion)
	for i, n := range r.kindTotals() {
		v.Kinds = append(v.Kinds, kindLine{kinds[i].name, thousands(n)})
	}
	fn, fp := 0, 0
	for _, c := range r.Score.Causes {
		fn, fp = fn+c.FN, fp+c.FP
	}
	for _, c := range r.Score.Causes {
		v.Causes = append(v.Causes, causeLine{string(c.Cause), thousands(c.FN), share(c.FN, fn), thousands(c.FP), share(c.FP, fp)})
	}
	if r.Comparison != nil {
		for _, m := range r.Comparison.Measures {
			v.Compared = append(v.Compared, comparedLine{comparedName(m),
				newComparedCell(m.A.Precision, m.B.Precision, m.Difference.Precision, m.P.Precision),
				newComparedCell(m.A.Recall, m.B.Recall, m.Difference.Recall, m.P.Recall),
				newComparedCell(m.A.F1, m.B.F1, m.Difference.F1, m.P.F1)})
		}
	}
	return v, nil
}

func newLine(name string, m score.Metric) line {
	micro := rates(m)
	l := line{
		Name: name, TP: thousands(m.TP), FP: thousands(m.FP), FN: thousands(m.FN),
		Precision: cell{Value: micro[0]}, Recall: cell{Value: micro[1]}, F1: cell{Value: micro[2]},
		MacroP: rate(m.Macro.Precision), MacroR: rate(m.Macro.Recall), MF1: rate(m.Macro.F1),
	}
	var f1 *score.Interval
	if i := m.Intervals; i != nil && m.Counts != (score.Counts{}) {
		l.Precision.Interval, l.Recall.Interval, l.F1.Interval = dashed(i.Precision), dashed(i.Recall), dashed(i.F1)
		f1 = &i.F1
	}
	if m.Counts != (score.Counts{}) {
		l.Forest = forest(m.Micro.F1, f1)
	}
	return l
}

func newComparedCell(a, b, difference, p float64) comparedCell {
	return comparedCell{rate(a), rate(b), signed(difference), rate(p), p < 0.05}
}

// dashed prints an interval with an en dash.
func dashed(i score.Interval) string {
	return fmt.Sprintf("%.3f–%.3f", i.Low, i.High)
}

// digest is the source expression that lets this very script or style in.
func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
