package roworder

import (
	"cmp"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/surrogate"
)

// Key is where a row goes: its file, and its place within that by the ids that
// are released. Nothing in it follows from days, nor from where the row stood.
type Key struct {
	File              int
	Patient, Document string
	Line              int64 // of a note that lies over several rows
}

// Place returns the key of a row among that many files. patient and document
// are ids as they are released; a row without a patient, "", is its own.
func Place(keys *surrogate.Keyring, files int, patient, document string) Key {
	of := "patient\x00" + patient
	if patient == "" {
		of = "document\x00" + document
	}
	return Key{File: keys.FileOf(of, files), Patient: patient, Document: document}
}

// Compare orders rows: by file, patient, document and line. Integers are in the order
// of their digits; any order will do that is one of pseudonyms alone.
func (k Key) Compare(o Key) int {
	return cmp.Or(cmp.Compare(k.File, o.File), strings.Compare(k.Patient, o.Patient), strings.Compare(k.Document, o.Document),
		cmp.Compare(k.Line, o.Line))
}
