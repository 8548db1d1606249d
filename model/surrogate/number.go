package surrogate

import (
	"encoding/binary"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// codeLetters are those of the codes in numbered tags: without vowels they make
// no words, and none of them is read as a digit.
const codeLetters = "BCDFGHJKLMNPQRSTVWXZ"

// tagNumber returns the code of a numbered tag: equal for all mentions of one person,
// place or number of the patient, and of the patient alone. It is drawn under the
// key from what is mentioned. Counting from 1 would be shorter, but a count
// depends on what was met before: a name that a later night's note brings would
// have to come last, and no night knows what the others hold. Two of a patient's
// things have one code in 160,000 pairs.
func (p *Patient) tagNumber(m Mention) string {
	s := p.scopeOf(m)
	d := p.drawer(s)
	what := m.Type.Category() + "\x00" + fold(alnum(m.Surface))
	if phi.IsPerson(m.Type) && len(m.Surface) <= maxSurface {
		if who, family := p.who(m); who != "" {
			what = "NAME\x00" + who
			d = p.nameDrawer(s, family, m.Type)
		}
	}
	sum := d.prf.sum(0, d.scope, "numbered tag", what)
	v := binary.BigEndian.Uint64(sum[:])
	code := make([]byte, 4)
	for i := range code {
		code[i] = codeLetters[v%uint64(len(codeLetters))]
		v /= uint64(len(codeLetters))
	}
	return string(code)
}

// who returns which person a name is of, as far as the patient's names tell:
// "Smith", "Mr J. Smith" and "Smith, John" are one where John is the only Smith
// among them, and family is the word that decides whose patient's codes it has.
func (p *Patient) who(m Mention) (who, family string) {
	ps := p.known()
	n := ps.parse(m.Surface, m.Type == phi.Doctor)
	var given, initial string
	for _, w := range n.parts {
		switch {
		case w.initial && !w.family && initial == "" && given == "":
			initial = w.fold
		case w.initial:
		case w.family:
			family = w.fold // the last of several
		case given == "":
			given = ps.wordOf(w)
		}
	}
	if given == "" && family == "" {
		return "", ""
	}
	if given == "" || family == "" {
		if g, f, ok := ps.only(given, initial, family); ok {
			given, family = g, f
		}
	}
	if family == "" {
		family = given
		return "\x00" + given, family
	}
	if given == "" {
		given = initial
	}
	return given + "\x00" + family, family
}

// only returns the given and family name of the one person who has a given name,
// or a family name and perhaps an initial; ok is false for none or several.
func (ps *people) only(given, initial, family string) (g, f string, ok bool) {
	for _, x := range ps.persons {
		first, last := "", x.families[len(x.families)-1]
		for _, w := range x.givens {
			if w != "" {
				first, _ = ps.canonical(w)
				break
			}
		}
		if first == "" || last == "" || given != "" && first != given || family != "" && last != family ||
			initial != "" && !startsWith(first, firstRune(initial)) {
			continue
		}
		if ok && (first != g || last != f) {
			return "", "", false
		}
		g, f, ok = first, last, true
	}
	return g, f, ok
}
