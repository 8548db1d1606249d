package lexicon

import (
	"strconv"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// birth is a date of birth, and the digits by which it is recognised.
type birth struct {
	days   int // since 1970-01-01
	day    int
	year   string // four digits
	short  string // the last two
	tagger phi.Tagger
}

// parseBirth reads a date of birth as a table of known identifiers holds it: one with year, month
// and day. Where day and month may stand in either order it is two.
func parseBirth(s string) (days []int) {
	if day, ok := isoDay(s); ok {
		return []int{day}
	}
	for _, order := range []dates.DayFirst{dates.No, dates.Yes} {
		d, ok := dates.ParseDays(s, dates.Reference{DayFirst: order})
		if ok && (len(days) == 0 || days[0] != d) {
			days = append(days, d)
		}
	}
	return days
}

// isoDay reads YYYY-MM-DD, which columns of dates are read as: a table may have
// millions, and all forms of a date take ten times as long.
func isoDay(s string) (day int, ok bool) {
	if len(s) != len("2006-01-02") || s[4] != '-' || s[7] != '-' {
		return 0, false
	}
	y, errY := strconv.ParseUint(s[:4], 10, 16)
	m, errM := strconv.ParseUint(s[5:7], 10, 8)
	d, errD := strconv.ParseUint(s[8:], 10, 8)
	if errY != nil || errM != nil || errD != nil || y < 1800 || y > 2199 || !dates.Valid(int(y), int(m), int(d)) {
		return 0, false
	}
	day = dates.DaysFromCivil(int(y), int(m), int(d))
	return day, !dates.IsSentinel(day)
}

// enterBirth adds a date of birth, and its digits without separators.
func (l *Lexicon) enterBirth(s Surface) {
	for _, days := range parseBirth(s.Text) {
		year, month, day := dates.CivilFromDays(days)
		y, m, d := pad(year, 4), pad(month, 2), pad(day, 2)
		l.births = append(l.births, birth{days, day, y, y[2:], s.Tagger})
		for _, form := range []string{y + m + d, m + d + y, d + m + y} {
			l.addCompact(form, entry{phi.Date, s.Tagger, nothing})
		}
	}
}

func pad(n, digits int) string {
	s := strconv.Itoa(n)
	for len(s) < digits {
		s = "0" + s
	}
	return s
}

// reachOfDate is how many tokens a date may have before or behind its year.
const reachOfDate = 7

// sweepBirths finds dates of birth in any form: around each token that is the
// year, where the day stands too, every stretch of up to a few tokens is read
// by package dates, and the shortest that says the same day is the date:
// "DOB" before it is not.
func (l *Lexicon) sweepBirths(dst []phi.Span, text string, tokens []token.Token) []phi.Span {
	for i := range tokens {
		t := tokens[i]
		if t.Class != token.Digits {
			continue
		}
		n := t.End - t.Start
		if n != 4 && n != 2 {
			continue
		}
		for _, b := range l.births {
			form := text[t.Start:t.End]
			if form == b.year || form == b.short && shortYear(text, tokens, i) {
				dst = b.around(dst, text, tokens, i)
			}
		}
	}
	return dst
}

// shortYear reports whether two digits may be a year: next to a mark, or
// behind a word of letters.
func shortYear(text string, tokens []token.Token, i int) bool {
	if i == 0 {
		return len(tokens) > 1
	}
	p := tokens[i-1]
	return token.IsLetters(p.Class) || p.Class == token.Symbol || i+1 < len(tokens) && tokens[i+1].Class == token.Symbol && !tokens[i+1].Space
}

// halfLife is some days after a birth, so that two digits of its year are read
// as that year and not as one a century later.
const halfLife = 40 * 365

func (b birth) around(dst []phi.Span, text string, tokens []token.Token, i int) []phi.Span {
	lo, hi := i, i
	day := false
	see := func(k int) bool {
		if tokens[k].Class == token.Newline {
			return false
		}
		if k != i && tokens[k].Class == token.Digits && tokens[k].End-tokens[k].Start <= 2 {
			n, _ := strconv.Atoi(tokens[k].Text(text))
			day = day || n == b.day
		}
		return true
	}
	for lo > 0 && i-lo < reachOfDate && see(lo-1) {
		lo--
	}
	for hi+1 < len(tokens) && hi-i < reachOfDate && see(hi+1) {
		hi++
	}
	if !day {
		return dst
	}
	var best phi.Span
	for a := lo; a <= i; a++ {
		if !token.IsWord(tokens[a].Class) {
			continue
		}
		for z := hi; z >= i; z-- {
			start, end := int(tokens[a].Start), int(tokens[z].End)
			if best.End > 0 && end-start >= best.End-best.Start || !token.IsWord(tokens[z].Class) || z == a {
				continue
			}
			for _, order := range []dates.DayFirst{dates.No, dates.Yes} {
				if d, ok := dates.ParseDays(text[start:end], dates.Reference{NoteDay: b.days + halfLife, HasNoteDay: true, DayFirst: order}); ok &&
					d == b.days {
					best = phi.Span{Start: start, End: end, Type: phi.Date, Tagger: b.tagger, Score: 1}
				}
			}
		}
	}
	if best.End > best.Start {
		dst = append(dst, best)
	}
	return dst
}
