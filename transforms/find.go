package transforms

import (
	"context"
	"fmt"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// Place is a note by its document id in the input, and its patient: the id, or
// for a note without one, deid.OrphanPatient of its document id.
type Place struct{ Document, Patient string }

// ReleasedID returns what a note's document id is in a release that these settings
// and keys made.
func (w What) ReleasedID(keys *surrogate.Keyring, id table.ID) string {
	if w.KeepIDs {
		return id.Text
	}
	r := deid.Rewriter{Keys: keys}
	return r.Pseudonym(id.Text, id.Bits)
}

// FindNote looks for the note of an id. It returns the one that has it in the
// input and, where keys are given, the one that was released under it; either
// may be nil.
func FindNote(ctx context.Context, cfg Config, id string, keys *surrogate.Keyring) (original, released *Place, err error) {
	e := &engine{cfg: cfg}
	err = e.eachNote(ctx, func(who deid.Note, n table.Note) {
		switch {
		case noID(n.DocumentID):
		case original == nil && who.Document == id:
			original = &Place{who.Document, who.Patient}
		case released == nil && keys != nil && !cfg.KeepIDs && cfg.ReleasedID(keys, n.DocumentID) == id:
			released = &Place{who.Document, who.Patient}
		}
	})
	return original, released, err
}

// PatientOf returns the patient that a document of the input is of.
func PatientOf(ctx context.Context, cfg Config, document string) (patient string, err error) {
	original, _, err := FindNote(ctx, cfg, document, nil)
	if err == nil && original == nil {
		err = fmt.Errorf("no note has the document id that was asked for, in column %q of %q", cfg.Columns.DocumentID, cfg.Inputs)
		err = fault.Mark(fault.Settings, err)
	}
	if err != nil {
		return "", err
	}
	return original.Patient, nil
}
