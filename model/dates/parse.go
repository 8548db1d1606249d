package dates

import "strings"

// Form is one parsed date expression: a date, a part of one, or a range or
// list of them. The zero Form holds nothing.
type Form struct {
	src   string
	atoms []atom
	ends  []end
	other shifter // set instead of atoms for forms with a scheme of their own
}

// end is one date of a range or list: the indices of its atoms, -1 for none.
type end struct {
	year, month, day int
	first, second    int // numbers whose order is open
	weekday          int
	season           int
	decade           int
	holiday          int
	bare             int
}

var noEnd = end{-1, -1, -1, -1, -1, -1, -1, -1, -1, -1}

// Parse reads s, the whole surface of one date expression. ok is false where s
// is none, or one that this package does not know; the caller then masks it.
// A form that parses may still name a day that does not exist: Shift says so.
func Parse(s string) (f Form, ok bool) {
	if len(s) == 0 || len(s) > maxBytes {
		return Form{}, false
	}
	if o, ok := parseOther(s); ok {
		return Form{src: s, other: o}, true
	}
	if f, ok := parseWeekdayCodes(s); ok {
		return f, true
	}
	from, until := trimTime(s)
	if strings.Contains(s[from:until], ":") {
		return Form{}, false // a time amid the date: its minutes would be read as a month
	}
	atoms, gaps, ok := lex(s[from:until])
	if !ok {
		return Form{}, false
	}
	p := parser{atoms: atoms, gaps: gaps, failed: make([]bool, len(atoms)+1)}
	if !p.list(0) {
		return Form{}, false
	}
	f = Form{src: s, atoms: p.atoms, ends: p.ends}
	for i := range f.atoms {
		f.atoms[i].start += from
		f.atoms[i].end += from
	}
	return f, f.settle()
}

type parser struct {
	atoms  []atom
	gaps   []byte
	ends   []end
	failed []bool // list cannot succeed from this atom on
}

// list reads the ends from atom i on, trying the longest date first.
func (p *parser) list(i int) bool {
	if i == len(p.atoms) {
		return true
	}
	if p.failed[i] {
		return false
	}
	for n := min(5, len(p.atoms)-i); n >= 1; n-- {
		roles, ok := p.single(i, n)
		if !ok {
			continue
		}
		j := i + n
		if j < len(p.atoms) && !p.joins(i, j) {
			continue
		}
		e := noEnd
		for k := range n {
			p.atoms[i+k].role = roles[k]
			p.atoms[i+k].owner = len(p.ends)
			e.set(roles[k], i+k)
		}
		p.ends = append(p.ends, e)
		if p.list(j) {
			return true
		}
		p.ends = p.ends[:len(p.ends)-1]
	}
	p.failed[i] = true
	return false
}

func (e *end) set(r role, i int) {
	switch r {
	case roleYear:
		e.year = i
	case roleMonth:
		e.month = i
	case roleDay:
		e.day = i
	case roleFirst:
		e.first = i
	case roleSecond:
		e.second = i
	case roleBare:
		e.bare = i
	case roleWeekday:
		e.weekday = i
	case roleSeason:
		e.season = i
	case roleDecade:
		e.decade = i
	case roleHoliday:
		e.holiday = i
	}
}

// joins reports whether the gap before atom j can stand between two dates, the
// first of which begins at atom i.
func (p *parser) joins(i, j int) bool {
	switch p.gaps[j] {
	case gapRange, gapList, '-', ',':
		return true
	case '/':
		// M/W/F, an ISO interval, or a year pair as in 2014/15.
		return p.atoms[j-1].kind == p.atoms[j].kind && p.atoms[j].kind == atomWeekday ||
			p.atoms[i].kind == atomYear || p.atoms[j-1].kind == atomMonth ||
			i+2 == j && p.atoms[i].kind == atomMonth // Feb 10/11
	case gapSpace:
		return p.atoms[j-1].kind == atomWeekday && p.atoms[j].kind == atomWeekday
	}
	return false
}

// single tries atoms i to i+n-1 as one date and returns their roles.
func (p *parser) single(i, n int) (roles [5]role, ok bool) {
	if n > 1 && p.atoms[i].kind == atomWeekday && p.soft(i+1) {
		if core, ok := p.core(i+1, n-1); ok {
			roles[0] = roleWeekday
			copy(roles[1:], core[:n-1])
			return roles, true
		}
	}
	if n > 1 && p.atoms[i+n-1].kind == atomWeekday && p.soft(i+n-1) {
		if core, ok := p.core(i, n-1); ok {
			copy(roles[:], core[:n-1])
			roles[n-1] = roleWeekday
			return roles, true
		}
	}
	core, ok := p.core(i, n)
	copy(roles[:], core[:])
	return roles, ok
}

