package dates

import "strings"

// Shift moves the date expression s by a number of days and returns it in the
// same form. ok is false, and out empty, where s is no date expression or
// names a day that does not exist (2/31, 00/00/0000) or that no year of 1-9998
// holds; the caller masks it. A weekday, month, season, year or decade alone
// may come out as it went in: see the package comment.
func Shift(s string, days int, ref Reference) (out string, ok bool) {
	f, ok := Parse(s)
	if !ok {
		return "", false
	}
	return f.Shift(days, ref)
}

// Shift is the function Shift for a parsed form.
func (f Form) Shift(days int, ref Reference) (out string, ok bool) {
	const most = 4_000_000 // more than the days of all years that are printed
	if days > most || days < -most {
		return "", false
	}
	if f.other != nil {
		if _, ok := f.other.days(); !ok {
			return "", false
		}
		return f.other.shift(days)
	}
	if len(f.ends) == 0 {
		return "", false
	}
	ends, roles, ok := f.resolve(ref)
	if !ok {
		return "", false
	}
	for i := range ends {
		r := &ends[i]
		if r.unit == unitNone {
			continue
		}
		r.moved = r.days + days
		if !validDays(r.moved) {
			return "", false
		}
		r.year, r.month, r.day = CivilFromDays(r.moved)
		if r.unit == unitSeason && r.month == 12 && f.ends[i].year >= 0 {
			r.year++ // a winter has the year of its January
		}
		if r.year > maxYear {
			return "", false
		}
	}
	p := printer{form: f, ends: ends, roles: roles, days: days}
	p.padding()
	return p.print(), true
}

type printer struct {
	form  Form
	ends  []resolved
	roles []role
	days  int
	pad   bool // two-digit numbers whose padding cannot be seen are padded
	short bool // "May" is an abbreviation here
	out   strings.Builder
}

// padding decides what the surface does not show: whether 12 would have been
// written 012's way, and whether May is short for May.
func (p *printer) padding() {
	hyphens, yearFirst, padded, plain := true, false, false, false
	f := p.form
	for i, a := range f.atoms {
		if i > 0 && a.owner == f.atoms[i-1].owner {
			gap := f.src[f.atoms[i-1].end:a.start]
			hyphens = hyphens && (gap == "-" || gap == "")
		}
		switch {
		case a.kind == atomYear && i == 0:
			yearFirst = true
		case a.kind == atomMonth && a.val != 5:
			p.short = p.short || a.width() <= 4
		case a.kind == atomMonth:
			p.short = p.short || a.end < len(f.src) && f.src[a.end] == '.'
		case a.kind == atomNumber && p.roles[i] != roleYear:
			padded = padded || f.src[a.start] == '0'
			plain = plain || a.width() == 1
		}
	}
	hyphens = hyphens && len(f.atoms) > 2
	p.short = p.short || hyphens
	p.pad = padded || !plain && (hyphens || yearFirst)
}

func (p *printer) print() string {
	f := p.form
	p.out.Grow(len(f.src) + 8)
	last := 0
	for i, a := range f.atoms {
		p.out.WriteString(f.src[last:a.start])
		p.atom(i, a)
		last = a.end
	}
	p.out.WriteString(f.src[last:])
	return p.out.String()
}

// atom prints one part: as written where its value has not changed.
func (p *printer) atom(i int, a atom) {
	r := p.ends[a.owner]
	text := p.form.src[a.start:a.end]
	keep := func(v int) bool {
		if v == a.val {
			p.out.WriteString(text)
		}
		return v == a.val
	}
	switch p.roles[i] {
	case roleWeekday:
		if w := mod(a.val+p.days, 7); !keep(w) {
			p.out.WriteString(weekdayText(text, w, a.fixed))
		}
	case roleYear:
		switch {
		case a.kind == atomYear:
			if !keep(r.year) {
				p.out.WriteString(pad(r.year, 4))
			}
		case !keep(mod(r.year, 100)):
			p.out.WriteString(text[:len(text)-2] + pad(mod(r.year, 100), 2))
		}
	case roleMonth:
		if !keep(r.month) {
			p.out.WriteString(p.month(a, text, r.month))
		}
	case roleDay:
		p.day(a, text)
	case roleSeason:
		if s := r.month % 12 / 3; !keep(s) {
			p.out.WriteString(caseOf(text).in(seasonNames[s]))
		}
	case roleDecade:
		p.decade(text, a, r.year)
	case roleHoliday:
		if p.days == 0 {
			p.out.WriteString(text)
			return
		}
		p.out.WriteString(caseOf(text).in(monthNames[r.month]) + " " + pad(r.day, 1))
	default:
		p.out.WriteString(text)
	}
}

