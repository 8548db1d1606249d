package attack

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// truth is what the key and the input tell, by released document id.
type truth struct {
	days     map[string]int // on which notes were written, where a column says so
	offsets  map[string]int // keyed; where none was supplied
	replaced map[string][]span
	found    bool // findings were read
}

// span is a part of a released text, in code points of the text of a column and element.
type span struct {
	column, element string
	start, end      int64
}

// readTruth reads input and findings. The job's key makes released ids of theirs.
func readTruth(ctx context.Context, s settings, r *release) (*truth, error) {
	c := r.manifest.Configuration
	t := &truth{days: map[string]int{}, offsets: map[string]int{}, replaced: map[string][]span{}}
	keys, err := transforms.Keys(ctx, s.options.Key, c.Epoch)
	if err != nil {
		return nil, fault.Mark(fault.Settings, fmt.Errorf("%w; --check=false attacks without it", err))
	}
	if keys.ID() != c.KeyID {
		return nil, fault.Mark(fault.Settings, fmt.Errorf("--key: it is the key %s, and the release was made with %s; name that one, "+
			"or write --check=false to attack without it", keys.ID(), c.KeyID))
	}
	plain := map[string]string{} // released id by that of the input
	err = table.WithFiles(ctx, s.options.Input, func(file *table.File) error {
		b, err := file.Bind(c.Columns)
		if err != nil {
			return err
		}
		return b.ReadAllNotes(ctx, func(batch []table.Note) error {
			for _, n := range batch {
				if _, met := plain[n.DocumentID.Text]; met || n.DocumentID.Null {
					continue // of two notes of one id the first was released
				}
				id := c.ReleasedID(keys, n.DocumentID)
				plain[n.DocumentID.Text] = id
				if n.HasDate {
					t.days[id] = int(n.NoteDate)
				}
				if c.Columns.DateOffset == "" {
					t.offsets[id] = keys.DateOffset(patientOf(n, c.DateScope), c.Dates)
				}
			}
			return nil
		})
	})
	if err != nil {
		return nil, fault.Mark(fault.Refused, err)
	}
	return t, t.readFindings(ctx, s.options.Private, plain)
}

// patientOf returns whose offset moves a note's dates.
func patientOf(n table.Note, scope surrogate.Scope) string {
	if scope == surrogate.PerDocument {
		return n.DocumentID.Text
	}
	patient, _ := transforms.PatientOfRow(n)
	return patient
}

// readFindings reads what was replaced, if that was written.
func (t *truth) readFindings(ctx context.Context, private string, plain map[string]string) error {
	files, err := table.ReadFindings(ctx, storage.Join(private, transforms.FindingsFolder), func(f table.Finding) error {
		id := plain[f.DocumentID]
		t.replaced[id] = append(t.replaced[id], span{f.TextColumn, f.Element, f.OutputStart, f.OutputEnd})
		return nil
	})
	t.found = files > 0
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return fault.Mark(fault.Refused, err)
}

// offset returns by how many days a released note's dates moved.
func (t *truth) offset(n table.Note) (days int, ok bool) {
	id := n.DocumentID.Text
	if before, ok := t.days[id]; ok && n.HasDate && int(n.NoteDate) != before {
		return int(n.NoteDate) - before, true
	}
	days, ok = t.offsets[id]
	return days, ok
}

// missed reports whether a part of a released text, in code points, stands there
// as it did in the input.
func (t *truth) missed(document, column, element string, start, end int) bool {
	for _, s := range t.replaced[document] {
		if s.column == column && (element == "" || s.element == element) && int64(start) < s.end && int64(end) > s.start {
			return false
		}
	}
	return true
}
