package main

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/score"
)

// drawn is a word of a redrawn note: where it stands, in bytes, and which name of
// which list it is; in a note as written, the person in place of the name.
type drawn struct {
	start, end int
	list, name int
	mention    int // index into the carrier's mentions
}

// redrawn is a carrier with the names of an origin.
type redrawn struct {
	text  string
	gold  []score.Annotation // as the carrier's, moved
	words []drawn
}

// cast returns the name of each person of a patient, as an index into the lists of
// an origin: people of one list get neighbours from a place that draw and patient
// tell, so that none gets another's name while the list has enough. The place is
// the same for every origin, but for the lists' lengths.
func (o origin) cast(p patient, draw string) []int {
	next := [lists]int{}
	out := make([]int, len(p.people))
	for i, who := range p.people {
		n := len(o.names[who.list])
		first := int(hash("place", draw, p.id, listNames[who.list]) % uint64(n))
		out[i] = (first + next[who.list]) % n
		next[who.list]++
	}
	return out
}

// redraw writes a carrier with an origin's names. Half of the people write theirs
// without marks.
func (o origin) redraw(c carrier, p patient, draw string) redrawn {
	cast := o.cast(p, draw)
	return c.write(func(k int, old string) (string, int) {
		who := p.people[k]
		name := o.names[who.list][cast[k]]
		if hash("marks", draw, p.id, listNames[who.list], who.key)%2 == 0 {
			name = bare(name)
		}
		return cased(name, old), cast[k]
	}, p)
}

// asWritten is the carrier as it is, with the same words told.
func (c carrier) asWritten(p patient) redrawn {
	return c.write(func(k int, old string) (string, int) { return old, k }, p)
}

// write writes a carrier with other names: stand gives the word for a person, and
// its number. Annotations keep what they hold.
func (c carrier) write(stand func(person int, old string) (string, int), p patient) redrawn {
	var out redrawn
	var b strings.Builder
	at := 0
	type move struct{ from, by int } // what stands from here on is moved so far
	moves := []move{{0, 0}}
	for i, m := range c.found {
		for k, w := range m.parts {
			b.WriteString(c.note.Text[at:w.start])
			who := m.people[k]
			word, name := stand(who, c.note.Text[w.start:w.end])
			start := b.Len()
			b.WriteString(word)
			out.words = append(out.words, drawn{start, b.Len(), p.people[who].list, name, i})
			at = w.end
			moves = append(moves, move{w.end, b.Len() - w.end})
		}
	}
	b.WriteString(c.note.Text[at:])
	out.text = b.String()
	moved := func(offset int) int { // of a place that is not within a word that is redrawn
		by := 0
		for _, m := range moves {
			if m.from <= offset {
				by = m.by
			}
		}
		return offset + by
	}
	for _, g := range c.note.Gold {
		g.Start, g.End = moved(g.Start), moved(g.End)
		out.gold = append(out.gold, g)
	}
	return out
}

// cased writes a name in capitals or small letters where the word was so written.
func cased(name, old string) string {
	switch {
	case utf8.RuneCountInString(old) > 1 && old == strings.ToUpper(old):
		return strings.ToUpper(name)
	case old == strings.ToLower(old):
		return strings.ToLower(name)
	}
	return name
}

// lower writes a text in small letters, each in as many bytes as it had.
func lower(text string) string {
	return strings.Map(func(r rune) rune {
		if l := unicode.ToLower(r); utf8.RuneLen(l) == utf8.RuneLen(r) {
			return l
		}
		return r
	}, text)
}
