package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/review"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/storage"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// Wanted says which sample is wanted.
type Wanted struct {
	Notes    int    `json:"notes"`
	Seed     uint64 `json:"seed"`
	Stratify string `json:"stratify"` // a column of the input; empty for none
}

// Sample is the file sample.json: what was drawn, from what, and how. It holds no
// text.
type Sample struct {
	FormatVersion int           `json:"format_version"`
	Wanted        Wanted        `json:"wanted"`
	Digest        string        `json:"configuration_digest"` // of the release that it was drawn from
	TextColumn    string        `json:"text_column"`
	Release       int           `json:"release_notes"` // how many there were to draw from
	Notes         []review.Note `json:"notes"`
}

// draw makes a sample of the job's release. Memory holds the ids of all notes, and
// a few numbers for each.
func (j *Job) draw(ctx context.Context, w Wanted) (*Sample, error) {
	pseudonym, err := j.pseudonyms(ctx)
	if err != nil {
		return nil, fault.Mark(fault.Settings, err)
	}
	s, err := j.drawBy(ctx, w, pseudonym)
	return s, fault.Mark(fault.Refused, err)
}

// pseudonyms returns what tells the id under which a note was released.
func (j *Job) pseudonyms(ctx context.Context) (func(table.ID) string, error) {
	c := j.manifest.Configuration
	if c.KeepIDs {
		return func(id table.ID) string { return c.ReleasedID(nil, id) }, nil
	}
	if j.Key == "" {
		return nil, errors.New("--key is missing: the notes of the input are found in the release by the job's key, once, when the sample " +
			"is drawn")
	}
	keys, err := transforms.Keys(ctx, j.Key, c.Epoch)
	if err != nil {
		return nil, err
	}
	return func(id table.ID) string { return c.ReleasedID(keys, id) }, nil
}

func (j *Job) drawBy(ctx context.Context, w Wanted, pseudonym func(table.ID) string) (*Sample, error) {
	if len(j.Inputs) == 0 {
		return nil, fault.Mark(fault.Settings, errors.New("--input is missing: name the job's input, or give its settings by --config"))
	}
	released, err := j.releasedIDs(ctx)
	if err != nil {
		return nil, err
	}
	if len(released) == 0 {
		return nil, fmt.Errorf("%s has no notes to draw from", j.notes())
	}
	type found struct {
		spans int
		score float32
	}
	findings := map[string]found{}
	if err := j.eachFinding(ctx, func(x table.Finding) {
		f, ok := findings[x.DocumentID]
		if !ok {
			f.score = 1
		}
		findings[x.DocumentID] = found{f.spans + 1, min(f.score, x.Score)}
	}); err != nil {
		return nil, err
	}
	kinds, err := j.kinds(ctx, w.Stratify)
	if err != nil {
		return nil, err
	}
	var units []review.Unit
	var notes []review.Note
	if err := j.eachNote(ctx, j.Inputs, func(n *table.Note) error {
		if n.DocumentID.Null || n.Texts[0].Null {
			return nil
		}
		out := pseudonym(n.DocumentID)
		if !released[out] {
			return nil // in quarantine, or a duplicate
		}
		delete(released, out)
		u := review.Unit{Document: n.DocumentID.Text, Length: utf8.RuneCountInString(n.Texts[0].Value), Score: 1}
		if f, ok := findings[u.Document]; ok {
			u.Spans, u.Score = f.spans, f.score
		}
		u.Kind = kinds[u.Document]
		patient, _ := transforms.PatientOfRow(*n)
		units, notes = append(units, u), append(notes, review.Note{Document: u.Document, Released: out, Patient: patient})
		return nil
	}); err != nil {
		return nil, err
	}
	if len(units) == 0 {
		return nil, errors.New("no note of the input was released under this key; are input, output and key those of one job?")
	}
	drawn, err := review.Draw(units, w.Notes, w.Seed)
	if err != nil {
		return nil, err
	}
	s := &Sample{FormatVersion: 1, Wanted: w, Digest: j.Digest(), TextColumn: j.TextColumn, Release: len(units)}
	at := map[string]int{}
	for i, d := range drawn {
		n := notes[d.Unit]
		n.Probability, n.Stratum, n.Blind, n.Spans = d.Probability, d.Stratum, d.Blind, []review.Span{}
		at[n.Document] = i
		s.Notes = append(s.Notes, n)
	}
	if err := j.spans(ctx, s, at); err != nil {
		return nil, err
	}
	return s, j.markKept(ctx, s)
}

