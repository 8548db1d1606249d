package surrogate

import (
	"strconv"

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
	if dates.IsSentinel(day) {
		return 0, DateSentinel
	}
	switch p.policy.DateColumns {
	case Keep:
		return 0, DateKept
	case Generalise:
		year, _, _ := dates.CivilFromDays(day)
		if oldest := p.oldest(m.Ref); year < oldest {
			year = oldest - 1
		}
		return dates.DaysFromCivil(year, 1, 1) - day, DateReduced
	}
	offset := p.Offset(m.Document)
	if more := p.aged(day, offset, m.Ref); more != 0 {
		return offset + more, DateAged
	}
	return offset, DateShifted
}

// DateChange says what became of a structured date.
type DateChange uint8

// The changes.
const (
	DateShifted        DateChange = iota // moved by the offset
	DateAged                             // moved to say the age above the limit, and by the offset
	DateReduced                          // reduced to its year
	DateKept                             // unchanged, as the release allows
	DateSentinel                         // unchanged: it stands for "unknown"
	DateMaskedSentinel                   // the same, masked
	DateImpossible                       // masked: a day that does not exist, such as 31 February
	DateOutOfRange                       // masked: the moved date cannot be written
	DateMasked                           // masked: it cannot be read, or has no year that Safe Harbor lets stand
	numDateChanges
)

var dateChanges = [numDateChanges]string{"shifted", "aged", "reduced_to_year", "kept", "sentinel_kept", "sentinel_masked", "impossible",
	"out_of_range", "masked"}

// DateChanges returns what became of the dates that Replace met since it was
// last asked, counted by DateChange.String.
func (p *Patient) DateChanges() map[string]int64 {
	m := map[string]int64{}
	for c, n := range p.changes {
		if n > 0 {
			m[dateChanges[c]] = n
			p.changes[c] = 0
		}
	}
	return m
}

// LateDates counts the dates that were released as of days after the end of the
// extract, by whether they were past in their note or to come, as appointments are.
type LateDates struct{ Past, Future int64 }

// Add adds other counts.
func (l *LateDates) Add(o LateDates) { l.Past, l.Future = l.Past+o.Past, l.Future+o.Future }

// Late counts one date of a note, before and after. Without a day of the extract's
// end it counts from the note's own, and without either it counts nothing.
func (p *Patient) Late(before, after int, ref dates.Reference) (l LateDates) {
	end := p.opts.ExtractEnd
	if end == 0 && ref.HasNoteDay {
		end = ref.NoteDay
	}
	switch {
	case end == 0 || after <= end:
	case ref.HasNoteDay && before > ref.NoteDay || before > end:
		l.Future = 1
	default:
		l.Past = 1
	}
	return l
}

// LateDates returns the count of the dates that Replace met since it was last
// asked.
func (p *Patient) LateDates() LateDates {
	l := p.late
	p.late = LateDates{}
	return l
}

// DateOrders counts the dates whose numbers leave the order of day and month
// open (3/4/2014): how many were read as evidence tells, and how many as usual.
type DateOrders struct{ Decided, Undecided int64 }

// DateOrders returns the orders of the dates that Replace met since it was last
// asked.
func (p *Patient) DateOrders() DateOrders {
	o := p.orders
	p.orders = DateOrders{}
	return o
}

// String returns the change's name in reports.
func (c DateChange) String() string { return dateChanges[c] }

func (p *Patient) latestNote(ref dates.Reference) (day int, ok bool) {
	if ref.HasNoteDay && (!p.dated || ref.NoteDay > p.latest) {
		return ref.NoteDay, true
	}
	return p.latest, p.dated
}

// oldest returns the first year that tells no age above the limit, 0 where no
// note has a date.
func (p *Patient) oldest(ref dates.Reference) int {
	latest, ok := p.latestNote(ref)
	if !ok {
		return 0
	}
	year, _, _ := dates.CivilFromDays(latest)
	return year - p.opts.AgeLimit
}

