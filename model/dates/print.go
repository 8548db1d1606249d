package dates

import "strings"

// printer writes a moved form in the style of its source.
type printer struct {
	form  *form
	ends  []resolved
	days  int
	skip  int  // bytes of the source that are not printed again
	pad   bool // two-digit numbers whose padding cannot be seen are padded
	short bool // "May" is an abbreviation here
	out   strings.Builder
}

// padding decides what the surface does not show: whether 12 would have been
// written 012's way, and whether May is short for May.
func (p *printer) padding() {
	hyphens, yearFirst, padded, plain, spaced := true, false, false, false, false
	f := p.form
	for i := range f.atoms {
		a := &f.atoms[i]
		if i > 0 && a.owner == f.atoms[i-1].owner {
			gap := f.text[f.atoms[i-1].end:a.start]
			p.short = p.short || gap == "" && (a.kind == atomMonth || f.atoms[i-1].kind == atomMonth)
			spaced = spaced || a.kind == atomNumber && f.atoms[i-1].kind == atomNumber && f.gaps != nil && f.gaps[i] == gapSpace
			hyphens = hyphens && (gap == "-" || gap == "" || gap == "–")
		}
		switch {
		case a.kind == atomYear && i == 0:
			yearFirst = true
		case a.kind == atomMonth && a.val != 5:
			p.short = p.short || a.width() <= 4 && a.width() != len(languageNames[f.lang].months[a.val])
		case a.kind == atomMonth:
			p.short = p.short || int(a.end) < len(f.text) && f.text[a.end] == '.'
		case a.kind == atomWeekday:
			p.short = p.short || a.width() <= 5 && a.width() != len(languageNames[f.lang].weekdays[a.val])
		case a.kind == atomNumber && a.role != roleYear && a.role != roleYearTo:
			padded = padded || f.text[a.start] == '0'
			plain = plain || a.width() == 1
		}
	}
	hyphens = hyphens && len(f.atoms) > 2
	p.short = p.short || hyphens
	p.pad = padded || !plain && (hyphens || yearFirst || spaced)
}

func (p *printer) print() string {
	f := p.form
	p.out.Grow(len(f.src) + 8)
	for i := range f.atoms {
		a := &f.atoms[i]
		if p.skip < int(a.start) {
			p.out.WriteString(f.src[p.skip:a.start])
		}
		if p.skip <= int(a.start) {
			p.skip = int(a.end)
			p.atom(a)
		}
	}
	p.out.WriteString(f.src[p.skip:])
	return p.out.String()
}

// asWritten returns an atom's text. In a date that moves, letters that were
// taken for digits become digits, lest half of it be left to guess.
func (p *printer) asWritten(a *atom) string {
	if p.days == 0 {
		return p.form.src[a.start:a.end]
	}
	return p.form.text[a.start:a.end]
}

// atom prints one part: as written where its value has not changed.
func (p *printer) atom(a *atom) {
	f := p.form
	r, e := &p.ends[a.owner], &f.ends[a.owner]
	text := f.text[a.start:a.end]
	keep := func(v int) bool {
		if v == int(a.val) {
			p.out.WriteString(p.asWritten(a))
		}
		return v == int(a.val)
	}
	switch a.role {
	case roleWeekday:
		if w := mod(int(a.val)+p.days, 7); !keep(w) {
			p.out.WriteString(weekdayText(text, w, a.fixed, f.lang))
		}
	case roleYear:
		year := r.year
		if e.has(roleYearTo) {
			if r.month%12/3 == 0 {
				year--
			} else {
				p.skip = int(f.at(e, roleYearTo).end) // only winters have two
			}
		}
		p.year(a, text, year, keep)
	case roleYearTo:
		p.year(a, text, r.year, keep)
	case roleMonth:
		if !keep(r.month) {
			p.out.WriteString(p.month(a, text, r.month))
			if dot := int(a.end); f.lang == English && r.month == 5 && dot+1 < len(f.text) && f.text[dot] == '.' && f.text[dot+1] == ' ' {
				p.skip = dot + 1 // "Dec. 4" becomes "May 4"
			}
		}
	case roleDay:
		p.day(a, text)
	case roleSeason:
		if s := r.month % 12 / 3; !keep(s) {
			name := languageNames[f.lang].seasons[s]
			if dayFirst, _ := f.ref.dayFirst(); dayFirst && name == "fall" {
				name = "autumn"
			}
			if f.lang == English && text[len(text)-1]|0x20 == 's' {
				name += "s"
			}
			p.out.WriteString(caseOf(text).in(name))
		}
	case roleQuarter:
		if q := (r.month + 2) / 3; !keep(q) {
			p.out.WriteString(p.quarter(a, text, q))
		}
	case roleDecade:
		p.decade(text, a, r.year)
	case roleHoliday:
		if r.named {
			p.out.WriteString(text)
			return
		}
		if month := caseOf(text).in(languageNames[f.lang].months[r.month]); f.lang == Spanish {
			of := " de "
			if month == strings.ToUpper(month) {
				of = " DE "
			}
			p.out.WriteString(pad(r.day, 1) + of + languageNames[Spanish].months[r.month])
		} else if dayFirst, _ := f.ref.dayFirst(); dayFirst {
			p.out.WriteString(pad(r.day, 1) + " " + month)
		} else {
			p.out.WriteString(month + " " + pad(r.day, 1))
		}
	default:
		p.out.WriteString(text)
	}
}