// soft reports whether the gap before atom j may stand between a weekday and
// its date.
func (p *parser) soft(j int) bool {
	switch p.gaps[j] {
	case gapNone, gapSpace, ',', '-', '.', '/':
		return true
	}
	return false
}

// core matches one date without a weekday.
func (p *parser) core(i, n int) (roles [4]role, ok bool) {
	if n > 3 {
		return roles, false
	}
	var shape [3]byte
	for k := range n {
		c := byte(p.atoms[i+k].kind)
		if c == byte(atomOrdinalWord) {
			c = byte(atomOrdinal)
		}
		shape[k] = c
	}
	if n == 1 && p.atoms[i].kind == atomWeekday {
		roles[0] = roleWeekday
		return roles, true
	}
	for _, s := range shapes[n] {
		if s.shape != string(shape[:n]) {
			continue
		}
		if s.fits != nil && !s.fits(p.atoms[i:i+n], p.gaps[i+1:i+n]) {
			continue
		}
		copy(roles[:], s.roles[:])
		return roles, true
	}
	return roles, false
}

// shape is one way to write a date: the kinds of its atoms, their roles, and a
// condition on values and gaps.
type shape struct {
	shape string
	roles []role
	fits  func(atoms []atom, gaps []byte) bool
}

const (
	rY, rM, rD      = roleYear, roleMonth, roleDay
	r1, r2          = roleFirst, roleSecond
	separators      = "/-. _"
	wordSeparators  = "/-. ,_"
	plausibleFirst  = 1800 // years that stand alone
	plausibleLast   = 2199
	largestMonth    = 12
	largestMonthDay = 31
)

func in(g byte, set string) bool { return strings.IndexByte(set, g) >= 0 }

// shapes holds the shapes by number of atoms, the preferred first.
var shapes = [4][]shape{
	1: {
		{"y", []role{rY}, func(a []atom, _ []byte) bool { return a[0].val >= plausibleFirst && a[0].val <= plausibleLast }},
		{"a", []role{rY}, nil},
		{"D", []role{roleDecade}, nil},
		{"o", []role{rD}, nil},
		{"n", []role{roleBare}, nil},
		{"M", []role{rM}, nil},
		{"S", []role{roleSeason}, nil},
		{"H", []role{roleHoliday}, nil},
	},
	2: {
		{"nn", []role{rM, rY}, monthShortYear},
		{"nn", []role{r1, r2}, func(a []atom, g []byte) bool { return in(g[0], "/-.") && !a[0].fixed }},
		{"ny", []role{rM, rY}, func(a []atom, g []byte) bool { return in(g[0], "/-. ") && a[1].val >= 1000 }},
		{"ny", []role{rD, rY}, func(a []atom, g []byte) bool { return g[0] == ',' }},
		{"na", []role{rM, rY}, func(_ []atom, g []byte) bool { return in(g[0], "/-. ") }},
		{"yn", []role{rY, rM}, func(a []atom, g []byte) bool {
			return in(g[0], "/-._") && a[0].val >= 1000 && a[1].val <= largestMonth && (a[1].width() == 2 || g[0] == '/')
		}},
		{"oy", []role{rD, rY}, dayYear}, {"oa", []role{rD, rY}, dayYear},
		{"My", []role{rM, rY}, loose}, {"Ma", []role{rM, rY}, loose}, {"yM", []role{rY, rM}, loose},
		{"Mn", []role{rM, rD}, func(a []atom, g []byte) bool { return in(g[0], wordSeparators) && a[1].val <= largestMonthDay }},
		{"Mn", []role{rM, rY}, func(a []atom, g []byte) bool { return in(g[0], wordSeparators) }},
		{"Mo", []role{rM, rD}, loose}, {"nM", []role{rD, rM}, loose}, {"oM", []role{rD, rM}, loose},
		{"Sy", []role{roleSeason, rY}, loose}, {"Sa", []role{roleSeason, rY}, loose}, {"yS", []role{rY, roleSeason}, loose},
		{"Sn", []role{roleSeason, rY}, shortYear},
		{"Hy", []role{roleHoliday, rY}, loose}, {"Ha", []role{roleHoliday, rY}, loose}, {"yH", []role{rY, roleHoliday}, loose},
		{"Hn", []role{roleHoliday, rY}, shortYear},
	},
	3: {
		{"nny", []role{r1, r2, rY}, func(_ []atom, g []byte) bool { return in(g[0], separators) && in(g[1], separators+",") }},
		{"nna", []role{r1, r2, rY}, func(_ []atom, g []byte) bool { return in(g[0], separators) && in(g[1], separators) }},
		{"nnn", []role{rY, rM, rD}, func(a []atom, g []byte) bool { return same(g) && in(g[0], separators) && a[0].val > largestMonthDay }},
		{"nnn", []role{r1, r2, rY}, func(a []atom, g []byte) bool {
			return same(g) && in(g[0], separators) && a[2].width() == 2 && (g[0] != gapNone || a[0].fixed) && (g[0] != ' ' || a[0].width() == 2 && a[1].width() == 2)
		}},
		{"ynn", []role{rY, rM, rD}, func(_ []atom, g []byte) bool { return same(g) && in(g[0], separators) }},
		{"Mny", []role{rM, rD, rY}, loose}, {"Mna", []role{rM, rD, rY}, loose}, {"Mnn", []role{rM, rD, rY}, looseShort},
		{"Moy", []role{rM, rD, rY}, loose}, {"Moa", []role{rM, rD, rY}, loose}, {"Mon", []role{rM, rD, rY}, looseShort},
		{"nMy", []role{rD, rM, rY}, loose}, {"nMa", []role{rD, rM, rY}, loose}, {"nMn", []role{rD, rM, rY}, looseShort},
		{"oMy", []role{rD, rM, rY}, loose}, {"oMa", []role{rD, rM, rY}, loose}, {"oMn", []role{rD, rM, rY}, looseShort},
		{"yMn", []role{rY, rM, rD}, loose}, {"yMo", []role{rY, rM, rD}, loose}, {"ynM", []role{rY, rD, rM}, loose},
	},
}

