package ensemble

import (
	"strings"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// Lexicon finds a patient's known surfaces in a text by looking up n-grams in
// a hash table. Case and diacritics are ignored. Words are looked up twice: as
// the tokeniser cuts them, so that "MRNSmith" gives Smith, and joined, so that
// McDonald, MCDONALD and mcdonald are one. Numbers of seven digits and more are
// found in any punctuation. A Lexicon is built once per patient and is safe
// for concurrent use afterwards.
type Lexicon struct {
	entries  map[string]entry
	prefixes map[string]bool  // every proper prefix of an entry, in units
	digits   map[string]entry // numbers, by their digits alone
}

type entry struct {
	typ    phi.Type
	tagger phi.Tagger
	need   need
}

// need is what an entry asks of where it stands, besides its letters.
type need uint8

const (
	nothing need = iota
	capital      // a tagger's word alone: written as a name
	name         // one word that is an ordinary one too: clearly a name there
	cue          // very short: after a title
)

const (
	maxGram   = 64 // units of an entry
	minDigits = 7  // of a number that is found in any punctuation
)

// NewLexicon returns the lexicon of the surfaces whose Sweep is set. A name of
// several words also enters word by word.
func NewLexicon(surfaces []Surface) *Lexicon {
	l := &Lexicon{entries: map[string]entry{}, prefixes: map[string]bool{}, digits: map[string]entry{}}
	var tokens []token.Token
	for _, s := range surfaces {
		if !s.Sweep {
			continue
		}
		l.add(s, s.Text)
		tokens = token.Tokenize(tokens[:0], s.Text)
		switch s.Type {
		case phi.Patient, phi.Doctor:
			for _, part := range parts(s.Text, tokens) {
				if particles[strings.ToLower(part)] {
					continue
				}
				if n := utf8.RuneCountInString(part); n >= 3 || n == 2 && s.Tagger == phi.Census {
					l.add(s, part)
				}
			}
		default:
			l.addDigits(s, tokens)
		}
	}
	return l
}

// parts returns the words of a name: "Okonkwo-Hale" whole and in two.
func parts(text string, tokens []token.Token) []string {
	var out []string
	for _, u := range units(nil, tokens, true) {
		if u.class <= token.Mixed {
			out = append(out, text[u.start:u.end])
		}
	}
	for i := 0; i < len(tokens); i++ {
		if tokens[i].Class > token.Mixed {
			continue
		}
		j := i // the last letter token of a run without blanks
		for k := i + 1; k < len(tokens) && !tokens[k].Space; k++ {
			if tokens[k].Class <= token.Mixed {
				j = k
			}
		}
		if j > i {
			out = append(out, text[tokens[i].Start:tokens[j].End])
		}
		i = j
	}
	return out
}

// unit is a token, or letter tokens that stand together.
type unit struct {
	start, end int
	class      token.Class
	space      bool
}

// units appends the units of tokens, with letter tokens joined or not.
func units(dst []unit, tokens []token.Token, join bool) []unit {
	for i, t := range tokens {
		if join && i > 0 && !t.Space && t.Class <= token.Mixed && tokens[i-1].Class <= token.Mixed {
			last := &dst[len(dst)-1]
			last.end, last.class = int(t.End), token.Mixed
			continue
		}
		dst = append(dst, unit{int(t.Start), int(t.End), t.Class, t.Space})
	}
	return dst
}

// add enters a surface, cut both ways.
func (l *Lexicon) add(s Surface, text string) {
	tokens := token.Tokenize(nil, text)
	e := entry{typ: s.Type, tagger: s.Tagger}
	if s.Type == phi.Patient || s.Type == phi.Doctor {
		e.need = needOf(text, s.Tagger, len(units(nil, tokens, true)))
	}
	for _, join := range [2]bool{false, true} {
		us := units(nil, tokens, join)
		if len(us) == 0 || len(us) > maxGram {
			return
		}
		var key []byte
		for i, u := range us {
			if i > 0 {
				l.prefixes[string(key)] = true
			}
			key = appendFolded(key, text[u.start:u.end])
		}
		if old, ok := l.entries[string(key)]; !ok || old.tagger != phi.Census && e.tagger == phi.Census {
			l.entries[string(key)] = e // the census's word, else the first of sorted surfaces
		}
	}
}

// needOf returns what a name of so many words asks of where it stands.
func needOf(text string, by phi.Tagger, words int) need {
	n := utf8.RuneCountInString(text)
	switch {
	case words == 1 && n < 3:
		return cue
	case words == 1 && (common[strings.ToLower(text)] || n < 4):
		return name
	case by != phi.Census:
		return capital
	}
	return nothing
}

// addDigits enters a number by its digits alone.
func (l *Lexicon) addDigits(s Surface, tokens []token.Token) {
	var digits []byte
	for _, t := range tokens {
		switch t.Class {
		case token.Digits:
			digits = append(digits, t.Text(s.Text)...)
		case token.Symbol:
		default:
			return
		}
	}
	if len(digits) < minDigits {
		return
	}
	if old, ok := l.digits[string(digits)]; !ok || old.tagger != phi.Census && s.Tagger == phi.Census {
		l.digits[string(digits)] = entry{typ: s.Type, tagger: s.Tagger}
	}
}

// Sweep appends to dst the entries that stand in text, whose tokens are given.
// Spans of its passes may overlap; Merge resolves them.
func (l *Lexicon) Sweep(dst []phi.Span, text string, tokens []token.Token) []phi.Span {
	if len(l.entries) > 0 {
		apart := units(nil, tokens, false)
		dst = l.sweep(dst, text, apart)
		if joined := units(nil, tokens, true); len(joined) < len(apart) {
			dst = l.sweep(dst, text, joined)
		}
	}
	if len(l.digits) > 0 {
		dst = l.sweepDigits(dst, text, tokens)
	}
	return dst
}

// sweep finds the longest entries from left to right.
func (l *Lexicon) sweep(dst []phi.Span, text string, us []unit) []phi.Span {
	var key []byte
	for i := 0; i < len(us); {
		key = key[:0]
		best, found := 0, entry{}
		for j := i; j < len(us) && j < i+maxGram && us[j].class != token.Newline; j++ {
			key = appendFolded(key, text[us[j].start:us[j].end])
			if e, ok := l.entries[string(key)]; ok && allowed(e.need, text, us, i) {
				best, found = j+1, e
			}
			if !l.prefixes[string(key)] {
				break
			}
		}
		if best == 0 {
			i++
			continue
		}
		dst = append(dst, phi.Span{Start: us[i].start, End: us[best-1].end, Type: found.typ, Tagger: found.tagger, Score: 1})
		i = best
	}
	return dst
}

// allowed reports whether the word at i stands where its entry may be meant.
func allowed(n need, text string, us []unit, i int) bool {
	if n == nothing {
		return true
	}
	if us[i].class == token.Lower {
		return false
	}
	if n == capital || afterTitle(text, us, i) {
		return true
	}
	if n == cue {
		return false
	}
	// An ordinary word, such as Will or Rose: not at the start of a sentence,
	// and not amid other capitals.
	if i == 0 {
		return false
	}
	before := us[i-1]
	switch {
	case before.class == token.Newline, text[before.end-1] == '.', text[before.end-1] == '?', text[before.end-1] == '!':
		return i+1 < len(us) && us[i+1].class == token.Title // "Rose Hale"
	case us[i].class == token.Upper && before.class == token.Upper:
		return false
	}
	return true
}

// titles come before names.
var titles = set("mr mrs ms miss mx dr doctor prof professor sister nurse patient pt sir lady rev father")

func afterTitle(text string, us []unit, i int) bool {
	if i > 0 && text[us[i-1].start:us[i-1].end] == "." {
		i--
	}
	return i > 0 && titles[strings.ToLower(text[us[i-1].start:us[i-1].end])]
}

// sweepDigits finds known numbers however they are punctuated.
func (l *Lexicon) sweepDigits(dst []phi.Span, text string, tokens []token.Token) []phi.Span {
	const most = 8 // runs of digits in one number
	var digits []byte
	for i := range tokens {
		if tokens[i].Class != token.Digits {
			continue
		}
		digits = digits[:0]
		gap, runs := 0, 0
		for j := i; j < len(tokens) && runs < most && gap < 3; j++ {
			t := tokens[j]
			if t.Class == token.Symbol && strings.Contains("-().+/", t.Text(text)) {
				gap++
				continue
			}
			if t.Class != token.Digits {
				break
			}
			gap = 0
			runs++
			digits = append(digits, t.Text(text)...)
			if e, ok := l.digits[string(digits)]; ok {
				dst = append(dst, phi.Span{Start: int(tokens[i].Start), End: int(t.End), Type: e.typ, Tagger: e.tagger, Score: 1})
			}
		}
	}
	return dst
}