// aged returns the days by which a date moves beside its shift by offset, so
// that nobody is older than the limit and one by subtraction: a date further
// back from the patient's latest note (or from its own, if that is later) is
// taken for a birth date and moved by whole years to say just that age. Ages
// count in the moved calendar, where leap days fall otherwise: who was a day
// short of the limit's end must not pass it there.
func (p *Patient) aged(day, offset int, ref dates.Reference) int {
	latest, ok := p.latestNote(ref)
	if !ok || day >= latest {
		return 0
	}
	limit := p.opts.AgeLimit
	from, to := day+offset, latest+offset
	if ageOn(day, latest) <= limit {
		more := 0
		for more < 3 && ageOn(from+more, to) > limit {
			more++
		}
		return more
	}
	year, month, dayOfMonth := dates.CivilFromDays(from)
	years := ageOn(from, to) - (limit + 1)
	if !dates.Valid(year+years, month, dayOfMonth) && dates.Valid(year+years, month, dayOfMonth-1) {
		dayOfMonth-- // 29 February
	}
	if !dates.Valid(year+years, month, dayOfMonth) {
		return 0 // out of range, as the shift will say
	}
	more := dates.DaysFromCivil(year+years, month, dayOfMonth) - from
	for ageOn(from+more, to) > limit+1 {
		more++ // the 28th in place of the 29th
	}
	return more
}

// ageOn returns the age in years, on a day, of who was born on another.
func ageOn(birth, on int) int {
	by, bm, bd := dates.CivilFromDays(birth)
	y, m, d := dates.CivilFromDays(on)
	age := y - by
	if m < bm || m == bm && d < bd {
		age--
	}
	return age
}

// date replaces a date in a text: shifts or generalises it.
func (p *Patient) date(m Mention, action Action) (string, Outcome) {
	if m.Surface == "" {
		return "X", Masked
	}
	out, what, f := p.moveDate(m, action)
	p.changes[what]++
	switch {
	case f.Ambiguous():
		p.orders.Undecided++
	case f.Open():
		p.orders.Decided++
	}
	if what == DateShifted || what == DateAged {
		offset := p.Offset(m.Document)
		for _, d := range f.EachDay() {
			p.late.Add(p.Late(d.Day, d.Day+offset, m.Ref))
		}
	}
	switch {
	case what >= DateMaskedSentinel:
		return out, Masked
	case out == m.Surface:
		return out, Kept
	}
	return out, Replaced
}

// MoveDate moves a date in words or figures in a column of strings, which are
// treated as structured dates are. What cannot be read is masked; what names no day
// ("two weeks ago") stays.
func (p *Patient) MoveDate(m Mention) (string, DateChange) {
	out, what, _ := p.moveDate(m, p.policy.DateColumns)
	return out, what
}

// moveDate is MoveDate, and returns the date as it was read.
func (p *Patient) moveDate(m Mention, action Action) (string, DateChange, dates.Form) {
	if action == Keep {
		return nonEmpty(m.Surface), DateKept, dates.Form{}
	}
	f, err := dates.Parse(m.Surface, m.Ref)
	switch {
	case err == dates.ErrSentinel && p.opts.Sentinels == KeepSentinels:
		return m.Surface, DateSentinel, f
	case err == dates.ErrSentinel:
		return nonEmpty(mask(m.Surface)), DateMaskedSentinel, f
	case err == dates.ErrRelative:
		return nonEmpty(m.Surface), DateKept, f
	case err == dates.ErrImpossible:
		return nonEmpty(mask(m.Surface)), DateImpossible, f
	case err != nil:
		return nonEmpty(mask(m.Surface)), DateMasked, f
	}
	if action == Generalise {
		out, ok := f.SafeHarbor(p.oldest(m.Ref))
		if !ok {
			return noYear, DateMasked, f
		}
		return out, DateReduced, f
	}
	more, offset := 0, p.Offset(m.Document)
	if day, ok := f.Days(); ok {
		more = p.aged(day, offset, m.Ref)
	} else {
		for i, day := range f.Stated() {
			// A year, month or decade: its middle stands for it.
			aged := p.aged(day, offset, m.Ref)
			if i > 0 && aged != more {
				return nonEmpty(mask(m.Surface)), DateMasked, f // one shift cannot be right for both ends
			}
			more = aged
		}
	}
	out, err := f.Shift(offset+more, p.datePolicy())
	switch {
	case err != nil:
		return nonEmpty(mask(m.Surface)), DateOutOfRange, f
	case more != 0:
		return out, DateAged, f
	}
	return out, DateShifted, f
}

// noYear stands for a date without a year under Safe Harbor: nothing of it may
// stay, and a made-up year would lie.
const noYear = "[DATE]"

func (p *Patient) datePolicy() dates.Policy {
	switch {
	case p.opts.FixedOffset != 0: // a supplied offset keeps what it keeps
	case p.opts.Dates.Policy == Season:
		return dates.Season
	case p.opts.Dates.Policy == Plain:
		return dates.Plain
	}
	return dates.Weekday
}
