package evaluate

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// maxList bounds a file of ids.
const maxList = 1 << 30

// picker says which documents are scored.
type picker struct {
	ids   map[string]bool // of documents or patients; whether it was met. nil: all
	leave map[string]bool // documents to leave out
	shown string          // for people
}

// want tells whether d is scored.
func (p *picker) want(d *corpus.Document) bool {
	if p.leave[d.ID] {
		return false
	}
	if p.ids == nil {
		return true
	}
	picked := false
	for _, id := range []string{d.ID, d.Patient} {
		if _, ok := p.ids[id]; ok && id != "" {
			p.ids[id] = true
			picked = true
		}
	}
	return picked
}

// unmet returns an error that names ids that no document had: a list that does
// not fit would score less than it says.
func (p *picker) unmet() error {
	var ids []string
	for id, met := range p.ids {
		if !met {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	sort.Strings(ids)
	return fmt.Errorf("--documents: neither side has a document or patient for %s", some("id", ids))
}

// newPicker reads --documents and --split.
func newPicker(ctx context.Context, o *options, gold *source) (*picker, error) {
	p := &picker{leave: map[string]bool{}}
	switch {
	case o.documents == "" && o.split == "":
		return p, nil
	case o.documents == "":
		return p, p.takeSplit(ctx, o.split, gold)
	}
	p.ids = map[string]bool{}
	data, err := storage.ReadFile(ctx, o.documents, maxList)
	switch {
	case err == nil:
		if o.split != "" {
			p.shown = o.split + " of " + o.documents
			return p, p.takeJSON(data, o)
		}
		p.shown = o.documents
		lines := bufio.NewScanner(bytes.NewReader(data))
		for lines.Scan() {
			p.add(lines.Text())
		}
		if lines.Err() != nil || bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
			return nil, fmt.Errorf("--documents %s is no list of ids, one a line; of a JSON file, name the list with --split", o.documents)
		}
	case strings.ContainsAny(o.documents, "/\\") || strings.HasSuffix(o.documents, ".json") || strings.HasSuffix(o.documents, ".txt"):
		return nil, fmt.Errorf("--documents: %w", err) // meant as a file
	case o.split != "":
		return nil, fmt.Errorf("--split names a list in a JSON file, and --documents %s is no file", o.documents)
	default:
		for _, id := range strings.Split(o.documents, ",") {
			p.add(id)
		}
		p.shown = fmt.Sprintf("%d named", len(p.ids))
	}
	if len(p.ids) == 0 {
		return nil, fmt.Errorf("--documents %s holds no id", o.documents)
	}
	return p, nil
}

func (p *picker) add(id string) {
	if id = strings.TrimSpace(id); id != "" {
		p.ids[id] = false
	}
}

// takeJSON takes one list of a file such as examples/split.json.
func (p *picker) takeJSON(data []byte, o *options) error {
	var lists map[string][]string
	if err := json.Unmarshal(data, &lists); err != nil {
		return fmt.Errorf("--documents %s is no JSON file of lists of ids by name: %w", o.documents, err)
	}
	for _, id := range lists[o.split] {
		p.add(id)
	}
	if len(p.ids) == 0 {
		var names []string
		for name := range lists {
			names = append(names, name)
		}
		sort.Strings(names)
		return fmt.Errorf("--documents %s has no list %q, or an empty one; it has %s", o.documents, o.split, strings.Join(names, ", "))
	}
	return nil
}

// takeSplit takes the documents that the gold says belong to a split.
func (p *picker) takeSplit(ctx context.Context, split string, gold *source) error {
	p.ids, p.shown = map[string]bool{}, "split "+split
	for d, err := range gold.documents(ctx) {
		if err != nil {
			return err
		}
		if d.Split == split {
			p.add(d.ID)
		}
	}
	if len(p.ids) == 0 {
		return fmt.Errorf("--split %s: no document of --gold says that it belongs to it; name the documents with --documents", split)
	}
	return nil
}
