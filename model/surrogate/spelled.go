package surrogate

import (
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/names"
)

// spelled cuts a name into pieces, in which a word that it spells ("K U H L M A N N") is
// one: it has the surrogate of the word, written in the same manner. Three letters are
// a word where there is nothing else and nobody known has these initials.
func (ps *people) spelled(name string) (pieces []piece) {
	all := names.Spellings(name)
	if len(all) == 0 {
		return cut(name)
	}
	from := 0
	for _, s := range all {
		if len(s.Word) <= 3 && (s.Start > 0 || s.End < len(name) || len(s.Word) < 3 || len(ps.match(fold(s.Word))) > 0) {
			continue
		}
		pieces = append(pieces, cut(name[from:s.Start])...)
		pieces = append(pieces, piece{kind: wordPiece, text: s.Word, apart: s.Between})
		from = s.End
	}
	return append(pieces, cut(name[from:])...)
}

// spell writes a word as the piece has it: letter by letter, or as it is.
func (p piece) spell(word string) string {
	if p.apart == "" {
		return word
	}
	var letters []string
	for _, r := range word {
		if isLetter(r) {
			letters = append(letters, string(r))
		}
	}
	return strings.Join(letters, p.apart)
}
