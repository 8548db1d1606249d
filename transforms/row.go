package transforms

import (
	"strconv"
	"sync"

	"github.com/palimpsest-deid/palimpsest/model/audit"
	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/ensemble"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rewrite"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/model/token"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/schemas/table"
)

// patient holds what rewriting a patient's notes takes. It is made at the first
// of the shard's notes and dropped after the last: ten kilobytes and more for
// each of the tens of thousands of patients of a shard.
type patient struct {
	orphan bool
	known  bool // to the census

	mu      sync.Mutex // for all below; and for Replace: the planner learns nothing any more, but caches
	plan    *schemas.Patient
	left    int // notes that are not rewritten yet
	lexicon *ensemble.Lexicon
	planner *surrogate.Patient
}

// newPatient returns what is known of a patient of a shard.
func newPatient(p *schemas.Patient) *patient {
	return &patient{orphan: p.Orphan, known: p.Known, plan: p, left: len(p.Notes)}
}

// open makes the lexicon and the planner, where no note before this has. Until
// this note is done they stay and can be read without the lock.
func (p *patient) open(e *engine) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.planner != nil {
		return
	}
	surfaces := make([]ensemble.Surface, len(p.plan.Observed))
	rules := e.cfg.Rules
	rules.Mode, rules.Scope, rules.Dates = surrogate.Mode(e.cfg.Replacement), surrogate.Scope(e.cfg.Consistency), e.cfg.Dates
	rules.FixedOffset = p.plan.Offset
	planner := surrogate.NewPatient(e.keys, p.plan.ID, rules)
	if p.plan.Dated {
		planner.Written(p.plan.Latest)
	}
	planner.Know(p.plan.Names)
	for i, s := range p.plan.Observed {
		surfaces[i] = ensemble.Surface{Type: s.Type, Text: s.Text, Sweep: s.Sweep, Tagger: s.Tagger}
		planner.Observe(s.Type, s.Text)
	}
	p.lexicon, p.planner = ensemble.NewLexicon(surfaces), planner
}

// done says that one of the notes needs nothing more.
func (p *patient) done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.left--; p.left == 0 {
		*p.plan = schemas.Patient{} // its batch is kept as long as another patient of it
		p.plan, p.lexicon, p.planner = nil, nil, nil
	}
}

// result is what became of one row.
type result struct {
	findings  []table.Finding
	spans     []phi.Span // those replaced, of all columns
	masked    int
	textBytes int
	tokens    int
	orphan    bool
	known     bool
	dates     []string // outcome per structured date
	textDates map[string]int64

	moved                   []audit.Moved // structured dates, before and after
	datesEqual, datesDiffer int
}

// rewriteRow edits one row, or quarantines it. index is its row in the shard.
func (j *shardJob) rewriteRow(b *table.Binding, index int64, row *table.Row) (r result) {
	defer func() {
		if recover() != nil { // what it says may quote the note
			row.Quarantine(ReasonReplaceFailed)
		}
	}()
	p := j.plans[index]
	if p != nil {
		defer p.patient.done()
	}
	switch {
	case p == nil:
		row.Quarantine(ReasonNoPlan)
	case p.failure != "":
		row.Quarantine(p.failure)
	case j.duplicate[index]:
		row.Quarantine(ReasonDuplicateID)
	}
	if gone(row) {
		return r
	}
	p.patient.open(j.engine)
	r.orphan, r.known = p.patient.orphan, p.patient.known
	ref := j.reference(row, p)
	j.rewriteIDs(row)
	if j.shiftDates(b, row, p, ref, &r); gone(row) {
		return r
	}
	for column := range row.Texts {
		if row.Texts[column].Null {
			continue
		}
		if reason := j.rewriteText(row, column, p, ref, &r); reason != "" {
			row.Quarantine(reason)
			return r
		}
	}
	return r
}

func gone(row *table.Row) bool {
	_, gone := row.Quarantined()
	return gone
}

