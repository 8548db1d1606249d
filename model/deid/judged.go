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
	var states []state
	for _, g := range groups {
		if o, st, is := stateOf(g, spans, odds, known); is {
			note.Pairs, note.Opinions, states = append(note.Pairs, g), append(note.Opinions, o), append(states, st)
		}
	}
	if !slices.ContainsFunc(states, func(s state) bool { return !s.settled }) {
		return spans
	}
	note.Days = otherDays(text, spans, ref)
	judge := pairs.NewJudge(&note)
	var added []phi.Span
	dropped := map[int]bool{}
	for i, g := range note.Pairs {
		if states[i].settled {
			continue
		}
		if p.watch != nil {
			p.watch(g, judge.Features(i))
		}
		chance := judge.Chance(i)
		s := phi.Span{Start: g.Start, End: g.End, Type: phi.Date, Tagger: phi.Rules, Score: float32(chance)}
		is := s.Score >= policy.PairDate && (text[g.Start:g.End] != allHours || ref.DayFirst == dates.Yes)
		switch found := states[i].found; {
		case found && !is:
			s = spans[states[i].span]
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

// state is what is known of two numbers before they are judged.
type state struct {
	found   bool // whether they are a date so far,
	span    int  // and which of the spans
	settled bool // nothing is to be decided of them: they only stand beside others
}

// stateOf tells what taggers think of two numbers, and whether they are any to be judged or to
// stand beside such: runs of numbers are none, nor is what belongs to a span of another type.
func stateOf(g pairs.Group, spans []phi.Span, odds chances, known *phi.Overlaps) (pairs.Opinion, state, bool) {
	if g.Run {
		return pairs.Opinion{}, state{}, false
	}
	chance, told := odds.of(phi.Span{Start: g.Start, End: g.End, Type: phi.Date})
	o := pairs.Opinion{Chance: chance, Told: told}
	var st state
	for i := first(spans, g.Start); i < len(spans) && spans[i].Start < g.End; i++ {
		if st.found, st.span = true, i; spans[i].Type != phi.Date {
			return o, st, false
		}
	}
	if !st.found {
		st.settled = g.Touching
		return o, st, true
	}
	switch s := spans[st.span]; {
	case s.Start != g.Start || s.End != g.End || known.Any(s) || s.Tagger != phi.Network && s.Score >= policy.SurePattern:
		return pairs.Opinion{By: pairs.Network}, state{settled: true}, true
	case s.Tagger == phi.Network:
		o.By = pairs.Network
	default:
		o.By = pairs.Rules
	}
	return o, st, true
}

// allHours is all day and every day, and a date only where the day stands first.
const allHours = "24/7"

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
