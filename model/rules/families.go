package rules

import (
	"fmt"
	"slices"
)

// family is one section of a language pack: rules for one kind of thing, which
// are measured together, and left out together; see docs/families.md.
type family struct {
	name             string
	rules, triggered []rule
}

// assemble puts the families that are not left out into p, in their order.
func (p *pack) assemble(families []family, without []string) *pack {
	for _, f := range families {
		if !slices.Contains(without, f.name) {
			p.rules = append(p.rules, f.rules...)
			p.triggered = append(p.triggered, f.triggered...)
		}
	}
	return p
}

// familiesOf returns the families of a language, nil where it has no pack.
func familiesOf(language string) []family {
	switch language {
	case "en":
		return englishFamilies()
	case "es":
		return spanishFamilies()
	}
	return nil
}

// Families returns the names of the families of a language's rules, in order.
func Families(language string) []string {
	var names []string
	for _, f := range familiesOf(language) {
		names = append(names, f.name)
	}
	return names
}

// Names returns the names of the rules of one family of a language.
func Names(language, of string) []string {
	var names []string
	for _, f := range familiesOf(language) {
		if f.name == of {
			for _, r := range slices.Concat(f.rules, f.triggered) {
				names = append(names, r.name)
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
		return newRules(english(families...), nil)
	case "es":
		return newRules(spanish(families...), nil)
	}
	return nil, fmt.Errorf("rules: no rules for language %q; use one of %q", language, Languages())
}
