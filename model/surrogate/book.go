package surrogate

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"
	"unicode"
)

// A book says which word stands for which in one scope. Each word known of the
// patient has a keyed order in which it would have the names of its class
// (classOf), and gets the first that it may be and that nobody else holds. Who
// holds a name that two want is settled by deferred acceptance (Gale and
// Shapley 1962) with keyed priorities: the outcome is the same in whatever
// order words are taken, and no two words share a surrogate.
//
// A word's surrogate is thus a function of the key, the scope and the word
// alone, but for two rare cases, in which what is known of the patient tells:
// its first choice is itself a name known of the patient (or holds one), or
// another word has the same first choice. Notes of another night, which know
// more or fewer names, change a surrogate only then; with lists of hundreds to
// thousands that is less than one in a hundred for a patient with ten names.
type book struct {
	of    map[string]string // folded canonical word to its surrogate
	taken map[string]bool   // folded surrogates
}

// claim is a word on its way through its order of choices.
type claim struct {
	word  string
	rank  uint8 // who goes first: 0 before 1
	try   int   // of its choices, those that are past
	order [sha256.Size]byte
	prf   drawer
	pool  []string
	first int // where the search in order began
	name  string
}

// writeBook assigns a surrogate to each of the known words.
func (ps *people) writeBook(scope func(word string) drawer) *book {
	b := &book{of: make(map[string]string, len(ps.words)), taken: map[string]bool{}}
	holders := map[string]*claim{}
	queue := make([]*claim, 0, len(ps.words))
	for _, w := range slices.Backward(ps.words) { // popped from the end
		queue = append(queue, ps.newClaim(w, scope(w)))
	}
	for len(queue) > 0 {
		c := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for {
			c.next(ps)
			key := fold(c.name)
			other := holders[key]
			if other != nil && !c.before(other) {
				continue
			}
			holders[key] = c
			if other != nil {
				queue = append(queue, other)
			}
			break
		}
	}
	for key, c := range holders {
		b.of[c.word] = c.name
		b.taken[key] = true
	}
	return b
}

func (ps *people) newClaim(word string, d drawer) *claim {
	return &claim{word: word, rank: ps.rank[word], prf: d, pool: ps.lists.pool(ps.lists.classOf(word))}
}

// before reports whether c has the better right to what both want: names of
// the census go first, as they are the same every night.
func (c *claim) before(other *claim) bool {
	if c.rank != other.rank {
		return c.rank < other.rank
	}
	for _, x := range []*claim{c, other} {
		if x.order == [sha256.Size]byte{} {
			x.order = x.prf.prf.sum(0, x.prf.scope, "name order", x.word)
		}
	}
	return bytes.Compare(c.order[:], other.order[:]) < 0
}

// next moves on to the next name that the word may be.
func (c *claim) next(ps *people) {
	for {
		n := c.try
		c.try++
		switch {
		case n < maxTries && len(c.pool) > 0:
			c.first = c.prf.index(len(c.pool), uint64(n), "name", c.word)
			c.name = c.pool[c.first]
		case n < maxTries+len(c.pool):
			c.name = c.pool[(c.first+n-maxTries)%len(c.pool)]
		default:
			c.name = invent(c.prf, c.word, uint64(n))
		}
		if ps.mayBe(c.name, c.word) {
			return
		}
	}
}

// word returns the surrogate of a folded canonical word. A word that was never
// made known takes the first of its choices that is free; it is kept from then
// on, but two such words may depend on which came first.
func (b *book) word(ps *people, word string, d drawer) string {
	if s, ok := b.of[word]; ok {
		return s
	}
	c := ps.newClaim(word, d)
	for {
		if c.next(ps); !b.taken[fold(c.name)] {
			b.of[word] = c.name
			b.taken[fold(c.name)] = true
			return c.name
		}
	}
}

// mayBe reports whether a surrogate may be this word for that one: neither a
// name known of the patient nor one that holds such a name, and with another
// first letter, so that no initial stays.
func (ps *people) mayBe(surrogate, original string) bool {
	f := fold(surrogate)
	if first := firstRune(f); first == firstRune(original) || !unicode.IsLetter(first) || f == original {
		return false
	}
	return !ps.holds(f)
}

// holds reports whether a folded word is or contains a name known of the
// patient; names of two letters are looked for as whole words only.
func (ps *people) holds(folded string) bool {
	if ps.known[folded] {
		return true
	}
	if len(folded) > maxSurface {
		return true // no surrogate is so long
	}
	for i := range folded {
		for j := i + 3; j <= len(folded); j++ {
			if ps.known[folded[i:j]] && runes(folded[i:j]) > 2 {
				return true
			}
		}
	}
	return false
}

// invent makes a name of syllables, for a patient of whom every listed name is
// known.
func invent(d drawer, word string, try uint64) string {
	const consonants, vowels = "bdfgklmnprstv", "aeiou"
	sum := d.prf.sum(try, d.scope, "invented name", word)
	b := make([]byte, 0, 6)
	for i := 0; i < 6; i += 2 {
		b = append(b, consonants[int(sum[i])%len(consonants)], vowels[int(sum[i+1])%len(vowels)])
	}
	return strings.ToUpper(string(b[:1])) + string(b[1:])
}

// chance returns a keyed number in [0, 1).
func (d drawer) chance(domain, value string, n uint64) float64 {
	sum := d.prf.sum(n, d.scope, domain, value)
	return float64(binary.BigEndian.Uint64(sum[:])>>11) / (1 << 53)
}
