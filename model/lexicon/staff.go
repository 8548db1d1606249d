package lexicon

import (
	"strings"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// Staff is one person who works at the institution; any field may be empty.
type Staff struct {
	Given, Family string
	Username      string
	Pager         string
}

// NewStaffLexicon returns a lexicon of everybody who works at an institution.
// Among so many names most words are somebody's, so it asks for more than a
// patient's does: a given and a family name together (in either order, the
// given name whole or as initials, both with capitals), or a family name after
// a clinician's title or before a degree. User names are found where they are
// no plain word, pagers after a label.
func NewStaffLexicon(people []Staff) *Lexicon {
	l := &Lexicon{table: newTable(8 * len(people))}
	for _, p := range people {
		e := entry{phi.Doctor, phi.Known, capital}
		given, family := names.NameWords(p.Given), strings.Join(names.NameWords(p.Family), " ")
		if family != "" && utf8.RuneCountInString(family) > 1 {
			if len(given) > 0 && utf8.RuneCountInString(given[0]) > 1 {
				l.addSpaced(given[0]+" "+family, e)
				l.addSpaced(family+" "+given[0], e)
				l.addSpaced(names.Initial(given[0])+" "+family, e)
				l.addSpaced(family+" "+names.Initial(given[0]), e)
				if len(given) > 1 {
					for _, second := range []string{given[1], names.Initial(given[1])} {
						l.addSpaced(given[0]+" "+second+" "+family, e)
						l.addSpaced(family+" "+given[0]+" "+second, e)
					}
				}
			}
			l.addSpaced(family, entry{phi.Doctor, phi.Known, clinician})
		}
		if all, digits := CompactForm(p.Username); len(all) >= 4 && (digits > 0 || len(all) >= 6 && !names.Common[all]) {
			l.addSpaced(p.Username, entry{phi.Username, phi.Known, nothing})
		}
		if all, digits := CompactForm(p.Pager); digits == len(all) && digits >= 3 {
			need := label
			if digits >= minDigits {
				need = nothing
			}
			l.addCompact(all, entry{phi.Phone, phi.Known, need})
		}
	}
	l.finish()
	return l
}
