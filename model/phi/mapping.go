package phi

import (
	"fmt"
	"sort"
	"strings"
)

// Mapping translates the labels of one label set into those of another. Case
// of the labels that it is asked for is ignored.
type Mapping struct {
	name  string            // what errors call it
	table map[string]target // by upper-case label
}

type target struct {
	category, label string
	drop            bool
}

// Map returns the category and label that label becomes. keep is false where
// the mapping drops it. A label that the mapping does not know is an error.
func (m *Mapping) Map(label string) (category, to string, keep bool, err error) {
	t, ok := m.table[fold(label)]
	if !ok {
		return "", "", false, fmt.Errorf("phi: %s does not know the label %q; map it to a label or to %q in a mapping file", m.name, label, Drop)
	}
	return t.category, t.label, !t.drop, nil
}

// Drop is what a mapping file writes in place of a label whose spans are to be
// left out.
const Drop = "drop"

// Labels returns the labels that m knows, in upper case and in order of name.
func (m *Mapping) Labels() []string {
	labels := make([]string, 0, len(m.table))
	for l := range m.table {
		labels = append(labels, l)
	}
	sort.Strings(labels)
	return labels
}

// fold returns the form of a label by which tables are keyed.
func fold(label string) string { return strings.ToUpper(strings.TrimSpace(label)) }
