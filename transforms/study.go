package transforms

import (
	"context"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// NewStudy reads the notes of the patients that want accepts, by patient id
// (for a note without one, deid.OrphanPatient of its document id), with what is
// known of them, and runs the taggers over them.
func NewStudy(ctx context.Context, cfg Config, want func(patient string) bool) (*deid.Study, error) {
	e, err := engineFor(ctx, cfg)
	if err != nil {
		return nil, err
	}
	var notes []deid.Note
	var texts [][]string
	mine := map[string]bool{}
	err = e.eachNote(ctx, func(n deid.Note, row table.Note) {
		if want(n.Patient) {
			mine[n.Patient] = true
			notes, texts = append(notes, n), append(texts, textsOf(row.Texts))
		}
	})
	if err != nil {
		return nil, err
	}
	known, err := knownOf(ctx, cfg, mine)
	if err != nil {
		return nil, err
	}
	return deid.NewStudy(e.detector, notes, texts, known)
}

// knownOf returns the known identifiers of some patients, by their ids as those of notes
// are: of linked patients the one that all are linked to.
func knownOf(ctx context.Context, cfg Config, patients map[string]bool) (map[string][]lexicon.Identifiers, error) {
	known := map[string][]lexicon.Identifiers{}
	links, err := loadLinks(ctx, cfg)
	if err != nil {
		return nil, err
	}
	infos, err := identifierFiles(ctx, cfg.Identifiers)
	if err != nil {
		return nil, err
	}
	for _, info := range infos {
		err := readIdentifiers(ctx, info, cfg.IdentifierColumns, func(id lexicon.Identifiers) error {
			if link(links, &id); patients[id.Group] {
				known[id.Group] = append(known[id.Group], id)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return known, nil
}

// NewStudyOfTexts studies texts that are in no table, each as a note of its own
// with an id of its own.
func NewStudyOfTexts(ctx context.Context, cfg Config, ids, texts []string) (*deid.Study, error) {
	return NewStudyOfPatients(ctx, cfg, ids, make([]string, len(ids)), texts)
}

// NewStudyOfPatients studies notes that are in no table, by their ids, patients
// and texts, with what is known of the patients. A note whose patient is empty
// is of a patient of its own.
func NewStudyOfPatients(ctx context.Context, cfg Config, ids, patients, texts []string) (*deid.Study, error) {
	notes := make([]deid.Note, len(ids))
	for i, id := range ids {
		notes[i] = deid.Note{Document: id, Patient: patients[i]}
		if patients[i] == "" {
			notes[i].Patient, notes[i].Orphan = deid.OrphanPatient(id), true
		}
	}
	return NewStudyOfNotes(ctx, cfg, notes, texts)
}

// NewStudyOfNotes studies notes that are in no table, a text each, with what is known of their
// patients.
func NewStudyOfNotes(ctx context.Context, cfg Config, notes []deid.Note, texts []string) (*deid.Study, error) {
	e, err := engineFor(ctx, cfg)
	if err != nil {
		return nil, err
	}
	var of [][]string
	mine := map[string]bool{}
	for i, n := range notes {
		if !n.Orphan {
			mine[n.Patient] = true
		}
		of = append(of, texts[i:i+1])
	}
	known, err := knownOf(ctx, cfg, mine)
	if err != nil {
		return nil, err
	}
	return deid.NewStudy(e.detector, notes, of, known)
}

// eachNote reads all notes, in order of file and row.
func (e *engine) eachNote(ctx context.Context, yield func(deid.Note, table.Note)) error {
	shards, err := ListShards(ctx, e.cfg.NotesAlone())
	if err != nil {
		return err
	}
	for _, shard := range shards {
		binding, object, err := openShard(ctx, e.cfg, shard, false)
		if err != nil {
			return err
		}
		err = e.cfg.eachUnit(ctx, binding, shard, func(u unit) error {
			note := e.cfg.identifyUnit(&u)
			e.links.Apply(&note)
			note.Row = 0
			yield(note, u.Note)
			return nil
		})
		object.Close()
		if err != nil {
			return err
		}
	}
	return nil
}
