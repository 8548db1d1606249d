package surrogate

import "github.com/palimpsest-deid/palimpsest/model/phi"

// Scope Markov hides what the taggers miss. Where every mention of a person
// bears one surrogate, a name that was missed stands out: it is the odd one, or
// the one that recurs. Under this scope the surrogate of a person (and of any
// other value) is a Markov chain along the document: at each mention it stays
// as it was at the one before or, with a fixed chance, changes to another
// (Osborne, O'Leary et al., BRATsynthetic, arXiv:2210.16125). The draws are keyed,
// so a document comes out the same whenever it is processed; documents are
// independent of each other. Within a stretch without a change all parts agree:
// "John Smith", "Mr Smith", "JS". People who share a name are one chain, and so
// are city, state and ZIP code, since these must agree.
//
// Dates do not take part: intervals need one offset.

// chain is where one value stands in a document.
type chain struct {
	mentions uint64
	version  int
}

// version moves the chain of m's value on by one mention and returns the
// stretch that it is in.
func (p *Patient) version(m Mention) int {
	group := p.chainOf(m)
	if p.chains == nil {
		p.chains = map[string]map[string]*chain{}
	}
	of := p.chains[m.Document]
	if of == nil {
		of = map[string]*chain{}
		p.chains[m.Document] = of
	}
	c := of[group]
	if c == nil {
		c = &chain{}
		of[group] = c
	}
	d := p.drawer(scope{document: m.Document})
	if c.mentions > 0 && d.chance("markov", group, c.mentions) < p.opts.MarkovChange {
		c.version++
	}
	c.mentions++
	return c.version
}

// chainOf names what m is a mention of.
func (p *Patient) chainOf(m Mention) string {
	switch m.Type {
	case phi.Patient, phi.Doctor, phi.Username, phi.Email:
		ps := p.known()
		surface := m.Surface
		if len(surface) > maxSurface {
			break
		}
		n := ps.parse(surface, m.Type == phi.Doctor)
		for _, w := range n.parts {
			if w.initial {
				if name := ps.expand(firstRune(w.fold), w.family, nil); name != "" {
					return "name " + ps.group(ps.wordOf(part{fold: name, family: w.family}))
				}
				continue
			}
			return "name " + ps.group(ps.wordOf(w))
		}
	case phi.City, phi.State, phi.ZIP:
		return "place"
	}
	return m.Type.Category() + " " + fold(alnum(m.Surface))
}
