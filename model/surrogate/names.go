package surrogate

import (
	"strings"
	"unicode"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// name replaces a person's name part by part, so that all forms of one name
// ("Smith, John", "Mr Smith", "JS", "Johnny") stay one person's, whether a
// tagger took it for a patient's or for a doctor's.
func (p *Patient) name(s scope, t phi.Type, surface string) string {
	ps := p.known()
	surface, gap := mended(surface)
	n := ps.parse(surface, t == phi.Doctor)
	if len(n.parts) == 0 {
		return "" // no letters: the caller has a form for that
	}
	brokenPiece, brokenAt := gap.pieceOf(n.pieces)
	draw := nameDrawer{p: p, ps: ps, book: p.bookOf(s), scope: s, typ: t}
	var givens, families []string
	for _, w := range n.parts {
		if w.family {
			families = append(families, w.fold)
		} else {
			givens = append(givens, w.fold)
		}
	}
	for _, w := range n.parts {
		others := families
		if w.family {
			others = givens
		}
		n.pieces[w.piece].text = n.pieces[w.piece].spell(p.like(draw.part(w, others), w.text))
	}
	for i, piece := range n.pieces { // "okonkwo_1982", a user name whose name is known
		if piece.kind == digitPiece {
			n.pieces[i].text = spread(piece.text, p.drawer(s).substitute("name number", alnum(piece.text)))
		}
	}
	gap.broken(n.pieces, brokenPiece, brokenAt)
	if p.spanish() {
		n.dropArticles()
	}
	var b strings.Builder
	for _, piece := range n.pieces {
		b.WriteString(piece.text)
	}
	return b.String()
}

// nameDrawer looks up or draws the parts of names in one scope.
type nameDrawer struct {
	p     *Patient
	ps    *people
	book  *book
	scope scope
	typ   phi.Type
}

// part returns the surrogate of one part of a name; others are the name's
// parts of the other role.
func (d nameDrawer) part(w part, others []string) string {
	switch {
	case w.initial:
		return d.initial(w, others)
	case w.family:
		if one := d.ps.singular(w.fold); one != "" {
			return plural(d.word(one))
		}
		return d.word(w.fold)
	}
	canonical, short := d.ps.canonical(w.fold)
	name := d.word(canonical)
	if !short || d.ps.spanish {
		return name
	}
	fits := func(s string) bool {
		return d.ps.mayBe(s, w.fold) && firstRune(fold(s)) != firstRune(canonical) && !d.book.taken[fold(s)]
	}
	drawer := d.p.nameDrawer(d.scope, canonical, d.typ)
	if s := drawer.pick(d.ps.lists.short[fold(name)], "short name", w.fold, fits); s != "" {
		return s
	}
	return name
}

func (d nameDrawer) word(canonical string) string {
	return d.book.word(d.ps, canonical, d.p.nameDrawer(d.scope, canonical, d.typ))
}

// initial returns the first letter of the surrogate of the name that w is the
// initial of, or a keyed letter where that name is not known.
func (d nameDrawer) initial(w part, others []string) string {
	first := firstRune(w.fold)
	if name := d.ps.expand(first, w.family, others); name != "" {
		s := d.part(part{fold: name, family: w.family}, nil)
		return string(unicode.ToUpper(firstRune(unaccent(s))))
	}
	const letters = "ABCDEFGHJKLMNPRSTVW"
	drawer := d.p.drawer(d.scope)
	for try := uint64(0); ; try++ {
		if c := letters[drawer.index(len(letters), try, "initial", w.fold)]; rune(c|0x20) != first {
			return string(rune(c))
		}
	}
}

// handle replaces the words of a user name or of what stands before the @ of
// an address, so that "jsmith" agrees with the surrogate of John Smith.
func (p *Patient) handle(s scope, d drawer, local string) string {
	ps := p.known()
	draw := nameDrawer{p: p, ps: ps, book: p.bookOf(s), scope: s}
	var b strings.Builder
	for _, piece := range cut(local) {
		if piece.kind == gapPiece {
			b.WriteString(piece.text)
			continue
		}
		word := fold(piece.text)
		switch {
		case names.Mailboxes[word] && !ps.known[word]:
			b.WriteString(piece.text) // a desk, and nobody's name
			continue
		case piece.kind == digitPiece || runes(word) < 3:
			b.WriteString(spread(piece.text, d.substitute("handle", alnum(piece.text))))
			continue
		case ps.known[word] && !ps.runTogether(word):
			word = draw.part(part{fold: word, family: ps.family[word] > ps.givens[word]}, nil)
		default:
			word = draw.joined(word)
		}
		word = unaccent(strings.ReplaceAll(word, "'", ""))
		if piece.text == strings.ToLower(piece.text) {
			word = strings.ToLower(word)
		}
		b.WriteString(like(word, piece.text))
	}
	return b.String()
}

// cutShort returns the first letter of s where it is short, else s.
func cutShort(s string, short bool) string {
	if short {
		return string(firstRune(s))
	}
	return s
}

// joined replaces a word that may be an initial and a family name, a given
// name and an initial, or both names in full, run together.
func (d nameDrawer) joined(word string) string {
	short := d.ps.shortForms()
	short.looks++
	if n, ok := short.joined[word]; ok {
		given := func() string { return cutShort(fold(d.part(part{fold: n.given}, nil)), n.shortGiven) }
		family := func() string { return cutShort(fold(d.part(part{fold: n.family, family: true}, nil)), n.shortFamily) }
		if n.familyFirst {
			return family() + given()
		}
		return given() + family()
	}
	if s := d.clipped(word); s != "" {
		return s
	}
	// jsmith of a Smith whose given name is not known.
	family := ""
	for n := 0; n <= 2 && n < len(word); n++ {
		if f := word[n:]; d.ps.known[f] && runes(f) > 2 && (family == "" || f < family) {
			family = f
		}
	}
	if family != "" {
		initials := ""
		for _, r := range word[:len(word)-len(family)] {
			initials += fold(d.initial(part{fold: string(r)}, []string{family}))
		}
		return initials + fold(d.part(part{fold: family, family: true}, nil))
	}
	return d.word(word)
}
