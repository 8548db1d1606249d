package dates

// resolved is one end with its parts filled in.
type resolved struct {
	year, month, day int // 0 for none
	days             int // the day that is moved
	donor            int // index of the end that lent the month
	unit             unit
	lent             bool // month taken from another end
	named            bool // a holiday that keeps its name
}

// unit is what an end names.
type unit uint8

const (
	unitNone unit = iota // a weekday alone
	unitDay
	unitMonth
	unitQuarter
	unitSeason
	unitYear
	unitDecade
)

// resolve decides the order of open numbers and fills the missing parts of all
// ends. The error is ErrImpossible or ErrUnreadable.
func (f *form) resolve() error {
	dayFirst, ok := f.order()
	if !ok {
		return ErrImpossible
	}
	f.dayFirst = dayFirst
	f.res = f.resBuf[:0]
	for i := range f.ends {
		e := &f.ends[i]
		var r resolved
		if e.has(roleFirst) {
			first, second := roleMonth, roleDay
			if dayFirst {
				first, second = roleDay, roleMonth
			}
			f.at(e, roleFirst).role, f.at(e, roleSecond).role = first, second
			e[first], e[second] = e[roleFirst], e[roleSecond]
			e[roleFirst], e[roleSecond] = 0, 0
		}
		if e.has(roleMonth) {
			if r.month = int(f.at(e, roleMonth).val); r.month < 1 || r.month > 12 {
				return ErrImpossible
			}
		}
		if e.has(roleDay) {
			if r.day = int(f.at(e, roleDay).val); r.day < 1 || r.day > 31 {
				return ErrImpossible
			}
		}
		if e.has(roleYear) {
			a := f.at(e, roleYear)
			r.year = int(a.val)
			if a.kind != atomYear && a.kind != atomYearWord {
				r.year = f.ref.expand(r.year)
			}
			if r.year < minYear || r.year > maxYear {
				return ErrImpossible
			}
		}
		r.unit = unitOf(e, &r)
		f.res = append(f.res, r)
	}
	lendMonths(f.res)
	f.lendYears()
	for i := range f.res {
		if err := f.place(&f.res[i], &f.ends[i]); err != nil {
			return err
		}
	}
	return nil
}

func unitOf(e *end, r *resolved) unit {
	switch {
	case e.has(roleSeason):
		return unitSeason
	case e.has(roleQuarter):
		return unitQuarter
	case e.has(roleDecade):
		return unitDecade
	case e.has(roleHoliday) || r.day > 0:
		return unitDay
	case r.month > 0:
		return unitMonth
	case r.year > 0:
		return unitYear
	}
	return unitNone
}

// order decides which of two open numbers is the month, for all ends alike.
func (f *form) order() (dayFirst, ok bool) {
	open, dots, large1, large2, lone, differ := false, true, false, false, false, false
	for i := range f.ends {
		e := &f.ends[i]
		if !e.has(roleFirst) {
			continue
		}
		first, second := f.at(e, roleFirst), f.at(e, roleSecond)
		open = true
		large1 = large1 || first.val > 12
		large2 = large2 || second.val > 12
		differ = differ || first.val != second.val
		dots = dots && int(first.end) < len(f.text) && f.text[first.end] == '.'
		// The 4 of 4-6/3/2014 can only share a month that stands behind it.
		if i > 0 {
			b := &f.ends[i-1]
			lone = lone || b.has(roleDay) && !b.has(roleMonth) && f.at(b, roleDay).kind == atomNumber
		}
	}
	if !open {
		return false, true
	}
	dayFirst, said := f.ref.dayFirst()
	f.open = differ
	switch {
	case large1 && large2:
		return false, false
	case large1:
		dayFirst, f.open = true, false
	case large2:
		dayFirst, f.open = false, false
	case f.ref.DayFirst == Unknown && lone:
		dayFirst, f.open = true, false
	case !said:
		dayFirst = dots
	}
	return dayFirst, dayFirst || !lone
}

// lendMonths gives days without a month the month of the date before them, or
// else of the one after: "March 4-6", "4-6 March". A month without a day
// lends nothing.
func lendMonths(ends []resolved) {
	donor := -1
	lend := func(i int) {
		r := &ends[i]
		switch {
		case r.unit != unitDay:
			donor = -1
		case r.month > 0 && !r.lent:
			donor = i
		case r.month == 0 && r.day > 0 && donor >= 0:
			r.month, r.lent, r.donor = ends[donor].month, true, donor
		}
	}
	for i := range ends {
		lend(i)
	}
	donor = -1
	for i := len(ends) - 1; i >= 0; i-- {
		lend(i)
	}
}