// year prints a year in as many digits, or in words.
func (p *printer) year(a *atom, text string, year int, keep func(int) bool) {
	switch a.kind {
	case atomYear:
		if !keep(year) {
			p.out.WriteString(pad(year, 4))
		}
	case atomYearWord:
		if !keep(year) {
			p.out.WriteString(caseOf(text).in(spellYear(year, p.form.lang, a.joined())))
		}
	default:
		if !keep(mod(year, 100)) {
			p.out.WriteString(text[:len(text)-2] + pad(mod(year, 100), 2))
		}
	}
}

// joined returns how a number in words is joined.
func (a *atom) joined() spelling {
	if a.spelling == nil {
		return spelling{}
	}
	return *a.spelling
}

// quarter prints Q2, 2Q, second or 2nd.
func (p *printer) quarter(a *atom, text string, q int) string {
	switch {
	case digitAt(text, 0) && a.suffix > 0:
		return p.ordinal(a, text, q)
	case digitAt(text, 0):
		return pad(q, 1) + text[1:]
	case digitAt(text, len(text)-1):
		return text[:len(text)-1] + pad(q, 1)
	case p.form.lang == Spanish:
		return caseOf(text).in([5]string{"", "primer", "segundo", "tercer", "cuarto"}[q])
	}
	return caseOf(text).in(englishOrdinals[q])
}

// day prints a day of the month, with its month where it shared one that is
// no longer its own.
func (p *printer) day(a *atom, text string) {
	r := &p.ends[a.owner]
	day := p.asWritten(a)
	if r.day != int(a.val) {
		switch a.kind {
		case atomOrdinal:
			day = p.ordinal(a, text, r.day)
		case atomOrdinalWord:
			day = caseOf(text).in(spellDay(r.day, p.form.lang, a.joined()))
		default:
			day = p.number(a, text, r.day)
		}
	}
	if m := p.donor(r); m != nil && p.ends[r.donor].month != r.month {
		month := p.month(m, p.form.text[m.start:m.end], r.month)
		if before, gap := p.arrangement(r.donor); before {
			day = month + gap + day
		} else {
			day += gap + month
		}
	}
	p.out.WriteString(day)
}

// ordinal prints 2nd in the style of a.
func (p *printer) ordinal(a *atom, text string, n int) string {
	width := 1
	if text[0] == '0' {
		width = 2
	}
	suffix := text[len(text)-int(a.suffix):]
	if a.suffix == 2 && suffix[0] < 0x80 {
		upper := suffix == strings.ToUpper(suffix)
		if suffix = OrdinalSuffix(n); upper {
			suffix = strings.ToUpper(suffix)
		}
	}
	return pad(n, width) + suffix
}

// donor returns the atom of the month that r shares, or nil.
func (p *printer) donor(r *resolved) *atom {
	if !r.lent {
		return nil
	}
	e := &p.form.ends[r.donor]
	if !e.has(roleMonth) {
		return nil
	}
	return p.form.at(e, roleMonth)
}

// arrangement says whether the month of end i stands before its day, and what
// stands between them.
func (p *printer) arrangement(i int) (before bool, gap string) {
	f := p.form
	e := &f.ends[i]
	switch m, d := e[roleMonth], e[roleDay]; {
	case d == m+1:
		return true, f.src[f.atoms[m-1].end:f.atoms[d-1].start]
	case d > 0 && m == d+1:
		return false, f.src[f.atoms[d-1].end:f.atoms[m-1].start]
	}
	return false, " "
}

// month prints a month in the style of atom a, which reads text.
func (p *printer) month(a *atom, text string, month int) string {
	if a.kind != atomMonth {
		return p.number(a, text, month)
	}
	if int(a.val) == month {
		return text
	}
	list := &languageNames[p.form.lang].months
	name := list[month]
	if full := len(text) > 4 || len(text) == len(list[a.val]); !full || a.val == 5 && len(text) == 3 && p.short {
		name = name[:3]
	}
	return caseOf(text).in(name)
}

// number prints a day or month with the padding of the number it replaces.
func (p *printer) number(a *atom, text string, n int) string {
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

func (p *printer) decade(text string, a *atom, year int) {
	decade, val := year/10*10, int(a.val)
	digitsAt := strings.IndexAny(text, "0123456789")
	if val > 99 && decade == val || val < 100 && mod(decade, 100) == val {
		p.out.WriteString(p.asWritten(a))
		return
	}
	if digitsAt < 0 { // eighties, nineteen eighties
		name := languageNames[p.form.lang].decades[mod(decade, 100)/10]
		switch century := decade / 100; {
		case name == "" || val > 99 && century > 20:
			name = pad(decade, 4) + "s"
		case val > 99:
			name = spell(century, English, "-") + a.joined().pair + name
		}
		p.out.WriteString(caseOf(text).in(name))
		return
	}
	width := 2
	if val > 99 {
		width = 4
	} else {
		decade = mod(decade, 100)
	}
	p.out.WriteString(text[:digitsAt] + pad(decade, width) + text[digitsAt+width:])
}

// weekdayText writes a weekday at the length of text.
func weekdayText(text string, w int, code bool, lang Language) string {
	if code {
		code := [7]string{"Su", "M", "T", "W", "Th", "F", "Sa"}[w]
		if text == strings.ToLower(text) {
			return strings.ToLower(code)
		}
		return code
	}
	name, lower := languageNames[lang].weekdays[w], strings.ToLower(text)
	switch {
	case len(lower) == 2:
		name = name[:2]
	case lang == English && strings.HasSuffix(lower, "days"):
		name += "s"
	case lang == English && !strings.HasSuffix(lower, "day"):
		name = name[:3]
	case lang == Spanish && len(lower) <= 4 && len([]rune(lower)) == 3:
		name = prefix(name, 3)
	case lang == Spanish && strings.HasSuffix(lower, "os") && (w == 0 || w == 6):
		name += "s"
	}
	return caseOf(text).in(name)
}
