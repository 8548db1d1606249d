package evaluate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/schemas/corpus"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// leaveQuarantined looks whether a job put notes into quarantine beside its
// findings. Such notes have no findings, though nothing was missed in them:
// they were not released. They are an error unless the user leaves them out.
func leaveQuarantined(ctx context.Context, o *options, e *evaluation) error {
	var ids []string
	for _, s := range []*source{&e.system, &e.other} {
		if s.format != corpus.Parquet {
			continue
		}
		dir, ok := strings.CutSuffix(s.options.Annotations, "/findings/*.parquet")
		if !ok {
			if dir, ok = strings.CutSuffix(storage.Dir(s.options.Annotations), "/findings"); !ok {
				continue
			}
		}
		found, err := quarantined(ctx, storage.Join(dir, "quarantine", "*.parquet"), s)
		if err != nil {
			return fault.Mark(fault.Refused, err)
		}
		for _, d := range found {
			if !e.picker.leave[d.ID] && e.picker.want(&d) {
				ids = append(ids, d.ID)
			}
			if o.quarantine {
				e.picker.leave[d.ID] = true
			}
		}
	}
	if len(ids) > 0 && !o.quarantine {
		return fault.Mark(fault.Refused, fmt.Errorf("the job put %s into quarantine, where there are no findings; leave them out with "+
			"--without_quarantined", some("note", ids)))
	}
	if len(ids) > 0 {
		e.picker.shown = strings.TrimPrefix(fmt.Sprintf("%s; without %s of quarantine", e.picker.shown, some("note", ids)), "; ")
	}
	return nil
}

// quarantined returns the documents of a quarantine whose ids are not null,
// without their texts.
func quarantined(ctx context.Context, pattern string, s *source) ([]corpus.Document, error) {
	infos, err := storage.Glob(ctx, pattern)
	if err != nil {
		return nil, err
	}
	columns := table.Columns{DocumentID: "note_id", Text: []string{"text"}}
	if s.options.DocumentIDColumn != "" {
		columns.DocumentID = s.options.DocumentIDColumn
	}
	if s.options.TextColumn != "" {
		columns.Text[0] = s.options.TextColumn
	}
	var documents []corpus.Document
	for _, info := range infos {
		err := table.WithFile(ctx, info.Name, func(file *table.File) error {
			columns.PatientID = s.options.PatientIDColumn
			if columns.PatientID == "" && slices.Contains(file.ColumnNames(), "patient_id") {
				columns.PatientID = "patient_id"
			}
			b, err := file.Bind(columns)
			if err != nil {
				return err
			}
			return b.ReadAllNotes(ctx, func(batch []table.Note) error {
				for _, n := range batch {
					if n.DocumentID.Text != "" {
						documents = append(documents, corpus.Document{ID: n.DocumentID.Text, Patient: n.PatientID.Text})
					}
				}
				return nil
			})
		})
		if err != nil {
			return nil, err
		}
	}
	return documents, nil
}