// lendYears gives dates of a range without a year that of their neighbours,
// so that they follow each other.
func (f *form) lendYears() {
	ends := f.res
	if len(ends) < 2 {
		return
	}
	takes := func(i int) bool {
		r := &ends[i]
		return r.year == 0 && r.month > 0 && (r.unit == unitDay || r.unit == unitMonth)
	}
	after := func(a, b *resolved) bool { // a is later in the year than b
		if a.month != b.month {
			return a.month > b.month
		}
		return a.day > 0 && b.day > 0 && a.day > b.day
	}
	backward := func() {
		for i := len(ends) - 2; i >= 0; i-- {
			if n := &ends[i+1]; takes(i) && n.year > 0 && n.month > 0 {
				ends[i].year = n.year
				if after(&ends[i], n) {
					ends[i].year--
				}
			}
		}
	}
	backward()
	for i := 1; i < len(ends); i++ {
		if b := &ends[i-1]; takes(i) && b.year > 0 && b.month > 0 {
			ends[i].year = b.year
			if after(b, &ends[i]) {
				ends[i].year++
			}
		}
	}
	last := len(ends) - 1
	if !takes(last) {
		return
	}
	if y, ok := nearYear(ends[last].month, max(ends[last].day, 1), &f.ref); ok {
		ends[last].year = y
		backward()
	}
}

// nearYear returns the year of the latest such day at most futureMonthDay days
// after the note.
func nearYear(month, day int, ref *Reference) (int, bool) {
	limit := ref.day() + futureMonthDay
	y, _, _ := CivilFromDays(limit)
	for n := 0; n <= 8; n, y = n+1, y-1 { // 29 February: at most 8 years back
		if Valid(y, month, day) && DaysFromCivil(y, month, day) <= limit {
			return y, true
		}
	}
	return 0, false
}

// place finds the day that r moves by.
func (f *form) place(r *resolved, e *end) error {
	switch r.unit {
	case unitNone:
		return nil
	case unitSeason:
		r.month, r.day = 3*int(f.at(e, roleSeason).val)+1, 15
		if e.has(roleYearTo) {
			r.year++ // the year of its January
		}
	case unitQuarter:
		r.month, r.day = 3*int(f.at(e, roleQuarter).val)-1, 15
	case unitDecade:
		d := int(f.at(e, roleDecade).val)
		if d < 100 {
			d = f.ref.expand(d)
		}
		if d < plausibleFirst || d > 2190 {
			return ErrUnreadable
		}
		r.year, r.month, r.day = d+5, 1, 1
	case unitMonth:
		r.day = 15
	case unitYear:
		r.days = DaysFromCivil(r.year, 1, 1) + 182
		return nil
	case unitDay:
		if e.has(roleHoliday) {
			return f.placeHoliday(r, e)
		}
		if r.month == 0 {
			if r.year != 0 {
				return ErrUnreadable // "6, 2014" lacks its month
			}
			return f.placeDay(r)
		}
	}
	if r.year == 0 {
		y, ok := nearYear(r.month, r.day, &f.ref)
		if !ok {
			return ErrImpossible
		}
		r.year = y
	}
	if !Valid(r.year, r.month, r.day) {
		return ErrImpossible
	}
	r.days = DaysFromCivil(r.year, r.month, r.day)
	if f.ref.Birth && r.days > f.ref.day() && f.ref.HasNoteDay && e.has(roleYear) && f.at(e, roleYear).width() < 4 &&
		Valid(r.year-100, r.month, r.day) {
		r.year -= 100 // born later in the year of the note, a century ago
		r.days = DaysFromCivil(r.year, r.month, r.day)
	}
	return nil
}

// placeHoliday takes the year written, or the latest such day that is not too
// far after the note. The tables of some holidays do not hold every year.
func (f *form) placeHoliday(r *resolved, e *end) error {
	h := &holidays[f.at(e, roleHoliday).holiday]
	if r.year > 0 {
		d, ok := h.dayIn(r.year)
		if !ok {
			return ErrUnreadable
		}
		r.days = d
		return nil
	}
	limit := f.ref.day() + futureMonthDay
	y, _, _ := CivilFromDays(limit)
	for ; y >= 1900; y-- {
		d, ok := h.dayIn(y)
		if !ok {
			break
		}
		if d <= limit {
			r.days = d
			return nil
		}
	}
	return ErrUnreadable
}

// placeDay finds the month of a day alone.
func (f *form) placeDay(r *resolved) error {
	y, m, _ := CivilFromDays(f.ref.day() + futureDay)
	for range 3 {
		if Valid(y, m, r.day) && DaysFromCivil(y, m, r.day) <= f.ref.day()+futureDay {
			r.days = DaysFromCivil(y, m, r.day)
			return nil
		}
		if m--; m == 0 {
			y, m = y-1, 12
		}
	}
	return ErrImpossible
}
