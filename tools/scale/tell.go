package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/dustin/go-humanize"
)

// tell writes what the results say so far to out, or into the Markdown file.
func (o release) tell(out io.Writer) error {
	parts, err := readParts(filepath.Join(o.results, partsFile))
	if err != nil {
		return err
	}
	together, err := readParts(filepath.Join(o.results, togetherFile))
	if err != nil {
		return err
	}
	if len(parts) == 0 {
		return fmt.Errorf("%s has no results yet", o.results)
	}
	table := partsTable(o.kinds, parts, together, o.coreHour)
	if o.text == "" {
		_, err := io.WriteString(out, table)
		return err
	}
	text, err := os.ReadFile(o.text)
	if err != nil {
		return err
	}
	if text, err = insert(text, map[string]string{"mimic": table}); err != nil {
		return fmt.Errorf("%s: %w", o.text, err)
	}
	return os.WriteFile(o.text, text, 0o644)
}

// partsTable tells of the parts that were run, and reckons all from them.
func partsTable(kinds []kind, parts, together []partDone, coreHour float64) string {
	sum := partDone{Parts: parts[0].Parts, Model: parts[0].Model}
	programs := map[string]bool{}
	for _, p := range parts {
		sum = plus(sum, p)
		programs[p.Program] = true
	}
	notes := 0
	for _, k := range kinds {
		notes += k.notes
	}
	times := float64(notes) / float64(sum.made.Notes)
	all := len(parts) == sum.Parts // then nothing is left to be extrapolated
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d parts were run, %.0f %% of the notes, with `%s`", len(parts), sum.Parts,
		100*float64(sum.made.Notes)/float64(notes), sum.Model)
	if len(programs) > 1 {
		fmt.Fprintf(&b, " and %d builds of the program", len(programs))
	}
	b.WriteString(".\n\n")
	line := func(name, measured, extrapolated string) {
		if all {
			fmt.Fprintf(&b, "| %s | %s |\n", name, measured)
		} else {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", name, measured, extrapolated)
		}
	}
	line("", "measured", fmt.Sprintf("all %s, extrapolated", humanize.Comma(int64(notes))))
	line("---", "--:", "--:")
	row := func(name string, x float64) { line(name, short(x), short(x*times)) }
	row("notes", float64(sum.made.Notes))
	row("of them discharge summaries", float64(sum.Discharge))
	row("of all, in quarantine", float64(sum.Quarantined))
	row("patients", float64(sum.Patients))
	row("text, GB", float64(sum.made.Text)/1e9)
	row("input, GB of Parquet", float64(sum.Input)/1e9)
	row("tokens, millions", float64(sum.point.Tokens)/1e6)
	row("identifiers replaced, millions", float64(sum.Spans)/1e6)
	row("CPU hours", sum.CPU/3600)
	row(fmt.Sprintf("dollars at %.3g a core and hour", coreHour), sum.CPU/3600*coreHour)
	row("hours on the clock, beside other work", sum.Wall/3600)
	row("shuffled, GB", float64(sum.Shuffled)/1e9)
	row("written, GB", float64(sum.Written)/1e9)
	line("memory at its largest, MiB", fmt.Sprintf("%.0f in a part", sum.PeakMiB), "")
	line("copied text", fmt.Sprintf("%.0f %% of tokens", 100*float64(sum.Copied)/float64(sum.made.Tokens)), "")
	line("windows that need not be computed again", fmt.Sprintf("%.0f %%", 100*float64(sum.Reused)/float64(max(sum.Windows, 1))), "")
	line("tokens per CPU second", humanize.Comma(int64(float64(sum.point.Tokens)/sum.CPU)), "")
	network := float64(sum.Kernel.Tokens) / sum.Kernel.CPUSeconds
	line("the network alone, in the same parts", humanize.Comma(int64(network)), "")
	line("the job's speed of the network's alone", fmt.Sprintf("%.2f", sum.ratio()), "")
	if len(together) > 0 {
		b.WriteString("\nAs one job:\n\n| parts | notes | CPU s | CPU ms a note | the same parts by themselves | peak MiB | " +
			"of the bare network |\n" +
			"|--:|--:|--:|--:|--:|--:|--:|\n")
		for _, t := range together {
			apart := partDone{}
			for _, p := range parts {
				if t.Part <= p.Part && p.Upto <= t.Upto {
					apart = plus(apart, p)
				}
			}
			by := "-"
			if apart.made.Notes == t.made.Notes {
				by = fmt.Sprintf("%.2f", 1e3*apart.CPU/float64(apart.made.Notes))
			}
			fmt.Fprintf(&b, "| %d | %s | %s | %.2f | %s | %.0f | %.2f |\n", t.Upto-t.Part, humanize.Comma(t.made.Notes), short(t.CPU),
				1e3*t.CPU/float64(t.made.Notes), by, t.PeakMiB, t.ratio())
		}
	}
	return b.String()
}

// plus adds what two jobs took; memory is that of the larger.
func plus(a, b partDone) partDone {
	for _, c := range partColumns {
		switch c.name {
		case "part", "upto", "parts":
			continue
		case "peak_mib":
			a.PeakMiB = max(a.PeakMiB, b.PeakMiB)
			continue
		}
		switch x := c.of(&a).(type) {
		case *int64:
			*x += *c.of(&b).(*int64)
		case *float64:
			*x += *c.of(&b).(*float64)
		}
	}
	return a
}
