package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// countGenerated compares the generated notes with what became of them.
func countGenerated(ctx context.Context, dir, out string, list bool) (figures, error) {
	c, err := readCorpus(ctx, filepath.Join(dir, "notes.parquet"), filepath.Join(dir, "identifiers.parquet"), "", out)
	if err != nil {
		return nil, err
	}
	raw, err := os.ReadFile(filepath.Join(dir, "truth.json"))
	if err != nil {
		return nil, err
	}
	var truth []planted
	if err := json.Unmarshal(raw, &truth); err != nil {
		return nil, err
	}
	notes := map[string]*note{}
	for i := range c.notes {
		notes[c.notes[i].id] = &c.notes[i]
	}
	by := map[string]form{}
	for _, f := range forms {
		by[f.name] = f
	}
	kinds, each := map[kind]*tally{}, map[string]*tally{}
	for _, p := range truth {
		f, n := by[p.Form], notes[fmt.Sprint(p.Note)]
		ok, after := right(f, p, n)
		if kinds[f.kind] == nil {
			kinds[f.kind] = &tally{}
		}
		if each[f.name] == nil {
			each[f.name] = &tally{}
		}
		kinds[f.kind].add(ok)
		each[f.name].add(ok)
		if !ok && list {
			context := strings.ReplaceAll(string(n.before[max(0, p.Start-20):min(len(n.before), p.End+12)]), "\n", " ")
			fmt.Printf("generated\t%s\t%d\t%s\t%s\t%s\n", f.name, p.Note, context, after, timeOf(p.Day+n.moved-n.day).Format("2006-01-02"))
		}
	}
	var all figures
	add := func(name string, t *tally) {
		if t != nil {
			all = append(all, figure{"generated notes", name, t.n, t.of})
		}
	}
	add("dates of visits and births right", kinds[header])
	add("full dates right", kinds[fullDate])
	add("dates without a year right", kinds[monthDay])
	add("months, years and the like moved, or rightly as before", kinds[partial])
	add("years of guidelines, and numbers that are no dates, as they were", kinds[stays])
	add("ages replaced that with later notes tell one above 89", kinds[ageSaid])
	for _, f := range forms {
		if f.kind != ageSaid && f.kind != header {
			add("`"+f.name+"`", each[f.name])
		}
	}
	return all, nil
}

// right reports whether an expression became what it must: itself written as of
// as many days later as its note's date column, in one of the styles in which
// it reads as it did.
func right(f form, p planted, n *note) (ok bool, after string) {
	_, after, lead, tail, by := n.released(p.Start, p.End)
	surface := string(n.before[p.Start:p.End])
	if len(by) == 0 {
		after = surface
	}
	if p.DayFirst {
		after = strings.ReplaceAll(after, "autumn", "fall") // which the forms say everywhere
	}
	switch f.kind {
	case stays:
		return after == lead+surface+tail, after
	case ageSaid:
		return after != surface, after
	}
	days := n.moved - n.day
	if f.name == "the 80s" { // moves as the first day of its sixth year does
		middle, _ := date(timeOf(p.Day).Year()/10*10+5, 1, 1)
		return after == lead+f.write(timeOf(dayOf(middle)+days), time.Time{}, style{})+tail, after
	}
	if l, ok := inFull[f.name]; ok && timeOf(p.Day).Month() != timeOf(p.To).Month() {
		f.write = layout(l)
	}
	for _, s := range []style{{}, {padded: true}, {long: true}, {padded: true, long: true}} {
		s.dayFirst = p.DayFirst
		if f.write(timeOf(p.Day), timeOf(p.To), s) != surface {
			continue
		}
		want := lead + f.write(timeOf(p.Day+days), timeOf(p.To+days), s) + tail
		want = strings.Replace(want, "May. ", "May ", 1) // which is no abbreviation
		if after == want || f.kind != partial && p.To > p.Day && plainly(after) == plainly(want) {
			return true, after
		}
		if f.kind != partial || after == "" {
			continue
		}
		// What names a stretch moves as its middle does: half a stretch either way.
		for _, around := range []int{-366, -183, -110, -92, -46, -31, -16, 16, 31, 46, 92, 110, 183, 366} {
			if len(by) > 0 && after == lead+f.write(timeOf(p.Day+days+around), timeOf(p.To+days+around), s)+tail && (abs(around) <= half(f.name)) {
				return true, after
			}
		}
		if f.name == "yyyy-yyyy" && after != surface && !hasMask(after) {
			return years(after, timeOf(p.Day+days), timeOf(p.To+days)), after
		}
	}
	return false, after
}

var padding = regexp.MustCompile(`\b0(\d)\b`)

// plainly leaves out of a range what one of its ends may show and the other not:
// zeros before numbers, and whether May is short.
func plainly(s string) string {
	s = padding.ReplaceAllString(s, "$1")
	for m := time.January; m <= time.December; m++ {
		s = strings.ReplaceAll(s, m.String(), m.String()[:3])
	}
	return s
}

// half returns by how many days at most the name of a stretch can be off.
func half(form string) int {
	switch {
	case strings.Contains(form, "FYyy") && form != "Q2 FYyy", form == "yyyy", form == "early yyyy", form == "'yy", form == "b. yyyy":
		return 366
	case strings.HasPrefix(form, "Q2"), strings.HasPrefix(form, "season"):
		return 110
	}
	return 31
}

// years reports whether two years are within one of what they must be.
func years(after string, t, to time.Time) bool {
	a, b, ok := strings.Cut(after, "-")
	return ok && abs(atoi(a)-t.Year()) <= 1 && abs(atoi(b)-to.Year()) <= 1
}

func abs(n int) int { return max(n, -n) }
