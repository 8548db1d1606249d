package transforms

import (
	"errors"
	"fmt"
	"sync"

	"github.com/palimpsest-deid/palimpsest/model/audit"
	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/history"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// patient opens what rewriting a patient's notes takes at the first of the
// shard's notes and drops it after the last: ten kilobytes and more for each of
// the tens of thousands of patients of a shard.
type patient struct {
	rewriter *deid.Rewriter
	orphan   bool
	known    bool // identifiers of the patient are
	linked   bool // to another one

	among  *openPatients // of the shard; nil where all may stay open
	weight int           // surfaces that are known of the patient, and some more
	rows   []int64       // of the notes, in order; nil where it is not known which are
	next   int64         // how far the next of them is, for among
	at     int           // in the queue of among, which guards it and next; 0 for none

	mu     sync.Mutex
	plan   *deid.Plan
	left   int // notes that are not rewritten yet
	opened *deid.Patient
	looked *audit.Values // see values
}

func (j *shardJob) patientOf(all *schemas.PatientPlan) *patient {
	const little = 16 // what a patient takes of whom nothing is known
	return &patient{rewriter: j.rewriter, plan: &all.Plan, orphan: all.Orphan, known: all.Known, linked: all.Person != "",
		among: j.open, weight: little + len(all.Names) + len(all.Observed)}
}

// open returns the patient ready for a row of the shard.
func (p *patient) open(row int64) *deid.Patient {
	opened := p.inHand()
	p.among.use(p, row)
	return opened
}

// inHand opens the patient, unless that is done.
func (p *patient) inHand() *deid.Patient {
	p.mu.Lock()
	defer p.mu.Unlock() // a panic, which costs the note, must not hold up the patient's others
	if p.opened == nil {
		p.opened = p.rewriter.Open(p.plan)
	}
	return p.opened
}

// close drops what open made, but for who has it in hand.
func (p *patient) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.opened, p.looked = nil, nil
}

// done says that one of the notes needs nothing more.
func (p *patient) done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.left--; p.left == 0 {
		*p.plan = deid.Plan{} // its batch is kept as long as another patient of it
		p.plan, p.opened, p.looked = nil, nil, nil
		p.among.done(p)
	}
}

// result is what became of one row.
type result struct {
	findings []table.Finding
	counts   schemas.Counts
	moved    []audit.Moved // structured dates, before and after
	unread   []int         // of structured dates, by index in Columns.Dates: those that cannot be read
	kept     []table.Kept  // values that are released as they are
	known    []bool        // which of them hold a known identifier of the patient
	audited  audited

	id       string // released, and the hash of the row's values, of a job with a state
	released history.Hash
}

func (r *result) late(l surrogate.LateDates) {
	r.counts.LatePast += l.Past
	r.counts.LateFuture += l.Future
}

// errChanged says that a text is not the one that was tagged, though its file
// looks the same: what was found in it stands elsewhere now.
var errChanged = errors.New("changed while the job ran; run it again when nobody writes to the input")

