package deid

import (
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/pairs"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
	"github.com/palimpsest-deid/palimpsest/model/veto"
)

// How far from the note's day, in days, a run of six digits is a date: of a million such
// numbers some five hundred are.
const (
	runBefore = 400
	runAfter  = 100
	longAgo   = 110 * 366
)

// secondLook returns spans with the dates of a text that no tagger was sure of, beside those that
// judged tells: a pair of numbers that ends a range with a date, and a run of digits that
// is a day near the note (030419, 20190304), which rules and network take for
// other numbers. spans, disjoint and in order, are those found before; their array may
// be used again.
func (p *Patient) secondLook(text string, tokens []token.Token, groups []pairs.Group, spans []phi.Span, odds chances,
	known *phi.Overlaps, ref dates.Reference, trace func(phi.Event)) []phi.Span {
	if len(groups) == 0 {
		return spans
	}
	l := looker{text: text, tokens: tokens, ref: ref, known: known, odds: odds}
	for range 2 { // what was found may tell of what stands before it
		more := l.round(groups, spans, trace)
		if more == nil {
			break
		}
		spans = more
	}
	return spans
}

// round looks at all groups once, in order, and returns spans with the dates among
// them; nil where there are none.
func (l *looker) round(groups []pairs.Group, spans []phi.Span, trace func(phi.Event)) []phi.Span {
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
		for at < len(spans) && spans[at].End <= r.Start {
			at++
		}
		var after *phi.Span
		if at < len(spans) {
			after = &spans[at]
		}
		taken := after != nil && after.Start < r.End
		if taken && !(after.Start == r.Start && after.End == r.End && r.Run && after.Type != phi.Date && !l.known.Any(*after)) {
			continue
		}
		why := l.date(r, before(), after)
		if why == "" {
			continue
		}
		s := phi.Span{Start: r.Start, End: r.End, Type: phi.Date, Tagger: phi.Rules, Score: 1}
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
	}
	if out == nil {
		return nil
	}
	return append(out, spans[from:]...)
}

// looker is a text under the second look.
type looker struct {
	text   string
	tokens []token.Token
	ref    dates.Reference
	known  *phi.Overlaps // known identifiers, which are no dates
	odds   chances
}

// date returns why a group is a date, or "". before and after are the spans that it
// stands between, nil for none.
func (l *looker) date(g pairs.Group, before, after *phi.Span) string {
	if g.Run {
		if l.runDay(l.text[g.Start:g.End]) {
			return "a run of digits that is a day near the note"
		}
		return ""
	}
	s := phi.Span{Start: g.Start, End: g.End, Type: phi.Date, Tagger: phi.Network}
	if l.odds.ruleOut(s) || veto.Medicine(l.text, l.tokens, s) || len(l.read(l.text[g.Start:g.End])) != 1 {
		return ""
	}
	if before != nil && l.range2(before.Start, before.End, g.Start, g.End, *before) ||
		after != nil && l.range2(g.Start, g.End, after.Start, after.End, *after) {
		return "it ends a range with a date"
	}
	return ""
}

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