// rewriteText replaces the spans of one text and returns why that failed, or "".
func (j *shardJob) rewriteText(row *table.Row, column int, p *plan, ref dates.Reference, r *result) string {
	text := row.Texts[column].Value
	tokens := token.Tokenize(nil, text)
	var spans []phi.Span
	for _, s := range p.spans {
		if s.Column == column {
			spans = append(spans, s.Span)
		}
	}
	spans = final(j.cfg, p.patient.lexicon, text, tokens, spans)

	edits, outcomes, changes := p.patient.replace(text, spans, row.DocumentID.Text, ref)
	if r.textDates == nil {
		r.textDates = map[string]int64{}
	}
	add(r.textDates, changes)
	released, placed := rewrite.Apply(text, edits)
	replaced := audited(spans, placed, outcomes)
	for _, x := range replaced {
		if x.Masked {
			r.masked++
		}
	}
	if audit.Check(text, released, replaced) != nil {
		return ReasonAuditFailed
	}
	made := j.cfg.Replacement == string(surrogate.Surrogates)
	if audit.Rescan(text, released, token.Tokenize(nil, released), p.patient.lexicon, replaced, made) != nil {
		return ReasonAuditFailed
	}
	for i, s := range spans {
		if s.Type == phi.Date && len(r.moved) > 0 && j.datesMove() {
			equal, differ := audit.Dates(text[s.Start:s.End], edits[i].New, ref, r.moved)
			r.datesEqual += equal
			r.datesDiffer += differ
		}
	}
	if err := row.SetText(column, released); err != nil {
		return ReasonReplaceFailed
	}
	r.textBytes += len(text)
	r.tokens += len(tokens)
	r.spans = append(r.spans, spans...)
	if j.cfg.Findings {
		r.findings = append(r.findings, findings(row.DocumentID.Text, j.cfg.Columns.Text[column], text, released, spans, placed)...)
	}
	return ""
}

// audited describes what became of the spans of a text, for the audit.
func audited(spans []phi.Span, placed []rewrite.Placed, outcomes []surrogate.Outcome) []audit.Replaced {
	all := make([]audit.Replaced, len(spans))
	for i, s := range spans {
		all[i] = audit.Replaced{
			Start: s.Start, End: s.End, OutStart: placed[i].Start, OutEnd: placed[i].End, Type: s.Type,
			Kept: outcomes[i] == surrogate.Kept, Masked: outcomes[i] == surrogate.Masked,
		}
	}
	return all
}

// final sweeps a text with its patient's lexicon and resolves what was found
// together with the planned spans.
func final(cfg Config, lexicon *ensemble.Lexicon, text string, tokens []token.Token, spans []phi.Span) []phi.Span {
	found := ensemble.Combine(text, tokens, lexicon.Sweep(spans, text, tokens), cfg.combining())
	out := make([]phi.Span, len(found))
	for i, f := range found {
		out[i] = f.Span
	}
	return out
}

// replace draws the replacement of each span of a text.
func (p *patient) replace(text string, spans []phi.Span, document string, ref dates.Reference) ([]rewrite.Edit, []surrogate.Outcome, map[string]int64) {
	p.mu.Lock()
	defer p.mu.Unlock() // a panic, which costs the note, must not hold up the patient's others
	edits := make([]rewrite.Edit, len(spans))
	outcomes := make([]surrogate.Outcome, len(spans))
	for i, s := range spans {
		edits[i].Start, edits[i].End = s.Start, s.End
		edits[i].New, outcomes[i] = p.planner.Replace(surrogate.Mention{
			Type: s.Type, Surface: text[s.Start:s.End], Document: document, Ref: ref,
		})
	}
	return edits, outcomes, p.planner.DateChanges()
}

// findings describes the replaced spans of one text, in code points.
func findings(document, column, text, released string, spans []phi.Span, placed []rewrite.Placed) []table.Finding {
	out := make([]table.Finding, len(spans))
	in, after := rewrite.NewCodePoints(text), rewrite.NewCodePoints(released)
	for i, s := range spans {
		out[i] = table.Finding{
			DocumentID: document, TextColumn: column,
			Start: int64(in.At(s.Start)), End: int64(in.At(s.End)),
			OutputStart: int64(after.At(placed[i].Start)), OutputEnd: int64(after.At(placed[i].End)),
			Type: s.Type.String(), Source: s.Tagger.String(), Score: s.Score,
		}
	}
	return out
}