// rewriteRow edits one row, or quarantines it. index is its row in the shard.
func (j *shardJob) rewriteRow(b *table.Binding, index int64, row *table.Row) (r result, err error) {
	if j.shard.Table > 0 {
		return j.rewriteOwned(b, index, row)
	}
	defer func() {
		if recover() != nil { // what it says may quote the note
			row.Quarantine(deid.ReasonReplaceFailed)
		}
	}()
	p := j.plans[index]
	if p != nil {
		defer p.patient.done()
	}
	if p.withdrawn() { // and so in no quarantine either, though its id be another's too
		row.Omit()
		return r, nil
	}
	if reason := j.refused(p, index); reason != "" {
		row.Quarantine(reason)
		return r, nil
	}
	if p.step.Action == history.Skip {
		row.Omit()
		return r, nil
	}
	if deid.HashTexts(textsOf(row.Texts)) != p.Hash {
		return r, fmt.Errorf("%s %w", j.shard.File, errChanged)
	}
	patient := p.patient.open(index)
	if j.rewriteRest(b, row, p, patient, &r); gone(row) {
		return r, nil
	}
	ref := patient.Reference(&deid.Note{Dated: row.HasDate, Day: int(row.NoteDate), Order: p.Order})
	for i, t := range row.Texts {
		if t.Null {
			continue
		}
		released, reason := j.rewriteText(t.Value, i, row.DocumentID.Text, patient, p.Spans, ref, &r)
		if reason == "" && row.SetText(i, released.Text) != nil {
			reason = deid.ReasonReplaceFailed
		}
		if reason != "" {
			row.Quarantine(reason)
			return r, nil
		}
		if j.auditor != nil {
			j.auditor.text(index, p.patient, row.DocumentID.Text, j.cfg.Columns.Text[t.Column], t.Element, t.Value, released, &r.audited)
		}
		if j.cfg.Findings {
			r.findings = append(r.findings, findings(row.DocumentID.Text, j.cfg.Columns.Text[t.Column], t.Element, t.Value, released)...)
		}
	}
	if j.night != nil {
		j.compare(row, p, &r)
	}
	return r, nil
}

// refused returns why the note of a row is not processed, or "".
func (j *shardJob) refused(p *plan, index int64) string {
	switch {
	case p == nil:
		return ReasonNoPlan
	case p.Failure != "":
		return p.Failure
	case j.duplicate[index] && j.cfg.Columns.Line != "":
		return ReasonLinesApart
	case j.duplicate[index]:
		return ReasonDuplicateID
	}
	return ""
}

// rewriteRest edits all of a row but its texts.
func (j *shardJob) rewriteRest(b *table.Binding, row *table.Row, p *plan, patient *deid.Patient, r *result) {
	r.counts = schemas.NewCounts()
	if p.patient.orphan {
		r.counts.WithoutID = 1
	}
	if p.patient.known {
		r.counts.KnownPatients = 1
	}
	if p.patient.linked {
		r.counts.Linked = 1
	}
	ref := patient.Reference(&deid.Note{Dated: row.HasDate, Day: int(row.NoteDate), Order: p.Order})
	if row.HasDate && !ref.HasNoteDay {
		r.counts.ImplausibleDates = 1
	}
	j.rewriteIDs(row)
	if j.shiftDates(b, row, patient, ref, r); gone(row) {
		return
	}
	r.kept = row.Kept(nil)
	r.known = make([]bool, len(r.kept))
	for i, k := range r.kept {
		r.known[i] = patient.Knows(k.Value)
	}
}

func gone(row *table.Row) bool {
	_, gone := row.Quarantined()
	return gone
}

// rewriteText replaces the spans of one text, the i-th of its note, and counts them.
// It returns why that failed, or "".
func (j *shardJob) rewriteText(text string, i int, document string, patient *deid.Patient, found []phi.Found, ref dates.Reference,
	r *result) (released deid.Released, reason string) {
	var spans []phi.Span
	for _, s := range found {
		if s.Text == i {
			spans = append(spans, s.Span)
		}
	}
	released, err := patient.Text(text, spans, document, ref)
	if err != nil {
		return released, deid.ReasonAuditFailed
	}
	c := &r.counts
	for _, x := range released.Made {
		if x.Type == phi.Date && x.Action != surrogate.Tag && len(r.moved) > 0 && j.rewriter.Settings.DatesMove() {
			equal, differ := audit.Dates(released.Read[x.Start:x.End], x.New, ref, r.moved)
			c.DatesEqual += int64(equal)
			c.DatesDiffer += int64(differ)
		}
		if x.Outcome == surrogate.Masked && x.Action != surrogate.Mask {
			c.Masked++
		}
		c.SpansByType[x.Type.String()]++
		c.SpansByAction[x.Type.String()+" "+string(x.Action)]++
		c.SpansByTagger[x.Tagger.String()]++
	}
	c.Spans += int64(len(released.Made))
	c.TextBytes += int64(len(text))
	c.Tokens += int64(released.Tokens)
	r.late(released.Late)
	c.AllowKept += released.Allowed.Kept
	c.AllowGaveWay += released.Allowed.GaveWay
	c.OrdersDecided += released.Orders.Decided
	c.OrdersUndecided += released.Orders.Undecided
	if c.KnownPatients > 0 {
		for kind, n := range released.Known {
			c.KnownFound[kind.String()] += n
		}
	}
	for outcome, n := range released.Dates {
		c.TextDates[outcome] += n
	}
	return released, ""
}

