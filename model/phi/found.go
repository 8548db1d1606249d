package phi

// Found is a span that is left after merging.
type Found struct {
	Span
	Cue     bool   // its context says beyond doubt what it is: "Dr." before a name, "Fax:" before a number
	Allowed bool   // the site's allow list holds it: it is no reason to look for it elsewhere
	Text    int    // index of the text among those of its note
	Surface string // the text between Start and End; empty where nobody needs it
}

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
