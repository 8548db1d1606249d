package deid

import (
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/policy"
)

// How far from the note's day, in days, a pair of numbers may lie that little
// speaks for. Dates without a year are of days near the note; of scores and
// fractions every other one lies farther away than three months.
const (
	farForRule    = 31 // no network sees it
	farForNetwork = 92 // the network hardly believes it
)

// allHours is all day and every day, and a date only where the day stands first.
const allHours = "24/7"

// isPair reports whether a surface is two numbers and no more: 3/4, 3-4.
func isPair(surface string) (g group, ok bool) {
	groups := digitGroups(surface)
	if len(groups) != 1 || groups[0].separator == 0 || groups[0].end-groups[0].start != len(surface) {
		return g, false
	}
	return groups[0], true
}

// reach returns how many days from the note's a pair may lie that was found as a
// date, or 0 where it may lie anywhere.
func reach(s phi.Span, odds chances) int {
	switch {
	case s.Type != phi.Date:
	case s.Tagger == phi.Rules && s.Score < policy.SurePattern:
		return farForRule
	case s.Tagger == phi.Network:
		if chance, told := odds.of(s); told && chance < policy.HardlyDate || !told && s.Score < policy.HardlyScore {
			return farForNetwork
		}
	}
	return 0
}

// chances are what the network thinks of the pairs of numbers of a text (phi.Odds), in order.
type chances []phi.Span

// of returns the chance that a pair is a date; told is false for what is none, or where
// nothing is known of it.
func (c chances) of(s phi.Span) (chance float32, told bool) {
	k, ok := slices.BinarySearchFunc(c, s.Start, func(o phi.Span, start int) int { return o.Start - start })
	if !ok || c[k].End != s.End {
		return 0, false
	}
	return c[k].Score, true
}

// ruleOut reports whether the network all but rules out that a pair is a date.
func (c chances) ruleOut(s phi.Span) bool {
	chance, told := c.of(s)
	return told && chance < policy.NoDate
}

// ruledOut is why a pair is then none.
const ruledOut = "the network all but rules out that these numbers are a date"

// withoutRuledOut drops from spans, whose array it uses again, the pairs that a rule by words
// takes for dates and that the network rules out.
func withoutRuledOut(spans []phi.Span, odds chances, trace func(phi.Event)) []phi.Span {
	if len(odds) == 0 {
		return spans
	}
	return slices.DeleteFunc(spans, func(s phi.Span) bool {
		if s.Tagger != phi.Rules || s.Type != phi.Date || s.Score >= policy.SurePattern || !odds.ruleOut(s) {
			return false
		}
		if trace != nil {
			trace(phi.Event{Step: "rules", Before: s, Why: ruledOut})
		}
		return true
	})
}

// withoutFar drops from spans, whose array it uses again, pairs of numbers that
// little speaks for and that lie far from the note's day in either order of day
// and month. Where that day is not told they must lie near a date of the note; in a
// note without any, a rule's pair is none. What stands around them may show the second
// look that they are dates.
func withoutFar(text string, spans []phi.Span, odds chances, known *phi.Overlaps, ref dates.Reference,
	trace func(phi.Event)) []phi.Span {
	days := []int{ref.NoteDay}
	if !ref.HasNoteDay {
		days = daysOf(text, spans, odds, ref)
	}
	return slices.DeleteFunc(spans, func(s phi.Span) bool {
		why := far(text[s.Start:s.End], s, odds, days, ref)
		if why == "" || known.Any(s) {
			return false
		}
		if trace != nil {
			trace(phi.Event{Step: "second look", Before: s, Why: why})
		}
		return true
	})
}

// daysOf returns the days of the dates among spans that more speaks for, where
// there is one that they are asked about.
func daysOf(text string, spans []phi.Span, odds chances, ref dates.Reference) []int {
	weak := func(s phi.Span) bool {
		if reach(s, odds) == 0 {
			return false
		}
		_, pair := isPair(text[s.Start:s.End])
		return pair
	}
	if !slices.ContainsFunc(spans, weak) {
		return nil
	}
	l := looker{text: text, ref: ref}
	for _, s := range spans {
		if s.Type == phi.Date && !weak(s) {
			l.note(s)
		}
	}
	return l.days
}

// far returns why a span, whose surface is given, is no date for all that was
// found, or "". days are those that it should lie near.
func far(surface string, s phi.Span, odds chances, days []int, ref dates.Reference) string {
	if s.Type == phi.Date && surface == allHours && ref.DayFirst != dates.Yes {
		return "at all hours"
	}
	within := reach(s, odds)
	if within == 0 {
		return ""
	}
	g, ok := isPair(surface)
	if !ok || len(days) == 0 && s.Tagger == phi.Network {
		return ""
	}
	for _, day := range days {
		if g.distance(day) <= within {
			return ""
		}
	}
	return "little speaks for a date, and it would lie far from the note's day"
}

// distance returns how many days the nearest day that the pair may name, in any
// year, lies from another; more than a year where it names none.
func (g group) distance(day int) int {
	nearest := 366
	year, _, _ := dates.CivilFromDays(day)
	for y := year - 1; y <= year+1; y++ {
		for _, md := range [2][2]int{{g.a, g.b}, {g.b, g.a}} {
			if dates.Valid(y, md[0], md[1]) {
				nearest = min(nearest, abs(dates.DaysFromCivil(y, md[0], md[1])-day))
			}
		}
	}
	return nearest
}
