package deid

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/palimpsest-deid/palimpsest/model/audit"
	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/merge"
	"github.com/palimpsest-deid/palimpsest/model/pairs"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/model/token"
	"github.com/palimpsest-deid/palimpsest/model/view"
)

// Rewriter replaces what was found. It is safe for concurrent use.
type Rewriter struct {
	Settings Settings
	Keys     *surrogate.Keyring
}

// Patient rewrites the notes of one patient. It is safe for concurrent use.
type Patient struct {
	settings Settings
	plan     *Plan
	lexicon  *lexicon.Lexicon
	watch    func(pairs.Group, pairs.Features) // hears what pairs of numbers are judged by; nil for nobody

	mu      sync.Mutex // for the planner: it learns nothing any more, but caches
	planner *surrogate.Patient
	known   *lexicon.Lexicon // of what is known beforehand alone; nil until it is asked for
}

// Open makes ready for the notes of a patient: their lexicon, and the
// surrogates of the names in them. It takes some ten kilobytes, so a caller
// with many patients drops each after its last note.
func (r *Rewriter) Open(p *Plan) *Patient {
	options := r.Settings.Surrogates
	options.FixedOffset = p.Offset
	planner := surrogate.NewPatient(r.Keys, p.ID, options)
	if p.Seen {
		planner.Written(p.Last)
	}
	if p.Born {
		planner.Born(p.Birth)
	}
	planner.Know(p.Names)
	for _, s := range p.Observed {
		planner.Observe(s.Type, s.Text)
		planner.ObserveSex(s.Text, s.Sex)
		if s.Tagger == phi.Known {
			planner.KnowNumber(s.Type, s.Text)
		}
	}
	return &Patient{settings: r.Settings, plan: p, lexicon: lexicon.NewLexicon(p.Observed), planner: planner}
}

// Released is what became of one text.
type Released struct {
	Text         string
	Replacements []surrogate.Replacement // in order, disjoint; of a text that is not plain, one for each piece of its source
	Read         string                  // the text as it was read: of one that is not plain, its view
	Made         []surrogate.Replacement // in that, in order, disjoint
	Tokens       int                     // of the original
	Dates        map[string]int64        // spans of dates by what became of them
	Late         surrogate.LateDates     // released as of after the extract's end
	Orders       surrogate.DateOrders    // of the dates whose numbers leave the order of day and month open
	Allowed      Allowed                 // by the site's allow list
	Known        map[phi.Type]int64      // mentions of known identifiers, whoever else found them; not of the patient id
}

// Text replaces what was found in one text of a note, spans, and what else the
// patient's notes are searched for. ref is how its dates are read. An error
// says that the result breaks a promise, so it must not be released.
func (p *Patient) Text(text string, spans []phi.Span, document string, ref dates.Reference) (Released, error) {
	v, failure := p.settings.view(text)
	if failure != "" {
		return Released{}, errView
	}
	out, err := p.plain(v.Text, spans, document, ref)
	if err != nil || v.Format == view.Plain {
		return out, err
	}
	var holds bool
	if out.Text, out.Replacements, holds = source(text, v, out.Made); !holds {
		return Released{}, errView
	}
	return out, nil
}

// errView says that what was replaced in a view does not stand in the text itself.
var errView = errors.New("deid: a text that is not plain does not read as it should once its spans are replaced")

// plain is Text for what can be read of a text.
func (p *Patient) plain(text string, spans []phi.Span, document string, ref dates.Reference) (Released, error) {
	tokens := token.Tokenize(nil, text)
	spans, doubts, odds := findings(spans)
	swept := p.lexicon.Sweep(spans, text, tokens)
	out := Released{Tokens: len(tokens), Known: p.mentions(text, swept[len(spans):]), Read: text}
	known := knownAmong(swept[len(spans):])
	spans, out.Allowed = p.combine(text, tokens, swept, doubts, odds, known, ref, nil)
	p.replace(text, spans, known, document, ref, &out)
	out.Made = out.Replacements
	made := p.settings.Surrogates.Resolved().Makes()
	for {
		out.Text = Apply(text, out.Replacements)
		if err := audit.Check(text, out.Text, out.Replacements); err != nil {
			return Released{}, err
		}
		err := audit.Rescan(text, out.Text, token.Tokenize(nil, out.Text), p.lexicon, out.Replacements, made)
		var chance *audit.ChanceError
		switch {
		case err == nil:
			return out, nil
		case !errors.As(err, &chance):
			return Released{}, err
		}
		r := &out.Replacements[chance.Replacement] // a tag is no part of a number, so this ends
		r.New, r.Outcome, r.Action = "["+r.Type.String()+"]", surrogate.Replaced, surrogate.Tag
	}
}

// knownAmong returns the known identifiers of the patient among what the lexicon
// has found.
func knownAmong(swept []phi.Span) *phi.Overlaps {
	var known []phi.Span
	for _, s := range swept {
		if s.Tagger == phi.Known {
			known = append(known, s)
		}
	}
	return phi.NewOverlaps(known, nil)
}

// mentions counts the known identifiers among what the lexicon has found, each
// place once.
func (p *Patient) mentions(text string, swept []phi.Span) map[phi.Type]int64 {
	known := map[phi.Type]int64{}
	swept = slices.Clone(swept)
	phi.Sort(swept)
	end := 0
	for _, s := range swept {
		if s.Tagger == phi.Known && s.Start >= end && text[s.Start:s.End] != p.plan.ID {
			known[s.Type]++
			end = s.End
		}
	}
	return known
}

