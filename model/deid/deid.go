// Package deid is the job on plain structs: without Beam, without Parquet,
// without cgo. A program of your own can de-identify notes with it, and the
// pipeline's DoFns do no more than bring notes to it and results away.
//
// The work has three parts, in the order of the data flow:
//
//   - A [Detector] runs every tagger over the texts of some notes, and brings
//     what they found together, text by text.
//   - [Resolve] has all notes of one patient and all that is known of that
//     person. It makes types agree and decides what the notes are searched for,
//     which together with what surrogates must know is a [Plan].
//   - A [Rewriter] opens a plan as a [Patient], which replaces what was found
//     in each text, moves dates, pseudonymises ids, and audits the result.
//
// Every step tells a trace function, where one is given, what became of each
// span, so whoever explains a result runs what made it.
//
// Offsets are bytes of UTF-8 text, ends exclusive. Days count from 1970-01-01.
package deid

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/model/view"
)

// Settings decide the result, together with the model, the rules, the key, and
// what is known of patients and staff.
type Settings struct {
	Steps        []string          // around the network; see AllSteps
	Language     string            // of the model: "en", "es"; decides what is usual in it
	DayOrder     string            // of DayOrders: how 3/4/2014 is read where no evidence tells
	MaxNoteBytes int               // longer texts are held back; 0 for no bound
	Surrogates   surrogate.Options // what stands in place of what was found
	Allow        *Allow            // what is never replaced; nil for nothing
	Format       view.Format       // of the texts, or view.Auto; "" for plain
}

// The steps around the network that a job may go without. It takes them all if
// nothing else is said: those that make a difference by docs/families.md, and
// the guards, which do by the phrases of medicine in model/rules/testdata.
const (
	StepRules          = "rules"          // the rule tagger
	StepGuards         = "guards"         // what only the network found and is medicine
	StepReconciliation = "reconciliation" // one type per surface
	StepSweep          = "sweep"          // what one note knows, in all of the patient's
)

// AllSteps lists the steps in the order of the data flow.
func AllSteps() []string {
	return []string{StepRules, StepGuards, StepReconciliation, StepSweep}
}

// Has reports whether the job takes a step.
func (s Settings) Has(step string) bool { return slices.Contains(s.Steps, step) }

// Reason codes of notes that are held back. They are all that is said of a
// failure: an error's text could quote the note.
const (
	ReasonInvalidUTF8   = "invalid_utf8"
	ReasonTooLarge      = "too_large"
	ReasonNoDocumentID  = "null_document_id"
	ReasonTaggerFailed  = "tagger_failed"
	ReasonResolveFailed = "resolve_failed"
	ReasonReplaceFailed = "replacement_failed"
	ReasonDateOffset    = "date_offset" // the supplied offset is missing, 0 or too large, or the patient's notes have several
	ReasonAuditFailed   = "audit_failed"
	ReasonNotPlain      = "text_not_plain" // XML such as CDA, base64, a code page of two bytes: convert it before
	ReasonEmbedded      = "text_with_embedded_files"
)

// Note is one note on its way: who it is about, and what was found in it. Its
// texts stay with the caller.
type Note struct {
	Row      int64       // the caller's number for it
	Document string      // document id
	Patient  string      // patient id, or OrphanPatient of the document id
	Orphan   bool        // the note has no patient id
	Failure  string      // reason code: the note is held back
	Spans    []phi.Found // of all its texts, or of the views of those that are not plain, in order of text and place

	Dated  bool   // whether the day on which it was written is known
	Day    int    // that day
	Offset int    // days that the caller wants the patient's dates to move; 0 for a keyed number
	Hash   uint64 // HashTexts of the texts that were tagged

	Person string   // of a patient who is linked to others, whose Patient they share: the person; else empty
	Linked []string // all ids that are linked to Patient, and itself, in order

	Rows *Rows // of a table without texts, in place of a note; nil for a note

	Order dates.DayFirst // of day and month in its numeric dates, as Resolve finds it
}

// OrphanPatient returns the patient that a note without a patient id is of: one
// of its own, that no patient id can be equal to.
func OrphanPatient(document string) string { return "\x00document\x00" + document }

// HashTexts returns a hash of a note's texts, in order, by which a later pass
// can tell that it reads what was tagged.
func HashTexts(texts []string) uint64 {
	h := sha256.New()
	var n [8]byte
	for _, t := range texts {
		binary.LittleEndian.PutUint64(n[:], uint64(len(t)))
		h.Write(n[:])
		h.Write([]byte(t))
	}
	return binary.LittleEndian.Uint64(h.Sum(nil))
}

// spared runs f, one step of the work on a text or a patient, and reports
// whether it came to its end. A panic costs a note, or a patient's notes, and
// never the process. What it says may quote a text, so it is not repeated.
func spared(step, about string, f func()) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	meet(step, about)
	f()
	return true
}

// meet hears of each text or patient before a step. Tests let it panic.
var meet = func(step, about string) {}
