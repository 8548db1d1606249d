package deid

import (
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
	"github.com/palimpsest-deid/palimpsest/model/veto"
)

// How near a doubtful date must lie to one of the note's dates, in days: farther
// where a number over 12 makes a fraction less likely. A run of six digits is a
// date within a year or so of the note: of a million such numbers some five
// hundred are.
const (
	nearPair  = 14
	nearClear = 92
	nearRange = 4 // 1-24
	runBefore = 400
	runAfter  = 100
	longAgo   = 110 * 366
)

// secondLook returns the dates of a text that no tagger was sure of: a pair of
// numbers (3/4, 3-4) that lies within days of a date that moves, ends a range
// with one, or moves elsewhere in the patient's notes; and a run of digits that
// is a day near the note (030419, 20190304), which rules and network take for
// other numbers. Left where it was, such a date would tell the shift of all
// others. spans, disjoint and in order, are those found before; their array may
// be used again.
func (p *Patient) secondLook(text string, tokens []token.Token, spans []phi.Span, odds chances, known *phi.Overlaps,
	ref dates.Reference, trace func(phi.Event)) []phi.Span {
	groups := digitGroups(text)
	if len(groups) == 0 {
		return spans
	}
	l := looker{text: text, tokens: tokens, ref: ref, pairs: p.plan.Pairs, known: known, odds: odds}
	if ref.HasNoteDay {
		l.days = append(l.days, ref.NoteDay)
	}
	for _, s := range spans {
		if s.Type == phi.Date {
			l.note(s)
		}
	}
	for range maxRounds { // what was found may tell of what stands before it
		more := l.round(groups, spans, trace)
		if more == nil {
			break
		}
		spans = more
	}
	return spans
}

// maxRounds bounds how often a text is looked through. Only lists that are told by
// their last item need more than two or three.
const maxRounds = 64

// round looks at all groups once, in order, and returns spans with the dates among
// them; nil where there are none.
func (l *looker) round(groups []group, spans []phi.Span, trace func(phi.Event)) []phi.Span {
	var out []phi.Span
	at, from := 0, 0 // spans before at end before the group; those before from are in out
	before := func() *phi.Span {
		switch {
		case at > from:
			return &spans[at-1]
		case len(out) > 0:
			return &out[len(out)-1]
		}
		return nil
	}
	for _, r := range groups {
		for at < len(spans) && spans[at].End <= r.start {
			at++
		}
		var after *phi.Span
		if at < len(spans) {
			after = &spans[at]
		}
		taken := after != nil && after.Start < r.end
		if taken && !(after.Start == r.start && after.End == r.end && r.run && after.Type != phi.Date && !l.known.Any(*after)) {
			continue
		}
		why := l.date(r, before(), after)
		if why == "" {
			continue
		}
		s := phi.Span{Start: r.start, End: r.end, Type: phi.Date, Tagger: phi.Rules, Score: 1}
		e := phi.Event{Step: "second look", Before: s, After: s, Why: why}
		if out == nil {
			out = make([]phi.Span, 0, len(spans)+len(groups))
		}
		out = append(out, spans[from:at]...)
		from = at
		if taken {
			e.Before = *after
			at, from = at+1, at+1
		}
		out = append(out, s)
		if trace != nil {
			trace(e)
		}
		l.note(s)
	}
	if out == nil {
		return nil
	}
	return append(out, spans[from:]...)
}

// group is a pair of numbers or a run of digits in a text, in bytes.
type group struct {
	start, end int
	run        bool
	separator  byte
	a, b       int  // of a pair
	touching   bool // another pair: 4/1-4/2
}

