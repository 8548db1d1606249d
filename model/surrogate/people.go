package surrogate

import (
	"cmp"
	"slices"
)

// part is one word of a name.
type part struct {
	piece   int // index into the pieces
	text    string
	fold    string
	family  bool
	initial bool
	joined  bool     // the part before it is joined to it by a hyphen
	halves  []string // folded, of one name in two syllables; see syllables.go
	loose   bool     // the role is a guess
}

// parsedName is a name cut into pieces, some of which are its parts.
type parsedName struct {
	pieces []piece
	parts  []part
}

// people is what the names known of a patient say.
type people struct {
	lists   *lists
	known   map[string]bool // folded words that no surrogate may be
	givens  map[string]int  // folded word to the number of names it is a given name in
	family  map[string]int
	persons []person          // sorted
	words   []string          // canonical words that need a surrogate; sorted
	rank    map[string]uint8  // 1 for words of no known name
	staff   map[string]bool   // canonical words that are names of doctors and of nobody else
	groups  map[string]string // see join; empty unless they are asked for
	wholes  map[string]string // first syllable to the given name, in one word
	pairs   map[string]bool   // given names, in one word, that stand somewhere as two syllables with a hyphen
	sexes   map[string]string // canonical given word to "f" or "m", where the notes tell; see sexes.go
	meant   map[string]string // folded words that were misread to those that were meant; see misread.go

	spanish bool
	firsts  map[string]int // folded word to the number of Spanish names of three words and more that it begins
	short   *shortForms    // of persons; nil until one is asked for
}

// person is a name of two or more parts.
type person struct{ givens, families []string }

// source says where a name is from.
type source struct{ known, patient, doctor bool }

// newPeople reads a set of names. Their order does not matter: counts are sums
// and lists are sorted. grouped has it note who shares a name with whom.
func newPeople(l *lists, spanish, grouped bool, surfaces map[string]source) *people {
	ps := &people{lists: l, spanish: spanish, firsts: map[string]int{}, known: map[string]bool{}, givens: map[string]int{},
		family: map[string]int{},
		rank:   map[string]uint8{}, staff: map[string]bool{}, groups: map[string]string{}, wholes: map[string]string{}}
	sorted := make([]string, 0, len(surfaces))
	for s := range surfaces {
		sorted = append(sorted, s)
	}
	slices.Sort(sorted)
	empty := &people{lists: l, spanish: spanish}
	names := make([]parsedName, len(sorted))
	empty.pairs = empty.pairsOf(sorted)
	ps.pairs = empty.pairs
	for i, s := range sorted {
		whole, _ := mended(s)
		n := empty.parse(whole, false)
		names[i] = n
		var p person
		for _, part := range n.parts {
			if runes(part.fold) > 1 {
				ps.known[part.fold] = true
			}
			ps.enterHalves(part)
			word := part.fold
			if part.initial {
				word = ""
			}
			if part.family {
				p.families = append(p.families, word)
			} else {
				p.givens = append(p.givens, word)
			}
			if part.loose || part.initial {
				continue
			}
			if part.family {
				ps.family[part.fold]++
			} else {
				ps.givens[part.fold]++
			}
		}
		if spanish && len(n.parts) > 2 && !n.parts[0].initial {
			ps.firsts[n.parts[0].fold]++
		}
		if len(p.givens) > 0 && len(p.families) > 0 {
			ps.persons = append(ps.persons, p)
		}
	}
	ps.misread(names, func(i int) bool { return surfaces[sorted[i]].known })
	// Only now is it known which full names short forms may stand for.
	others := map[string]bool{} // words of people who are not staff
	for i, n := range names {
		from := surfaces[sorted[i]]
		first := ""
		for _, part := range n.parts {
			if part.initial {
				continue
			}
			w := ps.wordOf(part)
			rank := uint8(1)
			if from.known {
				rank = 0
			}
			if old, ok := ps.rank[w]; !ok {
				ps.words = append(ps.words, w)
				ps.rank[w] = rank
			} else {
				ps.rank[w] = min(old, rank)
			}
			if from.doctor {
				ps.staff[w] = true
			}
			if from.patient {
				others[w] = true
			}
			if grouped {
				first = cmp.Or(first, w)
				ps.join(first, w)
			}
		}
	}
	for w := range others {
		delete(ps.staff, w)
	}
	slices.Sort(ps.words)
	return ps
}

// wordOf returns the word that decides a part's surrogate: the full name that a
// short form stands for, else the word itself.
func (ps *people) wordOf(p part) string {
	if m := ps.meant[p.fold]; m != "" {
		p.fold = m
	}
	if p.family {
		if one := ps.singular(p.fold); one != "" {
			return one
		}
		return p.fold
	}
	w, _ := ps.canonical(p.fold)
	return w
}

// join puts two words into one group: people who share a name, and so must
// change their surrogates together where these change (see markov.go). The
// smallest word stands for the group.
func (ps *people) join(a, b string) {
	a, b = ps.group(a), ps.group(b)
	if a > b {
		a, b = b, a
	}
	ps.groups[a], ps.groups[b] = a, a
}

func (ps *people) group(w string) string {
	for {
		g, ok := ps.groups[w]
		if !ok || g == w {
			return w
		}
		w = g
	}
}

// isGiven guesses whether a word alone is a given name.
func (ps *people) isGiven(word string, doctor bool) bool {
	if g, f := ps.givens[word], ps.family[word]; g != f {
		return g > f
	}
	if ps.wholes[word] != "" {
		return true
	}
	_, given := ps.lists.givenOf[word]
	given = given || len(ps.lists.pet[word]) > 0
	_, family := ps.lists.familyOf[word]
	if given && family {
		return !doctor
	}
	return given
}

// canonical returns the given name that a short form or a first syllable stands for: one known of
// the patient, else the first in the lists. short is false where the word
// stands for itself.
func (ps *people) canonical(word string) (name string, short bool) {
	if whole := ps.wholes[word]; whole != "" && ps.givens[word] == 0 {
		return whole, false
	}
	names := ps.lists.pet[word]
	if len(names) == 0 {
		return word, false
	}
	for _, n := range names {
		if ps.givens[n] > 0 {
			return n, true
		}
	}
	if _, ok := ps.lists.givenOf[word]; ok {
		return word, false
	}
	return names[0], true
}

// expand returns the name that an initial stands for: of a person with one of
// the families given, else of any; "" where none is known.
func (ps *people) expand(initial rune, family bool, others []string) string {
	return ps.shortForms().expand(initial, family, others)
}

func (ps *people) shortForms() *shortForms {
	if ps.short == nil {
		ps.short = newShortForms(ps.persons)
	}
	return ps.short
}

// free reports whether no word of a surrogate is or holds a name known of the
// patient.
func (ps *people) free(surrogate string) bool {
	if len(ps.known) == 0 {
		return true
	}
	for _, p := range cut(surrogate) {
		if p.kind == wordPiece && ps.holds(fold(p.text)) {
			return false
		}
	}
	return true
}
