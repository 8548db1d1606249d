package pipeline

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"reflect"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/nearest"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// maxConfigFile bounds the configuration file.
const maxConfigFile = 1 << 20

// ApplyFile sets the options that the file of --config names and that no flag
// of fs has set. Unknown names and wrong types are errors that name the line, of
// fault.Settings.
func (o *Options) ApplyFile(ctx context.Context, fs *flag.FlagSet) error {
	given := map[string]bool{}
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	_, err := o.applyFile(ctx, given)
	return err
}

// ReadFile reads a job's file of settings for a command that takes some of them.
// inFile holds the names that stand in the file; all other options are the
// defaults. Without a file, all are. A mistake in any setting is an error, as it
// is for the job.
func ReadFile(ctx context.Context, path string) (o Options, inFile map[string]bool, err error) {
	o = DefaultOptions()
	o.Config = path
	inFile, err = o.applyFile(ctx, nil)
	return o, inFile, err
}

// OneTextColumn returns the text column, for commands that look at one alone.
func (o Options) OneTextColumn() (string, error) {
	if len(o.TextColumn) != 1 {
		return "", fmt.Errorf("config %s: it names %d text columns; choose one of them with --text_column", o.Config, len(o.TextColumn))
	}
	return o.TextColumn[0], nil
}

func (o *Options) applyFile(ctx context.Context, given map[string]bool) (inFile map[string]bool, err error) {
	if o.Config == "" {
		return nil, nil
	}
	raw, err := storage.ReadFile(ctx, o.Config, maxConfigFile)
	if err != nil {
		return nil, fault.Mark(fault.Settings, fmt.Errorf("config: %w", err))
	}
	if inFile, err = o.apply(raw, given); err != nil {
		return nil, fault.Mark(fault.Settings, fmt.Errorf("config %s: %w", o.Config, err))
	}
	return inFile, nil
}

// apply reads YAML into the options that given does not hold, and returns the
// names of all that stand in it.
func (o *Options) apply(raw []byte, given map[string]bool) (inFile map[string]bool, err error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(raw, &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, errors.New("want lines of the form `name: value`")
	}
	for i := 0; i < len(root.Content); i += 2 {
		if root.Content[i].Value == "tables" {
			if o.Tables, err = parseTables(root.Content[i+1]); err != nil {
				return nil, err
			}
			root.Content = slices.Delete(root.Content, i, i+2)
			break
		}
	}
	return setAll(o.all(), root, given)
}

// setAll gives options the values that a mapping names for them, but for those that
// given holds, and returns the names of all that stand in it.
func setAll(options []option, root *yaml.Node, given map[string]bool) (inFile map[string]bool, err error) {
	inFile = map[string]bool{}
	byName := map[string]option{}
	var names []string
	for _, opt := range options {
		byName[opt.name] = opt
		names = append(names, opt.name)
	}
	for i := 0; i < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		opt, ok := byName[key.Value]
		if !ok || key.Value == "config" {
			return nil, fmt.Errorf("line %d: there is no setting %q%s", key.Line, key.Value,
				nearest.DidYouMean("%q", key.Value, names, "--help all lists them"))
		}
		if inFile[key.Value] {
			return nil, fmt.Errorf("line %d: %s is set twice", key.Line, key.Value)
		}
		inFile[key.Value] = true
		if given[key.Value] {
			continue
		}
		if err := set(opt, value); err != nil {
			return nil, fmt.Errorf("line %d: %s: %w", value.Line, key.Value, err)
		}
	}
	return inFile, nil
}

// pairs are the options that take lines of name: value, with what to write where
// one is something else.
var pairs = map[string]string{
	"columns":            "write a line COLUMN: ROLE for each column",
	"identifier_columns": "write plain values behind the names",
}

// set gives an option the value of a YAML node: a plain value as a flag would be
// given it, a list, whose items are taken as they stand, or, for roles, lines
// of role: column. A single input is taken as it stands, too, as paths may
// hold commas.
func set(o option, n *yaml.Node) error {
	list := o.value.Kind() == reflect.Slice
	switch {
	case o.name == "input" && n.Kind == yaml.ScalarNode && n.Value != "":
		o.value.Set(reflect.ValueOf([]string{n.Value}))
		return nil
	case n.Kind == yaml.ScalarNode:
		return o.Set(n.Value)
	case n.Kind == yaml.MappingNode && pairs[o.name] != "":
		var items []string
		for i := 0; i < len(n.Content); i += 2 {
			if n.Content[i].Kind != yaml.ScalarNode || n.Content[i+1].Kind != yaml.ScalarNode {
				return errors.New(pairs[o.name])
			}
			items = append(items, n.Content[i].Value+"="+n.Content[i+1].Value)
		}
		o.value.Set(reflect.ValueOf(items))
		return nil
	case n.Kind == yaml.SequenceNode && list:
		var items []string
		for _, item := range n.Content {
			if item.Kind != yaml.ScalarNode {
				return errors.New("write a list of plain values")
			}
			if item.Value != "" {
				items = append(items, item.Value)
			}
		}
		o.value.Set(reflect.ValueOf(items))
		return nil
	case list:
		return errors.New("write a value or a list")
	}
	return errors.New("write one value")
}
