package phi

// Found is a span that is left after merging.
type Found struct {
	Span
	Cue     bool   // its context says beyond doubt what it is: "Dr." before a name, "Fax:" before a number
	Sex     Sex    // of whom a name names, where the words beside it tell
	Allowed bool   // the site's allow list holds it: it is no reason to look for it elsewhere
	Text    int    // index of the text among those of its note
	Surface string // the text between Start and End; empty where nobody needs it
}

// Sex is what a note tells of the sex of somebody who is named.
type Sex uint8

// The sexes; both bits say that what is told disagrees.
const (
	Untold Sex = 0
	Female Sex = 1
	Male   Sex = 2
)

// Event is one thing that happened to a span on its way, for those who ask
// why. A zero After means that the span was dropped.
type Event struct {
	Step   string // guards, merge, reconciliation
	Before Span
	After  Span
	Why    string
}

// IsPerson reports whether t is the name of a person: of a patient or relative, or of
// clinical staff.
func IsPerson(t Type) bool { return t == Patient || t == Doctor }
