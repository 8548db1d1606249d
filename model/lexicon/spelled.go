package lexicon

import (
	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// sweepSpelled finds the words of names that a text spells letter by letter, as dictation
// does: "K U H L M A N N". Nobody spells a word that is an ordinary one too but for a name.
func (l *Lexicon) sweepSpelled(dst []phi.Span, text string) []phi.Span {
	for _, s := range names.Spellings(text) {
		slot := l.table.find(hashForm(hashStart, s.Word))
		if slot == nil || slot.entry == 0 {
			continue
		}
		e := l.entries[slot.entry-1]
		if phi.IsPerson(e.typ) && e.need <= eponym && e.need != quantity {
			dst = append(dst, phi.Span{Start: s.Start, End: s.End, Type: e.typ, Tagger: e.tagger, Score: 1})
		}
	}
	return dst
}
