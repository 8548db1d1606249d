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
		n := len(dst)
		if dst = l.sweepSpelled(dst, text); len(dst) > n {
			phi.Sort(dst[first:])
		}
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
// an entry may have the two as one, and so do letters that were broken apart.
func (l *Lexicon) sweep(dst []phi.Span, text string, tokens []token.Token) []phi.Span {
	for i := 0; i < len(tokens); {
		t := &tokens[i]
		if !token.IsWord(t.Class) {
			i++
			continue
		}
		more := token.IsLetters(t.Class) && i+1 < len(tokens) && !tokens[i+1].Space && (token.IsLetters(tokens[i+1].Class) ||
			breaks(text, &tokens[i+1]) && continued(text, tokens, i, l.last(t)) >= 0)
		var s *slot
		var h uint64
		if more || l.firsts.Ends(text, t.Start, t.End) && l.firsts.May(text, t.Start, t.End) {
			h = hashForm(hashStart, text[t.Start:t.End])
			s = l.table.find(h)
		}
		end, e := 0, entry{}
		if s != nil || more {
			end, e = l.longest(text, tokens, i, h, s)
		}
		if end == 0 && (t.End-t.Start >= minGlued || t.Class == token.Digits && t.End-t.Start >= minZeros) {
			end, e = l.within(text, tokens, i, s != nil)
		}
		if end == 0 {
			i++
			continue
		}
		start := t.Start
		switch e.typ {
		case phi.Phone, phi.Fax:
			start = tokens[withCountry(text, tokens, i)].Start
		case phi.ZIP:
			end = withPlus4(text, tokens, i, end)
		}
		dst = append(dst, phi.Span{Start: int(start), End: int(tokens[end-1].End), Type: e.typ, Tagger: e.tagger, Score: 1})
		i = end
	}
	return dst
}

// minZeros is the least digits of a token that a number may stand in behind zeros:
// dates and times have many of two.
const minZeros = 3

// within looks for what is part of token i: names run together, or a number behind
// zeros. begun says that the token begins an entry.
func (l *Lexicon) within(text string, tokens []token.Token, i int, begun bool) (end int, e entry) {
	t := &tokens[i]
	switch {
	case t.Class == token.Digits:
		if l.compact && (text[t.Start] == '0' || t.Start > 0 && text[t.Start-1] == '+') {
			return l.without(text, tokens, i)
		}
	case begun || len(l.names.words) == 0 || i+1 < len(tokens) && !tokens[i+1].Space && token.IsLetters(tokens[i+1].Class):
	default:
		if e, ok := l.glued(text[t.Start:t.End]); ok {
			return i + 1, e
		}
	}
	return 0, e
}

// without looks for numbers from token i on without what they are known without:
// zeros in front, which a column of integers loses, and the code of a country
// behind "+" or "00".
func (l *Lexicon) without(text string, tokens []token.Token, i int) (end int, e entry) {
	t := tokens[i]
	from := t.Start
	for from < t.End && text[from] == '0' {
		from++
	}
	zeros := from - t.Start
	codes := int32(0)
	if zeros == 0 || zeros == 2 && t.End-from > maxCountry {
		codes = maxCountry
	}
	for code := int32(0); code <= codes && from+code < t.End; code++ {
		if code+zeros == 0 || !l.firsts.Ends(text, from+code, t.End) || !l.firsts.May(text, from+code, t.End) {
			continue
		}
		h := hashForm(hashStart, text[from+code:t.End])
		s := l.table.find(h)
		if s == nil {
			continue
		}
		end, e = l.longest(text, tokens, i, h, s)
		phone := e.typ == phi.Phone || e.typ == phi.Fax
		if end > 0 && (phone || code == 0 && e.typ.Category() == "ID") {
			return end, e
		}
	}
	return 0, e
}

