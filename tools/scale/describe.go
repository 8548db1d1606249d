package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/dustin/go-humanize"
)

// describe writes a plot per sweep beside its CSV file, and a table of each to
// out or into the Markdown file.
func describe(o options, chosen []sweep, out io.Writer) error {
	tables := map[string]string{}
	for _, s := range chosen {
		points, err := readCSV(filepath.Join(o.out, s.name+".csv"))
		if err != nil {
			return err
		}
		if len(points) < 2 {
			continue
		}
		if err := os.WriteFile(filepath.Join(o.out, s.name+".svg"), plot(s, points[1:]), 0o644); err != nil {
			return err
		}
		tables[s.name] = tableOf(s, points[0], points[1:])
		if o.text == "" {
			fmt.Fprintf(out, "%s\n\n%s\n", s.name, tables[s.name])
		}
	}
	if o.text == "" {
		return nil
	}
	text, err := os.ReadFile(o.text)
	if err != nil {
		return err
	}
	if text, err = insert(text, tables); err != nil {
		return fmt.Errorf("%s: %w", o.text, err)
	}
	return os.WriteFile(o.text, text, 0o644)
}

// insert replaces what stands between <!-- table NAME --> and <!-- end --> by
// the table of that name; other text stays.
func insert(text []byte, tables map[string]string) ([]byte, error) {
	const end = "<!-- end -->"
	for name, table := range tables {
		begin := []byte("<!-- table " + name + " -->\n")
		i := bytes.Index(text, begin)
		if i < 0 {
			return nil, fmt.Errorf("no line <!-- table %s -->", name)
		}
		i += len(begin)
		n := bytes.Index(text[i:], []byte(end))
		if n < 0 {
			return nil, fmt.Errorf("no %s after table %s", end, name)
		}
		text = append(append(append([]byte(nil), text[:i]...), table...), text[i+n:]...)
	}
	return text, nil
}

// tableOf returns a sweep's table, in Markdown. base is the run over one note.
func tableOf(s sweep, base point, points []point) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | notes | text MB | input MB | spans | CPU s | peak MiB | shuffled MB | written MB | |\n", s.axis)
	b.WriteString("|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n")
	for _, p := range points {
		said := p.Outcome
		if said == "ok" {
			said = ""
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %.0f | %s | %s | %s |\n", humanize.Comma(int64(p.X)), humanize.Comma(p.Notes),
			short(float64(p.Text)/1e6), short(float64(p.Input)/1e6), humanize.Comma(p.Spans), short(p.CPU), p.PeakMiB,
			short(float64(p.Shuffled)/1e6), short(float64(p.Written)/1e6), said)
	}
	exponents := func(name string, of func([]point, float64, func(point) float64) (float64, bool)) {
		fmt.Fprintf(&b, "| **%s** | | | | |", name)
		for _, c := range []struct {
			base float64
			of   func(point) float64
		}{{base.CPU, cpu}, {base.PeakMiB, peak}, {float64(base.Shuffled), shuffled}, {float64(base.Written), written}} {
			if k, ok := of(points, c.base, c.of); ok {
				fmt.Fprintf(&b, " **%.2f** |", k)
			} else {
				b.WriteString(" - |")
			}
		}
		b.WriteString(" |\n")
	}
	exponents("grows with exponent", growth)
	exponents("between the last two", lately)
	return b.String()
}

// short writes a number with three digits that say something.
func short(x float64) string {
	switch {
	case x >= 100:
		return humanize.Comma(int64(x + 0.5))
	case x >= 10:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}