// digitGroups returns the pairs and runs of a text that stand by themselves.
func digitGroups(text string) []group {
	var all []group
	for i := 0; i < len(text); {
		if !isDigit(text, i) {
			i++
			continue
		}
		start := i
		for isDigit(text, i) {
			i++
		}
		n := i - start
		g := group{start: start, end: i, run: n == 6 || n == 8 || n == 12 || n == 14}
		if n <= 2 && i < len(text) && (text[i] == '/' || text[i] == '-') && isDigit(text, i+1) {
			from := i + 1
			for i = from; isDigit(text, i); i++ {
			}
			if i-from <= 2 {
				g = group{start: start, end: i, separator: text[from-1], a: number(text[start : from-1]), b: number(text[from:i])}
			}
		}
		if n := len(all); g.separator == '/' && n > 0 && all[n-1].separator == '/' && all[n-1].end+1 == g.start && text[g.start-1] == '-' {
			all[n-1].touching, g.touching = true, true
		}
		if g.run || g.separator != 0 {
			all = append(all, g)
		}
		if g.separator == '/' && i+1 < len(text) && text[i] == '-' && isDigit(text, i+1) {
			i++
			continue
		}
		for i < len(text) && strings.IndexByte("/-.,:", text[i]) >= 0 && isDigit(text, i+1) {
			for i++; isDigit(text, i); i++ { // the rest of a longer number
			}
		}
	}
	return slices.DeleteFunc(all, func(g group) bool { return !g.touching && !alone(text, g.start, g.end) })
}

// alone reports whether no letter, digit or mark of a number touches
// text[start:end].
func alone(text string, start, end int) bool {
	if start > 0 && (text[start-1] >= 0x80 || isLetter(text[start-1]) || strings.IndexByte("#$+-./:<=>_~^*", text[start-1]) >= 0) {
		return false
	}
	if end == len(text) {
		return true
	}
	c := text[end]
	if strings.IndexByte("-.,:", c) >= 0 && !isDigit(text, end+1) {
		return c != '-' || end+1 == len(text) || !isLetter(text[end+1])
	}
	return c < 0x80 && !isLetter(c) && strings.IndexByte("#%*+-./:<=>_^", c) < 0
}

