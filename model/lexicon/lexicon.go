package lexicon

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// Lexicon finds what is known of a patient in a text. Words and phrases are
// looked up by a hash of their letters in one table, from every token on, so
// the cost hardly depends on how many there are. Case, diacritics and light
// punctuation are ignored; letters that the tokeniser cuts apart are read
// together too, so that McDonald, MCDONALD and mcdonald are one and
// "MRNSmith" gives Smith, as are those that characters which nobody sees or a
// line's end with a hyphen have parted. Numbers are found in any punctuation. Names are also
// found one edit away where the context says that a name stands there, and
// inside of run-together words and addresses. Birth dates are found in every
// form that package dates reads.
//
// A Lexicon is built once per patient and is safe for concurrent use
// afterwards.
type Lexicon struct {
	table   table
	entries []entry
	firsts  token.Filter // what the first token of an entry may be
	compact bool         // there are entries without separators
	widest  int          // bytes of the longest entry with separators
	names   knownWords
	near    table
	nearAt  []nearRef
	initial [26]bool // of given names
	births  []birth
	numbers map[string]bool // whole known numbers and addresses

	// Scratch of the building.
	tokens []token.Token
	words  token.Words // first tokens
}

// entry is what stands behind a hash.
type entry struct {
	typ    phi.Type
	tagger phi.Tagger
	need   need
}

// need is what an entry asks of where it stands, besides its letters. Of two
// entries of one hash the lesser need wins.
type need uint8

const (
	nothing   need = iota
	capital        // written as a name
	letters        // single letters are capitals: "A Smith" is not "a smith"
	quantity       // five digits: not a count with a unit, nor part of a number
	ordinary       // a word that is an ordinary one too: clearly a name there
	eponym         // names a disease too: clearly a person there
	clinician      // one family name of many: after a clinician's title or before a degree
	titled         // very short, or a language: after a title
	label          // a short number: after the label of an identifier
	ssnLabel       // four digits: after the label of a social security number
	initialed      // "A.K." with its stops
	signature      // "ak" where staff sign or are called by their initials
)

// maxWords bounds the words of an entry.
const maxWords = 24

// NewLexicon returns the lexicon of the surfaces whose Sweep is set. What the
// is known enters in every form that it may take; what taggers found
// enters as it was found.
func NewLexicon(surfaces []Surface) *Lexicon {
	n := 0
	for _, s := range surfaces {
		switch {
		case !s.Sweep:
		case s.Tagger == phi.Known && phi.IsPerson(s.Type):
			n += 16
		default:
			n += 10
		}
	}
	l := &Lexicon{table: newTable(n)}
	for _, s := range surfaces {
		if s.Sweep {
			l.enter(s)
		}
	}
	l.finish()
	return l
}

// finish builds what the searches need besides the entries.
func (l *Lexicon) finish() {
	l.firsts = l.words.Filter()
	l.tokens, l.words = nil, token.Words{}
	l.table.fit()
	l.names.finish()
	l.finishNear()
}

// enter adds all forms of a surface.
func (l *Lexicon) enter(s Surface) {
	s.Text = seen(s.Text)
	l.noteNumber(s)
	switch s.Type {
	case phi.Patient, phi.Doctor:
		if s.Tagger == phi.Known {
			l.enterName(s)
		} else {
			l.enterSeen(s)
		}
	case phi.Date:
		l.enterBirth(s)
	case phi.Street:
		l.enterStreet(s)
	case phi.City:
		e := entry{s.Type, s.Tagger, capital}
		if w := strings.Fields(s.Text); len(w) == 1 && names.Has(names.Common, w[0]) {
			e.need = ordinary
		}
		l.addSpaced(s.Text, e)
	case phi.Email:
		l.enterEmail(s)
	case phi.Phone, phi.Fax:
		l.enterPhone(s)
	case phi.SSN:
		l.enterSSN(s)
	default:
		l.enterNumber(s)
	}
}

