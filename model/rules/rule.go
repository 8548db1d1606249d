package rules

import (
	"fmt"
	"regexp/syntax"
	"sort"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// rule is one line of a language pack.
type rule struct {
	name  string   // unique within the pack
	typ   phi.Type // what it finds
	score float32  // 0.95 and more: certain; below 0.9: needs its context
	// expr is RE2 syntax with macros in angle brackets. Its first group is the
	// span, the whole match where it has none. A match begins at a token.
	expr string
	// check looks at a match once found; it may reject it, move its ends or
	// change its score. Nil accepts all.
	check check
	// digits tells that the check wants a digit in the match, so that a match
	// without one is dropped before its group is looked for.
	digits bool
	// match are texts in which the rule finds exactly what [[ ]] marks.
	match []string
	// never are texts in which the rule finds nothing.
	never []string
}

// check judges a candidate against the text around it.
type check func(text string, c *candidate) bool

// candidate is a match of one rule. All offsets are bytes.
type candidate struct {
	rule       int
	from, to   int // the whole match, with its context
	start, end int // the span
	typ        phi.Type
	score      float32
}

// text returns the span's text.
func (c *candidate) text(text string) string { return text[c.start:c.end] }

// pack is the rules of one language.
type pack struct {
	macros map[string]string
	// rules run at every token, triggered only where a mark such as '@' says
	// that it is worth it.
	rules, triggered []rule
	// suffixes are labels that also count at the end of a run of capitals, as
	// in "JMRN:0081".
	suffixes []string
}

// expand replaces the macros of expr, which may use each other.
func expand(expr string, macros map[string]string) (string, error) {
	names := make([]string, 0, len(macros))
	for name := range macros {
		names = append(names, name)
	}
	sort.Strings(names)
	pairs := make([]string, 0, 2*len(names))
	for _, name := range names {
		pairs = append(pairs, "<"+name+">", macros[name])
	}
	r := strings.NewReplacer(pairs...)
	for range 8 {
		next := r.Replace(expr)
		if next == expr {
			return expr, nil
		}
		expr = next
	}
	return "", fmt.Errorf("rules: a macro contains itself")
}

// compileRules compiles the rules of one list.
func compileRules(rules []rule, macros map[string]string) (*program, error) {
	exprs := make([]string, len(rules))
	for i, r := range rules {
		var err error
		if exprs[i], err = expand(r.expr, macros); err != nil {
			return nil, fmt.Errorf("rule %s: %w", r.name, err)
		}
		// Parsed here too, so that an error names its rule.
		if _, err := syntax.Parse(exprs[i], syntax.Perl); err != nil {
			return nil, fmt.Errorf("rule %s: %w", r.name, err)
		}
	}
	return compile(exprs, unicodeWord)
}
