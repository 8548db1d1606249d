package surrogate

// shortForms tells which names an initial or a user name stands for, so that
// of thousands of names not all are looked at for each.
type shortForms struct {
	beside  map[besideKey]namesake
	any     map[anyKey]string
	joined  map[string]joinedName
	persons []person
	clipped map[string]clippedName // nil until it is asked for
	looks   int                    // entries written and asked for
}

// besideKey is an initial and, folded, what stands beside it on the other side
// of the name: a whole word or, of one letter, the letter that one begins with.
type besideKey struct {
	initial rune
	family  bool // whether it is the family name's
	other   string
}

type anyKey struct {
	initial rune
	family  bool
}

// namesake is the first word of a person that has the initial.
type namesake struct {
	person int
	word   string
}

// joinedName is a given and a family name run together; of a short one, the
// initial alone.
type joinedName struct {
	given, family           string
	shortGiven, shortFamily bool
	familyFirst             bool
}

func newShortForms(persons []person) *shortForms {
	x := &shortForms{beside: map[besideKey]namesake{}, any: map[anyKey]string{}, joined: map[string]joinedName{}, persons: persons}
	for i, p := range persons {
		x.enter(i, false, p.givens, p.families)
		x.enter(i, true, p.families, p.givens)
		for _, f := range p.families {
			for _, g := range p.givens {
				x.join(g, f)
			}
		}
	}
	return x
}

// join notes the ways in which two names are run together, unless the same
// word stands for names before.
func (x *shortForms) join(given, family string) {
	if given == "" || family == "" {
		return
	}
	put := func(word string, n joinedName) {
		x.looks++
		if _, ok := x.joined[word]; !ok {
			n.given, n.family = given, family
			x.joined[word] = n
		}
	}
	put(string(firstRune(given))+family, joinedName{shortGiven: true})
	put(given+string(firstRune(family)), joinedName{shortFamily: true})
	put(family+string(firstRune(given)), joinedName{shortGiven: true, familyFirst: true})
	put(given+family, joinedName{})
}

// enter notes the first word for each initial, unless a person before has one.
func (x *shortForms) enter(person int, family bool, mine, theirs []string) {
	for _, w := range mine {
		if w == "" {
			continue
		}
		first := firstRune(w)
		if _, ok := x.any[anyKey{first, family}]; !ok {
			x.any[anyKey{first, family}] = w
		}
		for _, o := range theirs {
			if o == "" {
				continue
			}
			for _, other := range [2]string{o, string(firstRune(o))} {
				x.looks++
				k := besideKey{first, family, other}
				if _, ok := x.beside[k]; !ok {
					x.beside[k] = namesake{person, w}
				}
			}
		}
	}
}

// expand returns the name that an initial stands for: of the first person with
// one of the names beside it, else of any; "" where none is known.
func (x *shortForms) expand(initial rune, family bool, others []string) string {
	best, found := namesake{}, false
	for _, o := range others {
		x.looks++
		if n, ok := x.beside[besideKey{initial, family, o}]; ok && (!found || n.person < best.person) {
			best, found = n, true
		}
	}
	if found {
		return best.word
	}
	return x.any[anyKey{initial, family}]
}
