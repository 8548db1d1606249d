package lexicon

import (
	"strings"
	"unicode"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// word is one word of a known name.
type word struct {
	text string // folded
	entry
}

// knownWords are the words of known names, of three letters and
// more, for the searches besides that for whole entries: inside of run-together
// words and addresses, and one letter away. The zero value holds none.
type knownWords struct {
	words  []word
	table  table        // of their hashes
	filter token.Filter // of the words
	starts filter       // of their first letters
}

// find returns the place of a folded word, -1 where it is absent.
func (n *knownWords) find(folded string) int {
	if len(n.words) == 0 || folded == "" || !n.filter.May(folded, 0, int32(len(folded))) {
		return -1
	}
	if s := n.table.find(hashString(folded)); s != nil && n.words[s.entry-1].text == folded {
		return int(s.entry - 1)
	}
	return -1
}

// add enters a folded word; the first of a kind stays.
func (n *knownWords) add(folded string, e entry) {
	if n.table.slots == nil {
		n.table = newTable(16)
	}
	s := n.table.at(hashString(folded))
	if s.entry > 0 {
		return
	}
	n.words = append(n.words, word{folded, e})
	s.entry = int32(len(n.words))
}

// finish builds the filters.
func (n *knownWords) finish() {
	var words token.Words
	for _, w := range n.words {
		words.Add(w.text)
		n.starts.add(w.text)
	}
	n.filter = words.Filter()
}

// hashString is FNV-1a of the bytes of s.
func hashString(s string) uint64 {
	h := hashStart
	for i := 0; i < len(s); i++ {
		h = hashByte(h, s[i])
	}
	return h
}

// Knows reports whether text holds a word of at least three letters of a name
// that is known, as it is spelt there, if over a line's end: no nickname, initial
// or near miss.
func (l *Lexicon) Knows(text string) bool {
	words := strings.FieldsFunc(names.Fold(seen(text)), func(r rune) bool { return !unicode.IsLetter(r) })
	for i, w := range words {
		if l.names.find(w) >= 0 || i > 0 && l.names.find(words[i-1]+w) >= 0 {
			return true
		}
	}
	return false
}

// noteNumber keeps a known number or address for KnowsNumber.
func (l *Lexicon) noteNumber(s Surface) {
	category := s.Type.Category()
	if s.Tagger != phi.Known || category != "CONTACT" && category != "ID" {
		return
	}
	note := func(all string) {
		if len(all) >= leastWhole(s.Type) {
			if l.numbers == nil {
				l.numbers = map[string]bool{}
			}
			l.numbers[all] = true
		}
	}
	note(Alphanumeric(s.Text))
	if s.Type == phi.Phone || s.Type == phi.Fax {
		for _, n := range PhoneNumbers(s.Text) {
			note(n.Digits)
		}
	}
}

// leastWhole is the least letters and digits of a number that nothing is by
// chance: surrogates of telephone numbers have few last digits.
func leastWhole(t phi.Type) int {
	if t == phi.Phone || t == phi.Fax {
		return 10
	}
	return 5
}

// KnowsNumber reports whether text is, whatever its punctuation, one whole
// known number or address, and no part of one.
func (l *Lexicon) KnowsNumber(text string) bool { return l.numbers[Alphanumeric(text)] }

// Alphanumeric returns the letters and digits of s in lower case and without
// diacritics: what numbers and addresses are compared by.
func Alphanumeric(s string) string {
	all, _ := CompactForm(s)
	return all
}