// markKept reads the texts of a sample that was just drawn, and joins them.
func (j *Job) markKept(ctx context.Context, s *Sample) error {
	originals, err := j.texts(ctx, s, true)
	if err != nil {
		return err
	}
	released, err := j.texts(ctx, s, false)
	if err != nil {
		return err
	}
	return s.join(originals, released)
}

// join checks that the notes as they were, the findings and what was released belong
// together, and marks the spans that went out as they were, whatever was to be done
// with them: an age up to 89 or a weekday that stays true. Samples of earlier versions
// do not say which.
func (s *Sample) join(originals, released [][]rune) error {
	for i := range s.Notes {
		if err := s.Notes[i].Check(originals[i], released[i]); err != nil {
			return err
		}
		s.Notes[i].MarkKept(originals[i], released[i])
	}
	return nil
}

// releasedIDs returns the document ids of the release.
func (j *Job) releasedIDs(ctx context.Context) (map[string]bool, error) {
	ids := map[string]bool{}
	err := table.WithFiles(ctx, []string{j.notes()}, func(f *table.File) error {
		t, err := f.Texts(table.TextColumn{Name: j.manifest.Configuration.Columns.DocumentID, Role: "document id", Required: true})
		if err != nil {
			return err
		}
		return t.Each(ctx, func(r *table.TextRow) error {
			if len(r.Values[0]) > 0 {
				ids[r.Values[0][0]] = true
			}
			return nil
		})
	})
	return ids, err
}

func (j *Job) notes() string { return storage.Join(j.Output, transforms.NotesFolder) }

// kinds returns what a column says of each note of the input, by its id, nil for no
// column. A note that lies over several rows is of the kind of the first, as is the
// first of two of one id, which was released.
func (j *Job) kinds(ctx context.Context, column string) (map[string]string, error) {
	if column == "" {
		return nil, nil
	}
	kinds := map[string]string{}
	err := table.WithFiles(ctx, j.Inputs, func(f *table.File) error {
		t, err := f.Texts(table.TextColumn{Name: column, Role: "--stratify", Required: true},
			table.TextColumn{Name: j.manifest.Configuration.Columns.DocumentID, Role: "document id", Required: true})
		if err != nil {
			return fault.Mark(fault.Settings, err)
		}
		return t.Each(ctx, func(r *table.TextRow) error {
			if len(r.Values[1]) == 0 {
				return nil
			}
			if _, met := kinds[r.Values[1][0]]; !met {
				kinds[r.Values[1][0]] = strings.Join(r.Values[0], "")
			}
			return nil
		})
	})
	return kinds, err
}

// spans fills in what was found in the notes of a sample.
func (j *Job) spans(ctx context.Context, s *Sample, at map[string]int) error {
	if err := j.eachFinding(ctx, func(x table.Finding) {
		if i, ok := at[x.DocumentID]; ok {
			s.Notes[i].Spans = append(s.Notes[i].Spans, review.Span{Start: int(x.Start), End: int(x.End),
				OutStart: int(x.OutputStart), OutEnd: int(x.OutputEnd), Type: x.Type, Source: x.Source, Score: x.Score,
				Kept: x.Action == string(surrogate.Keep)})
		}
	}); err != nil {
		return err
	}
	for i := range s.Notes {
		slices.SortFunc(s.Notes[i].Spans, func(a, b review.Span) int { return cmp.Or(a.Start-b.Start, a.End-b.End) })
	}
	return nil
}

// texts returns, as code points, the texts of the notes of a sample: those of the
// input by their own ids, those of the release by the ids that they got.
func (j *Job) texts(ctx context.Context, s *Sample, original bool) ([][]rune, error) {
	patterns, at := []string{j.notes()}, map[string]int{}
	if original {
		patterns = j.Inputs
	}
	for i, n := range s.Notes {
		if original {
			at[n.Document] = i
		} else {
			at[n.Released] = i
		}
	}
	texts := make([][]rune, len(s.Notes))
	err := j.eachNote(ctx, patterns, func(n *table.Note) error {
		if i, ok := at[n.DocumentID.Text]; ok && texts[i] == nil && !n.Texts[0].Null {
			texts[i] = append([]rune{}, []rune(n.Texts[0].Value)...)
		}
		return nil
	})
	for _, t := range texts {
		if err == nil && t == nil {
			err = fmt.Errorf("a note of the sample is missing in %s; is it of the job whose release the sample was drawn from?",
				strings.Join(patterns, ", "))
		}
	}
	return texts, fault.Mark(fault.Refused, err)
}
