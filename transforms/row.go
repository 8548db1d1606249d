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

// patient holds what rewriting a patient's notes takes, made once per shard.
type patient struct {
	orphan  bool
	known   bool // to the census
	lexicon *ensemble.Lexicon

	mu      sync.Mutex // for Replace: the planner learns nothing any more, but caches
	planner *surrogate.Patient
}

func (e *engine) newPatient(p *schemas.Patient) *patient {
	surfaces := make([]ensemble.Surface, len(p.Observed))
	planner := surrogate.NewPatient(e.keys, p.ID, surrogate.Options{
		Mode:  surrogate.Mode(e.cfg.Replacement),
		Scope: surrogate.Scope(e.cfg.Consistency),
		Dates: e.cfg.Dates,
	})
	planner.Know(p.Names)
	for i, s := range p.Observed {
		surfaces[i] = ensemble.Surface{Type: s.Type, Text: s.Text, Sweep: s.Sweep, Tagger: s.Tagger}
		planner.Observe(s.Type, s.Text)
	}
	return &patient{orphan: p.Orphan, known: p.Known, lexicon: ensemble.NewLexicon(surfaces), planner: planner}
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
}

// rewriteRow edits one row, or quarantines it. index is its row in the shard.
func (j *shardJob) rewriteRow(b *table.Binding, index int64, row *table.Row) (r result) {
	defer func() {
		if recover() != nil { // what it says may quote the note
			row.Quarantine(ReasonReplaceFailed)
		}
	}()
	p := j.plans[index]
	switch {
	case p == nil:
		row.Quarantine(ReasonNoPlan)
	case p.failure != "":
		row.Quarantine(p.failure)
	case j.duplicate[index]:
		row.Quarantine(ReasonDuplicateID)
	}
	if _, gone := row.Quarantined(); gone {
		return r
	}
	r.orphan, r.known = p.patient.orphan, p.patient.known
	ref := j.reference(row, p)
	for column := range row.Texts {
		if row.Texts[column].Null {
			continue
		}
		if reason := j.rewriteText(row, column, p, ref, &r); reason != "" {
			row.Quarantine(reason)
			return r
		}
	}
	j.rewriteIDs(row)
	j.shiftDates(b, row, p, ref, &r)
	return r
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

	edits, outcomes := p.patient.replace(text, spans, row.DocumentID.Text, ref)
	released, placed := rewrite.Apply(text, edits)
	replaced := make([]audit.Replaced, len(spans))
	for i, s := range spans {
		replaced[i].Start, replaced[i].End, replaced[i].Type = s.Start, s.End, s.Type
		replaced[i].Kept = outcomes[i] != surrogate.Replaced
		if outcomes[i] == surrogate.Masked {
			r.masked++
		}
		replaced[i].OutStart, replaced[i].OutEnd = placed[i].Start, placed[i].End
	}
	if audit.Check(text, released, replaced) != nil {
		return ReasonAuditFailed
	}
	if j.cfg.Replacement == string(surrogate.Surrogates) &&
		audit.Rescan(released, token.Tokenize(nil, released), p.patient.lexicon, replaced) != nil {
		return ReasonAuditFailed
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
func (p *patient) replace(text string, spans []phi.Span, document string, ref dates.Reference) ([]rewrite.Edit, []surrogate.Outcome) {
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
	return edits, outcomes
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
// own date, and the order of day and month as set or as its other dates tell.
func (j *shardJob) reference(row *table.Row, p *plan) dates.Reference {
	ref := dates.Reference{NoteDay: int(row.NoteDate), HasNoteDay: row.HasDate}
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
		ref.DayFirst = dates.Evidence(surfaces)
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
	if !row.DocumentID.Null {
		_ = row.SetDocumentID(j.pseudonym(row.DocumentID))
	}
	if !row.PatientID.Null {
		_ = row.SetPatientID(j.pseudonym(row.PatientID))
	}
	for i, id := range row.IDs {
		if !id.Null {
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
	// The upper half of an unsigned column: it stays there, and is permuted as
	// the lower half is.
	half := uint64(1) << (id.Bits - 1)
	u, _ := strconv.ParseUint(id.Text, 10, id.Bits)
	return strconv.FormatUint(half+uint64(e.keys.PseudonymInt(idDomain, int64(u%half), id.Bits)), 10)
}

// Outcomes of structured dates, as counted in the report.
const (
	dateShifted = "shifted"
	dateMasked  = "masked" // a string that is no date
)

// shiftDates moves the structured dates by the patient's offset. In tag and
// mask mode too: a column of dates has no other form.
func (j *shardJob) shiftDates(b *table.Binding, row *table.Row, p *plan, ref dates.Reference, r *result) {
	offset := p.patient.planner.Offset()
	for i, d := range row.Dates {
		switch {
		case d.Null:
		case !b.DateIsString(i):
			if err := row.ShiftDate(i, offset); err != nil {
				row.Quarantine(ReasonDateOutOfRange)
				return
			}
			r.dates = append(r.dates, dateShifted)
		default:
			outcome := dateShifted
			shifted, ok := dates.Shift(d.Text, offset, ref)
			if !ok {
				outcome, shifted = dateMasked, surrogate.Mask(d.Text)
			}
			if d.Text != "" {
				if err := row.SetDateString(i, shifted); err != nil {
					return
				}
			}
			r.dates = append(r.dates, outcome)
		}
	}
}
