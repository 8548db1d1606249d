package ensemble

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// Evidence collects what is known of one patient: what taggers found in any of
// the notes, and what the census says. From it comes the lexicon that every
// note of the patient is swept with.
type Evidence struct {
	seen map[surfaceKey]*support
}

type surfaceKey struct {
	typ  phi.Type
	text string
}

type support struct {
	count  int
	best   float32
	census bool
}

// Surface is one distinct surface of a patient's PHI.
type Surface struct {
	Type   phi.Type
	Text   string
	Sweep  bool       // look for it in all notes of the patient
	Tagger phi.Tagger // Census or Sweep: who is then named as the finder
}

// AddSpan notes that a tagger found text.
func (e *Evidence) AddSpan(s phi.Span, text string) {
	x := e.at(s.Type, text)
	x.count++
	x.best = max(x.best, s.Score)
}

// AddCensus notes that the census knows text to be of the patient.
func (e *Evidence) AddCensus(t phi.Type, text string) {
	if text = strings.TrimSpace(text); text != "" {
		e.at(t, text).census = true
	}
}

func (e *Evidence) at(t phi.Type, text string) *support {
	if e.seen == nil {
		e.seen = map[surfaceKey]*support{}
	}
	k := surfaceKey{t, text}
	x := e.seen[k]
	if x == nil {
		x = &support{}
		e.seen[k] = x
	}
	return x
}

// confident is the score from which one finding alone is reason to look for
// the same words in the patient's other notes.
const confident = 0.95

// Surfaces returns what was seen, sorted by type and text, and says which of
// it to sweep for: all that the census knows, and names, ids and contacts that
// were found with confidence or more than once. A surface that was taken for
// several types is swept for as the one with the most support.
func (e *Evidence) Surfaces() []Surface {
	all := make([]Surface, 0, len(e.seen))
	best := map[string]surfaceKey{}
	for k, x := range e.seen {
		s := Surface{Type: k.typ, Text: k.text, Tagger: phi.Sweep}
		if x.census {
			s.Tagger = phi.Census
		}
		s.Sweep = sweepable(k.typ, k.text, x)
		if s.Sweep {
			if b, ok := best[k.text]; !ok || e.more(k, b) {
				best[k.text] = k
			}
		}
		all = append(all, s)
	}
	for i := range all {
		k := surfaceKey{all[i].Type, all[i].Text}
		all[i].Sweep = all[i].Sweep && best[k.text] == k
	}
	sort.Slice(all, func(i, j int) bool {
		if all[i].Type != all[j].Type {
			return all[i].Type < all[j].Type
		}
		return all[i].Text < all[j].Text
	})
	return all
}

// more reports whether a has more support than b.
func (e *Evidence) more(a, b surfaceKey) bool {
	x, y := e.seen[a], e.seen[b]
	switch {
	case x.census != y.census:
		return x.census
	case x.count != y.count:
		return x.count > y.count
	case x.best != y.best:
		return x.best > y.best
	}
	return a.typ < b.typ
}

// sweepable reports whether other notes are searched for a surface. Places,
// professions, ages and dates are left to the taggers: "Boston" or "50" in
// another note need not be the patient's.
func sweepable(t phi.Type, text string, x *support) bool {
	switch t.Category() {
	case "NAME", "CONTACT", "ID":
	default:
		if t != phi.Street || !x.census {
			return false
		}
	}
	if utf8.RuneCountInString(text) < 3 {
		return false
	}
	return x.census || x.best >= confident || x.count > 1
}

// Lexicon finds a patient's known surfaces in a text by looking up n-grams of
// its tokens in a hash table. It is built once per patient and is safe for
// concurrent use afterwards.
type Lexicon struct {
	entries  map[string]entry
	prefixes map[string]bool // every proper token prefix of an entry
}

type entry struct {
	typ     phi.Type
	tagger  phi.Tagger
	capital bool // a single word that is also an ordinary one: capitals needed
}

// maxGram bounds the tokens of an entry.
const maxGram = 12

