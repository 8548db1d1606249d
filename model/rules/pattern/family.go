package pattern

import (
	"maps"
	"slices"
)

// Merged returns the union of macros of one language.
func Merged(parts ...map[string]string) map[string]string {
	all := map[string]string{}
	for _, p := range parts {
		maps.Copy(all, p)
	}
	return all
}

// Family is one section of a language pack: rules for one kind of thing, which
// are measured together, and left out together; see docs/families.md.
type Family struct {
	Name             string
	Rules, Triggered []Rule
}

// Pack is the rules of one language.
type Pack struct {
	Macros map[string]string
	// Rules run at every token, Triggered only where a mark such as '@' says
	// that it is worth it.
	Rules, Triggered []Rule
	// Suffixes are labels that also count at the end of a run of capitals, as
	// in "JMRN:0081".
	Suffixes []string
}

// Assemble puts the families that are not left out into p, in their order.
func (p *Pack) Assemble(families []Family, without []string) *Pack {
	for _, f := range families {
		if !slices.Contains(without, f.Name) {
			p.Rules = append(p.Rules, f.Rules...)
			p.Triggered = append(p.Triggered, f.Triggered...)
		}
	}
	return p
}
