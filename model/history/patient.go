package history

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
)

// Patient is what is remembered of one patient: what deid.Resolve takes.
type Patient struct {
	ID    string
	Known []lexicon.Identifiers // of all nights, each once
	Notes []Note
}

// Note is one note with what was found in it, before anything was made of it.
type Note struct {
	deid.Note
	Text     Short
	Detector Short
}

// ErrLost says that what a night has to remember is not there.
var ErrLost = errors.New("findings that the list of notes speaks of are not in the state; it is damaged")

// Join brings together what is remembered of a patient's notes and tonight's.
// rows[i] says of notes[i] how it stands. leave tells of a document whether it was
// withdrawn or is another patient's now. Where a note's findings are remembered
// it fills them in. It returns all notes that the patient has now, tonight's
// first, and the numbers, among notes, of those.
func Join(old []Note, notes []deid.Note, rows []Row, detector Short,
	leave func(document string) bool) (all []Note, which []int, err error) {
	tonight := map[string]bool{}
	for i := range notes {
		n := &notes[i]
		tonight[n.Document] = true
		if rows[i].Kind == Removed {
			continue
		}
		if k := rows[i].Kind; k == Seen || k == Reread {
			at := slices.IndexFunc(old, func(o Note) bool {
				return o.Document == n.Document && o.Text == rows[i].Text && o.Detector == detector
			})
			if at < 0 {
				return nil, nil, ErrLost
			}
			n.Spans = old[at].Spans
		}
		all, which = append(all, Note{*n, rows[i].Text, detector}), append(which, i)
	}
	for _, o := range old {
		if o.Document != "" && !tonight[o.Document] && !leave(o.Document) { // without an id it cannot be met again
			all = append(all, o)
		}
	}
	return all, which, nil
}

// AddKnown returns what is known of a patient with what is known tonight, each once,
// and whether that is more than before: former names and addresses are in older
// notes.
func AddKnown(before, tonight []lexicon.Identifiers) (all []lexicon.Identifiers, more bool) {
	all = slices.Clip(before)
	for _, k := range tonight {
		if !slices.ContainsFunc(all, func(o lexicon.Identifiers) bool { return reflect.DeepEqual(o, k) }) {
			all, more = append(all, k), true
		}
	}
	return all, more
}

// Clone returns the notes as deid.Resolve may change them.
func Clone(all []Note) []*deid.Note {
	out := make([]*deid.Note, len(all))
	for i := range all {
		n := all[i].Note
		n.Spans = slices.Clone(n.Spans)
		out[i] = &n
	}
	return out
}

// Sort puts notes in an order of their own, for the state.
func Sort(notes []Note) {
	slices.SortStableFunc(notes, func(a, b Note) int {
		if c := strings.Compare(a.Document, b.Document); c != 0 {
			return c
		}
		return bytes.Compare(a.Text[:], b.Text[:])
	})
}
