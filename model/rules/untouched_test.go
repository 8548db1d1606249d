package rules

import (
	"os"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/token"
)

// untouched reads the phrases of testdata/untouched.txt by section.
func untouched(t testing.TB) (sections []string, phrases map[string][]string) {
	t.Helper()
	raw, err := os.ReadFile("testdata/untouched.txt")
	if err != nil {
		t.Fatal(err)
	}
	phrases = map[string][]string{}
	section := ""
	for _, line := range strings.Split(string(raw), "\n") {
		switch {
		case strings.HasPrefix(line, "== "):
			section = line[3:]
			sections = append(sections, section)
		case line != "" && line[0] != '#':
			phrases[section] = append(phrases[section], line)
		}
	}
	return sections, phrases
}

// TestUntouched: medicine comes through untouched, alone, as a list item, in
// capitals, within a sentence and before the next line.
func TestUntouched(t *testing.T) {
	m := mustNew(t).NewMatcher()
	sections, phrases := untouched(t)
	n := 0
	for _, section := range sections {
		for _, phrase := range phrases[section] {
			n++
			for _, text := range []string{phrase, "\n- " + phrase + "\n", "Today: " + phrase + "; continue.", strings.ToUpper(phrase),
				"was noted, " + phrase + ", and stable", "Exam:\n  " + phrase + "\nPlan: as above"} {
				for _, s := range m.Tag(nil, text, token.Tokenize(nil, text)) {
					t.Errorf("%s: %q: %s %q", section, text, s.Type, text[s.Start:s.End])
				}
			}
		}
	}
	if n < 500 {
		t.Errorf("%d phrases, want 500 or more", n)
	}
	t.Logf("%d phrases in %d sections, each in 6 contexts", n, len(sections))
}
