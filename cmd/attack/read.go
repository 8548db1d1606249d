package attack

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/attack"
	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/model/token"
	"github.com/palimpsest-deid/palimpsest/pipeline"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// release is what an outsider has. Texts stay in storage: it is read twice.
type release struct {
	dir      string
	manifest *transforms.Manifest
	digest   string                       // SHA-256 of its file
	find     func(text string) []phi.Span // dates

	rows       []attack.Row // of dated notes
	number     map[string]int
	vocabulary attack.Vocabulary
}

// open reads the manifest, and a first time all notes.
func open(ctx context.Context, dir string) (*release, error) {
	raw, err := storage.ReadFile(ctx, storage.Join(dir, transforms.ManifestFile), 1<<30)
	manifest := &transforms.Manifest{}
	if err == nil {
		err = json.Unmarshal(raw, manifest)
	}
	if err != nil {
		return nil, fault.Mark(fault.Refused, fmt.Errorf("--release=%s: its manifest cannot be read: %w", dir, err))
	}
	if err := pipeline.Finished(ctx, dir, false); err != nil {
		return nil, fmt.Errorf("--release=%s holds no finished release, or a copy without all of its files: %w", dir, err)
	}
	r := &release{dir: dir, manifest: manifest, digest: fmt.Sprintf("%x", sha256.Sum256(raw)),
		number: map[string]int{}, vocabulary: attack.Vocabulary{}}
	all, err := rules.New(r.manifest.Configuration.Language)
	if err != nil {
		return nil, fault.Mark(fault.Refused, err)
	}
	m := all.NewMatcher()
	r.find = func(text string) (all []phi.Span) {
		for _, s := range m.Tag(nil, text, token.Tokenize(nil, text)) {
			if s.Type == phi.Date {
				all = append(all, s)
			}
		}
		return all
	}
	return r, r.each(ctx, func(n *attack.Note, _ table.Note) {
		r.vocabulary.Add(n.Text)
		if n.Dated {
			r.rows = append(r.rows, n.Row)
		}
	})
}

// patient numbers the patients as they are met. A note without one, or with an
// offset of its own, is its own patient.
func (r *release) patient(n table.Note) int {
	who, _ := transforms.PatientOfRow(n)
	if r.manifest.Configuration.DateScope == surrogate.PerDocument {
		who = deid.OrphanPatient(n.DocumentID.Text)
	}
	p, ok := r.number[who]
	if !ok {
		p = len(r.number)
		r.number[who] = p
	}
	return p
}

// each hands every released note to yield, in order. One that lies over several rows is
// put together, as it was when its findings were written. What else was released beside
// the notes has other columns.
func (r *release) each(ctx context.Context, yield func(*attack.Note, table.Note)) error {
	columns := r.manifest.Configuration.Columns
	columns.DateOffset, columns.Drop = "", nil // which are not released
	groups := 0
	for f, part := range r.manifest.Outputs {
		if !strings.HasPrefix(part.Name, transforms.NotesFolder+"/") {
			continue
		}
		err := table.WithFile(ctx, storage.Join(r.dir, part.Name), func(file *table.File) error {
			b, err := file.Bind(columns)
			if err != nil {
				return err
			}
			index, err := b.Lines(ctx, 0, len(file.RowGroups()), file.Rows())
			if err != nil {
				return err
			}
			together, row := table.NewTogether[table.Note](index), int64(0)
			for g := range file.RowGroups() {
				err := b.ReadNotes(ctx, g, func(batch []table.Note) error {
					for _, n := range batch {
						unit, rows := together.Add(row, n)
						if row++; index != nil && rows != nil && index.Units[unit].Reason == "" {
							whole, _ := b.Joined(rows)
							rows = []table.Note{whole}
						}
						for _, n := range rows {
							yield(r.note(n, f, groups+g), n)
						}
					}
					return ctx.Err()
				})
				if err != nil {
					return err
				}
			}
			groups += len(file.RowGroups())
			return nil
		})
		if err != nil {
			return fault.Mark(fault.Refused, err)
		}
	}
	return nil
}

// note returns a note as the attack takes it, dated by its texts where no column does.
func (r *release) note(n table.Note, file, group int) *attack.Note {
	note := &attack.Note{Row: attack.Row{Patient: r.patient(n), Day: int(n.NoteDate), File: file, Group: group}}
	note.Dated = n.HasDate && deid.PlausibleDay(int(n.NoteDate))
	for _, t := range n.Texts {
		note.Text += t.Value + "\n"
	}
	if !note.Dated {
		var found []phi.Found
		for _, s := range r.find(note.Text) {
			found = append(found, phi.Found{Span: s, Surface: note.Text[s.Start:s.End]})
		}
		note.Day, note.Dated = r.manifest.Configuration.Settings().WrittenOn(&deid.Note{Spans: found})
	}
	return note
}

// suppliedShifts bounds the shifts that are tried where the site has supplied its
// own, of which a manifest says nothing: 20 years of 365 days.
const suppliedShifts = 20 * 365

// outsider returns what is known beside the release.
func (r *release) outsider(s settings) *attack.Outsider {
	c := r.manifest.Configuration
	o := &attack.Outsider{Language: dates.InLanguage(c.Language).Language, Begin: s.begin, End: s.end, Dates: r.find}
	if o.End == 0 {
		o.End = c.ExtractEnd
	}
	if c.Columns.DateOffset == "" {
		o.Shifts = c.Dates.Shifts()
		return o
	}
	for d := -suppliedShifts; d <= suppliedShifts; d++ {
		if d != 0 {
			o.Shifts = append(o.Shifts, d)
		}
	}
	return o
}
