package deid

import (
	"fmt"
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/pairs"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/policy"
	"github.com/palimpsest-deid/palimpsest/model/token"
	"github.com/palimpsest-deid/palimpsest/model/veto"
)

// judged decides of each two numbers of a text that stand by themselves (3/4, 3-4) whether they
// are a date: those that taggers took for one may be none, and those that none took may be.
// Left where it was, such a date would tell the shift of all others. spans, disjoint and in
// order, are those found before, and groups the text's.
func (p *Patient) judged(text string, tokens []token.Token, groups []pairs.Group, spans []phi.Span, odds chances,
	known *phi.Overlaps, ref dates.Reference, trace func(phi.Event)) []phi.Span {
	note := pairs.Note{Text: text, Ref: ref, Elsewhere: func(surface string) bool {
		_, found := slices.BinarySearch(p.plan.Pairs, surface)
		return found
	}}
	var at []int // of each pair, the span that it is, -1 for none, or settled
	for _, g := range groups {
		if g.Run {
			continue
		}
		s := phi.Span{Start: g.Start, End: g.End, Type: phi.Date}
		chance, told := odds.of(s)
		o, k := pairs.Opinion{Chance: chance, Told: told}, -1
		for i := first(spans, g.Start); i < len(spans) && spans[i].Start < g.End; i++ {
			if k = i; spans[i].Type != phi.Date {
				break
			}
		}
		switch {
		case k < 0 && g.Touching:
			k = settled
		case k < 0:
		case spans[k].Type != phi.Date:
			continue
		case spans[k].Start != g.Start || spans[k].End != g.End || known.Any(spans[k]) ||
			spans[k].Tagger != phi.Network && spans[k].Score >= policy.SurePattern:
			o, k = pairs.Opinion{By: pairs.Network}, settled
		case spans[k].Tagger == phi.Network:
			o.By = pairs.Network
		default:
			o.By = pairs.Rules
		}
		note.Pairs, note.Opinions, at = append(note.Pairs, g), append(note.Opinions, o), append(at, k)
	}
	if !slices.ContainsFunc(at, func(k int) bool { return k != settled }) {
		return spans
	}
	note.Days = otherDays(text, spans, ref)
	judge := pairs.NewJudge(&note)
	var added []phi.Span
	dropped := map[int]bool{}
	for i, g := range note.Pairs {
		if at[i] == settled {
			continue
		}
		if p.watch != nil {
			p.watch(g, judge.Features(i))
		}
		chance := judge.Chance(i)
		s := phi.Span{Start: g.Start, End: g.End, Type: phi.Date, Tagger: phi.Rules, Score: float32(chance)}
		is := s.Score >= policy.PairDate && (text[g.Start:g.End] != allHours || ref.DayFirst == dates.Yes)
		switch found := at[i] >= 0; {
		case found && !is:
			s = spans[at[i]]
			dropped[s.Start] = true
		case !found && is && !veto.Medicine(text, tokens, s):
			added = append(added, s)
		default:
			continue
		}
		if trace != nil {
			e := phi.Event{Step: "second look", Before: s, Why: fmt.Sprintf("as a date these numbers have a chance of %.2f", chance)}
			if is {
				e.After = s
			}
			trace(e)
		}
	}
	if len(dropped) == 0 && added == nil {
		return spans
	}
	spans = slices.DeleteFunc(spans, func(s phi.Span) bool { return dropped[s.Start] })
	spans = append(spans, added...)
	phi.Sort(spans)
	return spans
}

// allHours is all day and every day, and a date only where the day stands first.
const allHours = "24/7"

// settled stands for the span of a pair about which nothing is to be decided.
const settled = -2

// first returns the index of the first span that ends behind a byte.
func first(spans []phi.Span, start int) int {
	i, _ := slices.BinarySearchFunc(spans, start, func(s phi.Span, start int) int { return s.End - start - 1 })
	return i
}

// otherDays returns the days of a text's dates that are more than two numbers, ascending.
func otherDays(text string, spans []phi.Span, ref dates.Reference) []int {
	var days []int
	for _, s := range spans {
		if s.Type != phi.Date {
			continue
		}
		if _, pair := pairs.Is(text[s.Start:s.End]); pair {
			continue
		}
		if f, err := dates.Parse(text[s.Start:s.End], ref); err == nil {
			for _, d := range f.EachDay() {
				days = append(days, d.Day)
			}
		}
	}
	slices.Sort(days)
	return slices.Compact(days)
}
