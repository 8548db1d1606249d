package history

// Entry is what is remembered of one note, by the keyed hash of its id.
type Entry struct {
	Patient  Hash   // of the patient's id
	Row      Hash   // of the row, all of its columns; of a note that was held back it is zero, and it is tried again
	Text     Short  // of the texts
	Detector Short  // of the model, rules and settings by which its findings were made
	Basis    Hash   // of all that its release was made from, beside the row
	Released Hash   // of the row that was released
	Key      Short  // under which key, epoch and setting of ids
	ID       string // by which it was released
	Revision int    // of the release, from 1
	Out      bool   // it is in the release
	Pending  bool   // what is known now would change it
}

// Action is what is to be done with a row.
type Action uint8

// The actions. Release is that of rows about which nothing is remembered, and so
// of all rows of a job without a state.
const (
	Release   Action = iota
	Skip             // its release stands
	Compare          // written again, to see whether it comes out as it was released
	Withdrawn        // it must not be in any release
)

// Row is what is known of a row before anything is looked for in it.
type Row struct {
	Document Hash
	Digest   Hash  // Entry.Row
	Text     Short // Entry.Text
	Kind     Kind
}

// Kind says how a row stands to what is remembered.
type Kind uint8

// The kinds of rows.
const (
	Fresh   Kind = iota // new or changed; its findings are tonight's
	Reread              // changed, but for the texts, so that its findings are remembered
	Seen                // as it was; its findings are remembered
	Removed             // withdrawn
)

// Kind returns that of a row of a note whose entry e is, if it is known: found says
// so.
func (e Entry) Kind(found bool, r Row, detector Short) Kind {
	switch {
	case !found || e.Row == Hash{} || e.Text != r.Text || e.Detector != detector:
		return Fresh
	case e.Row != r.Digest:
		return Reread
	}
	return Seen
}

// Decide returns what to do with a row of a note that is remembered, whose release
// would be made from basis under key.
func (e Entry) Decide(found bool, r Row, basis Hash, key Short) Action {
	switch {
	case r.Kind == Removed:
		return Withdrawn
	case !found || e.Row == Hash{} || e.Row != r.Digest || e.Key != key || !e.Out:
		return Release
	case e.Basis == basis && !e.Pending:
		return Skip
	}
	return Compare
}

// Step is what to do with one row, and what to remember of it then.
type Step struct {
	Action  Action
	Row     Row
	Patient Hash
	Basis   Hash
}

// Change is what a night does to a release.
type Change uint8

// The changes, as changes.parquet has them.
const (
	None     Change = iota
	Added           // a note that is not in the release
	Replaced        // another revision of one that is
	Gone            // one that is there no longer
)

func (c Change) String() string { return [...]string{"", "added", "replaced", "removed"}[c] }

// Update is what a night makes of a note.
type Update struct {
	Document Hash
	Entry    Entry
	Change   Change
}

// Next returns the update of a note whose row was released with digest under id.
// before is its entry, if found.
func Next(before Entry, found bool, now Entry) Update {
	now.Revision, now.Out, now.Pending = before.Revision+1, true, false
	u := Update{Entry: now, Change: Added}
	if found && before.Out && before.ID == now.ID {
		u.Change = Replaced
	}
	return u
}

// Withhold returns the update of a note that may not be in the release any longer,
// or not yet.
func Withhold(before Entry, patient Hash) Update {
	u := Update{Entry: before}
	u.Entry.Patient, u.Entry.Row, u.Entry.Out, u.Entry.Pending = patient, Hash{}, false, false
	if before.Out {
		u.Change = Gone
		u.Entry.Revision++
	}
	return u
}
