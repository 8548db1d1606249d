package loop

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/template"

	"github.com/palimpsest-deid/palimpsest/model/gate"
)

//go:embed page.md
var pageText string

//go:embed figures.md
var figuresText string

// render fills a template with what was seen.
func (s *seen) render(name, text string) (string, error) {
	used := map[string]bool{}
	if s.quoted == nil {
		s.quoted = map[string]bool{}
	}
	t, err := template.New(name).Funcs(template.FuncMap{
		"command": func(name string) (string, error) {
			c, ok := stepNamed(name)
			used[name] = true
			if !ok {
				return "", fmt.Errorf("there is no step %q", name)
			}
			return indent(c.command), nil
		},
		"output": func(name string) (string, error) { return s.lines(name, 1<<20) },
		"head":   s.lines,
		"limit":  limit,
	}).Option("missingkey=error").Parse(text)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	if err := t.Execute(&b, s); err != nil {
		return "", err
	}
	if name == "page" {
		for _, c := range steps {
			if !used[c.name] {
				return "", fmt.Errorf("page.md leaves out the step %q", c.name)
			}
		}
	}
	return b.String(), nil
}

// lines returns the first lines of what a step printed, as a page quotes them.
func (s *seen) lines(name string, n int) (string, error) {
	text, ok := s.Outputs[name]
	if !ok {
		return "", fmt.Errorf("there is no output of the step %q", name)
	}
	s.quoted[name] = true
	lines := strings.Split(text, "\n")
	return indent(strings.Join(lines[:min(n, len(lines))], "\n")), nil
}

// limit returns the least share found, in percent, that a file of thresholds asks for.
func limit(file string) (float64, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	t, err := gate.Parse(raw)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", file, err)
	}
	if t.Estimate == nil || t.Estimate.Recall == nil {
		return 0, fmt.Errorf("%s asks for no share found", file)
	}
	return *t.Estimate.Recall, nil
}

// indent makes a block of Markdown of text.
func indent(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, l := range lines {
		if l != "" {
			lines[i] = "    " + l
		}
	}
	return strings.Join(lines, "\n")
}

// page returns the tutorial.
func (s *seen) page() (string, error) { return s.render("page", pageText) }

// Kept are the files that the page lists.
func (s *seen) Kept() (files []left) {
	for i, p := range s.Files {
		if i < len(kept) && kept[i].Pattern == p {
			files = append(files, kept[i])
		}
	}
	return files
}

// The marks between which the figures stand in docs/loop.md.
const (
	begin = "<!-- by make loop: -->\n"
	end   = "<!-- end -->\n"
)

// within returns the overview with the figures between its marks.
func (s *seen) within(overview string) (string, error) {
	text, err := s.render("figures", figuresText)
	before, rest, ok := strings.Cut(overview, begin)
	_, after, closed := strings.Cut(rest, end)
	if err == nil && (!ok || !closed) {
		err = errors.New(loopFile + " has no place for the figures")
	}
	return before + begin + text + end + after, err
}
