package attack

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// Note is a released note.
type Note struct {
	Row
	Dated bool   // Day is known: by a column, or by the dates of the text
	Text  string // all its texts
}

// Outsider is what somebody knows who has a release: what its manifest says, and
// what is generally known, or known of the institution.
type Outsider struct {
	Shifts     []int // days by which dates may have moved, in order
	Language   dates.Language
	Begin, End int                          // first and last day of the extract, in days since 1970-01-01; 0 for unknown
	Dates      func(text string) []phi.Span // finds dates in a text, in order
}

// Kinds of evidence, but for the order of rows.
const (
	Range    = "first and last day of the extract"
	Unmoved  = "full dates that did not move"
	Yearless = "dates without a year that did not"
	Holidays = "holidays beside a date"
	Firsts   = "epidemics and products with a first day"
	Ages     = "ages against dates of birth"
	Together = "all of these together"
)

// Kinds lists them, in the order of Clues.
func Kinds() []string { return []string{Range, Unmoved, Yearless, Holidays, Firsts, Ages, Together} }

// Clues is what one kind of evidence tells of one patient: the shifts that are
// left. It tells nothing where all are.
type Clues struct {
	Tokens int   // words and dates that say something
	Left   []int // shifts that fit best, in order
}

// Radius is by how many days the middle of what is left may be wrong.
func (c Clues) Radius() float64 {
	if len(c.Left) == 0 {
		return math.Inf(1)
	}
	return float64(c.Left[len(c.Left)-1]-c.Left[0]) / 2
}

const holidayKind = 3 // among Kinds

// Evidence is what was collected about one patient.
type Evidence struct{ kinds [6]weight }

// weight collects one kind of evidence: bounds that hold for certain, and votes.
type weight struct {
	tokens    int
	bounded   bool
	low, high int
	votes     []uint16 // by shift; nil for none
}

// bound leaves the shifts from low to high alone.
func (w *weight) bound(low, high int) {
	if !w.bounded {
		w.bounded, w.low, w.high = true, math.MinInt, math.MaxInt
	}
	w.low, w.high = max(w.low, low), min(w.high, high)
}

// vote is for the shifts for which yes says so. One for none, or for all, tells nothing.
func (o *Outsider) vote(w *weight, yes func(shift int) bool) {
	o.votes(w, strong, yes)
}

// Votes have a weight: many dates without a year only look as if they had not moved.
const (
	weak   = 1
	strong = 4
)

func (o *Outsider) votes(w *weight, each uint16, yes func(shift int) bool) {
	votes, n := make([]uint16, len(o.Shifts)), 0
	for i, s := range o.Shifts {
		if yes(s) {
			votes[i] = each
			n++
		}
	}
	if n == 0 || n == len(votes) {
		return
	}
	w.tokens++
	w.add(votes)
}

func (w *weight) add(votes []uint16) {
	if w.votes == nil {
		w.votes = make([]uint16, len(votes))
	}
	for i, v := range votes {
		w.votes[i] = min(w.votes[i]+v, math.MaxUint16/2)
	}
}

// left returns the shifts within the bounds that have the most votes. Where
// evidence contradicts itself, none is ruled out.
func (o *Outsider) left(of ...*weight) Clues {
	all := weight{}
	for _, w := range of {
		all.tokens += w.tokens
		if w.bounded {
			all.bound(w.low, w.high)
		}
		if w.votes != nil {
			all.add(w.votes)
		}
	}
	c, most := Clues{Tokens: all.tokens}, uint16(0)
	for i, s := range o.Shifts {
		if all.bounded && (s < all.low || s > all.high) {
			continue
		}
		v := uint16(0)
		if all.votes != nil {
			v = all.votes[i]
		}
		if v > most {
			c.Left, most = nil, v
		}
		if v == most {
			c.Left = append(c.Left, s)
		}
	}
	if len(c.Left) == 0 {
		c.Left = o.Shifts
	}
	return c
}

// Add takes in a note of a patient. One that is not dated tells nothing.
func (o *Outsider) Add(e *Evidence, n *Note) {
	if !n.Dated {
		return
	}
	mentions := o.mentions(n)
	o.holidays(&e.kinds[holidayKind], n, mentions) // first: it says which dates are explained
	for i, find := range []func(*weight, *Note, []mention){o.extract, o.unmoved, o.yearless, nil, o.firsts, o.ages} {
		if find != nil {
			find(&e.kinds[i], n, mentions)
		}
	}
}

// Clues returns what each of Kinds tells.
func (o *Outsider) Clues(e *Evidence) []Clues {
	var out []Clues
	var all []*weight
	for i := range e.kinds {
		out = append(out, o.left(&e.kinds[i]))
		all = append(all, &e.kinds[i])
	}
	return append(out, o.left(all...))
}

// extract: a note was written while the extract lasted.
func (o *Outsider) extract(w *weight, n *Note, _ []mention) {
	if o.End != 0 {
		w.bound(n.Day-o.End, math.MaxInt)
	}
	if o.Begin != 0 {
		w.bound(math.MinInt, n.Day-o.Begin)
	}
}

