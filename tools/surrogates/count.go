package main

import (
	"fmt"
	"strings"
	"time"
)

// tally is a count and its whole.
type tally struct{ n, of int }

func (t *tally) add(hit bool) {
	t.of++
	if hit {
		t.n++
	}
}

// anyNeedless counts changed spans of any type in text that nobody marked.
const anyNeedless = "changed spans of any type where nothing is marked"

// count returns the figures of annotated notes. With list it prints each of
// what they count.
func (c *corpus) count(name string, l *lists, list bool) figures {
	first := c.orders()
	say := func(what string, n *note, g mark, after string) {
		if list {
			lo, hi := max(0, g.start-30), min(len(n.before), g.end+25)
			context := strings.ReplaceAll(string(n.before[lo:g.start])+"⟦"+string(n.before[g.start:g.end])+"⟧"+string(n.before[g.end:hi]), "\n", " ")
			fmt.Printf("%s\t%s\t%s\t%s\t%s\n", name, what, n.id, context, after)
		}
	}
	var dayFirst, monthFirst, clear, cut, years, eaten tally
	left, all, late, missed, needless, needlessYears, bare, clocks := map[string]bool{}, map[string]bool{}, tally{}, tally{}, 0, 0, 0, 0
	births := map[string]map[string]bool{}
	end := 0
	for i := range c.notes {
		end = max(end, c.notes[i].day)
	}
	for i := range c.notes {
		n := &c.notes[i]
		all[n.patient] = true
		late.add(n.moved > end)
		for _, g := range n.gold {
			if g.typ != "DATE" {
				continue
			}
			surface := string(n.before[g.start:g.end])
			before, after, _, _, by := n.released(g.start, g.end)
			missed.add(len(by) == 0)
			if len(by) == 0 {
				say("missed", n, g, "")
			}
			dates := 0
			for _, f := range by {
				if f.Type == "DATE" {
					dates++
				}
			}
			if cut.add(dates > 1); dates > 1 {
				say("cut", n, g, after)
			}
			if yearAlone.MatchString(surface) {
				years.add(before == after)
			}
			x, ok := readNumeric(surface)
			if !ok {
				continue
			}
			if before == after {
				left[n.patient] = true
				say("left", n, g, after)
				continue
			}
			wrong := !c.right(n, x, g, before, after, first[n.id])
			switch {
			case !x.ambiguous():
				clear.add(wrong)
			case first[n.id]:
				dayFirst.add(wrong)
			default:
				monthFirst.add(wrong)
			}
			if wrong {
				say("wrong", n, g, after)
			}
			if born, err := time.Parse("2006-01-02", c.birth[n.patient]); err == nil && x.year > 0 && x.is(first[n.id], dayOf(born)) {
				if births[n.patient] == nil {
					births[n.patient] = map[string]bool{}
				}
				if y, ok := readNumeric(numericWithin.FindString(after)); ok {
					m, d := y.monthDay(first[n.id])
					births[n.patient][fmt.Sprint(m, d, y.year%100)] = true
				}
			}
		}
		for _, f := range n.found {
			whole, out := mark{int(f.Start), int(f.End), f.Type}, string(n.after[f.OutputStart:f.OutputEnd])
			if string(n.before[whole.start:whole.end]) != out {
				eaten.add(!n.annotated(whole))
				if !n.annotated(whole) {
					say("unmarked "+f.Type, n, whole, out)
				}
			}
			if f.Type != "DATE" {
				continue
			}
			g := mark{int(f.Start), int(f.End), "DATE"}
			surface, after := string(n.before[f.Start:f.End]), string(n.after[f.OutputStart:f.OutputEnd])
			if !strings.ContainsAny(strings.ToLower(surface), "abcdefghijklmnopqrstuvwxyz0123456789") {
				bare++
			}
			if rest := string(n.before[f.End:min(int(f.End)+2, len(n.before))]); len(rest) == 2 && rest[0] == ':' && rest[1] >= '0' &&
				rest[1] <= '9' {
				clocks++
				say("clock", n, g, after)
			}
			if surface == after || n.annotated(g) {
				continue
			}
			needless++
			if yearAlone.MatchString(surface) {
				needlessYears++
			}
			say("needless", n, g, after)
		}
	}
	several := tally{}
	for _, b := range births {
		several.add(len(b) > 1)
	}
	return append(figures{
		{name, "ambiguous dates of patients who write the day first, moved to a wrong day", dayFirst.n, dayFirst.of},
		{name, "ambiguous dates of patients who write the month first, moved to a wrong day", monthFirst.n, monthFirst.of},
		{name, "other numeric dates moved to a wrong day, or masked", clear.n, clear.of},
		{name, "dates cut into several spans", cut.n, cut.of},
		{name, "spans that end within a time of day", clocks, 0},
		{name, "spans without a letter or digit", bare, 0},
		{name, "patients with a numeric date left as it was", len(left), len(all)},
		{name, "marked dates in no span", missed.n, missed.of},
		{name, "marked years alone that read as before", years.n, years.of},
		{name, "spans of dates, changed, where nothing is marked", needless, 0},
		{name, "of these years alone", needlessYears, 0},
		{name, anyNeedless, eaten.n, eaten.of},
		{name, "patients with several released birth dates", several.n, several.of},
		{name, "notes released as of after the extract's end", late.n, late.of},
	}, c.countKinds(name, l, say)...)
}

// annotated reports whether a mark of any type overlaps g.
func (n *note) annotated(g mark) bool {
	for _, o := range n.gold {
		if o.start < g.end && o.end > g.start {
			return true
		}
	}
	return false
}

// right reports whether the numeric date that was x at g is what it must be
// among the numeric dates of before and after. A date of birth, further back
// than 85 years, may also have been moved to hide an age: its day and month
// count alone.
func (c *corpus) right(n *note, x numeric, g mark, before, after string, dayFirst bool) bool {
	surface := numericWithin.FindString(string(n.before[g.start:g.end]))
	if night, ok := strings.CutSuffix(before, surface); ok && nightBefore.MatchString(night) { // 11-12/2, of which 12/2 was marked
		before, after = surface, nightBefore.ReplaceAllString(after, "")
	}
	olds, news := numericWithin.FindAllString(before, -1), numericWithin.FindAllString(after, -1)
	if len(olds) != len(news) {
		return false
	}
	for i := range olds {
		if olds[i] != surface {
			continue
		}
		y, ok := readNumeric(news[i])
		if !ok {
			continue
		}
		for _, day := range x.days(dayFirst, n.day) {
			if y.is(dayFirst, day+n.moved-n.day) {
				return true
			}
			if n.day-day > 85*366 && n.day-day < 120*366 {
				return true
			}
		}
	}
	return false
}
