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

// FindNote looks for the note of an id. It returns the one that has it in the
// input and, where keys are given, the one that was released under it; either
// may be nil.
func FindNote(ctx context.Context, cfg Config, id string, keys *surrogate.Keyring) (original, released *Place, err error) {
	e := &engine{cfg: cfg, rewriter: &deid.Rewriter{Keys: keys}}
	err = e.eachNote(ctx, func(who deid.Note, n table.Note) {
		switch {
		case noID(n.DocumentID):
		case original == nil && who.Document == id:
			original = &Place{who.Document, who.Patient}
		case released == nil && keys != nil && !cfg.KeepIDs && e.pseudonym(n.DocumentID) == id:
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
