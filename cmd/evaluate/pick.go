package evaluate

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"sort"
	"strings"

	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// maxList bounds a file of ids.
const maxList = 1 << 30

// picker says which documents are scored.
type picker struct {
	ids   map[string]met  // what was met of each id. nil: all documents
	are   string          // what the ids are: asDocuments, asPatients, or "" for either
	leave map[string]bool // documents to leave out
	shown string          // for people
}

// What --ids_are says, and the picker finds out otherwise.
const (
	asDocuments = "documents"
	asPatients  = "patients"
)

// met is what there was of an id: a document, and another one's patient.
type met struct{ document, patient bool }

// want tells whether d is scored.
func (p *picker) want(d *corpus.Document) bool {
	if p.leave[d.ID] {
		return false
	}
	if p.ids == nil {
		return true
	}
	picked := false
	if m, ok := p.ids[d.ID]; ok && p.are != asPatients {
		m.document = true
		p.ids[d.ID], picked = m, true
	}
	if m, ok := p.ids[d.Patient]; ok && p.are != asDocuments && d.Patient != "" {
		m.patient = m.patient || p.are == asPatients || d.Patient != d.ID
		p.ids[d.Patient], picked = m, true
	}
	return picked
}

// misfit returns an error that names ids that no document had, and else those
// that were one document's and another's patient's: a list that does not fit
// would score other documents than it means.
func (p *picker) misfit() error {
	var none, two []string
	for id, m := range p.ids {
		switch {
		case !m.document && !m.patient:
			none = append(none, id)
		case m.document && m.patient:
			two = append(two, id)
		}
	}
	sort.Strings(none)
	sort.Strings(two)
	what := map[string]string{asDocuments: "document", asPatients: "patient"}[p.are]
	switch {
	case len(none) > 0 && what == "":
		return fmt.Errorf("--documents: neither side has a document or patient for %s", some("id", none))
	case len(none) > 0:
		return fmt.Errorf("--documents: neither side has a %s for %s, and --ids_are=%s", what, some("id", none), p.are)
	case len(two) > 0:
		return fmt.Errorf("--documents: there are both documents and patients of %s; say which are meant with --ids_are=%s or --ids_are=%s",
			some("id", two), asDocuments, asPatients)
	}
	return nil
}

// newPicker reads --documents and --split.
func newPicker(ctx context.Context, o *options, gold *source) (*picker, error) {
	p := &picker{leave: map[string]bool{}, are: o.idsAre}
	switch {
	case o.documents == "" && o.split == "":
		return p, nil
	case o.documents == "":
		return p, p.takeSplit(ctx, o.split, gold)
	}
	p.ids = map[string]met{}
	data, err := storage.ReadFile(ctx, o.documents, maxList)
	switch {
	case err == nil:
		if o.split != "" {
			p.shown = o.split + " of " + o.documents
			if err := p.takeJSON(data, o); err != nil {
				return nil, err
			}
			return p, p.settle(ctx, gold)
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
	return p, p.settle(ctx, gold)
}

// settle takes the ids for documents' where each is one's of the gold, unless the
// user has said what they are: by whole numbers, as in OMOP, a review's
// documents.txt would name patients as well.
func (p *picker) settle(ctx context.Context, gold *source) error {
	if p.are != "" {
		return nil
	}
	left := maps.Clone(p.ids)
	for d, err := range gold.documents(ctx) {
		if err != nil {
			return err
		}
		if delete(left, d.ID); len(left) == 0 {
			p.are = asDocuments
			break
		}
	}
	return nil
}

func (p *picker) add(id string) {
	if id = strings.TrimSpace(id); id != "" {
		p.ids[id] = met{}
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
	p.ids, p.are, p.shown = map[string]met{}, asDocuments, "split "+split
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
