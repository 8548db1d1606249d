package rules

import (
	"fmt"
	"regexp/syntax"
	"sort"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/rules/automaton"
	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

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
func compileRules(rules []pattern.Rule, macros map[string]string) (*automaton.Program, error) {
	exprs := make([]string, len(rules))
	for i, r := range rules {
		var err error
		if exprs[i], err = expand(r.Expr, macros); err != nil {
			return nil, fmt.Errorf("rule %s: %w", r.Name, err)
		}
		// Parsed here too, so that an error names its rule.
		if _, err := syntax.Parse(exprs[i], syntax.Perl); err != nil {
			return nil, fmt.Errorf("rule %s: %w", r.Name, err)
		}
	}
	return automaton.Compile(exprs, automaton.UnicodeWord)
}
