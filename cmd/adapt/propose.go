package adapt

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/adapt"
	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
)

// propose writes site rules with lists of what the job missed, if the job is
// better with them on patients whose notes they were not made from. They are used
// only where somebody names the file in --site_rules.
func propose(ctx context.Context, o *options, j *judge, n *notes, stdout, stderr io.Writer) error {
	known := slices.Concat(n.of(adapt.Train), n.of(adapt.Stop))
	fmt.Fprintf(stderr, "adapt: the job runs on %d notes to see what it misses\n", len(known))
	before, err := j.find(ctx, side{model: j.baseDir}, known)
	if err != nil {
		return err
	}
	phrases := adapt.Propose(reviewed(known, before.spans))
	if len(phrases) == 0 {
		return fault.Mark(fault.Refused, fmt.Errorf("nothing is proposed: in %d notes the job missed no phrase that stands in those of %d "+
			"patients and is PHI wherever it stands", len(known), adapt.MinPatients))
	}
	data, err := withLists(j.options.SiteRules, phrases, len(known))
	if err != nil {
		return fault.Mark(fault.Settings, err)
	}
	// Beside its place, for its owner's eyes alone, as the job reads it from a file.
	folder, err := os.MkdirTemp(filepath.Dir(o.propose), ".proposed-*")
	if err != nil {
		return fault.Mark(fault.Settings, fmt.Errorf("--propose: %w", err))
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "rules.yaml")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		return err
	}
	v, err := j.compare(ctx, side{j.baseDir, file}, n.of(adapt.Held), stderr)
	if err != nil {
		return err
	}
	v.Method = "lists"
	v.Notes, v.Patients = n.counts()
	v.write(stdout)
	if o.json != "" {
		if err := v.save(o.json); err != nil {
			return err
		}
	}
	if !v.Better {
		return fault.Mark(fault.Refused, fmt.Errorf("nothing is proposed: %s", v.Why))
	}
	if err := os.Rename(file, o.propose); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "\n%d phrases are proposed in %s, which the job uses only with --site_rules %s. Read it first, and strike what is "+
		"also a "+
		"word or a patient's name; it names staff, so keep it as you keep the notes.\n", len(phrases), o.propose, o.propose)
	return nil
}

// reviewed are notes with what the job found in them, by document.
func reviewed(documents []corpus.Document, found map[string][]adapt.Span) (notes []adapt.Reviewed) {
	for i := range documents {
		d := &documents[i]
		r := adapt.Reviewed{Person: person(d), Text: d.Text, Found: found[d.ID]}
		for _, a := range d.Annotations {
			r.Gold = append(r.Gold, adapt.Span{Start: a.Start, End: a.End, Label: a.Label})
		}
		notes = append(notes, r)
	}
	return notes
}

// list is a list of site rules.
type list struct {
	Name    string   `yaml:"name"`
	Type    string   `yaml:"type"`
	Case    string   `yaml:"case"`
	Phrases []string `yaml:"phrases,flow"`
}

// withLists adds lists of phrases to the site rules that there are. rules is their
// file, empty for none.
func withLists(rules string, phrases []adapt.Phrase, notes int) ([]byte, error) {
	var doc yaml.Node
	if rules != "" {
		data, err := os.ReadFile(rules)
		if err != nil {
			return nil, fmt.Errorf("--site_rules: %w", err)
		}
		if err := yaml.Unmarshal(data, &doc); err != nil {
			return nil, fmt.Errorf("--site_rules=%s: %w", rules, err)
		}
	}
	if len(doc.Content) == 0 {
		doc = yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{{Kind: yaml.MappingNode}}}
	}
	root := doc.Content[0]
	var lists *yaml.Node
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value == "lists" {
			lists = root.Content[i+1]
		}
	}
	if lists == nil {
		lists = &yaml.Node{Kind: yaml.SequenceNode}
		root.Content = append(root.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: "lists"}, lists)
	}
	of := map[string][]string{}
	missed := map[string]int{}
	for _, p := range phrases {
		of[p.Label], missed[p.Label] = append(of[p.Label], p.Text), missed[p.Label]+p.Missed
	}
	for _, label := range sorted(of) {
		var item yaml.Node
		name := "missed-" + strings.ToLower(label)
		for n := 2; slices.Contains(names(lists), name); n++ {
			name = fmt.Sprintf("missed-%s-%d", strings.ToLower(label), n)
		}
		if err := item.Encode(list{Name: name, Type: label, Case: "exact", Phrases: of[label]}); err != nil {
			return nil, err
		}
		item.HeadComment = fmt.Sprintf("Proposed by palimpsest adapt: missed %d times in %d reviewed notes, and PHI wherever they stood.",
			missed[label],
			notes)
		lists.Content = append(lists.Content, &item)
	}
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	err := enc.Encode(&doc)
	return b.Bytes(), err
}

// names returns the names of the lists there are.
func names(lists *yaml.Node) (names []string) {
	for _, item := range lists.Content {
		for i := 0; i+1 < len(item.Content); i += 2 {
			if item.Content[i].Value == "name" {
				names = append(names, item.Content[i+1].Value)
			}
		}
	}
	return names
}

func sorted(m map[string][]string) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
