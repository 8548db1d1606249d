package dates

// Shift moves the date expression s by a number of days and returns it in the
// same form. ok is false, and out empty, where Parse or Form.Shift have an
// error; the caller masks it. A weekday, month, quarter, season, year or decade
// alone may come out as it went in: see the package comment.
func Shift(s string, days int, ref Reference) (out string, ok bool) {
	f, err := Parse(s, ref)
	if err != nil {
		return "", false
	}
	out, err = f.Shift(days, Plain)
	return out, err == nil
}

// Shift moves f by a number of days under a policy and prints it. The only
// error is ErrOutOfRange, and ErrUnreadable for the zero Form.
func (f Form) Shift(days int, policy Policy) (string, error) {
	const most = 4_000_000 // more than the days of all years that are printed
	if f.f == nil {
		return "", ErrUnreadable
	}
	if days > most || days < -most {
		return "", ErrOutOfRange
	}
	out, err := f.f.shift(days, policy)
	if err != nil {
		return "", err
	}
	if days != 0 && out == f.f.src && f.Full() {
		return "", ErrOutOfRange // two digits hide a whole century
	}
	return out, nil
}

func (f *form) shift(days int, policy Policy) (string, error) {
	if f.other != nil {
		out, ok := f.other.shift(days)
		if !ok {
			return "", ErrOutOfRange
		}
		return out, nil
	}
	_, annual := wholeYears(days)
	annual = annual && policy == Season
	var buf [4]resolved
	p := printer{form: f, days: days, ends: append(buf[:0], f.res...)}
	for i := range p.ends {
		r, e := &p.ends[i], &f.ends[i]
		if r.unit == unitNone {
			continue
		}
		moved := r.days + days
		if !validDays(moved) {
			return "", ErrOutOfRange
		}
		r.year, r.month, r.day = CivilFromDays(moved)
		switch {
		case r.unit == unitSeason && r.month == 12 && e.has(roleYear):
			r.year++ // a winter has the year of its January
		case e.has(roleHoliday) && days == 0:
			r.named = true
		case e.has(roleHoliday) && annual:
			h := &holidays[f.at(e, roleHoliday).holiday]
			if y, ok := h.near(moved, 4); ok {
				r.named, r.year = true, y
			}
		}
		if r.year > maxYear || e.has(roleYear) && !f.centuryShows(f.at(e, roleYear), r, days) {
			return "", ErrOutOfRange
		}
	}
	p.padding()
	return p.print(), nil
}

// centuryShows reports whether the two digits of a moved year are read as that
// year by a note that has moved as well. Without a note date any reading is a
// guess, and nothing is refused.
func (f *form) centuryShows(a *atom, r *resolved, days int) bool {
	if a.kind == atomYear || a.kind == atomYearWord || !f.ref.HasNoteDay {
		return true
	}
	ref := f.ref
	ref.NoteDay += days
	year := ref.expand(mod(r.year, 100))
	if ref.Birth && r.unit == unitDay && Valid(year, r.month, r.day) && DaysFromCivil(year, r.month, r.day) > ref.day() {
		year -= 100
	}
	return year == r.year
}