func same(g []byte) bool { return g[0] == g[1] }

// loose allows any separators beside a word.
func loose(_ []atom, g []byte) bool {
	for _, c := range g {
		if !in(c, wordSeparators) {
			return false
		}
	}
	return true
}

// looseShort is loose for a year of two digits, which could be the next day of
// a range: "4 Mar-14 Mar".
func looseShort(a []atom, g []byte) bool {
	return loose(a, g) && a[2].width() == 2 && (g[1] != '-' || g[0] == '-') && (g[1] != '/' || g[0] == '/')
}

func dayYear(_ []atom, g []byte) bool { return in(g[0], " ,") }

func shortYear(a []atom, g []byte) bool { return in(g[0], wordSeparators) && a[1].width() == 2 }

// monthShortYear is 4/85: the second number can be no day.
func monthShortYear(a []atom, g []byte) bool {
	return in(g[0], "/-") && a[1].val > largestMonthDay && a[0].val <= largestMonth
}

// settle gives bare numbers and short forms the meaning that their neighbours
// lend them: the 6 of "March 4-6", of "3/4-6/2018" and of "4-6 March".
func (f *Form) settle() bool {
	for i := range f.ends {
		e := &f.ends[i]
		var before, after end
		before, after = noEnd, noEnd
		if i > 0 {
			before = f.ends[i-1]
		}
		if i+1 < len(f.ends) {
			after = f.ends[i+1]
		}
		if e.month >= 0 && e.year >= 0 && e.day < 0 && f.atoms[e.month].kind == atomNumber && before.hasDay() && before.year < 0 {
			e.day, e.month = e.month, -1
			f.atoms[e.day].role = roleDay
		}
		if e.bare < 0 {
			continue
		}
		a := &f.atoms[e.bare]
		switch {
		case before.hasDay() && before.year < 0, after.hasDay(), after.bare >= 0 && i+2 < len(f.ends):
			a.role, e.day = roleDay, e.bare
		case before.year >= 0 && !before.hasDay() && before.month < 0 && before.season < 0 && a.width() == 2:
			a.role, e.year = roleYear, e.bare
		case len(f.ends) == 1 && a.val >= 1 && a.val <= largestMonthDay:
			a.role, e.day = roleDay, e.bare
		default:
			return false
		}
		e.bare = -1
	}
	return true
}

func (e end) hasDay() bool { return e.day >= 0 || e.first >= 0 }

// Full reports whether f is one date with year, month and day.
func (f Form) Full() bool {
	if f.other != nil {
		return f.other.full()
	}
	return len(f.ends) == 1 && f.ends[0].year >= 0 && f.ends[0].hasDay() && (f.ends[0].month >= 0 || f.ends[0].first >= 0)
}
