package surrogate

import (
	"strings"
	"unicode"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// name replaces a person's name part by part, so that all forms of one name
// ("Smith, John", "Mr Smith", "JS", "Johnny") stay one person's.
func (p *Patient) name(d drawer, t phi.Type, surface string) string {
	ps := p.known()
	doctor := t == phi.Doctor
	n := ps.parse(surface, doctor)
	draw := nameDrawer{d, ps, t.String()}
	var givens, families []string
	for _, w := range n.parts {
		if w.family {
			families = append(families, w.fold)
		} else {
			givens = append(givens, w.fold)
		}
	}
	for _, w := range n.parts {
		out := &n.pieces[w.piece].text
		switch {
		case w.initial:
			others := families
			if w.family {
				others = givens
			}
			*out = like(draw.initial(w, others), w.text)
		case w.family:
			*out = like(draw.family(w.fold), w.text)
		default:
			*out = like(draw.given(w.fold), w.text)
		}
	}
	var b strings.Builder
	for _, piece := range n.pieces {
		b.WriteString(piece.text)
	}
	if len(n.parts) == 0 {
		return "" // no letters: the caller has a form for that
	}
	return b.String()
}

// nameDrawer draws names of one scope and type: a patient and a doctor of the
// same name are two people.
type nameDrawer struct {
	drawer
	ps  *people
	typ string
}

// given returns the surrogate of a folded given name or short form.
func (d nameDrawer) given(word string) string {
	canonical, short := d.ps.canonical(word)
	l := d.ps.lists
	kind := l.givenOf[canonical]
	if kind == "" {
		kind = "u en" // sex unknown: a name of either
	}
	fits := func(s string) bool { return d.ps.mayBe(s, canonical) && d.ps.mayBe(s, word) }
	name := d.pick(l.given[kind], d.typ+" given", canonical, fits)
	if name == "" {
		name = d.pick(l.general, d.typ+" given", canonical, fits)
	}
	if name == "" {
		return d.invent("given", canonical)
	}
	if short {
		if s := d.pick(l.short[fold(name)], d.typ+" short", word, fits); s != "" {
			return s
		}
	}
	return name
}

// family returns the surrogate of a folded family name.
func (d nameDrawer) family(word string) string {
	l := d.ps.lists
	origin := l.familyOf[word]
	if origin == "" {
		origin = "en"
	}
	fits := func(s string) bool { return d.ps.mayBe(s, word) }
	name := d.pick(l.family[origin], d.typ+" family", word, fits)
	if name == "" {
		name = d.pick(l.names, d.typ+" family", word, fits)
	}
	if name == "" {
		return d.invent("family", word)
	}
	return name
}

// initial returns the first letter of the surrogate of the name that w is the
// initial of, or a keyed letter where that name is not known.
func (d nameDrawer) initial(w part, others []string) string {
	first := firstRune(w.fold)
	if name := d.ps.expand(first, w.family, others); name != "" {
		var s string
		if w.family {
			s = d.family(name)
		} else {
			s = d.given(name)
		}
		return string(unicode.ToUpper(firstRune(unaccent(s))))
	}
	const letters = "ABCDEFGHJKLMNPRSTVW"
	role := " given initial"
	if w.family {
		role = " family initial"
	}
	for try := uint64(0); ; try++ {
		if c := letters[d.index(len(letters), try, d.typ+role, w.fold)]; rune(c|0x20) != first {
			return string(rune(c))
		}
	}
}

// invent makes a name of syllables, for a patient of whom every listed name is
// known.
func (d nameDrawer) invent(role, word string) string {
	const consonants, vowels = "bdfgklmnprstv", "aeiou"
	for try := uint64(0); ; try++ {
		sum := d.prf.sum(try, d.scope, d.typ+" invented "+role, word)
		b := make([]byte, 0, 6)
		for i := 0; i < 6; i += 2 {
			b = append(b, consonants[int(sum[i])%len(consonants)], vowels[int(sum[i+1])%len(vowels)])
		}
		if s := strings.ToUpper(string(b[:1])) + string(b[1:]); d.ps.mayBe(s, word) {
			return s
		}
	}
}
