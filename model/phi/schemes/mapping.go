package schemes

import (
	"errors"
	"fmt"
	"maps"
	"sort"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Mapping translates the labels of one label set into those of another. Case
// of the labels that it is asked for is ignored.
type Mapping struct {
	name  string            // what errors call it
	table map[string]target // by folded label
	norm  func(label string) string
}

type target struct {
	category, label string
	drop            bool
}

// Map returns the category and label that label becomes. keep is false where
// the mapping drops it. A label that the mapping does not know is an error.
func (m *Mapping) Map(label string) (category, to string, keep bool, err error) {
	t, ok := m.table[fold(label)]
	if !ok && m.norm != nil {
		t, ok = m.table[m.norm(fold(label))]
	}
	if !ok {
		return "", "", false, fmt.Errorf("schemes: %s does not know the label %q; map it to a label or to %q in a mapping file", m.name, label,
			Drop)
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

// ReadMapping reads a user's mapping file: YAML, one line for each label, with
// the label that it becomes or the word drop.
//
//	PERSON: PATIENT
//	WARD: DEPARTMENT
//	MISC: drop
//
// name is what errors call the file; they name line and label. Labels that
// become something must belong to the scheme to, if it is not nil. The file
// goes before base, which may be nil: what the file does not name is mapped as
// base maps it.
func ReadMapping(name string, data []byte, to *Scheme, base *Mapping) (*Mapping, error) {
	m := &Mapping{name: name, table: map[string]target{}}
	if base != nil {
		m.norm = base.norm
		maps.Copy(m.table, base.table)
	}
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		return nil, fmt.Errorf("schemes: %s: %w", name, err)
	}
	if document.Kind == 0 { // an empty file
		return m, nil
	}
	root := document.Content[0]
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" {
		return m, nil
	}
	if root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("schemes: %s, line %d: want lines of the form LABEL: LABEL or LABEL: %s", name, root.Line, Drop)
	}
	var errs []error
	lines := map[string]int{}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if key.Kind != yaml.ScalarNode || value.Kind != yaml.ScalarNode || fold(key.Value) == "" || fold(value.Value) == "" {
			errs = append(errs, fmt.Errorf("schemes: %s, line %d: label %q: want one label or %s after the colon", name, key.Line, key.Value, Drop))
			continue
		}
		label := fold(key.Value)
		if line, twice := lines[label]; twice {
			errs = append(errs, fmt.Errorf("schemes: %s, line %d: label %q was mapped in line %d already", name, key.Line, key.Value, line))
			continue
		}
		lines[label] = key.Line
		if strings.EqualFold(value.Value, Drop) {
			m.table[label] = target{drop: true}
			continue
		}
		t := target{label: value.Value}
		if to != nil {
			l, err := to.Find(value.Value)
			if err != nil {
				errs = append(errs, fmt.Errorf("schemes: %s, line %d: label %q becomes %q, which the scheme %s does not have", name, key.Line,
					key.Value,
					value.Value, to.name))
				continue
			}
			t = target{category: l.Category, label: l.Name}
		}
		m.table[label] = t
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return m, nil
}
