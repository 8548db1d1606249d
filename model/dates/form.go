package dates

import "slices"

// Form is one parsed date expression: a date, a part of one, or a range or
// list of them. It is read only, and safe for concurrent use. The zero Form
// holds nothing.
type Form struct{ f *form }

// form holds what Parse found. text is src as it was read: letters taken for
// digits are replaced; both have the same length.
type form struct {
	src, text string
	lang      Language
	ref       Reference
	open      bool
	dayFirst  bool    // how open numbers were read
	other     shifter // set instead of atoms for forms with a scheme of their own
	atoms     []atom
	ends      []end
	res       []resolved

	gaps    []byte
	atomBuf [6]atom
	endBuf  [2]end
	resBuf  [2]resolved
	gapBuf  [7]byte
}

// end is one date of a range or list: the indices of its atoms by role, plus
// one; 0 for none.
type end [numRoles]int8

func (e *end) has(r role) bool { return e[r] > 0 }

// at returns the end's atom of a role, which it must have.
func (f *form) at(e *end, r role) *atom { return &f.atoms[e[r]-1] }

func (e *end) hasDay() bool { return e.has(roleDay) || e.has(roleFirst) }

// Parse reads s, the whole surface of one date expression, in the light of a
// reference. The error is one of ErrUnreadable, ErrImpossible, ErrSentinel and
// ErrRelative; the caller masks s, or passes what policy lets pass, and counts.
func Parse(s string, ref Reference) (Form, error) {
	f := &form{src: s, text: s, ref: ref}
	err := f.parse()
	if err == ErrUnreadable && len(s) <= maxBytes {
		err = f.repair(err)
	}
	if err != nil {
		return Form{}, classify(f.text, err)
	}
	if d, ok := (Form{f}).Days(); ok && IsSentinel(d) {
		return Form{}, ErrSentinel
	}
	return Form{f}, nil
}

func (f *form) parse() error {
	s := f.text
	if len(s) == 0 || len(s) > maxBytes {
		return ErrUnreadable
	}
	if digitAt(s, 0) {
		if o, ok := parseOther(s); ok {
			if _, ok := o.days(); !ok {
				return ErrImpossible
			}
			f.other = o
			return nil
		}
	} else if w, ok := parseWeekOfYear(s); ok {
		if _, ok := w.days(); !ok {
			return ErrImpossible
		}
		f.other = w
		return nil
	} else if f.weekdayCodes() {
		return f.resolve()
	}
	f.atoms, f.ends, f.res = nil, nil, nil
	l := lexer{s: s, ref: &f.ref, langs: 0xFF, atoms: f.atomBuf[:0], gaps: f.gapBuf[:0]}
	if !l.run() || l.langs == 0 {
		return ErrUnreadable
	}
	f.lang = f.ref.Language
	if l.langs == inEnglish {
		f.lang = English
	} else if l.langs == inSpanish {
		f.lang = Spanish
	}
	p := parser{f: f, gaps: l.gaps}
	f.atoms, f.gaps, f.ends = l.atoms, l.gaps, f.endBuf[:0]
	if !p.list(0) || !f.settle() {
		return ErrUnreadable
	}
	return f.resolve()
}

// repair tries again with letters that a scanner takes for digits made digits:
// O3/l4/2O14.
func (f *form) repair(err error) error {
	fixed, ok := digitsForLetters(f.src)
	if !ok {
		return err
	}
	again := form{src: f.src, text: fixed, ref: f.ref}
	if again.parse() != nil || again.other != nil {
		return err
	}
	year := false // nothing less than full dates is worth the guess
	for i := range again.ends {
		year = year || again.ends[i].has(roleYear)
		if !again.ends[i].hasDay() {
			return err
		}
	}
	if !year {
		return err
	}
	*f = again
	return nil
}

// digitsForLetters replaces letters that look like digits in the runs that
// hold nothing else. ok is false where nothing was replaced, or where fewer
// digits than letters say that it is a number.
func digitsForLetters(s string) (string, bool) {
	look := func(c byte) byte {
		switch c {
		case 'O', 'o', 'Q', 'D':
			return '0'
		case 'l', 'I', 'i':
			return '1'
		case 'Z', 'z':
			return '2'
		case 'S', 's':
			return '5'
		case 'B':
			return '8'
		}
		return 0
	}
	var out []byte
	digits, letters := 0, 0
	for i := 0; i < len(s); {
		start := i
		plain, like, other := 0, 0, 0
		for ; i < len(s) && (digitAt(s, i) || letterAt(s, i)); i++ {
			switch {
			case digitAt(s, i):
				plain++
			case look(s[i]) != 0:
				like++
			default:
				other++
			}
		}
		digits += plain
		if like > 0 && other == 0 && like+plain <= 8 && (plain > 0 || like <= 2) {
			if out == nil {
				out = []byte(s)
			}
			for k := start; k < i; k++ {
				if d := look(s[k]); d != 0 {
					out[k] = d
				}
			}
			letters += like
		}
		if i == start {
			i++
		}
	}
	return string(out), out != nil && digits >= 2 && digits >= letters
}

// Full reports whether f is one date with year, month and day.
func (f Form) Full() bool {
	switch {
	case f.f == nil:
		return false
	case f.f.other != nil:
		return f.f.other.full()
	}
	if len(f.f.ends) != 1 {
		return false
	}
	e := &f.f.ends[0]
	return e.has(roleYear) && e.has(roleMonth) && e.has(roleDay)
}

// Days returns the days since 1970-01-01 of a full date.
func (f Form) Days() (days int, ok bool) {
	if !f.Full() {
		return 0, false
	}
	if f.f.other != nil {
		return f.f.other.days()
	}
	return f.f.res[0].days, true
}

// Earliest returns the day, in days since 1970-01-01, by which the earliest date
// of f moves among those with a year: the day itself, or the middle of a
// month, year or decade. ok is false where no year was written.
func (f Form) Earliest() (day int, ok bool) {
	days := f.Stated()
	if len(days) == 0 {
		return 0, false
	}
	return slices.Min(days), true
}

// Stated returns the days, in days since 1970-01-01, by which the dates of f with a
// year move, in the order of the text: the days themselves, or the middle of a month,
// year or decade.
func (f Form) Stated() (days []int) {
	if f.f == nil {
		return nil
	}
	if f.f.other != nil {
		if day, ok := f.f.other.days(); ok {
			days = append(days, day)
		}
		return days
	}
	for i := range f.f.ends {
		if e := &f.f.ends[i]; e.has(roleYear) || e.has(roleDecade) {
			days = append(days, f.f.res[i].days)
		}
	}
	return days
}

// Open reports whether the numbers leave the order of day and month open, and
// the two readings differ: the reference has decided it.
func (f Form) Open() bool { return f.f != nil && f.f.open }

// Ambiguous reports whether the order of day and month had to be guessed: it is
// open, and no evidence tells it, but what is usual.
func (f Form) Ambiguous() bool { return f.Open() && f.f.ref.DayFirst == Unknown }

// Language returns the language that f is printed in.
func (f Form) Language() Language {
	if f.f == nil {
		return English
	}
	return f.f.lang
}

// ParseDays reads a full date, as string columns hold, and returns its days
// since 1970-01-01. ok is false for anything but one existing date with year,
// month and day.
func ParseDays(s string, ref Reference) (days int, ok bool) {
	f, err := Parse(s, ref)
	if err != nil {
		return 0, false
	}
	return f.Days()
}