func isDigit(s string, i int) bool { return i < len(s) && s[i] >= '0' && s[i] <= '9' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func number(s string) int {
	n := 0
	for _, c := range []byte(s) {
		n = 10*n + int(c-'0')
	}
	return n
}

// looker is a text under the second look.
type looker struct {
	text   string
	tokens []token.Token
	ref    dates.Reference
	days   []int         // of the note's dates, in order, each once
	pairs  []string      // that are dates in the patient's notes
	known  *phi.Overlaps // known identifiers, which are no dates
	odds   chances
}

// note adds the days of a date that moves.
func (l *looker) note(s phi.Span) {
	f, err := dates.Parse(l.text[s.Start:s.End], l.ref)
	if err != nil {
		return
	}
	for _, d := range f.EachDay() {
		if i, found := slices.BinarySearch(l.days, d.Day); !found {
			l.days = slices.Insert(l.days, i, d.Day)
		}
	}
}

// date returns why a group is a date, or "". before and after are the spans that it
// stands between, nil for none.
func (l *looker) date(g group, before, after *phi.Span) string {
	surface := l.text[g.start:g.end]
	if g.run {
		if l.runDay(surface) {
			return "a run of digits that is a day near the note"
		}
		return ""
	}
	days := l.read(surface)
	taken := phi.Span{Start: g.start, End: g.end, Type: phi.Date, Tagger: phi.Network}
	if len(days) != 1 || l.odds.ruleOut(taken) || veto.Medicine(l.text, l.tokens, taken) {
		return ""
	}
	if before != nil && l.range2(before.Start, before.End, g.start, g.end, *before) ||
		after != nil && l.range2(g.start, g.end, after.Start, after.End, *after) {
		return "it ends a range with a date"
	}
	within := nearPair
	valued := strings.HasPrefix(strings.TrimLeft(l.text[g.end:], " "), "=") // "level 5/10 = 0.8"
	switch clear := g.a > 12 || g.b > 12 || valued; {
	case g.touching, surface == allHours:
		return ""
	case before != nil && l.parallel(before.Start, before.End, g.start, g.end, *before, days[0].Day),
		after != nil && l.parallel(g.start, g.end, after.Start, after.End, *after, days[0].Day):
		return "it stands in a list where a date beside it does"
	case l.slot(g):
		return "it stands where the day of an event does"
	case g.separator == '-' && (l.counts(g) || g.a <= g.b && !clear && surface[0] != '0'):
		return "" // two to four
	case g.separator == '-' && g.a < g.b && surface[0] != '0':
		within = nearRange
	case g.separator == '-':
	case clear:
		within = nearClear
	case g.a <= g.b && !odd[g.b] && !l.leads(g):
		return ""
	}
	if g.separator == '/' && (before != nil && l.alike(g, *before) || after != nil && l.alike(g, *after)) {
		return "it stands in brackets as a date beside it does"
	}
	if _, found := slices.BinarySearch(l.pairs, surface); found && g.separator == '/' {
		return "it is a date elsewhere in the patient's notes"
	}
	if i, _ := slices.BinarySearch(l.days, days[0].Day-within); i < len(l.days) && l.days[i] <= days[0].Day+within {
		return "it lies within days of another date of the note"
	}
	return ""
}

// alike reports whether a pair and a date near it both stand in brackets of
// their own: "11 (4/7), 12 (7/14)".
func (l *looker) alike(g group, s phi.Span) bool {
	bracketed := func(start, end int) bool {
		return start > 0 && end < len(l.text) && l.text[start-1] == '(' && l.text[end] == ')'
	}
	return s.Type == phi.Date && max(s.Start-g.end, g.start-s.End) <= 12 && bracketed(g.start, g.end) && bracketed(s.Start, s.End)
}

// leads reports whether a pair stands at the start of a clause, a line or a
// column, as dates do and scores rarely: "; 3/12 laparotomy", "(4/7)". What the British write for months and days does too.
func (l *looker) leads(g group) bool {
	if l.ref.DayFirst == dates.Yes && (g.b == 7 || g.b == 12) || g.b <= 4 {
		return false
	}
	before := strings.TrimRight(l.text[:g.start], " \t")
	return before == "" || strings.IndexByte(".;(\n\r", before[len(before)-1]) >= 0 || len(before)+1 < g.start && g.b != 10
}

// odd are numbers that little is counted out of: a small fraction of others is
// a score, or 2/7 for two days, more often than a date.
var odd = map[int]bool{9: true, 11: true}

func (l *looker) read(surface string) []dates.Day {
	f, err := dates.Parse(surface, l.ref)
	if err != nil {
		return nil
	}
	return f.EachDay()
}

// longestGap is how long in bytes what stands between the ends of a range may be.
const longestGap = 24

// longest is how many days a range without a year spans at most.
const longest = 60

// range2 reports whether the text from one date to another, one of which is a
// span, is a range.
func (l *looker) range2(start, end, start2, end2 int, known phi.Span) bool {
	if known.Type != phi.Date || start2-end > longestGap {
		return false
	}
	gap := strings.ToLower(strings.TrimSpace(l.text[end:start2]))
	if gap != "-" && gap != "\u2013" && gap != "to" && gap != "thru" && gap != "through" && gap != "until" {
		return false
	}
	days := l.read(l.text[start:end2])
	return len(days) == 2 && days[0].Day < days[1].Day && days[1].Day-days[0].Day <= longest
}

// counts reports whether a pair counts what follows: "12-2 weeks".
func (l *looker) counts(g group) bool {
	next, _, _ := strings.Cut(strings.TrimLeft(l.text[g.end:min(len(l.text), g.end+20)], " -"), " ")
	_, err := dates.Parse(l.text[g.start:g.end]+" "+strings.TrimRight(next, ".,;:)"), l.ref)
	return err == dates.ErrRelative || len(next) > 0 && isDigit(next, 0) // "05-10 0.95", a rate by hours
}

// runDay reports whether a run of digits is a day within about a year of the
// note, or with all of its year before it.
func (l *looker) runDay(s string) bool {
	if !l.ref.HasNoteDay {
		return false
	}
	ref := l.ref
	if ref.DayFirst == dates.Unknown {
		ref.DayFirst = dates.No
		if ref.Usual == dates.Yes {
			ref.DayFirst = dates.Yes
		}
	}
	day, ok := dates.ParseDays(s, ref)
	if !ok {
		return false
	}
	before := runBefore
	if len(s) > 6 && (strings.HasPrefix(s, "19") || strings.HasPrefix(s, "20")) {
		before = longAgo
	}
	return day <= ref.NoteDay+runAfter && day >= ref.NoteDay-before
}

func abs(n int) int { return max(n, -n) }
