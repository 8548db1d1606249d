package dates

import "strings"

// parser finds the dates among the atoms of a form.
type parser struct {
	f      *form
	gaps   []byte
	failed uint32 // list cannot succeed from these atoms on, as bits
}

// list reads the ends from atom i on, trying the longest date first.
func (p *parser) list(i int) bool {
	f := p.f
	if i == len(f.atoms) {
		return true
	}
	if p.failed&(1<<i) != 0 {
		return false
	}
	for n := min(5, len(f.atoms)-i); n >= 1; n-- {
		roles, ok := p.single(i, n)
		if !ok {
			continue
		}
		j := i + n
		if j < len(f.atoms) && !p.joins(i, j) {
			continue
		}
		var e end
		for k := range n {
			f.atoms[i+k].role = roles[k]
			f.atoms[i+k].owner = int8(len(f.ends))
			e[roles[k]] = int8(i + k + 1)
		}
		e[roleNone] = 0
		f.ends = append(f.ends, e)
		if p.list(j) {
			return true
		}
		f.ends = f.ends[:len(f.ends)-1]
	}
	p.failed |= 1 << i
	return false
}

// joins reports whether the gap before atom j can stand between two dates, the
// first of which begins at atom i.
func (p *parser) joins(i, j int) bool {
	a := p.f.atoms
	switch p.gaps[j] {
	case '-':
		// 3-4-5 is no range, neither of 3-4 and 5 nor of 3 and 4-5.
		if a[j-1].kind != atomNumber || a[j].kind != atomNumber {
			return true
		}
		before := j-1 == i+1 && p.gaps[j-1] == '-'
		after := j-1 == i && j+1 < len(a) && p.gaps[j+1] == '-' && a[j+1].kind == atomNumber
		return !before && !after
	case gapRange, gapList, ',':
		return true
	case '/':
		// M/W/F, an ISO interval, or a year pair as in 2014/15.
		return a[j-1].kind == a[j].kind && a[j].kind == atomWeekday ||
			a[i].kind == atomYear || a[j-1].kind == atomMonth || a[j-1].kind == atomQuarter ||
			i+2 == j && a[i].kind == atomMonth || // Feb 10/11
			named(a[i].kind) && named(a[j].kind) // Christmas/New Year
	case gapSpace:
		return a[j-1].kind == atomWeekday && a[j].kind == atomWeekday
	}
	return false
}

func named(k atomKind) bool { return k == atomSeason || k == atomHoliday }