// firsts: it was written after the first day of what it speaks of.
func (o *Outsider) firsts(w *weight, n *Note, _ []mention) {
	if first, words := latestFirst(n.Text); words > 0 {
		w.tokens += words
		w.bound(math.MinInt, n.Day-first)
	}
}

// mention is a date in a text.
type mention struct {
	start, end int
	day        int
	year       bool // it was written
	holiday    bool // whose name stands beside it
}

var numeric = regexp.MustCompile(`^\d{1,2}([/-])\d{1,2}$`)

// mentions reads the dates of a note: those without a year as the last that is
// not far behind the note, as package dates does.
func (o *Outsider) mentions(n *Note) (all []mention) {
	ref := dates.Reference{Language: o.Language, NoteDay: n.Day, HasNoteDay: true}
	for _, s := range o.Dates(n.Text) {
		surface := n.Text[s.Start:s.End]
		if d, ok := dates.ParseDays(surface, ref); ok {
			all = append(all, mention{start: s.Start, end: s.End, day: d, year: true})
			continue
		}
		separator := " "
		if m := numeric.FindStringSubmatch(surface); m != nil {
			separator = m[1]
		} else if !strings.ContainsAny(surface, "0123456789") {
			continue
		}
		if d, ok := latest(surface+separator, n.Day, ref); ok {
			all = append(all, mention{start: s.Start, end: s.End, day: d})
		}
	}
	return all
}

const ahead = 92 // days by which a date without a year may lie behind its note

// latest reads a date without a year as the latest that is not far behind a day.
func latest(surface string, day int, ref dates.Reference) (int, bool) {
	last, _, _ := dates.CivilFromDays(day + ahead)
	for year := last; year > last-2; year-- {
		if d, ok := dates.ParseDays(surface+strconv.Itoa(year), ref); ok && d <= day+ahead {
			return d, true
		}
	}
	return 0, false
}

const (
	recent = 30  // days before a note of what it mostly speaks of
	early  = 150 // days after it of what it hardly speaks of
	stale  = 60  // days before it of a date without a year that is hardly its own
)

// unmoved: a date that does not go with its note's released day, and with the
// true one would, if it is true itself.
func (o *Outsider) unmoved(w *weight, n *Note, all []mention) {
	for _, m := range all {
		if m.year && !m.holiday && m.day > n.Day+early {
			o.vote(w, func(s int) bool { return s >= n.Day-m.day-recent && s <= n.Day-m.day })
		}
	}
}

// yearless: the same of a date without a year. It may have been in any of them.
func (o *Outsider) yearless(w *weight, n *Note, all []mention) {
	for _, m := range all {
		if m.year || m.holiday || m.day >= n.Day-stale && m.day <= n.Day+recent {
			continue
		}
		_, month, dayOf := dates.CivilFromDays(m.day)
		o.votes(w, weak, func(s int) bool {
			day := n.Day - s // on which the note was written, then
			year, _, _ := dates.CivilFromDays(day)
			for y := year - 1; y <= year; y++ {
				if d := dates.DaysFromCivil(y, month, dayOf); d <= day && d >= day-recent {
					return true
				}
			}
			return false
		})
	}
}

// beside is what may stand between a holiday and its date.
var beside = regexp.MustCompile(`^[\s,:;(–-]{1,3}$`)

// holidays: a date that stands beside a holiday's name is that holiday's, moved.
func (o *Outsider) holidays(w *weight, n *Note, all []mention) {
	for _, h := range dates.Holidays(n.Text) {
		for i, m := range all {
			gap := ""
			switch {
			case m.start >= h.End && m.start-h.End <= 3:
				gap = n.Text[h.End:m.start]
			case h.Start >= m.end && h.Start-m.end <= 3:
				gap = n.Text[m.end:h.Start]
			}
			if !beside.MatchString(gap) {
				continue
			}
			all[i].holiday = true
			o.vote(w, func(s int) bool {
				year, _, _ := dates.CivilFromDays(m.day - s)
				d, ok := h.In(year)
				return ok && d == m.day-s
			})
		}
	}
}

var (
	bornBefore = regexp.MustCompile(`(?i)\b(?:dob|d\.o\.b\.?|date of birth|born|birth ?date|fecha de nacimiento|nacid[oa])\b[^\d\n]{0,12}$`)
	aged       = regexp.MustCompile(`(?i)\b(\d{1,2})[- ]?(?:y/?o\b|years?[- ]old|yrs?[- ]old|year-old|años)`)
)

// ages: a date of birth that does not go with the age and the note's released
// day did not move, and with the age tells the year in which the note was written.
func (o *Outsider) ages(w *weight, n *Note, all []mention) {
	const year = 365.25
	m := aged.FindStringSubmatch(n.Text)
	if m == nil {
		return
	}
	age, _ := strconv.Atoi(m[1])
	for _, d := range all {
		if !d.year || !bornBefore.MatchString(n.Text[max(0, d.start-40):d.start]) {
			continue
		}
		if apart := float64(n.Day-d.day)/year - float64(age); apart > -1 && apart < 2 {
			continue // it agrees
		}
		from := d.day + int(float64(age)*year)
		o.vote(w, func(s int) bool { return s >= n.Day-from-366 && s <= n.Day-from })
	}
}
