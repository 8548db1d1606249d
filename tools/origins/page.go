package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/names"
)

// wanted is the range over origins that is aimed at, in points.
const wanted = 1.0

// words is the origin whose names are English words.
const words = "words"

func (m *measure) page(w io.Writer, results []*result) {
	first := results[0]
	fmt.Fprintf(w, "\n## The range over origins\n\n%d notes of %d patients, %d times for each origin: %d mentions with %d words of names "+
		"an origin. Recall in percent, ranges in points with their simultaneous 95 %% intervals (%d samples).\n\n"+
		"| model | as written | all origins together | range over 16 | worst, best | at most one point? | range over the 15 without words | "+
		"worst, best | at most one point? |\n|---|--:|--:|--:|---|---|--:|---|---|\n", len(m.carriers), len(m.patients), m.draws,
		first.tallies[0].mentions, first.tallies[0].words.all, resamples)
	for _, r := range results {
		var all ratio
		for _, t := range r.tallies {
			all.found, all.all = all.found+t.words.found, all.all+t.words.all
		}
		fmt.Fprintf(w, "| `%s` | %.2f | %.2f |%s%s\n", r.model, r.written.words.percent(), all.percent(), describe(r.all, m.origins),
			describe(r.plain, m.plainOrigins()))
	}
	fmt.Fprintf(w, "\n## By origin, `%s`\n\n"+
		"| origin | names | forms the model knows | recall | 95 %% by itself | patients | clinicians | %s | with marks | without | "+
		"in small letters | needless spans in 100 notes |\n|---|--:|--:|--:|--:|--:|--:|%s--:|--:|--:|--:|\n", first.model,
		strings.Join(formNames[:], " | "), strings.Repeat("--:|", forms))
	known := vocabulary(first.model)
	order := make([]int, len(m.origins))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := first.tallies[a].words, first.tallies[b].words
		return y.found*x.all - x.found*y.all
	})
	for _, k := range order {
		count, knows := 0, 0
		for _, list := range m.origins[k].names {
			for _, n := range list {
				count++
				if known[strings.ToLower(n)] || known[names.Fold(n)] {
					knows++
				}
			}
		}
		own := first.all.each[k]
		first.tallies[k].row(w, m.origins[k].title, fmt.Sprintf("%d | %.0f %%", count, 100*float64(knows)/float64(count)),
			fmt.Sprintf("%.2f to %.2f", own[0], own[1]))
	}
	first.written.row(w, "the notes as they were written, once", " | ", "")
	m.where(w, first)
}

func describe(s spread, of []origin) string {
	verdict := "not shown"
	switch {
	case s.high <= wanted:
		verdict = "yes"
	case s.low > wanted:
		verdict = "no"
	}
	return fmt.Sprintf(" %.2f (%.2f to %.2f) | %s, %s | %s |", s.points, s.low, s.high, of[s.worst].title, of[s.best].title, verdict)
}

func (m *measure) plainOrigins() []origin {
	return slices.DeleteFunc(slices.Clone(m.origins), func(o origin) bool { return o.id == words })
}

func (t *tally) row(w io.Writer, title, of, interval string) {
	fmt.Fprintf(w, "| %s | %s | %.2f | %s | %.2f | %.2f |", title, of, t.words.percent(), interval, t.patients.percent(), t.doctors.percent())
	for _, f := range append(slices.Clone(t.forms[:]), t.marked, t.bare, t.lower) {
		if f.all == 0 {
			fmt.Fprint(w, " |")
		} else {
			fmt.Fprintf(w, " %.2f |", f.percent())
		}
	}
	fmt.Fprintf(w, " %.1f |\n", 100*float64(t.needless)/float64(max(1, t.notes)))
}

// where tells how much of what is missed is the notes' doing: words that are missed
// at the same place whatever name stands there.
func (m *measure) where(w io.Writer, r *result) {
	misses := func(t *tally, alone bool) (n int) {
		if alone {
			return t.forms[givenAlone].all - t.forms[givenAlone].found
		}
		return t.words.all - t.words.found
	}
	all, alone := 0, 0
	byNote := map[int]int{}
	for k, t := range r.tallies {
		if m.origins[k].id == words {
			continue
		}
		all, alone = all+misses(t, false), alone+misses(t, true)
		for _, u := range t.sorted() {
			byNote[u.patient] += u.all - u.found
		}
	}
	var counts []int
	for _, n := range byNote {
		counts = append(counts, n)
	}
	slices.SortFunc(counts, func(a, b int) int { return b - a })
	five := 0
	for _, n := range counts[:min(5, len(counts))] {
		five += n
	}
	fmt.Fprintf(w, "\nOf the %d words missed with the 15 origins that are no words, %.0f %% are given names that stand alone, and "+
		"%.0f %% stand in the notes of five of the %d patients.\n", all, 100*float64(alone)/float64(max(1, all)),
		100*float64(five)/float64(max(1, all)), len(m.patients))
}

// vocabulary returns the forms that a model has a vector for, none where its
// vocabulary cannot be read.
func vocabulary(model string) map[string]bool {
	folder := model
	if _, err := os.Stat(folder); err != nil {
		folder = filepath.Join("onnx/models", model)
	}
	raw, _ := os.ReadFile(filepath.Join(folder, "vocabulary.txt")) // none: the column is 0 %
	known := map[string]bool{}
	for line := range strings.Lines(string(raw)) {
		known[strings.TrimSpace(line)] = true
	}
	return known
}