// single tries atoms i to i+n-1 as one date and returns their roles.
func (p *parser) single(i, n int) (roles [5]role, ok bool) {
	a := p.f.atoms
	if n > 1 && a[i].kind == atomWeekday && p.soft(i+1) {
		if core, ok := p.core(i+1, n-1); ok {
			roles[0] = roleWeekday
			copy(roles[1:], core[:n-1])
			return roles, true
		}
	}
	if n > 1 && a[i+n-1].kind == atomWeekday && p.soft(i+n-1) {
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
	a := p.f.atoms
	if n == 1 && a[i].kind == atomWeekday {
		roles[0] = roleWeekday
		return roles, true
	}
	var key shapeKey
	for k := range n {
		c := a[i+k].kind
		switch c {
		case atomOrdinalWord:
			c = atomOrdinal
		case atomYearWord:
			c = atomYear
		}
		key = key<<8 | shapeKey(c)
	}
	if key == 'M'<<8|'n' && p.f.lang == Spanish && a[i+1].width() == 2 {
		return [4]role{rM, rY}, in(p.gaps[i+1], wordSeparators) // no day follows its month
	}
	if key == 'n'<<8|'n' && p.f.ref.DayFirst == Yes && p.gaps[i+1] == '/' && a[i].val <= largestMonth && !a[i].fixed &&
		a[i+1].val > largestMonth && a[i+1].width() == 2 && p.f.ref.mayBeYear(int(a[i+1].val)) {
		return [4]role{rM, rY}, true // 10/18 where the day stands first
	}
	for k := range shapes[n] {
		s := &shapes[n][k]
		if s.key != key || s.fits != nil && !s.fits(a[i:i+n], p.gaps[i+1:i+n]) {
			continue
		}
		if n == 3 && s.roles[2] == rY && a[i+2].kind == atomNumber && p.gaps[i+2] == ',' && i+3 < len(a) && in(p.gaps[i+3], ",L") {
			continue // "Jan 8, 14 and 21" lists days
		}
		copy(roles[:], s.roles)
		return roles, true
	}
	return roles, false
}

// shapeKey holds the kinds of up to three atoms, one byte each.
type shapeKey uint32

// shape is one way to write a date: the kinds of its atoms, their roles, and a
// condition on values and gaps.
type shape struct {
	kinds string
	roles []role
	fits  func(atoms []atom, gaps []byte) bool
	key   shapeKey
}

const (
	rY, rM, rD      = roleYear, roleMonth, roleDay
	rS, rQ, rH      = roleSeason, roleQuarter, roleHoliday
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
var shapes = func() [4][]shape {
	all := [4][]shape{
		1: {
			{kinds: "y", roles: []role{rY}, fits: func(a []atom, _ []byte) bool { return a[0].val >= plausibleFirst && a[0].val <= plausibleLast }},
			{kinds: "a", roles: []role{rY}},
			{kinds: "D", roles: []role{roleDecade}},
			{kinds: "o", roles: []role{rD}},
			{kinds: "n", roles: []role{roleBare}},
			{kinds: "M", roles: []role{rM}},
			{kinds: "S", roles: []role{rS}},
			{kinds: "Q", roles: []role{rQ}},
			{kinds: "H", roles: []role{rH}},
		},
		2: {
			{kinds: "nn", roles: []role{rM, rY}, fits: monthShortYear},
			{kinds: "nn", roles: []role{r1, r2}, fits: func(a []atom, g []byte) bool { return in(g[0], "/-.") && !a[0].fixed }},
			{kinds: "ny", roles: []role{rM, rY}, fits: func(a []atom, g []byte) bool { return in(g[0], "/-. ") && a[1].val >= 1000 }},
			{kinds: "ny", roles: []role{rD, rY}, fits: func(a []atom, g []byte) bool { return g[0] == ',' }},
			{kinds: "na", roles: []role{rM, rY}, fits: func(_ []atom, g []byte) bool { return in(g[0], "/-. ") }},
			{kinds: "yn", roles: []role{rY, rM}, fits: func(a []atom, g []byte) bool {
				return in(g[0], "/-._") && a[0].val >= 1000 && a[1].val <= largestMonth && (a[1].width() == 2 || g[0] == '/')
			}},
			{kinds: "oy", roles: []role{rD, rY}, fits: dayYear}, {kinds: "oa", roles: []role{rD, rY}, fits: dayYear},
			{kinds: "My", roles: []role{rM, rY}, fits: loose}, {kinds: "Ma", roles: []role{rM, rY}, fits: loose},
			{kinds: "yM", roles: []role{rY, rM}, fits: loose},
			{kinds: "Mn", roles: []role{rM, rD}, fits: func(a []atom, g []byte) bool {
				return in(g[0], wordSeparators) &&
					a[1].val <= largestMonthDay
			}},
			{kinds: "Mn", roles: []role{rM, rY}, fits: func(a []atom, g []byte) bool { return in(g[0], wordSeparators) }},
			{kinds: "Mo", roles: []role{rM, rD}, fits: loose}, {kinds: "nM", roles: []role{rD, rM}, fits: loose},
			{kinds: "oM", roles: []role{rD, rM}, fits: loose},
			{kinds: "Sy", roles: []role{rS, rY}, fits: loose}, {kinds: "Sa", roles: []role{rS, rY}, fits: loose},
			{kinds: "yS", roles: []role{rY, rS}, fits: loose},
			{kinds: "Sn", roles: []role{rS, rY}, fits: shortYear},
			{kinds: "Qy", roles: []role{rQ, rY}, fits: loose}, {kinds: "Qa", roles: []role{rQ, rY}, fits: loose},
			{kinds: "yQ", roles: []role{rY, rQ}, fits: loose},
			{kinds: "Qn", roles: []role{rQ, rY}, fits: shortYear}, {kinds: "aQ", roles: []role{rY, rQ}, fits: loose},
			{kinds: "Hy", roles: []role{rH, rY}, fits: loose}, {kinds: "Ha", roles: []role{rH, rY}, fits: loose},
			{kinds: "yH", roles: []role{rY, rH}, fits: loose},
			{kinds: "Hn", roles: []role{rH, rY}, fits: shortYear},
		},
		3: {
			{kinds: "nny", roles: []role{r1, r2, rY}, fits: func(_ []atom, g []byte) bool {
				return in(g[0], separators) &&
					in(g[1], separators+",")
			}},
			{kinds: "nna", roles: []role{r1, r2, rY}, fits: func(_ []atom, g []byte) bool { return in(g[0], separators) && in(g[1], separators) }},
			{kinds: "nnn", roles: []role{rY, rM, rD}, fits: func(a []atom, g []byte) bool {
				return same(g) && in(g[0], separators) && a[0].val > largestMonthDay
			}},
			{kinds: "nnn", roles: []role{r1, r2, rY}, fits: func(a []atom, g []byte) bool {
				return same(g) && in(g[0], separators) && a[2].width() == 2 && (g[0] != gapNone || a[0].fixed) &&
					(g[0] != ' ' || a[0].width() == 2 && a[1].width() == 2)
			}},
			{kinds: "ynn", roles: []role{rY, rM, rD}, fits: func(_ []atom, g []byte) bool { return same(g) && in(g[0], separators) }},
			{kinds: "Mny", roles: []role{rM, rD, rY}, fits: loose}, {kinds: "Mna", roles: []role{rM, rD, rY}, fits: loose},
			{kinds: "Mnn", roles: []role{rM, rD, rY}, fits: looseShort},
			{kinds: "Moy", roles: []role{rM, rD, rY}, fits: loose}, {kinds: "Moa", roles: []role{rM, rD, rY}, fits: loose},
			{kinds: "Mon", roles: []role{rM, rD, rY}, fits: looseShort},
			{kinds: "nMy", roles: []role{rD, rM, rY}, fits: loose}, {kinds: "nMa", roles: []role{rD, rM, rY}, fits: loose},
			{kinds: "nMn", roles: []role{rD, rM, rY}, fits: looseShort},
			{kinds: "oMy", roles: []role{rD, rM, rY}, fits: loose}, {kinds: "oMa", roles: []role{rD, rM, rY}, fits: loose},
			{kinds: "oMn", roles: []role{rD, rM, rY}, fits: looseShort},
			{kinds: "yMn", roles: []role{rY, rM, rD}, fits: loose}, {kinds: "yMo", roles: []role{rY, rM, rD}, fits: loose},
			{kinds: "ynM", roles: []role{rY, rD, rM}, fits: loose},
			{kinds: "Syn", roles: []role{rS, rY, roleYearTo}, fits: winterPair}, {kinds: "Syy", roles: []role{rS, rY, roleYearTo}, fits: winterPair},
		},
	}
	for n := range all {
		for i := range all[n] {
			for _, c := range []byte(all[n][i].kinds) {
				all[n][i].key = all[n][i].key<<8 | shapeKey(c)
			}
		}
	}
	return all
}()

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

// winterPair is winter 2013-14: the only season with two years.
func winterPair(a []atom, g []byte) bool {
	return a[0].val == 0 && in(g[0], wordSeparators) && in(g[1], "/-R") && a[1].kind == atomYear &&
		(a[2].kind == atomNumber && a[2].width() == 2 && (a[1].val+1)%100 == a[2].val || a[2].val == a[1].val+1)
}

// settle gives bare numbers and short forms the meaning that their neighbours
// lend them: the 6 of "March 4-6", of "3/4-6/2018" and of "4-6 March".
func (f *form) settle() bool {
	var none end
	for i := range f.ends {
		e, before, after := &f.ends[i], &none, &none
		if i > 0 {
			before = &f.ends[i-1]
		}
		if i+1 < len(f.ends) {
			after = &f.ends[i+1]
		}
		become := func(from, to role) {
			f.at(e, from).role = to
			e[to], e[from] = e[from], 0
		}
		if e.has(roleMonth) && e.has(roleYear) && !e.has(roleDay) && f.at(e, roleMonth).kind == atomNumber && before.hasDay() &&
			!before.has(roleYear) {
			become(roleMonth, roleDay)
		}
		if !e.has(roleBare) {
			continue
		}
		a := f.at(e, roleBare)
		switch {
		case before.hasDay() && !before.has(roleYear), after.hasDay(), after.has(roleBare) && i+2 < len(f.ends):
			become(roleBare, roleDay)
		case before.has(roleYear) && !before.hasDay() && !before.has(roleMonth) && !before.has(roleSeason) && !before.has(roleQuarter) &&
			a.width() == 2:
			become(roleBare, roleYear)
		case len(f.ends) == 1 && a.val >= 1 && a.val <= largestMonthDay:
			become(roleBare, roleDay)
		default:
			return false
		}
	}
	return true
}
