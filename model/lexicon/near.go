package lexicon

import (
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/cues"
	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// nearRef chains the words that share a form with one letter left out.
type nearRef struct {
	word, next int32 // 1 + index; 0 ends the chain
}

// minNear is the least letters of a name that is found one edit away.
const minNear = 6

// finishNear builds the table of the words with a letter left out.
func (l *Lexicon) finishNear() {
	n := 0
	for _, w := range l.names.words {
		if len(w.text) >= minNear {
			n += len(w.text) + 1
		}
	}
	if n == 0 {
		return
	}
	l.near = newTable(n)
	l.nearAt = make([]nearRef, 0, n)
	for i, w := range l.names.words {
		if utf8.RuneCountInString(w.text) < minNear {
			continue
		}
		eachDeletion(w.text, func(h uint64) {
			s := l.near.at(h)
			l.nearAt = append(l.nearAt, nearRef{int32(i + 1), s.entry})
			s.entry = int32(len(l.nearAt))
		})
	}
}

// WithoutNear leaves out names with one letter wrong, to measure what they
// bring, and returns l. It is called before the first Sweep.
func (l *Lexicon) WithoutNear() *Lexicon {
	l.near, l.nearAt = table{}, nil
	return l
}

// eachDeletion calls f with the hash of s and of s without each of its runes:
// two words one edit or one swap of neighbours apart share one of these.
func eachDeletion(s string, f func(uint64)) {
	f(hashForm(hashStart, s))
	for i, r := range s {
		f(hashForm(hashForm(hashStart, s[:i]), s[i+utf8.RuneLen(r):]))
	}
}

// sweepNear finds names with one letter wrong where a name must stand: after a
// title or the label of a name, and beside a known name. What was found
// exactly is dst[first:], in order.
func (l *Lexicon) sweepNear(dst []phi.Span, first int, text string, tokens []token.Token) []phi.Span {
	if len(l.nearAt) == 0 {
		return dst
	}
	hits := dst[first:len(dst):len(dst)]
	k := 0
	for i := range tokens {
		t := tokens[i]
		if t.Class == token.Lower || !token.IsLetters(t.Class) || t.End-t.Start < minNear-1 {
			continue
		}
		for k < len(hits) && hits[k].End <= int(t.Start) {
			k++
		}
		if k < len(hits) && hits[k].Start <= int(t.Start) {
			continue // found already
		}
		beside := k > 0 && phi.IsPerson(hits[k-1].Type) && adjoins(text, hits[k-1].End, int(t.Start)) ||
			k < len(hits) && phi.IsPerson(hits[k].Type) && adjoins(text, int(t.End), hits[k].Start)
		if !beside && !cues.AfterTitle(text, tokens, i) && !afterNameLabel(text, tokens, i) {
			continue
		}
		if w := l.nearest(names.Fold(t.Text(text))); w != nil {
			dst = append(dst, phi.Span{Start: int(t.Start), End: int(t.End), Type: w.typ, Tagger: w.tagger, Score: 0.9})
		}
	}
	return dst
}

// nearest returns the first known word that is one edit away, nil for none.
func (l *Lexicon) nearest(folded string) *word {
	if names.Common[folded] || names.Degrees[folded] {
		return nil
	}
	best := int32(-1)
	eachDeletion(folded, func(h uint64) {
		s := l.near.find(h)
		if s == nil {
			return
		}
		for at := s.entry; at > 0; at = l.nearAt[at-1].next {
			if w := l.nearAt[at-1].word - 1; (best < 0 || w < best) && oneEdit(folded, l.names.words[w].text) {
				best = w
			}
		}
	})
	if best < 0 {
		return nil
	}
	return &l.names.words[best]
}

// oneEdit reports whether two strings differ by one letter put in, left out or
// changed, or by two neighbours swapped; equal ones do not.
func oneEdit(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(y)-len(x) > 1 {
		return false
	}
	i := 0
	for i < len(x) && x[i] == y[i] {
		i++
	}
	if len(x) < len(y) {
		return string(x[i:]) == string(y[i+1:])
	}
	if i == len(x) {
		return false
	}
	if string(x[i+1:]) == string(y[i+1:]) {
		return true
	}
	return i+1 < len(x) && x[i] == y[i+1] && x[i+1] == y[i] && string(x[i+2:]) == string(y[i+2:])
}

// adjoins reports whether no more than a blank, a comma or a hyphen lies between
// two places.
func adjoins(text string, end, start int) bool {
	if end > start || start-end > 2 {
		return false
	}
	switch text[end:start] {
	case " ", ", ", "-", ",":
		return true
	}
	return false
}

// nameLabels announce names, before a colon.
var nameLabels = names.Set(`patient name pt surname forename firstname lastname mother father wife husband spouse son daughter brother
	sister guardian nok kin contact attending surgeon physician provider pcp gp author consultant resident anesthesiologist attn re dear
	paciente nombre apellidos`)

var (
	nameLabelWords = names.FilterOf(nameLabels)
	dearWord       = names.FilterOf(names.Set("dear"))
)

// afterNameLabel reports whether the label of a name and a colon stand before
// token i, or a word such as "Dear".
func afterNameLabel(text string, tokens []token.Token, i int) bool {
	k := i - 1
	if k >= 0 && tokens[k].Text(text) == ":" {
		return k > 0 && nameLabelWords.May(text, tokens[k-1].Start, tokens[k-1].End) && names.Has(nameLabels, tokens[k-1].Text(text))
	}
	return k >= 0 && tokens[k].Class == token.Title && dearWord.May(text, tokens[k].Start, tokens[k].End) &&
		names.Fold(tokens[k].Text(text)) == "dear"
}
