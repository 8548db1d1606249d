package rules

import (
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// mustNew returns the English rules.
func mustNew(t testing.TB) *Rules {
	t.Helper()
	r, err := New("en")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// unmark removes [[ and ]] and returns the marked stretches, in bytes.
func unmark(s string) (text string, spans [][2]int) {
	var b strings.Builder
	for {
		i := strings.Index(s, "[[")
		if i < 0 {
			b.WriteString(s)
			return b.String(), spans
		}
		b.WriteString(s[:i])
		s = s[i+2:]
		j := strings.Index(s, "]]")
		spans = append(spans, [2]int{b.Len(), b.Len() + j})
		b.WriteString(s[:j])
		s = s[j+2:]
	}
}

// TestExamples checks every rule against the examples in its own row. Other
// rules may find more in them.
func TestExamples(t *testing.T) {
	for _, language := range Languages() {
		t.Run(language, func(t *testing.T) { testExamples(t, language) })
	}
}

func testExamples(t *testing.T, language string) {
	r, err := New(language)
	if err != nil {
		t.Fatal(err)
	}
	m := r.NewMatcher()
	all := append(append([]pattern.Rule{}, r.pack.Rules...), r.pack.Triggered...)
	names := map[string]bool{}
	for n, rule := range all {
		if names[rule.Name] {
			t.Errorf("two rules are named %s", rule.Name)
		}
		names[rule.Name] = true
		if len(rule.Match) == 0 || len(rule.Never) == 0 || rule.Score <= 0 || rule.Score > 1 {
			t.Errorf("%s: no example that matches, none that must not, or a score outside (0, 1]", rule.Name)
		}
		found := func(text string) (out []string) {
			m.find(text, token.Tokenize(nil, text))
			for i, c := range m.found {
				if c.Rule != n {
					continue
				}
				// A match inside another of the same rule is no news.
				inside := false
				for j, d := range m.found {
					if d.Rule == n && d.Start <= c.Start && c.End <= d.End && (d.End-d.Start > c.End-c.Start || j < i) {
						inside = true
					}
				}
				if !inside {
					out = append(out, text[c.Start:c.End])
				}
			}
			return out
		}
		for _, example := range rule.Match {
			text, marks := unmark(example)
			var want []string
			for _, s := range marks {
				want = append(want, text[s[0]:s[1]])
			}
			got := found(text)
			if strings.Join(got, "|") != strings.Join(want, "|") {
				t.Errorf("%s: in %q found %q, want %q", rule.Name, text, got, want)
			}
		}
		for _, text := range rule.Never {
			if got := found(text); len(got) > 0 {
				t.Errorf("%s: in %q found %q, want nothing", rule.Name, text, got)
			}
		}
	}
}

func TestNewUnknownLanguage(t *testing.T) {
	if _, err := New("xx"); err == nil || !strings.Contains(err.Error(), "en") {
		t.Errorf("New(xx) = %v, want an error that names the languages there are", err)
	}
}