// findings describes the replaced spans of one text, in code points.
func findings(document, column, element, text string, released deid.Released) []table.Finding {
	out := make([]table.Finding, len(released.Replacements))
	in, after := deid.NewCodePoints(text), deid.NewCodePoints(released.Text)
	for i, x := range released.Replacements {
		out[i] = table.Finding{
			DocumentID: document, TextColumn: column, Element: element,
			Start: int64(in.At(x.Start)), End: int64(in.At(x.End)),
			OutputStart: int64(after.At(x.OutStart)), OutputEnd: int64(after.At(x.OutEnd)),
			Type: x.Type.String(), Source: x.Tagger.String(), Score: x.Score, Action: string(x.Action),
		}
	}
	return out
}

// rewriteIDs pseudonymises the id columns. Nulls stay null.
func (j *shardJob) rewriteIDs(row *table.Row) {
	if j.cfg.KeepIDs {
		return
	}
	// A setter that fails has quarantined the row.
	if !noID(row.DocumentID) {
		_ = row.SetDocumentID(j.pseudonym(row.DocumentID))
	}
	if !noID(row.PatientID) { // blanks say nothing, and one pseudonym for all would make them one patient
		j.setPatient(row)
	}
	for i, id := range row.IDs {
		if !noID(id) {
			_ = row.SetID(i, j.pseudonym(id))
		}
	}
}

func (e *engine) pseudonym(id table.ID) string { return e.rewriter.Pseudonym(id.Text, id.Bits) }

// shiftDates moves the structured dates as the texts' are, by the same
// function.
func (j *shardJob) shiftDates(b *table.Binding, row *table.Row, patient *deid.Patient, ref dates.Reference, r *result) {
	for i, d := range row.Dates {
		switch {
		case d.Null:
		case row.HasDate && row.NoteDate == 0 && !ref.HasNoteDay && j.cfg.Columns.Dates[i] == j.cfg.Columns.NoteDate:
			// 1970-01-01, which everybody knows for a stand-in: moved, it would tell the offset.
			r.counts.Dates[surrogate.DateSentinel.String()]++
		case !b.DateIsString(i):
			days, outcome := patient.Day(int(d.Day), row.DocumentID.Text, ref)
			if days != 0 {
				if err := row.ShiftDate(i, days); err != nil {
					return // it has quarantined the row
				}
			}
			r.counts.Dates[outcome]++
			r.moved = append(r.moved, audit.Moved{Before: int(d.Day), After: int(d.Day) + days})
			r.late(patient.Late(int(d.Day), int(d.Day)+days, ref))
		default:
			ref := ref
			ref.Birth = IsBirth(j.cfg.Columns.Dates[i])
			moved, outcome := patient.DateString(d.Text, row.DocumentID.Text, ref)
			if err := row.SetDateString(i, moved); err != nil {
				return
			}
			r.counts.Dates[outcome]++
			if outcome == surrogate.DateMasked.String() || outcome == surrogate.DateImpossible.String() {
				r.unread = append(r.unread, i)
			}
			if before, ok := dates.ParseDays(d.Text, ref); ok {
				if after, ok := dates.ParseDays(moved, ref); ok {
					r.moved = append(r.moved, audit.Moved{Before: before, After: after})
					r.late(patient.Late(before, after, ref))
				}
			}
		}
	}
}
