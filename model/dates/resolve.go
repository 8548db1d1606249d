package dates

// DayFirst says whether 3/4/2014 is the third of April. The zero value leaves
// it open.
type DayFirst uint8

// The three answers.
const (
	Unknown DayFirst = iota
	Yes              // day, month, year
	No               // month, day, year
)

// Reference is what a date with missing parts is resolved against. It never
// decides what is printed, only which day is moved.
type Reference struct {
	NoteDay    int  // day the note was written, in days since 1970-01-01
	HasNoteDay bool // whether NoteDay is known
	DayFirst   DayFirst
}

// How far after the note a date without a year or month may lie, in days.
const (
	futureMonthDay = 92
	futureDay      = 15
)

// defaultDay stands for the day of a note without a date: 2000-09-30, so that
// a date without a year falls into the leap year 2000.
var defaultDay = DaysFromCivil(2000, 9, 30)

func (r Reference) day() int {
	if r.HasNoteDay && validDays(r.NoteDay) {
		return r.NoteDay
	}
	return defaultDay
}

// expand gives a two-digit year its century.
func (r Reference) expand(yy int) int {
	if !r.HasNoteDay {
		if yy >= 69 {
			return 1900 + yy
		}
		return 2000 + yy
	}
	y, _, _ := CivilFromDays(r.day())
	return y + 5 - mod(y+5-yy, 100)
}

// resolved is one end with its parts filled in.
type resolved struct {
	year, month, day int // 0 for none
	unit             unit
	days             int  // the day that is moved
	moved            int  // the same after the shift
	lent             bool // month taken from another end
	donor            int  // index of that end
}

// unit is what an end names.
type unit uint8

const (
	unitNone unit = iota // a weekday alone
	unitDay
	unitMonth
	unitYear
	unitSeason
	unitDecade
)

// resolve fills the missing parts of all ends. roles holds the atoms' roles
// with the order of open numbers decided.
func (f Form) resolve(ref Reference) (ends []resolved, roles []role, ok bool) {
	roles = make([]role, len(f.atoms))
	for i, a := range f.atoms {
		roles[i] = a.role
	}
	monthIs, dayIs, ok := f.order(ref)
	if !ok {
		return nil, nil, false
	}
	ends = make([]resolved, len(f.ends))
	for i, e := range f.ends {
		r := &ends[i]
		if e.first >= 0 {
			first, second := &r.month, &r.day
			if monthIs == roleSecond {
				first, second = second, first
			}
			*first, *second = f.atoms[e.first].val, f.atoms[e.second].val
			for _, j := range []int{e.first, e.second} {
				if f.atoms[j].role == dayIs {
					roles[j] = roleDay
				} else {
					roles[j] = roleMonth
				}
			}
			if r.month == 0 || r.day == 0 {
				return nil, nil, false
			}
		}
		if e.month >= 0 {
			r.month = f.atoms[e.month].val
		}
		if e.day >= 0 {
			r.day = f.atoms[e.day].val
		}
		if e.year >= 0 {
			a := f.atoms[e.year]
			r.year = a.val
			if a.kind != atomYear {
				r.year = ref.expand(a.val)
			}
			if r.year < minYear || r.year > maxYear {
				return nil, nil, false
			}
		}
		if (e.month >= 0 || e.first >= 0) && (r.month < 1 || r.month > 12) || (e.day >= 0 || e.first >= 0) && (r.day < 1 || r.day > 31) {
			return nil, nil, false
		}
		r.unit = f.unitOf(e, r)
	}
	lendMonths(ends)
	lendYears(f, ends, ref)
	for i := range ends {
		if !ends[i].place(f, f.ends[i], ref) {
			return nil, nil, false
		}
	}
	return ends, roles, true
}

func (f Form) unitOf(e end, r *resolved) unit {
	switch {
	case e.season >= 0:
		return unitSeason
	case e.decade >= 0:
		return unitDecade
	case e.holiday >= 0 || r.day > 0:
		return unitDay
	case r.month > 0:
		return unitMonth
	case r.year > 0:
		return unitYear
	}
	return unitNone
}

