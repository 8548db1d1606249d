package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/score"
)

// base is the job as it is.
var base = row{name: "the job as it is"}

// tables writes the job's own figures and a table of changes for each kind of row.
func (c *corpora) tables(w io.Writer, all []row) error {
	b, err := c.run(base)
	if err != nil {
		return err
	}
	c.heading(w, b)
	last := ""
	for _, r := range all {
		if r.table != last {
			last = r.table
			proposals := strings.Builder{}
			for _, p := range all {
				if p.table == r.table && len(p.of) > 0 {
					fmt.Fprintf(&proposals, "- %s: %s.\n", p.name, strings.Join(p.of, "; "))
				}
			}
			fmt.Fprintf(w, "\n## %s\n\nOn %s. %s\n\n", r.table, c.notes(), lead(r.table))
			if proposals.Len() > 0 {
				fmt.Fprintf(w, "%s\n", proposals.String())
			}
			fmt.Fprint(w, "| | notes changed | names R | numbers R | dates R | places R | rest R | token R | token P | strict F1 | clean | "+
				"needless | verdict |")
			for _, name := range c.names {
				fmt.Fprintf(w, " %s: direct R, F1 |", name)
			}
			fmt.Fprintf(w, "\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|%s\n", strings.Repeat("--:|", len(c.names)))
		}
		got, err := c.run(r)
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		x, err := compare(b.all, got.all)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "| %s | %d |", r.name, x.notes)
		for _, d := range x.recall[:direct] {
			fmt.Fprintf(w, " %s |", d)
		}
		fmt.Fprintf(w, " %s | %s | %s | %s | %s | %s |", x.tokenR, x.tokenP, x.f1, signed(x.clean), signed(x.needless), x.verdict(r.on()))
		for k := range c.names {
			e, err := compare(b.each[k], got.each[k])
			if err != nil {
				return err
			}
			fmt.Fprintf(w, " %s, %s |", e.recall[direct], e.f1)
		}
		fmt.Fprintln(w)
		fmt.Fprintln(os.Stderr, r.name, x.verdict(r.on()))
	}
	return nil
}

// on reports whether the row switches something on, or is to be judged as if.
func (r row) on() bool { return r.table == inAdded || r.table == together }

func lead(table string) string {
	switch table {
	case inAdded:
		return "Changes from switching one on:"
	case together:
		return "Changes from all of a proposal's rows at once:"
	}
	return "Changes from leaving one out:"
}

// heading writes what the job scores as it is.
func (c *corpora) heading(w io.Writer, b *result) {
	fmt.Fprint(w, "\n## The job as it is\n\n| notes | | names R | numbers R | dates R | places R | rest R | token R | token P | strict F1 "+
		"| clean | needless |\n"+
		"|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	line := func(name string, t *tally) {
		r := t.all.Result()
		token, strict := metric(r, score.BinaryToken), metric(r, score.Strict)
		fmt.Fprintf(w, "| %s | %d |", name, r.Documents)
		for _, g := range t.groups[:direct] {
			fmt.Fprintf(w, " %.2f |", 100*metric(g.Result(), harm).Recall)
		}
		fmt.Fprintf(w, " %.2f | %.2f | %.2f | %d | %d |\n", 100*token.Recall, 100*token.Precision, 100*strict.F1,
			r.DocumentRecall.Covered, r.OverRedaction.Spans)
	}
	for k, name := range c.names {
		line(name, b.each[k])
	}
	if len(c.names) > 1 {
		line("together", b.all)
	}
}

func metric(r *score.Result, m score.Measure) score.Rates {
	for _, x := range r.Metrics {
		if x.Measure == m && x.Subset == score.All {
			return x.Micro
		}
	}
	return score.Rates{}
}

// String writes points with a sign, and an asterisk where they are significant.
func (c change) String() string {
	s := fmt.Sprintf("%+.2f", c.points)
	if s == "+0.00" || s == "-0.00" {
		s = "0"
		if c.points != 0 {
			s = map[bool]string{true: "+0", false: "-0"}[c.points > 0]
		}
	}
	if c.p < significant {
		s += "*"
	}
	return s
}

func signed(n int) string {
	if n == 0 {
		return "0"
	}
	return fmt.Sprintf("%+d", n)
}

// style is the same notes written otherwise, or read by another network.
type style struct {
	name string
	*corpora
}

// robustness writes what the rows marked so change in each style.
func robustness(w io.Writer, styles []style, all []row) error {
	fmt.Fprintf(w, "\n## As a safety net\n\nThe same notes in lower case, with characters mistaken as by a scanner, and read by a weaker "+
		"network. "+
		"Changes against the job on the same texts:\n")
	for _, s := range styles {
		b, err := s.run(base)
		if err != nil {
			return err
		}
		r := b.all.all.Result()
		fmt.Fprintf(w, "\n### %s\n\nThe job as it is: direct identifiers' recall %.2f, token recall %.2f, token precision %.2f, strict F1 "+
			"%.2f, %d of %d notes clean.\n\n",
			s.name, 100*metric(b.all.groups[direct].Result(), harm).Recall, 100*metric(r, score.BinaryToken).Recall,
			100*metric(r, score.BinaryToken).Precision, 100*metric(r, score.Strict).F1, r.DocumentRecall.Covered, r.Documents)
		fmt.Fprint(w, "| | notes changed | direct R | names R | numbers R | token R | token P | strict F1 | clean | needless | verdict "+
			"|\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n")
		for _, r := range all {
			if !r.robust {
				continue
			}
			got, err := s.run(r)
			if err != nil {
				return err
			}
			x, err := compare(b.all, got.all)
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "| %s | %d | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n",
				map[bool]string{true: "with ", false: ""}[r.table == inAdded]+r.name, x.notes,
				x.recall[direct], x.recall[0], x.recall[1], x.tokenR, x.tokenP, x.f1, signed(x.clean), signed(x.needless), x.verdict(r.on()))
			fmt.Fprintln(os.Stderr, s.name, r.name, x.verdict(r.on()))
		}
	}
	return nil
}
