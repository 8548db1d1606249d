package pipeline

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"reflect"
	"sort"

	"go.yaml.in/yaml/v3"

	"github.com/palimpsest-deid/palimpsest/storage"
)

// maxConfigFile bounds the configuration file.
const maxConfigFile = 1 << 20

// ApplyFile sets the options that the file of --config names and that no flag
// of fs has set. Unknown names and wrong types are errors that name the line.
func (o *Options) ApplyFile(ctx context.Context, fs *flag.FlagSet) error {
	if o.Config == "" {
		return nil
	}
	raw, err := storage.ReadFile(ctx, o.Config, maxConfigFile)
	if err != nil {
		return fmt.Errorf("config: %w", err)
	}
	set := map[string]bool{}
	fs.Visit(func(f *flag.Flag) { set[f.Name] = true })
	if err := o.apply(raw, set); err != nil {
		return fmt.Errorf("config %s: %w", o.Config, err)
	}
	return nil
}

// apply reads YAML into the options that set does not hold.
func (o *Options) apply(raw []byte, set map[string]bool) error {
	var doc yaml.Node
	if err := yaml.Unmarshal(raw, &doc); err != nil {
		return err
	}
	if len(doc.Content) == 0 {
		return nil
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return errors.New("want lines of the form `name: value`")
	}
	seen := map[string]bool{}
	byName := map[string]option{}
	for _, opt := range o.all() {
		byName[opt.name] = opt
	}
	for i := 0; i < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		opt, ok := byName[key.Value]
		if !ok || key.Value == "config" {
			return fmt.Errorf("line %d: there is no setting %q%s", key.Line, key.Value, nearest(key.Value, byName))
		}
		if seen[key.Value] {
			return fmt.Errorf("line %d: %s is set twice", key.Line, key.Value)
		}
		seen[key.Value] = true
		if set[key.Value] {
			continue
		}
		if err := opt.setYAML(value); err != nil {
			return fmt.Errorf("line %d: %s: %w", value.Line, key.Value, err)
		}
	}
	return nil
}

// setYAML sets an option to what the file says. The items of a list are taken
// as they stand, and so is a single input, as paths may hold commas; any other
// value that stands for a list is split at them, as a flag's is.
func (o option) setYAML(n *yaml.Node) error {
	list := o.value.Kind() == reflect.Slice
	switch {
	case o.name == "input" && n.Kind == yaml.ScalarNode && n.Value != "":
		o.value.Set(reflect.ValueOf([]string{n.Value}))
		return nil
	case n.Kind == yaml.ScalarNode:
		return o.Set(n.Value)
	case list && n.Kind == yaml.SequenceNode:
		var items []string
		for _, item := range n.Content {
			if item.Kind != yaml.ScalarNode {
				return errors.New("write a list of plain values")
			}
			items = append(items, item.Value)
		}
		o.value.Set(reflect.ValueOf(items))
		return nil
	case list:
		return errors.New("write a value or a list")
	}
	return errors.New("write one value")
}

// nearest suggests the setting that a misspelt name is closest to.
func nearest(name string, known map[string]option) string {
	names := make([]string, 0, len(known))
	for n := range known {
		names = append(names, n)
	}
	sort.Strings(names)
	best, distance := "", 4
	for _, n := range names {
		if d := editDistance(name, n); d < distance {
			best, distance = n, d
		}
	}
	if best == "" {
		return "; --help lists them"
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// editDistance is Levenshtein's, in bytes.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
