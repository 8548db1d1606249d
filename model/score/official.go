package score

import (
	"fmt"
	"strconv"
	"strings"
)

// I2B2Report returns what the i2b2 2014 script prints for this result, byte by
// byte: the ten reports and those of each category, headings and spelling its
// own. system is the id that the script takes from the names of the system's
// files, empty as a rule. Without i2b2 categories the reports over HIPAA types
// and categories are missing.
func (r *Result) I2B2Report(system string) string {
	var b strings.Builder
	for _, list := range [][]Metric{r.Metrics, r.ByCategory} {
		for _, m := range list {
			if m.Official == "" {
				continue
			}
			name := m.Official
			if system != "" {
				name = system + " " + name
			}
			line := func(a, c, macro, micro string) {
				fmt.Fprintf(&b, "%-25s%-15s%-15s%-20s\n", a, c, macro, micro)
			}
			line(fmt.Sprintf("%s (%d)", name, r.Documents), "Measure", "Macro (SD)", "Micro (Primary)")
			b.WriteString(strings.Repeat("-", 75) + "\n")
			line("Total", "Precision", significant(m.Macro.Precision, 4)+" ("+significant(m.Macro.PrecisionSD, 2)+")",
				significant(m.Micro.Precision, 4))
			line("", "Recall", significant(m.Macro.Recall, 4)+" ("+significant(m.Macro.RecallSD, 2)+")", significant(m.Micro.Recall, 4))
			line("", "F1", significant(m.Macro.F1, 4), significant(m.Micro.F1, 4))
			b.WriteString("\n\n")
		}
	}
	return b.String()
}

// MEDDOCANReport returns what the MEDDOCAN script prints for this result in
// both subtracks. sentences is the number of sentences of all documents, for
// the leak score; below 0 it is not known and printed as NA.
func (r *Result) MEDDOCANReport(system string, sentences int) string {
	var b strings.Builder
	line := func(a, c, d string) { fmt.Fprintf(&b, "%-35s%-15s%-20s\n", a, c, d) }
	for _, report := range []struct {
		label string
		m     Metric
		leak  bool
	}{
		{"SubTrack 1 [NER]", r.MEDDOCAN.NER, true},
		{"SubTrack 2 [strict]", r.MEDDOCAN.Spans, false},
		{"SubTrack 2 [merged]", r.MEDDOCAN.Merged, false},
	} {
		rule := strings.Repeat("-", 60) + "\n"
		total := fmt.Sprintf("Total (%d docs)", r.Documents)
		line("", "", "")
		b.WriteString("Report (SYSTEM: " + system + "):\n" + rule)
		line(report.label, "Measure", "Micro")
		b.WriteString(rule)
		if report.leak {
			leak := "NA"
			if sentences >= 0 {
				leak = significant(r.MEDDOCAN.Leak(sentences), 4)
			}
			line(total, "Leak", leak)
			total = ""
		}
		line(total, "Precision", significant(report.m.Micro.Precision, 4))
		line("", "Recall", significant(report.m.Micro.Recall, 4))
		line("", "F1", significant(report.m.Micro.F1, 4))
		b.WriteString(rule + "\n\n")
	}
	return b.String()
}

// significant prints x as Python's "{:.4}" does for digits = 4: that many
// significant digits, no zeros at the end, but at least one digit after the
// point.
func significant(x float64, digits int) string {
	s := strconv.FormatFloat(x, 'e', digits-1, 64)
	mantissa, exponent, _ := strings.Cut(s, "e")
	e, _ := strconv.Atoi(exponent)
	if e < -4 || e >= digits-1 {
		if x == 0 {
			return "0.0"
		}
		if strings.Contains(mantissa, ".") {
			mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
		}
		sign := "+"
		if e < 0 {
			sign, e = "-", -e
		}
		return fmt.Sprintf("%se%s%02d", mantissa, sign, e)
	}
	s = strconv.FormatFloat(x, 'f', digits-1-e, 64)
	s = strings.TrimRight(s, "0")
	if strings.HasSuffix(s, ".") {
		s += "0"
	}
	return s
}
