package lexicon

import (
	"strings"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// Sweep appends to dst what the lexicon knows of text, whose tokens are given.
// The spans may overlap; Merge resolves them.
func (l *Lexicon) Sweep(dst []phi.Span, text string, tokens []token.Token) []phi.Span {
	first := len(dst)
	if len(l.entries) > 0 {
		dst = l.sweep(dst, text, tokens)
	}
	if len(l.births) > 0 {
		n := len(dst)
		if dst = l.sweepBirths(dst, text, tokens); len(dst) > n {
			phi.Sort(dst[first:]) // sweepNear asks what stands beside a word
		}
	}
	if len(l.names.words) > 0 {
		dst = l.sweepNear(dst, first, text, tokens)
		dst = l.sweepAddresses(dst, text)
	}
	return dst
}

// sweep finds the longest entries from left to right. Most tokens begin no
// entry, which the filter of first tokens says before anything is hashed; only
// letters that more letters follow without a blank need a look themselves, as
// an entry may have the two as one.
func (l *Lexicon) sweep(dst []phi.Span, text string, tokens []token.Token) []phi.Span {
	for i := 0; i < len(tokens); {
		t := &tokens[i]
		if !token.IsWord(t.Class) {
			i++
			continue
		}
		more := token.IsLetters(t.Class) && i+1 < len(tokens) && !tokens[i+1].Space && token.IsLetters(tokens[i+1].Class)
		var s *slot
		var h uint64
		if more || l.firsts.Ends(text, t.Start, t.End) && l.firsts.May(text, t.Start, t.End) {
			h = hashForm(hashStart, text[t.Start:t.End])
			s = l.table.find(h)
		}
		if s == nil && !more {
			if t.End-t.Start >= minGlued && len(l.names.words) > 0 && token.IsLetters(t.Class) {
				if e, ok := l.glued(text[t.Start:t.End]); ok {
					dst = append(dst, phi.Span{Start: int(t.Start), End: int(t.End), Type: e.typ, Tagger: e.tagger, Score: 1})
				}
			}
			i++
			continue
		}
		end, e := l.longest(text, tokens, i, h, s)
		if end == 0 {
			i++
			continue
		}
		dst = append(dst, phi.Span{Start: int(t.Start), End: int(tokens[end-1].End), Type: e.typ, Tagger: e.tagger, Score: 1})
		i = end
	}
	return dst
}

// longest returns the longest entry from token i on that may stand there, and
// the token behind it. h is the hash of token i, s its slot.
func (l *Lexicon) longest(text string, tokens []token.Token, i int, h uint64, s *slot) (end int, best entry) {
	var reach int // byte where the best ends
	consider := func(s *slot, j int) {
		if s == nil || s.entry == 0 || int(tokens[j].End) <= reach {
			return
		}
		if e := l.entries[s.entry-1]; l.allowed(e, text, tokens, i, j) {
			end, best, reach = j+1, e, int(tokens[j].End)
		}
	}
	consider(s, i)
	first, firstHash := s, h
	// Accents may take more bytes in the text than in an entry, but not that many.
	// Without a bound, words run together for pages would be walked to their end
	// from each of them.
	last := tokens[i].Start + int32(4*l.widest+64)
	for j := i; ; {
		next, gap := following(text, tokens, j)
		if next < 0 || tokens[next].Start > last {
			break
		}
		if gap || !token.IsLetters(tokens[j].Class) || !token.IsLetters(tokens[next].Class) {
			if s == nil || s.flags&spacedPrefix == 0 {
				break
			}
		}
		if gap {
			h = hashByte(h, separator)
		}
		j = next
		h = hashForm(h, text[tokens[j].Start:tokens[j].End])
		s = l.table.find(h)
		consider(s, j)
	}
	if !l.compact {
		return end, best
	}
	s, h = first, firstHash
	for j := i; s != nil && s.flags&(beforeDigit|beforeLetter) != 0; {
		next, _ := following(text, tokens, j)
		if next < 0 || s.flags&goesOn(text[tokens[next].Start]) == 0 {
			break
		}
		j = next
		h = hashForm(h, text[tokens[j].Start:tokens[j].End])
		s = l.table.find(h)
		consider(s, j)
	}
	return end, best
}

// goesOn returns the flags of a beginning that may go on with b: most numbers of
// a text begin a number of some entry, and few go on as it does.
func goesOn(b byte) uint8 {
	switch {
	case b >= utf8.RuneSelf: // a digit or a letter
		return beforeDigit | beforeLetter
	case b >= '0' && b <= '9':
		return beforeDigit
	}
	return beforeLetter
}

// following returns the word behind token j and whether something stands
// between them: a blank, or up to three marks on the same line; -1 for none.
func following(text string, tokens []token.Token, j int) (next int, gap bool) {
	const marks = 3
	for next = j + 1; next < len(tokens) && next <= j+1+marks; next++ {
		t := tokens[next]
		switch {
		case token.IsWord(t.Class):
			return next, next > j+1 || t.Space
		case t.Class == token.Newline || strings.Contains(";|?!*=<>[]{}", t.Text(text)):
			return -1, false
		}
	}
	return -1, false
}
