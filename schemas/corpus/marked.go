package corpus

import (
	"context"
	"fmt"
	"iter"

	"github.com/palimpsest-deid/palimpsest/model/phi/marked"
)

// readMarked reads a folder of marked notes, one file per patient, or one such
// file. Files come in order of name, a patient's notes in the order of the file.
func readMarked(ctx context.Context, path string, _ ReadOptions) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		files, err := list(ctx, path, ".txt")
		if err != nil {
			yield(Document{}, err)
			return
		}
		for _, f := range files {
			data, err := readFile(ctx, f.name)
			var p marked.Patient
			if err == nil {
				p, err = marked.Parse(f.name, data)
			}
			if err != nil {
				yield(Document{}, err)
				return
			}
			for i, n := range p.Notes {
				d := Document{
					ID: fmt.Sprintf("%s-%02d", p.ID, i+1), Patient: p.ID, Text: n.Text,
					Source: fmt.Sprintf("%s:%d", f.name, n.Line),
				}
				for _, s := range n.Spans {
					d.Annotations = append(d.Annotations, Annotation{Start: s.Start, End: s.End, Label: s.Type.String(), Category: s.Type.Category()})
				}
				if !yield(d, nil) {
					return
				}
			}
		}
	}
}
