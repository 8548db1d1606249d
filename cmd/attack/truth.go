package attack

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/deid"
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
	key, err := transforms.ResolveKey(ctx, s.options.Key)
	if err != nil {
		return nil, fault.Mark(fault.Settings, fmt.Errorf("%w; --check=false attacks without it", err))
	}
	keys, err := surrogate.NewKeyring(key, c.Epoch)
	if err != nil {
		return nil, fault.Mark(fault.Settings, err)
	}
	if keys.ID() != c.KeyID {
		return nil, fault.Mark(fault.Settings, fmt.Errorf("--key: it is the key %s, and the release was made with %s; name that one, "+
			"or write --check=false to attack without it", keys.ID(), c.KeyID))
	}
	rewriter := deid.Rewriter{Keys: keys}
	released := func(id table.ID) string {
		if c.KeepIDs {
			return id.Text
		}
		return rewriter.Pseudonym(id.Text, id.Bits)
	}
	plain := map[string]string{} // released id by that of the input
	for _, pattern := range s.options.Input {
		infos, err := storage.Glob(ctx, pattern)
		if err != nil {
			return nil, fault.Mark(fault.Refused, err)
		}
		for _, info := range infos {
			file, object, err := openTable(ctx, info.Name)
			if err != nil {
				return nil, err
			}
			defer object.Close()
			b, err := file.Bind(c.Columns)
			if err != nil {
				return nil, fault.Mark(fault.Refused, err)
			}
			err = b.ReadAllNotes(ctx, func(batch []table.Note) error {
				for _, n := range batch {
					id := released(n.DocumentID)
					if _, met := plain[n.DocumentID.Text]; met || n.DocumentID.Null {
						continue // of two notes of one id the first was released
					}
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
			if err != nil {
				return nil, err
			}
		}
	}
	return t, t.readFindings(ctx, s.options.Private, plain)
}

// patientOf returns whose offset moves a note's dates.
func patientOf(n table.Note, scope surrogate.Scope) string {
	if scope == surrogate.PerDocument {
		return n.DocumentID.Text
	}
	if n.PatientID.Null || n.PatientID.Text == "" {
		return deid.OrphanPatient(n.DocumentID.Text)
	}
	return n.PatientID.Text
}

// readFindings reads what was replaced, if that was written.
func (t *truth) readFindings(ctx context.Context, private string, plain map[string]string) error {
	infos, err := storage.Glob(ctx, storage.Join(private, transforms.FindingsFolder, "**", "*.parquet"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fault.Mark(fault.Refused, err)
	}
	for _, info := range infos {
		object, err := storage.Open(ctx, info.Name)
		if err != nil {
			return fault.Mark(fault.Refused, err)
		}
		defer object.Close()
		t.found = true
		err = table.ReadFindings(ctx, object, object.Size(), info.Name, func(f table.Finding) error {
			id := plain[f.DocumentID]
			t.replaced[id] = append(t.replaced[id], span{f.TextColumn, f.Element, f.OutputStart, f.OutputEnd})
			return nil
		})
		if err != nil {
			return fault.Mark(fault.Refused, err)
		}
	}
	return nil
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
