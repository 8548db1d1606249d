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
	replaced map[string][]*span
	found    bool // findings were read
}

// span is a part of a released text, in code points of the text of a column and element.
type span struct {
	column, element string
	start, end      int64

	from, to int64  // in the input's text
	was      string // there, where what stands in its place is as long: it may be the same
}

// readTruth reads input and findings. The job's key makes released ids of theirs.
func readTruth(ctx context.Context, s settings, r *release) (*truth, error) {
	c := r.manifest.Configuration
	t := &truth{days: map[string]int{}, offsets: map[string]int{}, replaced: map[string][]*span{}}
	keys, err := transforms.Keys(ctx, s.options.Key, c.Epoch)
	if err != nil {
		return nil, fault.Mark(fault.Settings, fmt.Errorf("%w; --check=false attacks without it", err))
	}
	if keys.ID() != c.KeyID {
		return nil, fault.Mark(fault.Settings, fmt.Errorf("--key: it is the key %s, and the release was made with %s; name that one, "+
			"or write --check=false to attack without it", keys.ID(), c.KeyID))
	}
	found, err := t.readFindings(ctx, s.options.Private)
	if err != nil {
		return nil, err
	}
	met := map[string]bool{}
	err = table.WithFiles(ctx, s.options.Input, func(file *table.File) error {
		b, err := file.Bind(c.Columns)
		if err != nil {
			return err
		}
		return b.ReadAllNotes(ctx, func(batch []table.Note) error {
			for _, n := range batch {
				if met[n.DocumentID.Text] || n.DocumentID.Null {
					continue // of two notes of one id the first was released
				}
				id := c.ReleasedID(keys, n.DocumentID)
				met[n.DocumentID.Text] = true
				t.replaced[id] = found[n.DocumentID.Text]
				for _, x := range n.Texts {
					remember(t.replaced[id], c.Columns.Text[x.Column], x)
				}
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
	return t, nil
}

// remember fills in what stood in a text of the input in place of spans.
func remember(spans []*span, column string, text table.Text) {
	var points []rune
	for _, s := range spans {
		if s.to-s.from != s.end-s.start || !s.of(column, text) {
			continue
		}
		if points == nil {
			points = []rune(text.Value)
		}
		if 0 <= s.from && s.from <= s.to && s.to <= int64(len(points)) {
			s.was = string(points[s.from:s.to])
		}
	}
}

// of reports whether a span lies in a text. One that was put together of several rows
// has no element, and its spans name their lines.
func (s *span) of(column string, text table.Text) bool {
	return s.column == column && (text.Element == "" || s.element == text.Element)
}

// patientOf returns whose offset moves a note's dates.
func patientOf(n table.Note, scope surrogate.Scope) string {
	if scope == surrogate.PerDocument {
		return n.DocumentID.Text
	}
	patient, _ := transforms.PatientOfRow(n)
	return patient
}

// readFindings reads by document what was replaced, if that was written. What the policy
// keeps was found and not replaced.
func (t *truth) readFindings(ctx context.Context, private string) (map[string][]*span, error) {
	found := map[string][]*span{}
	files, err := table.ReadFindings(ctx, storage.Join(private, transforms.FindingsFolder), func(f table.Finding) error {
		if f.Action != string(surrogate.Keep) {
			found[f.DocumentID] = append(found[f.DocumentID], &span{column: f.TextColumn, element: f.Element, start: f.OutputStart,
				end: f.OutputEnd, from: f.Start, to: f.End})
		}
		return nil
	})
	t.found = files > 0
	if errors.Is(err, fs.ErrNotExist) {
		return found, nil
	}
	return found, fault.Mark(fault.Refused, err)
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
func (t *truth) missed(document, column string, text table.Text, start, end int) bool {
	var points []rune
	for _, s := range t.replaced[document] {
		if !s.of(column, text) || int64(start) >= s.end || int64(end) <= s.start {
			continue
		}
		if points == nil {
			points = []rune(text.Value)
		}
		if s.was == "" || s.end > int64(len(points)) || string(points[s.start:s.end]) != s.was {
			return false
		}
	}
	return true
}
