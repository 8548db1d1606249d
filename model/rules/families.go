package rules

import (
	"fmt"
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/rules/en"
	"github.com/palimpsest-deid/palimpsest/model/rules/es"
	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

// familiesOf returns the families of a language, nil where it has no pack.
func familiesOf(language string) []pattern.Family {
	switch language {
	case "en":
		return en.Families()
	case "es":
		return es.Families()
	}
	return nil
}

// Families returns the names of the families of a language's rules, in order.
func Families(language string) []string {
	var names []string
	for _, f := range familiesOf(language) {
		names = append(names, f.Name)
	}
	return names
}

// Names returns the names of the rules of one family of a language.
func Names(language, of string) []string {
	var names []string
	for _, f := range familiesOf(language) {
		if f.Name == of {
			for _, r := range slices.Concat(f.Rules, f.Triggered) {
				names = append(names, r.Name)
			}
		}
	}
	return names
}

// Without returns the rules of a language, as New does, without some of their
// families: to measure what those bring.
func Without(language string, families ...string) (*Rules, error) {
	for _, f := range families {
		if !slices.Contains(Families(language), f) {
			return nil, fmt.Errorf("rules: language %q has no family %q of rules, but %q", language, f, Families(language))
		}
	}
	switch language {
	case "en":
		return newRules(en.Pack(families...), nil)
	case "es":
		return newRules(es.Pack(families...), nil)
	}
	return nil, fmt.Errorf("rules: no rules for language %q; use one of %q", language, Languages())
}
