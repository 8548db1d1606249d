package surrogate

import (
	"strconv"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/dates"
)

// Offset returns the days by which the dates of a document move, in texts and
// columns alike; never 0. In date scope patient, the default, it is the same
// for every document.
func (p *Patient) Offset(document string) int {
	if p.opts.DateScope != PerDocument || p.opts.FixedOffset != 0 {
		return p.offset
	}
	if o, ok := p.offsets[document]; ok {
		return o
	}
	o := p.keys.DateOffset("document\x00"+strconv.Itoa(len(p.id))+"\x00"+p.id+document, p.opts.Dates)
	if p.offsets == nil {
		p.offsets = map[string]int{}
	}
	p.offsets[document] = o
	return o
}

// Written enters the day, in days since 1970-01-01, that one of the patient's
// notes was written on. The latest decides whose birth dates say an age above
// the limit. Enter all notes' days before the first Replace.
func (p *Patient) Written(day int) {
	if !p.dated || day > p.latest {
		p.latest, p.dated = day, true
	}
}

// Days returns by how many days a structured date of a document, given in days
// since 1970-01-01, is to move, and why. Texts move by the same function.
func (p *Patient) Days(day int, m Mention) (days int, what DateChange) {
	if Sentinel(day) {
		return 0, DateSentinel
	}
	switch p.opts.Release {
	case Limited:
		return 0, DateKept
	case SafeHarbor:
		year, _, _ := dates.CivilFromDays(day + p.aged(day, m.Ref))
		return dates.DaysFromCivil(year, 1, 1) - day, DateReduced
	}
	if more := p.aged(day, m.Ref); more != 0 {
		return p.Offset(m.Document) + more, DateAged
	}
	return p.Offset(m.Document), DateShifted
}

// DateChange says what became of a structured date.
type DateChange uint8

// The changes.
const (
	DateShifted  DateChange = iota // moved by the offset
	DateAged                       // moved to say the age above the limit, and by the offset
	DateReduced                    // reduced to its year
	DateKept                       // unchanged, as the release allows
	DateSentinel                   // unchanged: it stands for "unknown"
	DateMasked                     // a string that is no date, or masked by policy
	numDateChanges
)

var dateChanges = [numDateChanges]string{"shifted", "aged", "reduced_to_year", "kept", "sentinel", "masked"}

// String returns the change's name in reports.
func (c DateChange) String() string { return dateChanges[c] }

// Sentinel reports whether a day, in days since 1970-01-01, is one that tables
// write for "unknown", "never" or "for ever" rather than a date: the first and
// last days of calendars and of common systems. Moving them would tell the
// offset to whoever knows them, and they say nothing of a patient.
func Sentinel(day int) bool {
	year, month, dayOfMonth := dates.CivilFromDays(day)
	switch year {
	case 1800, 1850, 1900, 1753, 1601:
		return month == 1 && dayOfMonth == 1
	case 1899:
		return month == 12 && dayOfMonth >= 30
	case 1841:
		return month == 1 && dayOfMonth == 1 // the epoch of some records systems is 1840-12-31
	case 1840:
		return month == 12 && dayOfMonth == 31
	}
	return year < 1700 || year >= 2200
}

// aged returns the days by which a date is moved before it is shifted, so that
// nobody is older than the limit and one by subtraction: a date further back
// from the patient's latest note (or from its own, if that is later) is taken
// for a birth date and moved by whole years to say just that age. 29 February
// becomes the 28th in a year without it.
func (p *Patient) aged(day int, ref dates.Reference) int {
	latest, ok := p.latest, p.dated
	if ref.HasNoteDay && (!ok || ref.NoteDay > latest) {
		latest, ok = ref.NoteDay, true
	}
	if !ok || day >= latest {
		return 0
	}
	by, bm, bd := dates.CivilFromDays(day)
	ly, lm, ld := dates.CivilFromDays(latest)
	age := ly - by
	if lm < bm || lm == bm && ld < bd {
		age--
	}
	years := age - (p.opts.AgeLimit + 1)
	if years <= 0 {
		return 0
	}
	if !dates.Valid(by+years, bm, bd) {
		bd-- // 29 February
	}
	return dates.DaysFromCivil(by+years, bm, bd) - day
}

// date replaces a date in a text.
func (p *Patient) date(m Mention) (string, Outcome) {
	out, what := p.MoveDate(m)
	switch {
	case what == DateMasked:
		return out, Masked
	case out == m.Surface:
		return out, Kept
	}
	return out, Replaced
}

// MoveDate moves a date in words or figures, as texts and columns of strings
// hold it, whatever the mode. What cannot be read is masked.
func (p *Patient) MoveDate(m Mention) (string, DateChange) {
	masked := func() (string, DateChange) { return nonEmpty(mask(m.Surface)), DateMasked }
	if p.opts.Release == Limited {
		return nonEmpty(m.Surface), DateKept
	}
	if sentinelText(m.Surface) {
		if p.opts.Sentinels == KeepSentinels {
			return m.Surface, DateSentinel
		}
		return masked()
	}
	more := 0
	if day, ok := dates.ParseDays(m.Surface, m.Ref); ok {
		if Sentinel(day) && p.opts.Sentinels == KeepSentinels {
			return m.Surface, DateSentinel
		} else if Sentinel(day) {
			return masked()
		}
		more = p.aged(day, m.Ref)
	} else if year, ok := statedYear(m.Surface); ok {
		// A year, month or decade: its middle stands for it.
		more = p.aged(dates.DaysFromCivil(year, 7, 2), m.Ref)
	}
	if p.opts.Release == SafeHarbor {
		return p.years(m, more)
	}
	out, ok := dates.Shift(m.Surface, p.Offset(m.Document)+more, m.Ref)
	switch {
	case !ok:
		return masked()
	case more != 0:
		return out, DateAged
	}
	return out, DateShifted
}

// statedYear returns the first number of four digits in s that can be a year.
func statedYear(s string) (int, bool) {
	for _, p := range cut(s) {
		if p.kind == digitPiece && len(p.text) == 4 {
			if y, err := strconv.Atoi(p.text); err == nil && y >= 1700 && y < 2200 {
				return y, true
			}
		}
	}
	return 0, false
}

// sentinelText reports whether a date is written in zeros, nines or ones alone,
// as forms are filled in for "unknown": 00/00/0000, 9/9/9999, 99-99-99.
func sentinelText(s string) bool {
	digits := 0
	var first rune
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9':
			if digits > 0 && r != first {
				return false
			}
			first = r
			digits++
		case !strings.ContainsRune("/-. :T", r):
			return false
		}
	}
	return digits >= 6 && (first == '0' || first == '9')
}