// NewLexicon returns the lexicon of the surfaces whose Sweep is set. A name of
// several words also enters word by word.
func NewLexicon(surfaces []Surface) *Lexicon {
	l := &Lexicon{entries: map[string]entry{}, prefixes: map[string]bool{}}
	var tokens []token.Token
	for _, s := range surfaces {
		if !s.Sweep {
			continue
		}
		tokens = token.Tokenize(tokens[:0], s.Text)
		l.add(s, s.Text, tokens)
		if s.Type != phi.Patient && s.Type != phi.Doctor {
			continue
		}
		for _, w := range append(chunks(tokens), words(tokens)...) {
			part := s.Text[w.start:w.end]
			if utf8.RuneCountInString(part) >= 3 && !particles[strings.ToLower(part)] {
				l.add(s, part, tokens[w.first:w.last])
			}
		}
	}
	return l
}

// word is a run of letter tokens without a blank between them.
type word struct{ start, end, first, last int }

func words(tokens []token.Token) []word {
	var ws []word
	for i, t := range tokens {
		if t.Class > token.Mixed {
			continue
		}
		if n := len(ws); n > 0 && ws[n-1].last == i && !t.Space {
			ws[n-1].last, ws[n-1].end = i+1, int(t.End)
			continue
		}
		ws = append(ws, word{int(t.Start), int(t.End), i, i + 1})
	}
	return ws
}

// chunks are runs of tokens without a blank between them, from letter to
// letter, such as "Okonkwo-Hale" and "O'Neill".
func chunks(tokens []token.Token) []word {
	var cs []word
	open := false
	for i, t := range tokens {
		letter := t.Class <= token.Mixed
		if t.Space {
			open = false
		}
		switch n := len(cs); {
		case letter && open:
			cs[n-1].last, cs[n-1].end = i+1, int(t.End)
		case letter:
			cs = append(cs, word{int(t.Start), int(t.End), i, i + 1})
			open = true
		}
	}
	return cs
}

func (l *Lexicon) add(s Surface, text string, tokens []token.Token) {
	if len(tokens) == 0 || len(tokens) > maxGram {
		return
	}
	var key []byte
	for i, t := range tokens {
		if i > 0 {
			l.prefixes[string(key)] = true
		}
		key = appendFolded(key, text[int(t.Start)-int(tokens[0].Start):int(t.End)-int(tokens[0].Start)])
	}
	k := string(key)
	if old, ok := l.entries[k]; ok && (old.tagger == phi.Census || s.Tagger != phi.Census) {
		return // the census's word stands, else the first of sorted surfaces
	}
	ordinary := len(words(tokens)) == 1 && s.Type.Category() == "NAME" && (common[strings.ToLower(text)] || utf8.RuneCountInString(text) < 4)
	l.entries[k] = entry{s.Type, s.Tagger, ordinary}
}

// appendFolded appends a token's lower-cased form and a separator.
func appendFolded(key []byte, form string) []byte {
	for i := 0; i < len(form); i++ {
		c := form[i]
		if c >= utf8.RuneSelf {
			key = key[:len(key)-i]
			return append(append(key, strings.ToLower(form)...), 0)
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		key = append(key, c)
	}
	return append(key, 0)
}

// Len returns the number of entries.
func (l *Lexicon) Len() int { return len(l.entries) }

// Sweep appends to dst the longest entries that stand in text, whose tokens
// are given, from left to right.
func (l *Lexicon) Sweep(dst []phi.Span, text string, tokens []token.Token) []phi.Span {
	if len(l.entries) == 0 {
		return dst
	}
	var key []byte
	for i := 0; i < len(tokens); {
		key = key[:0]
		best, found := 0, entry{}
		for j := i; j < len(tokens) && j < i+maxGram && tokens[j].Class != token.Newline; j++ {
			key = appendFolded(key, tokens[j].Text(text))
			if e, ok := l.entries[string(key)]; ok && l.allowed(e, tokens[i:j+1]) {
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
		dst = append(dst, phi.Span{Start: int(tokens[i].Start), End: int(tokens[best-1].End), Type: found.typ, Tagger: found.tagger, Score: 1})
		i = best
	}
	return dst
}

// allowed keeps ordinary words out unless they are written as a name is.
func (l *Lexicon) allowed(e entry, tokens []token.Token) bool {
	if !e.capital {
		return true
	}
	switch tokens[0].Class {
	case token.Title, token.Upper, token.Mixed:
		return true
	}
	return false
}