// day prints a day of the month, with its month where it shared one that is
// no longer its own.
func (p *printer) day(a atom, text string) {
	r := p.ends[a.owner]
	day := text
	if r.day != a.val {
		switch a.kind {
		case atomOrdinal:
			suffix := ordinalSuffix(r.day)
			if digits := text[:len(text)-2]; digits[0] == '0' {
				day = pad(r.day, 2)
			} else {
				day = pad(r.day, 1)
			}
			if s := text[len(text)-2:]; s == strings.ToUpper(s) {
				suffix = strings.ToUpper(suffix)
			}
			day += suffix
		case atomOrdinalWord:
			day = caseOf(text).in(ordinalWords[r.day])
		default:
			day = p.number(a, text, r.day)
		}
	}
	if d, ok := p.donor(r); ok && p.ends[r.donor].month != r.month {
		m := p.form.atoms[d]
		month := p.month(m, p.form.src[m.start:m.end], r.month)
		if before, gap := p.arrangement(d); before {
			day = month + gap + day
		} else {
			day += gap + month
		}
	}
	p.out.WriteString(day)
}

// donor returns the atom of the month that r shares.
func (p *printer) donor(r resolved) (int, bool) {
	if !r.lent {
		return 0, false
	}
	for j, a := range p.form.atoms {
		if p.roles[j] == roleMonth && a.owner == r.donor {
			return j, true
		}
	}
	return 0, false
}

// arrangement says whether the month of atom d stands before its day, and what
// stands between them.
func (p *printer) arrangement(d int) (before bool, gap string) {
	f := p.form
	if d+1 < len(f.atoms) && p.roles[d+1] == roleDay && f.atoms[d+1].owner == f.atoms[d].owner {
		return true, f.src[f.atoms[d].end:f.atoms[d+1].start]
	}
	if d > 0 && p.roles[d-1] == roleDay && f.atoms[d-1].owner == f.atoms[d].owner {
		return false, f.src[f.atoms[d-1].end:f.atoms[d].start]
	}
	return false, " "
}

// month prints a month in the style of atom a, which reads text.
func (p *printer) month(a atom, text string, month int) string {
	if a.kind != atomMonth {
		return p.number(a, text, month)
	}
	if a.val == month {
		return text
	}
	name := monthNames[month]
	if len(text) <= 3 && (a.val != 5 || p.short) || len(text) == 4 && a.val != 6 && a.val != 7 {
		name = name[:3]
	}
	return caseOf(text).in(name)
}

// number prints a day or month with the padding of the number it replaces.
func (p *printer) number(a atom, text string, n int) string {
	switch {
	case a.fixed, text[0] == '0':
		return pad(n, a.width())
	case a.width() == 1:
		return pad(n, 1)
	case p.pad:
		return pad(n, 2)
	}
	return pad(n, 1)
}

func (p *printer) decade(text string, a atom, year int) {
	decade := year / 10 * 10
	digitsAt := strings.IndexAny(text, "0123456789")
	if digitsAt < 0 { // eighties
		name := decadeNames[mod(decade, 100)/10]
		switch {
		case mod(decade, 100) == a.val:
			name = text
		case name == "":
			name = pad(decade, 4) + "s"
		default:
			name = caseOf(text).in(name)
		}
		p.out.WriteString(name)
		return
	}
	width := 2
	if a.val > 99 {
		width = 4
	} else {
		decade = mod(decade, 100)
	}
	p.out.WriteString(text[:digitsAt] + pad(decade, width) + text[digitsAt+width:])
}

// weekdayText writes a weekday at the length of text.
func weekdayText(text string, w int, code bool) string {
	if code {
		code := [7]string{"Su", "M", "T", "W", "Th", "F", "Sa"}[w]
		if text == strings.ToLower(text) {
			return strings.ToLower(code)
		}
		return code
	}
	name, lower := weekdayNames[w], strings.ToLower(text)
	switch {
	case len(lower) == 2:
		name = name[:2]
	case strings.HasSuffix(lower, "days"):
		name += "s"
	case !strings.HasSuffix(lower, "day"):
		name = name[:3]
	}
	return caseOf(text).in(name)
}
