package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// speed measures and writes the page and its plot.
func speed(ctx context.Context, out string, models []string, shares string, notes, pairs int) error {
	var percents []float64
	for _, s := range strings.Split(shares, ",") {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil || x < 0 || x > 80 {
			return fmt.Errorf("-shares: %s is no number of percent from 0 to 80", s)
		}
		percents = append(percents, x/100)
	}
	dir, err := os.MkdirTemp("", "palimpsest-copies-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var all []*study
	for _, m := range models {
		s, err := measure(ctx, m, percents, notes, pairs, runtime.GOMAXPROCS(0), dir)
		if err != nil {
			return err
		}
		all = append(all, s)
	}
	head, err := os.ReadFile(strings.TrimSuffix(out, ".md") + ".head.md")
	if err != nil {
		return err
	}
	picture := strings.TrimSuffix(out, ".md") + ".svg"
	if err := os.WriteFile(picture, plot(all), 0o644); err != nil {
		return err
	}
	var b bytes.Buffer
	b.Write(head)
	for _, s := range all {
		s.write(&b)
	}
	all[0].writeLengths(&b)
	return os.WriteFile(out, b.Bytes(), 0o644)
}

func (s *study) write(b *bytes.Buffer) {
	p := s.points[0]
	fmt.Fprintf(b, "\n## %s\n\n%d notes of %d tokens on average at each share; medians of %d pairs of runs. "+
		"Computing windows takes %.0f %% of the "+
		"job's CPU time.\n\n", s.model, p.notes, p.tokens/p.notes, s.pairs, 100*s.network)
	b.WriteString("| tokens copied | windows reused | notes per CPU second, without | with | times as many | " +
		"by Amdahl's law | of that gain | " +
		"times as fast by the clock |\n|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, p := range s.points {
		of := ""
		if p.allowed > 1.02 {
			of = fmt.Sprintf("%.0f %%", 100*(p.gain()-1)/(p.allowed-1))
		}
		fmt.Fprintf(b, "| %.0f %% | %.0f %% | %.0f | %.0f | %.2f | %.2f | %s | %.2f |\n", 100*p.share, 100*p.reused,
			float64(p.notes)/slices.Min(p.without), float64(p.notes)/slices.Min(p.with), p.gain(), p.allowed, of, p.clockGain())
	}
}

func (s *study) writeLengths(b *bytes.Buffer) {
	b.WriteString("\n## Length of copied passages\n\nAt 50 % of copied text. " +
		"The shorter the passages, the more of a copy lies in windows that " +
		"reach beyond it.\n\n| tokens of a passage, on average | tokens in windows that were seen before |\n|--:|--:|\n")
	for _, l := range s.lengths {
		fmt.Fprintf(b, "| %d | %.0f %% |\n", l.passage, 100*l.tokens)
	}
}

const (
	width, height = 440, 300
	left, top     = 60, 40
)

// plot draws, over the share of copied text, how many times as many notes a CPU second
// holds with the cache, and what Amdahl's law allows (dashed).
func plot(all []*study) []byte {
	most := 1.5
	for _, s := range all {
		for _, p := range s.points {
			most = max(most, p.gain(), p.allowed)
		}
	}
	at := func(share, times float64) string {
		return fmt.Sprintf("%.1f %.1f", left+width*share/0.8, top+height*(1-(times-0.9)/(most-0.8)))
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" `+
		`font-family="sans-serif" font-size="12">`+
		"\n", left+width+150, top+height+50, left+width+150, top+height+50)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="white"/>`+"\n"+`<text x="%d" y="20" font-weight="bold">notes per CPU second, `+
		`times those without the cache</text>`+"\n", left)
	for percent := 0; percent <= 80; percent += 20 {
		x := left + width*percent/80
		fmt.Fprintf(&b, `<path d="M%d %d V%d" stroke="#ddd"/><text x="%d" y="%d" text-anchor="middle">%d %%</text>`+"\n", x, top, top+height, x,
			top+height+18, percent)
	}
	for times := 1.0; times <= most; times += 0.5 {
		x, y, _ := strings.Cut(at(0, times), " ")
		fmt.Fprintf(&b, `<path d="M%s %s H%d" stroke="#ddd"/><text x="%d" y="%s" text-anchor="end">%.1f</text>`+"\n", x, y, left+width, left-6, y,
			times)
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">tokens that are copied</text>`+"\n", left+width/2, top+height+38)
	for k, s := range all {
		colour := []string{"#1b6ca8", "#b5541c", "#3a7d44"}[k%3]
		var gained, allowed []string
		for _, p := range s.points {
			gained, allowed = append(gained, at(p.share, p.gain())), append(allowed, at(p.share, p.allowed))
		}
		fmt.Fprintf(&b, `<path d="M%s" fill="none" stroke="%s" stroke-width="1.8"/>`+
			`<path d="M%s" fill="none" stroke="%s" stroke-dasharray="5 4"/>`+
			"\n", strings.Join(gained, " L"), colour, strings.Join(allowed, " L"), colour)
		fmt.Fprintf(&b, `<text x="%d" y="%d" fill="%s">%s</text>`+"\n", left+width+8, top+20+34*k, colour, s.model)
		fmt.Fprintf(&b, `<text x="%d" y="%d" fill="%s">dashed: allowed</text>`+"\n", left+width+8, top+36+34*k, colour)
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}
