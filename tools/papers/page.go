package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/score"
)

// row is a system and its scores on one table's notes.
type row struct {
	system system
	scorer *score.Scorer
}

// significant is the p-value below which a difference gets an asterisk.
const significant = 0.05

// columns are the measures of a table.
var columns = []struct {
	measure score.Measure
	subset  score.Subset
}{{score.Strict, score.All}, {score.BinaryToken, score.All}, {score.BinaryToken, score.HIPAADocumented}}

func scoreTable(out *bytes.Buffer, p part, rows []row) error {
	fmt.Fprintf(out, "\n## %s\n\n", p.title)
	for k, s := range p.sets {
		if k > 0 {
			out.WriteString(", ")
		}
		fmt.Fprintf(out, "`%s`", s.Folder)
		if s.Part != "" {
			fmt.Fprintf(out, " (%s)", s.Part)
		}
	}
	if len(rows) == 0 {
		out.WriteString(": no system is there.\n")
		return nil
	}
	first := rows[0].scorer.Result()
	fmt.Fprintf(out, ": %d notes, %d spans.\n\n", first.Documents, first.Gold)
	out.WriteString("| system | strict P | R | F1 | token P | R | F1 | HIPAA token P | R | F1 | notes without a miss |\n" +
		"|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for k, r := range rows {
		result := r.scorer.Result()
		stars := map[string]string{}
		if k > 0 {
			c, err := score.Compare(r.scorer, rows[0].scorer, score.Shuffles, 1)
			if err != nil {
				return err
			}
			for _, m := range c.Measures {
				for what, p := range map[string]float64{"P": m.P.Precision, "R": m.P.Recall, "F": m.P.F1} {
					if p < significant {
						stars[fmt.Sprint(m.Measure, m.Subset, what)] = "*"
					}
				}
			}
		}
		fmt.Fprintf(out, "| %s", r.system.name)
		for _, c := range columns {
			for _, m := range result.Metrics {
				if m.Measure != c.measure || m.Subset != c.subset {
					continue
				}
				star := func(what string) string { return stars[fmt.Sprint(m.Measure, m.Subset, what)] }
				fmt.Fprintf(out, " | %.1f%s | %.1f%s | %.1f%s", 100*m.Micro.Precision, star("P"), 100*m.Micro.Recall, star("R"),
					100*m.Micro.F1, star("F"))
			}
		}
		fmt.Fprintf(out, " | %d |\n", result.DocumentRecall.Covered)
	}
	return nil
}

// byCategory tells of each system how it does in each category of PHI.
func byCategory(out *bytes.Buffer, p part, rows []row) {
	categories := phi.Categories()
	fmt.Fprintf(out, "\n### %s: recall and F1 by category, strict\n\n| system |", p.title)
	for _, c := range categories {
		fmt.Fprintf(out, " %s |", c)
	}
	out.WriteString("\n|---|" + strings.Repeat("--:|", len(categories)) + "\n")
	for _, r := range rows {
		fmt.Fprintf(out, "| %s |", r.system.name)
		result := r.scorer.Result()
		for _, c := range categories {
			cell := ""
			for _, m := range result.ByCategory {
				if m.Measure == score.Strict && m.Category == c && m.TP > 0 {
					cell = fmt.Sprintf(" %.1f, %.1f", 100*m.Micro.Recall, 100*m.Micro.F1)
				}
			}
			fmt.Fprintf(out, "%s |", cell)
		}
		out.WriteString("\n")
	}
}

// rates returns the strict and the binary token rates over all PHI.
func rates(s *score.Scorer) (strict, binary score.Rates) {
	for _, m := range s.Result().Metrics {
		switch {
		case m.Subset != score.All:
		case m.Measure == score.Strict:
			strict = m.Micro
		case m.Measure == score.BinaryToken:
			binary = m.Micro
		}
	}
	return strict, binary
}

// costs tells what training and tagging take.
func costs(out *bytes.Buffer, s settings, speeds map[string]speed) {
	out.WriteString("\n## What they take\n\n| system | size | notes trained on | training, minutes of processor | tokens/s of a core |\n" +
		"|---|--:|--:|--:|--:|\n")
	for _, y := range systems {
		took, ok := speeds[y.name]
		if !ok || y.job || len(y.models) == 0 {
			continue
		}
		dirs, _ := s.find(y.models)
		var bytes int64
		notes, minutes := "", ""
		for _, dir := range dirs {
			files, _ := filepath.Glob(filepath.Join(dir, "*"))
			for _, f := range files {
				if info, err := os.Stat(f); err == nil && filepath.Ext(f) != ".md" {
					bytes += info.Size()
				}
			}
			if len(dirs) == 1 {
				notes, minutes = trained(dir)
			}
		}
		fmt.Fprintf(out, "| %s | %.1f MB | %s | %s | %.0f |\n", y.name, float64(bytes)/1e6, notes, minutes,
			float64(took.tokens)/took.cpu.Seconds())
	}
}

// trained returns how many notes a linear model was trained on, and the minutes that
// this took.
func trained(dir string) (notes, minutes string) {
	var d struct {
		Training struct {
			Notes   json.RawMessage `json:"notes"`
			Seconds float64         `json:"cpu_seconds"`
		} `json:"training"`
	}
	raw, err := os.ReadFile(filepath.Join(dir, "model.json"))
	if err != nil || json.Unmarshal(raw, &d) != nil || d.Training.Seconds == 0 {
		return "", ""
	}
	return string(d.Training.Notes), fmt.Sprintf("%.0f", d.Training.Seconds/60)
}

// published sets the papers' own figures beside ours.
func published(out *bytes.Buffer) {
	out.WriteString("\n## What the papers print, and why ours differs\n\n| system | where | the paper's figures | why ours differs |\n" +
		"|---|---|---|---|\n")
	for _, y := range systems {
		if y.paper != "" {
			fmt.Fprintf(out, "| %s | %s | %s | %s |\n", y.name, y.paper, y.theirs, y.why)
		}
	}
}
