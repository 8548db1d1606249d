package surrogate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// ParsePolicy reads a policy from YAML:
//
//	default: surrogate        # of types that nothing is said of: surrogate, tag, numbered_tag or mask
//	types:                    # a type's own line goes before its category's
//	  NAME: numbered_tag
//	  CITY: keep
//	date_columns: shift       # where DATE is tagged or masked, which columns cannot be
//	known_identifiers: tag    # what becomes of them in types that are kept; the default's action
//	keep_known: [CITY]        # but in these types they stay, too
//
// file only names the source in errors, which tell the line. near returns the
// name that a misspelt one was probably meant for, or ""; nil for none.
func ParsePolicy(file string, data []byte, near phi.Near) (Policy, error) {
	r := policyReader{near: near}
	p, err := r.read(data)
	if err == nil {
		err = p.Check()
	}
	if err != nil {
		return Policy{}, fmt.Errorf("%s%w", file, r.at(err))
	}
	return p, nil
}

type policyReader struct {
	near phi.Near
	line int // of what is read
}

func (r *policyReader) at(err error) error {
	if r.line == 0 {
		return fmt.Errorf(": %w", err)
	}
	return fmt.Errorf(":%d: %w", r.line, err)
}

var policyKeys = []string{"default", "types", "date_columns", "known_identifiers", "keep_known"}

func (r *policyReader) read(data []byte) (p Policy, err error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return p, err
	}
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		return p, errors.New("want `types:` with a line TYPE: ACTION for each type")
	}
	lines := map[string]*yaml.Node{}
	for i := 0; i < len(doc.Content[0].Content); i += 2 {
		key := doc.Content[0].Content[i]
		r.line = key.Line
		if !slices.Contains(policyKeys, key.Value) {
			return p, r.near.Unknown("key", key.Value, policyKeys)
		}
		if lines[key.Value] != nil {
			return p, fmt.Errorf("%s stands twice", key.Value)
		}
		lines[key.Value] = doc.Content[0].Content[i+1]
	}
	usual := Surrogate
	if n := lines["default"]; n != nil {
		if usual, err = r.action(n); err != nil {
			return p, err
		}
		if usual == Keep || usual == Shift || usual == Generalise {
			return p, fmt.Errorf("default: %s: write %s, %s, %s or %s; what stays as it is has to be named", usual, Surrogate, Tag, NumberedTag,
				Mask)
		}
	}
	if p.Actions, err = r.types(lines["types"], usual); err != nil {
		return p, err
	}
	p.Known = usual
	if n := lines["known_identifiers"]; n != nil {
		if p.Known, err = r.action(n); err != nil {
			return p, err
		}
	}
	p.DateColumns = p.Of(phi.Date)
	if n := lines["date_columns"]; n != nil {
		if p.DateColumns, err = r.action(n); err != nil {
			return p, err
		}
	} else if p.DateColumns == Tag || p.DateColumns == NumberedTag || p.DateColumns == Mask {
		p.DateColumns = Shift
	}
	if n := lines["keep_known"]; n != nil {
		if p.KeepKnown, err = r.typeNames(n); err != nil {
			return p, err
		}
	}
	r.line = 0
	return p, nil
}

// types reads the actions of types and categories, and returns those of all types.
func (r *policyReader) types(n *yaml.Node, usual Action) (map[string]Action, error) {
	said := map[string]Action{}
	if n != nil {
		r.line = n.Line
		if n.Kind != yaml.MappingNode {
			return nil, errors.New("types: want a line TYPE: ACTION for each type")
		}
		for i := 0; i < len(n.Content); i += 2 {
			key := n.Content[i]
			r.line = key.Line
			types, err := phi.Named(key.Value, r.near)
			if err != nil {
				return nil, err
			}
			name := strings.ToUpper(key.Value)
			if _, twice := said[name]; twice {
				return nil, fmt.Errorf("%s stands twice", name)
			}
			if said[name], err = r.action(n.Content[i+1]); err != nil {
				return nil, err
			}
			for _, t := range types {
				if err := fits(own(said[name], t), t); err != nil {
					return nil, err
				}
			}
		}
	}
	all := map[string]Action{}
	for _, t := range phi.Types() {
		a, ok := said[t.String()]
		if !ok {
			a, ok = said[t.Category()]
		}
		if !ok {
			a = usual
		}
		all[t.String()] = own(a, t)
	}
	return all, nil
}

func (r *policyReader) typeNames(n *yaml.Node) ([]string, error) {
	r.line = n.Line
	if n.Kind != yaml.SequenceNode {
		return nil, errors.New("want a list of types")
	}
	var all []string
	for _, item := range n.Content {
		r.line = item.Line
		types, err := phi.Named(item.Value, r.near)
		if err != nil {
			return nil, err
		}
		for _, t := range types {
			all = append(all, t.String())
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

func (r *policyReader) action(n *yaml.Node) (Action, error) {
	r.line = n.Line
	var names []string
	for _, a := range Actions() {
		names = append(names, string(a))
	}
	if n.Kind == yaml.ScalarNode && slices.Contains(names, n.Value) {
		return Action(n.Value), nil
	}
	return "", r.near.Unknown("action", n.Value, names)
}
