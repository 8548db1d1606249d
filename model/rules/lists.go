package rules

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// list is phrases of one type.
type list struct {
	typ     phi.Type
	score   float32
	fold    caseRule
	phrases []string // single blanks between words
}

// caseRule tells which spellings of a phrase count.
type caseRule uint8

const (
	ignoreCase  caseRule = iota
	capitalCase          // any, but the first letter is a capital
	exactCase
)

// maxPhrase is the most tokens of a phrase.
const maxPhrase = 16

// wordLists finds phrases of any number by the hashes of their tokens: open
// addressing, where an entry stands for a phrase, for the beginning of a longer
// one, or both. Immutable and safe for concurrent use.
type wordLists struct {
	lists   []list
	firsts  token.Filter // first tokens of the phrases
	keys    []uint64
	entries []entry
	mask    uint64
}

type entry struct {
	longer  bool
	phrases []phrase
}

// phrase names a phrase by its list and place there.
type phrase struct{ list, index int32 }

// hashToken hashes a token without regard to case (FNV-1a over its runes).
func hashToken(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
			r = foldRune(r)
		} else if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		h = (h ^ uint64(r)) * 1099511628211
		i += size
	}
	return h
}

// foldRune is the rune that counts for r.
func foldRune(r rune) rune { return unicode.ToLower(unicode.ToUpper(r)) }

// extend is the hash of a phrase and one token more. glued tells that no blank
// stands before the token.
func extend(h uint64, s string, glued bool) uint64 {
	t := hashToken(s)
	if glued {
		t++
	}
	h = (h ^ t) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// newWordLists returns the table of some lists, nil where there are none.
func newWordLists(lists []list) *wordLists {
	w := &wordLists{lists: lists}
	found := map[uint64]*entry{}
	at := func(h uint64) *entry {
		if h == 0 {
			h = 1
		}
		if found[h] == nil {
			found[h] = &entry{}
		}
		return found[h]
	}
	var tokens []token.Token
	var firsts token.Words
	for i, l := range lists {
		for j, p := range l.phrases {
			tokens = token.Tokenize(tokens[:0], p)
			if len(tokens) > 0 {
				firsts.Add(strings.Map(foldRune, tokens[0].Text(p)))
			}
			h := uint64(0)
			for k, t := range tokens {
				h = extend(h, t.Text(p), k > 0 && !t.Space)
				if k < len(tokens)-1 {
					at(h).longer = true
				}
			}
			e := at(h)
			e.phrases = append(e.phrases, phrase{int32(i), int32(j)})
		}
	}
	if len(found) == 0 {
		return nil
	}
	w.firsts = firsts.Filter()
	size := 4
	for size < 2*len(found) {
		size *= 2
	}
	w.keys, w.entries, w.mask = make([]uint64, size), make([]entry, size), uint64(size-1)
	for h, e := range found { // the order does not show: a search ends at its own key
		i := h & w.mask
		for w.keys[i] != 0 {
			i = (i + 1) & w.mask
		}
		w.keys[i], w.entries[i] = h, *e
	}
	return w
}

// find returns the entry of a hash, or nil.
func (w *wordLists) find(h uint64) *entry {
	if h == 0 {
		h = 1
	}
	for i := h & w.mask; w.keys[i] != 0; i = (i + 1) & w.mask {
		if w.keys[i] == h {
			return &w.entries[i]
		}
	}
	return nil
}

// scan appends the phrases of a text. base numbers the lists as rules.
func (w *wordLists) scan(found []pattern.Candidate, text string, tokens []token.Token, base int) []pattern.Candidate {
	for i := range tokens {
		if t := &tokens[i]; w.firsts.Ends(text, t.Start, t.End) && w.firsts.May(text, t.Start, t.End) && !glued(tokens, i) {
			found = w.from(found, text, tokens, i, base)
		}
	}
	return found
}

// from appends the phrases that begin at token i. A phrase may run on over one
// line end, and is made of whole words.
func (w *wordLists) from(found []pattern.Candidate, text string, tokens []token.Token, i, base int) []pattern.Candidate {
	h := uint64(0)
	newlines := 0
	for j, n := i, 0; j < len(tokens) && n < maxPhrase; j++ {
		t := &tokens[j]
		if t.Class == token.Newline {
			if newlines++; newlines > 1 || n == 0 {
				return found
			}
			continue
		}
		h = extend(h, t.Text(text), n > 0 && !t.Space && tokens[j-1].Class != token.Newline)
		n++
		e := w.find(h)
		if e == nil {
			return found
		}
		if len(e.phrases) > 0 && (j+1 == len(tokens) || !glued(tokens, j+1)) {
			for _, p := range e.phrases {
				l := &w.lists[p.list]
				if same(text[tokens[i].Start:t.End], l.phrases[p.index], l.fold) {
					found = append(found, pattern.Candidate{
						Rule: base + int(p.list), Type: l.typ, Score: l.score,
						From: int(tokens[i].Start), To: int(t.End), Start: int(tokens[i].Start), End: int(t.End),
					})
				}
			}
		}
		if !e.longer {
			return found
		}
	}
	return found
}

// glued reports whether token i continues the word of the token before it.
func glued(tokens []token.Token, i int) bool {
	return i > 0 && tokens[i].Start == tokens[i-1].End && tokens[i].Class < token.Symbol && tokens[i-1].Class < token.Symbol
}

// same compares a stretch of text with a phrase; blanks and line ends count as
// one blank. Hashes can collide, so every hit is compared.
func same(s, phrase string, fold caseRule) bool {
	if fold == capitalCase {
		if r, _ := utf8.DecodeRuneInString(s); !unicode.IsUpper(r) {
			return false
		}
	}
	odd := func(r rune) bool { return r != ' ' && unicode.IsSpace(r) }
	if strings.Contains(s, "  ") || strings.ContainsFunc(s, odd) {
		s = strings.Join(strings.Fields(s), " ")
	}
	if fold == exactCase {
		return s == phrase
	}
	return strings.EqualFold(s, phrase)
}
