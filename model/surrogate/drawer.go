package surrogate

import (
	"encoding/binary"
	"strconv"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// scope is within what choices are the same: the patient, where document is
// empty, or a document, and under Markov one stretch of it.
type scope struct {
	document string
	version  int
}

func (p *Patient) scopeOf(m Mention) scope {
	switch p.opts.Scope {
	case PerDocument:
		return scope{document: m.Document}
	case Markov:
		return scope{m.Document, p.version(m)}
	}
	return scope{}
}

// drawer makes the keyed choices of one scope.
type drawer struct {
	prf   *prf
	scope string
}

func (p *Patient) drawer(s scope) drawer {
	d := drawer{p.keys.prfs[forChoices], "patient\x00" + p.id}
	if p.opts.Scope == PerDocument || p.opts.Scope == Markov {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(p.id)))
		d.scope = "document\x00" + string(n[:]) + p.id + s.document
		if s.version > 0 {
			d.scope = "stretch " + strconv.Itoa(s.version) + "\x00" + d.scope
		}
	}
	return d
}

// nameDrawer draws for one canonical word: that of a doctor's name is drawn
// alike for all patients where doctors are shared. A name that was seen both as
// a doctor's and as somebody else's is not shared; one that was never seen is
// what the mention says.
func (p *Patient) nameDrawer(s scope, word string, t phi.Type) drawer {
	ps := p.known()
	_, seen := ps.rank[word]
	if p.opts.SharedDoctors && (ps.staff[word] || !seen && t == phi.Doctor) {
		return drawer{p.keys.prfs[forChoices], "institution"}
	}
	return p.drawer(s)
}

// maxBooks bounds the books kept: documents come one after another.
const maxBooks = 32

// bookOf returns the names of a scope.
func (p *Patient) bookOf(s scope) *book {
	if b := p.books[s]; b != nil {
		return b
	}
	if len(p.books) >= maxBooks {
		clear(p.books)
		clear(p.cache)
	}
	ps := p.known()
	b := ps.writeBook(func(word string) drawer { return p.nameDrawer(s, word, phi.None) })
	p.books[s] = b
	return b
}

// index returns a number in [0, n) for a value of a domain; try tells attempts
// apart.
func (d drawer) index(n int, try uint64, domain, value string) int {
	sum := d.prf.sum(try, d.scope, domain, value)
	// 64 bits against lists of hundreds: the bias is below 2^-50.
	return int(binary.BigEndian.Uint64(sum[:]) % uint64(n))
}

// maxTries bounds the draws from one list; then it is searched in order.
const maxTries = 32

// pick draws an item of a list that fits, or returns "" where none does.
func (d drawer) pick(list []string, domain, value string, fits func(string) bool) string {
	if len(list) == 0 {
		return ""
	}
	first := 0
	for try := range uint64(maxTries) {
		i := d.index(len(list), try, domain, value)
		if fits(list[i]) {
			return list[i]
		}
		first = i
	}
	for n := range list {
		if s := list[(first+n)%len(list)]; fits(s) {
			return s
		}
	}
	return ""
}
