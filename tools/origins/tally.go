package main

import (
	"cmp"
	"maps"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/score"
)

// ratio is how many of some words were found.
type ratio struct{ found, all int }

func (r *ratio) count(found bool) {
	r.all++
	if found {
		r.found++
	}
}

func (r ratio) percent() float64 { return 100 * float64(r.found) / float64(max(1, r.all)) }

// unit is what one name did in one patient's notes: what the bootstrap draws.
type unit struct {
	patient, list, name int
	ratio
}

// tally is what was found of an origin's names, by words of names: one is found
// where spans cover all of its letters, whatever their types.
type tally struct {
	words, lower    ratio
	mentions        int
	patients        ratio // annotated PATIENT
	doctors         ratio
	forms           [forms]ratio
	lists           [lists]ratio
	marked, bare    ratio // with marks, and without
	units           map[[3]int]*ratio
	needless, notes int // spans that touch no annotation, in notes
	missed          []string
}

func newTally() *tally { return &tally{units: map[[3]int]*ratio{}} }

// add counts a note as it is written.
func (t *tally) add(c carrier, r redrawn, spans []phi.Span) {
	t.notes++
	for _, s := range spans {
		if !slices.ContainsFunc(r.gold, func(g score.Annotation) bool { return s.Start < g.End && g.Start < s.End }) {
			t.needless++
		}
	}
	met := map[int]bool{}
	for _, w := range r.words {
		found := covered(r.text, w.start, w.end, spans)
		m := c.found[w.mention]
		if !met[w.mention] {
			met[w.mention] = true
			t.mentions++
		}
		t.words.count(found)
		if m.doctor {
			t.doctors.count(found)
		} else {
			t.patients.count(found)
		}
		t.forms[m.form].count(found)
		t.lists[w.list].count(found)
		if utf8.RuneCountInString(r.text[w.start:w.end]) == w.end-w.start {
			t.bare.count(found)
		} else {
			t.marked.count(found)
		}
		key := [3]int{c.patient, w.list, w.name}
		if t.units[key] == nil {
			t.units[key] = &ratio{}
		}
		t.units[key].count(found)
		if !found {
			t.missed = append(t.missed, c.id+"\t"+formNames[m.form]+"\t"+excerpt(r.text, w.start, w.end))
		}
	}
}

// addLower counts a note in small letters.
func (t *tally) addLower(r redrawn, spans []phi.Span) {
	for _, w := range r.words {
		t.lower.count(covered(r.text, w.start, w.end, spans))
	}
}

// sorted returns the units in a fixed order.
func (t *tally) sorted() []unit {
	var all []unit
	for _, k := range slices.SortedFunc(maps.Keys(t.units), func(a, b [3]int) int { return slices.Compare(a[:], b[:]) }) {
		all = append(all, unit{k[0], k[1], k[2], *t.units[k]})
	}
	return all
}

// covered reports whether spans, in order, cover all letters of text[start:end].
func covered(text string, start, end int, spans []phi.Span) bool {
	i, _ := slices.BinarySearchFunc(spans, start, func(s phi.Span, at int) int { return cmp.Compare(s.End, at+1) })
	for at, r := range text[start:end] {
		if !unicode.IsLetter(r) {
			continue
		}
		for i < len(spans) && spans[i].End <= start+at {
			i++
		}
		if i == len(spans) || spans[i].Start > start+at {
			return false
		}
	}
	return true
}

// excerpt is a word with what stands around it, on one line.
func excerpt(text string, start, end int) string {
	from, to := max(0, start-40), min(len(text), end+40)
	for from < start && !utf8.RuneStart(text[from]) {
		from++
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	line := []rune(text[from:start] + "[" + text[start:end] + "]" + text[end:to])
	for i, r := range line {
		if unicode.IsSpace(r) {
			line[i] = ' '
		}
	}
	return string(line)
}