// reference returns what partial and ambiguous dates of a note are read by: its
// own date, and the order of day and month as set, as its other dates tell, or
// as is usual in the model's language.
func (j *shardJob) reference(row *table.Row, p *plan) dates.Reference {
	ref := dates.InLanguage(j.cfg.RulesLanguage)
	ref.NoteDay, ref.HasNoteDay = writtenOn(row, p.patient.plan)
	switch j.cfg.DateOrder {
	case "dmy":
		ref.DayFirst = dates.Yes
	case "mdy":
		ref.DayFirst = dates.No
	default:
		var surfaces []string
		for _, s := range p.spans {
			if s.Type == phi.Date {
				surfaces = append(surfaces, row.Texts[s.Column].Value[s.Start:s.End])
			}
		}
		if order := dates.Evidence(surfaces); order != dates.Unknown {
			ref.DayFirst = order
		}
	}
	return ref
}

// idDomain makes all ids one kind, so that an id that is the patient's in one
// table and a foreign key in another still joins.
const idDomain = "id"

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
		_ = row.SetPatientID(j.pseudonym(row.PatientID))
	}
	for i, id := range row.IDs {
		if !noID(id) {
			_ = row.SetID(i, j.pseudonym(id))
		}
	}
}

// pseudonym returns the keyed pseudonym of an id: integers stay integers.
func (e *engine) pseudonym(id table.ID) string {
	if id.Bits == 0 {
		return e.keys.PseudonymString(idDomain, id.Text)
	}
	v, err := strconv.ParseInt(id.Text, 10, id.Bits)
	if err == nil {
		return strconv.FormatInt(e.keys.PseudonymInt(idDomain, v, id.Bits), 10)
	}
	u, _ := strconv.ParseUint(id.Text, 10, id.Bits)
	if id.Bits > 16 {
		return strconv.FormatUint(e.keys.PseudonymUint(idDomain, u, id.Bits, false), 10)
	}
	// The upper half of a narrow unsigned column: it stays there, and is
	// permuted as the lower half is.
	half := uint64(1) << (id.Bits - 1)
	return strconv.FormatUint(half+e.keys.PseudonymUint(idDomain, u%half, id.Bits, true), 10)
}

// shiftDates moves the structured dates as the texts' are, by the same
// function. In tag and mask mode too: a column of dates has no other form.
func (j *shardJob) shiftDates(b *table.Binding, row *table.Row, p *plan, ref dates.Reference, r *result) {
	p.patient.mu.Lock()
	defer p.patient.mu.Unlock()
	m := surrogate.Mention{Type: phi.Date, Document: row.DocumentID.Text, Ref: ref}
	for i, d := range row.Dates {
		switch {
		case d.Null:
		case !b.DateIsString(i):
			days, what := p.patient.planner.Days(int(d.Day), m)
			if days != 0 {
				if err := row.ShiftDate(i, days); err != nil {
					return // it has quarantined the row
				}
			}
			r.dates = append(r.dates, what.String())
			r.moved = append(r.moved, audit.Moved{Before: int(d.Day), After: int(d.Day) + days})
		case d.Text == "":
			r.dates = append(r.dates, surrogate.DateKept.String())
		default:
			m.Surface = d.Text
			shifted, what := p.patient.planner.MoveDate(m)
			if err := row.SetDateString(i, shifted); err != nil {
				return
			}
			r.dates = append(r.dates, what.String())
			if before, ok := dates.ParseDays(d.Text, ref); ok {
				if after, ok := dates.ParseDays(shifted, ref); ok {
					r.moved = append(r.moved, audit.Moved{Before: before, After: after})
				}
			}
		}
	}
}

// datesMove reports whether dates in texts are moved as columns are, so that
// the two can be compared.
func (j *shardJob) datesMove() bool {
	return j.cfg.Replacement == string(surrogate.Surrogates) && j.cfg.Rules.Release != surrogate.SafeHarbor
}