// Sweep searches a text, whose tokens are given, for what is known of the
// patient, and for dates beside those that were found, and returns that together
// with the spans found before, disjoint and in order. ref is how its dates are
// read.
func (p *Patient) Sweep(text string, tokens []token.Token, spans []phi.Span, ref dates.Reference, trace func(phi.Event)) []phi.Span {
	spans, doubts, odds := findings(spans)
	swept := p.lexicon.Sweep(spans, text, tokens)
	spans, _ = p.combine(text, tokens, swept, doubts, odds, knownAmong(swept[len(spans):]), ref, trace)
	return spans
}

func (p *Patient) combine(text string, tokens []token.Token, spans, doubts []phi.Span, odds chances, known *phi.Overlaps,
	ref dates.Reference, trace func(phi.Event)) ([]phi.Span, Allowed) {
	found := merge.Combine(text, tokens, spans, merge.Options{Trace: trace})
	out := make([]phi.Span, len(found))
	for i, f := range found {
		out[i] = f.Span
	}
	groups := pairs.Find(text)
	out = p.judged(text, tokens, groups, out, odds, known, ref, trace)
	out = beside(text, p.secondLook(text, tokens, groups, out, odds, known, ref, trace), doubts)
	return p.settings.Allow.spare(text, tokens, out, known, trace)
}

// replace draws the replacement of each span of a text.
func (p *Patient) replace(text string, spans []phi.Span, known *phi.Overlaps, document string, ref dates.Reference, out *Released) {
	p.mu.Lock()
	defer p.mu.Unlock() // a panic, which costs the note, must not hold up the patient's others
	all := make([]surrogate.Replacement, len(spans))
	for i, s := range spans {
		all[i].Span = s
		m := surrogate.Mention{Type: s.Type, Surface: text[s.Start:s.End], Document: document, Ref: ref, Known: known.Any(s),
			Doubtful: s.Tagger == phi.Doubt}
		switch s.Type {
		case phi.Age:
			m.Said = said(text, spans, i, ref)
		case phi.Date:
			m.Ref.Birth = m.Known || ofBirth(text, s.Start)
		}
		all[i].New, all[i].Outcome = p.planner.Replace(m)
		all[i].Action = p.planner.Action(m)
	}
	out.Replacements, out.Dates, out.Orders, out.Late = all, p.planner.DateChanges(), p.planner.DateOrders(), p.planner.LateDates()
}

// ofBirth reports whether what stands before byte i says that a date of birth follows:
// two digits of its year are then a year before the note's.
func ofBirth(text string, i int) bool {
	before := strings.ToLower(strings.ReplaceAll(strings.TrimRight(text[max(0, i-24):i], " \t:=(-."), ".", ""))
	for _, said := range births {
		if rest, ok := strings.CutSuffix(before, said); ok && (rest == "" || !isLetter(rest[len(rest)-1])) {
			return true
		}
	}
	return false
}

// births are the words that a date of birth follows.
var births = []string{"dob", "born", "born on", "birth", "birthdate", "birthday", "fnac", "nacimiento", "nacido el", "nacida el"}

// Day returns by how many days a structured date of a note moves, and what that
// is called in reports: the same function moves the dates in its text. In tag
// and mask mode it moves too, as a column of dates has no other form.
func (p *Patient) Day(day int, document string, ref dates.Reference) (days int, outcome string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	days, what := p.planner.Days(day, surrogate.Mention{Type: phi.Date, Document: document, Ref: ref})
	return days, what.String()
}

// Late counts a structured date of a note, before and after, if it is released as
// of a day after the extract's end.
func (p *Patient) Late(before, after int, ref dates.Reference) surrogate.LateDates {
	return p.planner.Late(before, after, ref) // reads settings alone
}

// DateString is Day for a date in a column of strings: it returns what stands
// in its place.
func (p *Patient) DateString(date, document string, ref dates.Reference) (moved, outcome string) {
	if date == "" {
		return "", surrogate.DateKept.String()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	moved, what := p.planner.MoveDate(surrogate.Mention{Type: phi.Date, Surface: date, Document: document, Ref: ref})
	return moved, what.String()
}

// DatesMove reports whether dates in texts move as structured ones do, so that
// the two can be compared.
func (s Settings) DatesMove() bool {
	policy := s.Surrogates.Resolved()
	date := policy.Of(phi.Date)
	return (date == surrogate.Shift || date == surrogate.Keep) && date == policy.DateColumns
}

// idDomain makes all ids one kind, so that an id that is the patient's in one
// table and a foreign key in another still joins.
const idDomain = "id"

// Pseudonym returns the keyed pseudonym of an id: of a string a string, and of
// an integer of so many bits (8, 16, 32 or 64; 0 for a string) another one, in
// decimal.
func (r *Rewriter) Pseudonym(id string, bits int) string {
	if bits == 0 {
		return r.Keys.PseudonymString(idDomain, id)
	}
	v, err := strconv.ParseInt(id, 10, bits)
	if err == nil {
		return strconv.FormatInt(r.Keys.PseudonymInt(idDomain, v, bits), 10)
	}
	u, _ := strconv.ParseUint(id, 10, bits)
	if bits > 16 {
		return strconv.FormatUint(r.Keys.PseudonymUint(idDomain, u, bits, false), 10)
	}
	// The upper half of a narrow unsigned column: it stays there, and is
	// permuted as the lower half is.
	half := uint64(1) << (bits - 1)
	return strconv.FormatUint(half+r.Keys.PseudonymUint(idDomain, u%half, bits, true), 10)
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
