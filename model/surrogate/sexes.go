package surrogate

import (
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// The sex of a given name is told by the lists, unless the notes tell it: "her husband
// Tavesh", whom no list knows, gets a man's name throughout.

// sexOf is how classes write a sex; either is what is told to be both.
var sexOf = map[phi.Sex]string{phi.Female: "f", phi.Male: "m", phi.Female | phi.Male: either}

const either = "?"

// tell enters the sexes of names. Of a word that is told to be of either sex it says
// nothing. The order of names does not matter.
func (ps *people) tell(names map[string]phi.Sex) {
	ps.sexes = map[string]string{}
	for name, sex := range names {
		s := sexOf[sex]
		n := ps.parse(name, false)
		for _, p := range n.parts {
			if p.initial || p.family && len(n.parts) > 1 || ps.family[p.fold] > ps.givens[p.fold] || ps.onlyFamily(p) {
				continue
			}
			p.family = false
			switch w := ps.wordOf(p); ps.sexes[w] {
			case "", s:
				ps.sexes[w] = s
			default:
				ps.sexes[w] = either
			}
		}
	}
	for w, s := range ps.sexes {
		if s == either {
			delete(ps.sexes, w)
		}
	}
}

// onlyFamily reports whether a word that stands alone is known as a family name and
// as nothing else: that of a priest or nun, "Father Landry".
func (ps *people) onlyFamily(p part) bool {
	return p.family && ps.givens[p.fold] == 0 && strings.HasPrefix(ps.lists.classOf(p.fold), "family")
}

// ofSex returns the class of the given names of a sex, of the origin of a class.
func ofSex(class, sex string) string {
	kind, rest, _ := strings.Cut(class, " ")
	origin := rest[strings.LastIndexByte(rest, ' ')+1:]
	if kind != "both" {
		kind = "given"
	}
	return kind + " " + sex + " " + strings.TrimSuffix(origin, "-f")
}