// enterSeen adds a name that a tagger found.
func (l *Lexicon) enterSeen(s Surface) {
	e := entry{s.Type, s.Tagger, capital}
	if w := names.WordsOf(s.Text); len(w) == 1 {
		e.need = max(capital, needOf(w[0]))
		if s.Type == phi.Doctor && twoInitials(names.Fold(w[0])) {
			e.need = signature
		}
	} else if s.Type == phi.Doctor && len(w) <= 4 {
		l.signatures(names.ParseName(s.Text), e)
	}
	l.addSpaced(s.Text, e)
}

// needOf returns what one word of a name asks of where it stands.
func needOf(w string) need {
	n := len(w)
	if !names.IsASCII(w) {
		n = utf8.RuneCountInString(names.Fold(w))
	}
	switch {
	case n < 3, names.Has(names.Tongues, w):
		return titled
	case names.Has(names.Eponyms, w):
		return eponym
	case n == 3 || names.Has(names.Common, w):
		return ordinary
	}
	return nothing
}

// put enters a hash. A known identifier goes before a tagger's, the lesser need
// before the greater, else the first stays; surfaces come sorted.
func (l *Lexicon) put(h uint64, e entry) {
	s := l.table.at(h)
	if s.entry > 0 {
		old := &l.entries[s.entry-1]
		if a, b := e.tagger == phi.Known, old.tagger == phi.Known; a && !b || a == b && e.need < old.need {
			*old = e
		}
		return
	}
	l.entries = append(l.entries, e)
	s.entry = int32(len(l.entries))
}

// addSpaced enters words with separators between them.
func (l *Lexicon) addSpaced(text string, e entry) {
	h, words := hashStart, 0
	gap := false // a separator is due before the next word
	var first []byte
	var buf [maxFirst]byte
	glued := true // no separator yet
	l.tokens = token.Tokenize(l.tokens[:0], text)
	for _, t := range l.tokens {
		if !token.IsWord(t.Class) {
			gap = words > 0
			continue
		}
		if words++; words > maxWords {
			return
		}
		if words > 1 {
			l.table.at(h).flags |= spacedPrefix
			if gap || t.Space {
				h = hashByte(h, separator)
				glued = false
			}
		}
		gap = false
		h = hashForm(h, t.Text(text))
		if glued {
			// The text may write as one token what is several here.
			if words == 1 {
				first = buf[:0]
			}
			first = names.AppendFolded(first, t.Text(text))
			l.begins(h, first)
		}
	}
	if words > 0 {
		l.put(h, e)
		l.widest = max(l.widest, len(text))
	}
}

// maxFirst is room for most first tokens.
const maxFirst = 32

// begins notes that entries begin with a token of this hash and these folded
// bytes.
func (l *Lexicon) begins(h uint64, folded []byte) {
	s := l.table.at(h)
	if s.flags&beginning != 0 {
		return
	}
	s.flags |= beginning
	l.words.Add(string(folded))
}

// maxCompact bounds the letters and digits of an entry without separators.
const maxCompact = 40

// addCompact enters letters and digits however they are punctuated.
func (l *Lexicon) addCompact(s string, e entry) {
	if len(s) == 0 || len(s) > maxCompact {
		return
	}
	h := hashStart
	for i := 0; i < len(s); i++ {
		if i > 0 {
			l.table.at(h).flags |= goesOn(s[i])
		}
		h = hashByte(h, s[i])
		l.begins(h, []byte(s[:i+1]))
	}
	l.put(h, e)
	l.compact = true
}

// CompactForm returns the folded letters and digits of s, and how many of
// them are digits.
func CompactForm(s string) (out string, digits int) {
	var b strings.Builder
	for _, r := range names.Fold(s) {
		switch {
		case r >= '0' && r <= '9':
			digits++
			b.WriteRune(r)
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
		}
	}
	return b.String(), digits
}
