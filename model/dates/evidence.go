package dates

// Evidence gathers what the dates of a note, and all else that is known of it,
// say of the order of day and month: in 23/4/2014 the day stands first, so it
// does in 3/4/2014 too. The zero value has none.
type Evidence struct{ first, second int } // weights for the day and the month first

// What a date weighs by what tells its order. Decisive is the sum from which a
// note's own evidence stands against its patient's other notes, and enough that
// from which there is an order at all: two days near the note are, one is not,
// as any two dates have a day in common now and then.
const (
	weighsClear     = 4 // a number over 12, in a date with a year
	weighsKnown     = 4 // it is the day of the note or of birth in one order alone
	weighsWeekday   = 3 // it falls on the weekday beside it in one order alone
	weighsPartial   = 2 // a number over 12, in a date without a year; a score has one as well
	weighsSame      = 2 // without a year, it is the day of the note in one order alone
	weighsMonthYear = 1 // as weighsPartial, but the number may be a year: 10/18 in a note of 2019
	weighsNear      = 1 // without a year, it lies in the days before the note in one order alone

	decisive = 4
	enough   = 2
	near     = 10 // days
)

// Known is what is known of a note beside its text.
type Known struct {
	Reference      // its own day, if any
	Born      bool // whether the patient's day of birth is known
	Birth     int  // that day, in days since 1970-01-01
}

// Add weighs one date expression of a note, given by its surface with the
// weekday beside it.
func (e *Evidence) Add(surface string, known Known) {
	day := -1
	for i := 0; i < len(surface); {
		switch {
		case letterAt(surface, i) || surface[i] >= 0x80:
			end := max(letterEnd(surface, i), i+1)
			if w, ok := lookUp(surface[i:end]); ok && w.kind == atomWeekday {
				day = w.val
			}
			i = end
		case digitAt(surface, i):
			n, end := readNumbers(surface, i)
			if n.a > 0 {
				e.weigh(n, day, known)
			}
			day, i = -1, end
		default:
			i++
		}
	}
}

// Join adds the evidence of another note.
func (e *Evidence) Join(o Evidence) { e.first, e.second = e.first+o.first, e.second+o.second }

// Order returns the order that a note's own evidence and that of all of the
// patient's notes tell, or Unknown.
func (e Evidence) Order(all Evidence) DayFirst {
	if o := order(e.first-e.second, decisive); o != Unknown {
		return o
	}
	return order(e.first-e.second+all.first-all.second, enough)
}

func order(balance, least int) DayFirst {
	switch {
	case balance >= least:
		return Yes
	case balance <= -least:
		return No
	}
	return Unknown
}

// numbers are the parts of a numeric date: two numbers and perhaps a year, of
// so many digits.
type numbers struct{ a, b, year, digits int }

// readNumbers reads a/b or a/b/y at s[i], and returns a zero a for anything else
// that begins with a digit.
func readNumbers(s string, i int) (n numbers, end int) {
	a, end := digitRun(s, i)
	separator := byte(0)
	if end < len(s) {
		separator = s[end]
	}
	if end-i > 2 || separator != '/' && separator != '-' && separator != '.' {
		for end < len(s) && (digitAt(s, end) || isSeparator(s[end]) && digitAt(s, end+1)) {
			end++ // a year first, a run of digits
		}
		return numbers{}, end
	}
	from := end + 1
	b, end := digitRun(s, from)
	if end == from || end-from > 2 {
		return numbers{}, max(end, from)
	}
	n = numbers{a: a, b: b}
	if end < len(s) && s[end] == separator {
		if y, e := digitRun(s, end+1); e-end == 3 || e-end == 5 {
			n.year, n.digits, end = y, e-end-1, e
		}
	}
	if n.a < 1 || n.b < 1 || n.a > 31 || n.b > 31 || n.a > 12 && n.b > 12 {
		return numbers{}, end
	}
	return n, end
}

func isSeparator(c byte) bool { return c == '/' || c == '-' || c == '.' }

func digitRun(s string, i int) (n, end int) {
	for end = i; digitAt(s, end); end++ {
		if n < 1e6 {
			n = 10*n + int(s[end]-'0')
		}
	}
	return n, end
}

// weigh enters one numeric date, behind a weekday (0-6) or none (-1).
func (e *Evidence) weigh(n numbers, weekDay int, known Known) {
	add := func(weight int, first bool) {
		if first {
			e.first += weight
		} else {
			e.second += weight
		}
	}
	if n.a > 12 || n.b > 12 {
		switch {
		case n.digits > 0:
			add(weighsClear, n.a > 12)
		case n.b > 12 && known.mayBeYear(n.b):
			add(weighsMonthYear, false)
		default:
			add(weighsPartial, n.a > 12)
		}
		return
	}
	if n.a == n.b {
		return
	}
	dayFirst, ok1 := n.day(n.b, n.a, &known.Reference)
	monthFirst, ok2 := n.day(n.a, n.b, &known.Reference)
	if !ok1 || !ok2 {
		return
	}
	// alone weighs what holds in one order and not in the other.
	alone := func(weight int, holds func(day int) bool) bool {
		one, other := holds(dayFirst), holds(monthFirst)
		if one != other {
			add(weight, one)
		}
		return one != other
	}
	if weekDay >= 0 && alone(weighsWeekday, func(day int) bool { return weekday(day) == weekDay }) {
		return
	}
	if n.digits > 0 && known.Born && alone(weighsKnown, func(day int) bool { return sameDay(day, known.Birth, n.digits) }) ||
		!known.HasNoteDay {
		return
	}
	weight := weighsKnown
	if n.digits == 0 {
		weight = weighsSame
	}
	if !alone(weight, func(day int) bool { return day == known.NoteDay }) && n.digits == 0 {
		alone(weighsNear, func(day int) bool { return day <= known.NoteDay && day > known.NoteDay-near })
	}
}

// sameDay compares days of which one has lost its century where its year has
// two digits.
func sameDay(a, b, digits int) bool {
	y, m, d := CivilFromDays(a)
	y2, m2, d2 := CivilFromDays(b)
	return m == m2 && d == d2 && (y == y2 || digits == 2 && (y-y2)%100 == 0)
}

// day returns the day that n is with a month and a day of it.
func (n numbers) day(month, day int, ref *Reference) (int, bool) {
	y := n.year
	switch n.digits {
	case 0:
		var ok bool
		if y, ok = nearYear(month, day, ref); !ok {
			return 0, false
		}
	case 2:
		y = ref.expand(n.year)
	}
	if !Valid(y, month, day) {
		return 0, false
	}
	return DaysFromCivil(y, month, day), true
}