// withCountry returns the token at which a telephone number begins that was found
// at token i: at the code of its country, if one stands before it, as in
// "+44 20 7946 0123" and "+44 (0)20 7946 0123".
func withCountry(text string, tokens []token.Token, i int) int {
	k := i - 1
	if k > 0 && strings.Contains("(-.", tokens[k].Text(text)) {
		k--
	}
	if k > 0 && tokens[k].Class == token.Digits && tokens[k].End-tokens[k].Start <= maxCountry && !tokens[k].Space &&
		tokens[k-1].Text(text) == "+" {
		return k
	}
	return i
}

// withPlus4 returns the token behind a ZIP code that was found at tokens i to
// end: with "-1234" where that follows.
func withPlus4(text string, tokens []token.Token, i, end int) int {
	if end == i+1 && tokens[i].End-tokens[i].Start == zipDigits && end+1 < len(tokens) && !tokens[end].Space && !tokens[end+1].Space &&
		tokens[end].Text(text) == "-" && tokens[end+1].Class == token.Digits && tokens[end+1].End-tokens[end+1].Start == zipPlus4-zipDigits {
		return end + 2
	}
	return end
}

// last returns the last byte at which a word of an entry may begin that token t
// begins. Accents may take more bytes in the text than in an entry, but not that many.
// Without a bound, words run together for pages would be walked to their end
// from each of them.
func (l *Lexicon) last(t *token.Token) int32 { return t.Start + int32(4*l.widest+64) }

// maxPieces bounds the places at which an entry is broken apart.
const maxPieces = 24

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
	last := l.last(&tokens[i])
	// What was broken apart is read as one word, then as several: a zero-width blank
	// may stand where a blank should.
	for joining := true; ; joining = false {
		joined := 0
		for j := i; ; {
			begun, letters := s != nil && s.flags&spacedPrefix != 0, token.IsLetters(tokens[j].Class)
			if !begun && !letters {
				break
			}
			next, gap := following(text, tokens, j)
			if next != j+1 && letters && joining && joined < maxPieces && j+1 < len(tokens) && breaks(text, &tokens[j+1]) {
				if k := continued(text, tokens, j, last); k >= 0 {
					next, gap, joined = k, false, joined+1
				}
			}
			if next < 0 || tokens[next].Start > last || !begun && (gap || !token.IsLetters(tokens[next].Class)) {
				break
			}
			if gap {
				h = hashByte(h, separator)
			}
			j = next
			h = hashForm(h, text[tokens[j].Start:tokens[j].End])
			s = l.table.find(h)
			consider(s, j)
		}
		s, h = first, firstHash
		if joined == 0 {
			break
		}
	}
	if !l.compact {
		return end, best
	}
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

// breaks reports whether a token may break a word apart: a quick answer to the
// question that continued answers.
func breaks(text string, t *token.Token) bool {
	return t.Class == token.Symbol && !t.Space && (text[t.Start] == '-' || text[t.Start] >= utf8.RuneSelf)
}

// continued returns the letters that go on with those of token j behind
// characters that nobody sees, or behind a hyphen and a line's end; -1 for none.
// They begin at byte last at the latest.
func continued(text string, tokens []token.Token, j int, last int32) int {
	var hyphen, soft, line bool
	for k := j + 1; k < len(tokens) && tokens[k].Start <= last; k++ {
		t := tokens[k]
		switch {
		case t.Class == token.Newline:
			if line || !hyphen && !soft {
				return -1
			}
			line = true
			continue
		case t.Space && !line:
			return -1
		case token.IsLetters(t.Class):
			if k == j+1 || hyphen && !line {
				return -1
			}
			return k
		case t.Class != token.Symbol:
			return -1
		}
		switch r, _ := utf8.DecodeRuneInString(text[t.Start:t.End]); {
		case (r == '-' || r == '\u2010') && !hyphen && !line:
			hyphen = true
		case !unseen(r):
			return -1
		case r == '\u00ad':
			soft = true
		}
	}
	return -1
}