// order decides which of two open numbers is the month, for all ends alike.
func (f Form) order(ref Reference) (month, day role, ok bool) {
	dayFirst := ref.DayFirst == Yes
	open, dots, large1, large2, lone := false, true, false, false, false
	for i, e := range f.ends {
		if e.first < 0 {
			continue
		}
		open = true
		large1 = large1 || f.atoms[e.first].val > 12
		large2 = large2 || f.atoms[e.second].val > 12
		dots = dots && f.src[f.atoms[e.first].end] == '.'
		// The 4 of 4-6/3/2014 can only share a month that stands behind it.
		lone = lone || i > 0 && f.ends[i-1].day >= 0 && f.ends[i-1].month < 0 && f.atoms[f.ends[i-1].day].kind == atomNumber
	}
	switch {
	case !open:
	case large1 && large2:
		return 0, 0, false
	case large1:
		dayFirst = true
	case large2:
		dayFirst = false
	case ref.DayFirst == Unknown:
		dayFirst = dots || lone
	}
	if lone && !dayFirst {
		return 0, 0, false
	}
	if dayFirst {
		return roleSecond, roleFirst, true
	}
	return roleFirst, roleSecond, true
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
func lendYears(f Form, ends []resolved, ref Reference) {
	if len(ends) < 2 {
		return
	}
	takes := func(i int) bool {
		r := ends[i]
		return r.year == 0 && r.month > 0 && (r.unit == unitDay || r.unit == unitMonth)
	}
	after := func(a, b resolved) bool { // a is later in the year than b
		if a.month != b.month {
			return a.month > b.month
		}
		return a.day > 0 && b.day > 0 && a.day > b.day
	}
	backward := func() {
		for i := len(ends) - 2; i >= 0; i-- {
			if n := ends[i+1]; takes(i) && n.year > 0 && n.month > 0 {
				ends[i].year = n.year
				if after(ends[i], n) {
					ends[i].year--
				}
			}
		}
	}
	backward()
	for i := 1; i < len(ends); i++ {
		if b := ends[i-1]; takes(i) && b.year > 0 && b.month > 0 {
			ends[i].year = b.year
			if after(b, ends[i]) {
				ends[i].year++
			}
		}
	}
	last := len(ends) - 1
	if !takes(last) {
		return
	}
	if y, ok := nearYear(ends[last].month, max(ends[last].day, 1), ref); ok {
		ends[last].year = y
		backward()
	}
}

// nearYear returns the year of the latest such day at most futureMonthDay days
// after the note.
func nearYear(month, day int, ref Reference) (int, bool) {
	limit := ref.day() + futureMonthDay
	y, _, _ := CivilFromDays(limit)
	for n := 0; n <= 8; n, y = n+1, y-1 { // 29 February: at most 8 years back
		if Valid(y, month, day) && DaysFromCivil(y, month, day) <= limit {
			return y, true
		}
	}
	return 0, false
}

// place finds the day that r moves by. It is false for a day that does not exist.
func (r *resolved) place(f Form, e end, ref Reference) bool {
	switch r.unit {
	case unitNone:
		return true
	case unitSeason:
		r.month, r.day = 3*f.atoms[e.season].val+1, 15
	case unitDecade:
		d := f.atoms[e.decade].val
		if d < 100 {
			d = ref.expand(d)
		}
		if d < plausibleFirst || d > 2190 {
			return false
		}
		r.year, r.month, r.day = d+5, 1, 1
	case unitMonth:
		r.day = 15
	case unitYear:
		if r.year < minYear {
			return false
		}
		r.days = DaysFromCivil(r.year, 1, 1) + 182
		return true
	case unitDay:
		if e.holiday >= 0 {
			return r.placeHoliday(f.atoms[e.holiday].holiday, ref)
		}
		if r.month == 0 {
			return r.year == 0 && r.placeDay(ref) // "6, 2014" lacks its month
		}
	}
	if r.year == 0 {
		y, ok := nearYear(r.month, r.day, ref)
		if !ok {
			return false
		}
		r.year = y
	}
	if !Valid(r.year, r.month, r.day) {
		return false
	}
	r.days = DaysFromCivil(r.year, r.month, r.day)
	return true
}

// placeHoliday takes the year written, or the note's rule.
func (r *resolved) placeHoliday(h holiday, ref Reference) bool {
	y := r.year
	if y == 0 {
		limit := ref.day() + futureMonthDay
		if y, _, _ = CivilFromDays(limit); h.days(y) > limit {
			y--
		}
	}
	r.days = h.days(y)
	return true
}

// placeDay finds the month of a day alone.
func (r *resolved) placeDay(ref Reference) bool {
	y, m, _ := CivilFromDays(ref.day() + futureDay)
	for range 3 {
		if Valid(y, m, r.day) && DaysFromCivil(y, m, r.day) <= ref.day()+futureDay {
			r.days = DaysFromCivil(y, m, r.day)
			return true
		}
		if m--; m == 0 {
			y, m = y-1, 12
		}
	}
	return false
}

// ParseDays reads a full date, as string columns hold, and returns its days
// since 1970-01-01. ok is false for anything but one existing date with year,
// month and day.
func ParseDays(s string, ref Reference) (days int, ok bool) {
	f, ok := Parse(s)
	if !ok || !f.Full() {
		return 0, false
	}
	if f.other != nil {
		return f.other.days()
	}
	ends, _, ok := f.resolve(ref)
	if !ok {
		return 0, false
	}
	return ends[0].days, true
}
