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
// (classOf), and gets the first that it may be and that nobody else holds. Words
// choose one after another by keyed priorities, the known ones first, as
// they are the same every night: the outcome is the same in whatever order
// words are found, and no two known words share a surrogate. With priorities that are
// the same for every name, this is the one stable matching (Gale and Shapley
// 1962).
//
// A word's surrogate is thus a function of the key, the scope and the word
// alone, but for two rare cases, in which what is known of the patient tells:
// its first choice is itself a name known of the patient (or holds one), or
// another word has the same first choice. Notes of another night, which know
// more or fewer names, change a surrogate only then; with lists of hundreds to
// thousands that is less than one in a hundred for a patient with ten names. So do
// notes that are the first to tell of what sex somebody is (sexes.go).
type book struct {
	of     map[string]string // folded canonical word to its surrogate
	taken  map[string]bool   // folded surrogates
	unseen map[unseen]string // of words in no claim: what choose said, as often as it is asked
	walks  map[*string]*walk // by the first name of a pool; only of those that were searched

	// Words in a row, of those known beforehand, for which no name of syllables was left.
	dry   int
	tried int // made-up names, for all words
}

// claim is a word on its way to a name.
type claim struct {
	word  string
	rank  uint8 // who goes first: 0 before 1
	order [sha256.Size]byte
	prf   drawer
	class string
	pool  []string
}

// writeBook assigns a surrogate to each of the known words.
func (ps *people) writeBook(scope func(word string) drawer) *book {
	b := &book{of: make(map[string]string, len(ps.words)), taken: make(map[string]bool, len(ps.words)), walks: map[*string]*walk{},
		unseen: map[unseen]string{}}
	claims := make([]*claim, len(ps.words))
	for i, w := range ps.words {
		c := ps.newClaim(w, scope(w))
		c.order = c.prf.prf.sum(0, c.prf.scope, "name order", w)
		claims[i] = c
	}
	slices.SortFunc(claims, func(x, y *claim) int {
		if x.rank != y.rank {
			return int(x.rank) - int(y.rank)
		}
		return bytes.Compare(x.order[:], y.order[:])
	})
	for _, c := range claims {
		before := b.tried
		b.settle(ps, c)
		switch {
		case b.dry >= hopeless: // and so it stays: more and more names are taken
		case b.tried-before > syllables:
			b.dry++
		default:
			b.dry = 0
		}
	}
	return b
}

func (ps *people) newClaim(word string, d drawer) *claim {
	class := ps.classOf(word)
	return &claim{word: word, rank: ps.rank[word], prf: d, class: class, pool: ps.lists.pool(class)}
}

// settle gives a word the first of its choices that is free: names drawn from
// its pool, rarer ones, or invented ones (see invent.go), then the pool in order,
// then made-up ones.
func (b *book) settle(ps *people, c *claim) string {
	name := b.choose(ps, c)
	b.of[c.word] = name
	b.taken[fold(name)] = true
	return name
}

func (b *book) choose(ps *people, c *claim) string {
	free := func(name string) bool { return ps.mayBe(name, c.word) && !b.taken[fold(name)] }
	if len(c.pool) > 0 && !b.walks[&c.pool[0]].over() {
		first := 0
		for try := range uint64(maxTries) {
			if c.prf.invents(try, "name", c.word) {
				if name := ps.lists.widened(c.class, c.prf, try, c.word); name != "" && free(name) {
					return name
				}
			}
			first = c.prf.index(len(c.pool), try, "name", c.word)
			if free(c.pool[first]) {
				return c.pool[first]
			}
		}
		if name := b.walkOf(c.pool).from(first, free, func(name string) bool { return b.gone(ps, name) }); name != "" {
			return name
		}
	}
	n := 0
	if b.dry >= hopeless {
		n = syllables
	}
	for ; ; n++ {
		b.tried++
		name := invent(c.prf, c.word, uint64(maxTries+len(c.pool)+n), n)
		if n >= desperate && !ps.known[fold(name)] && !b.taken[fold(name)] || free(name) {
			return name
		}
	}
}

// gone reports whether a name is for no word any more.
func (b *book) gone(ps *people, name string) bool {
	f := fold(name)
	return b.taken[f] || !unicode.IsLetter(firstRune(f)) || ps.holds(f)
}

// walk goes through a pool in order without meeting again what is gone. Under
// an id that very many people share, every name of a pool is, and each further
// word would go through all of it.
type walk struct {
	pool []string
	next []int32 // for each name, itself or one behind it, all between being gone
	left int     // names that are not known to be gone
}

func (b *book) walkOf(pool []string) *walk {
	w := b.walks[&pool[0]]
	if w == nil {
		w = &walk{pool: pool, next: make([]int32, len(pool)+1), left: len(pool)}
		for i := range w.next {
			w.next[i] = int32(i)
		}
		b.walks[&pool[0]] = w
	}
	return w
}

// over reports whether all names are gone.
func (w *walk) over() bool { return w != nil && w.left == 0 }

// from returns the first name that fits, beginning with that of index first
// and going round; "" where none does.
func (w *walk) from(first int, fits, gone func(string) bool) string {
	for _, part := range [2][2]int{{first, len(w.pool)}, {0, first}} {
		for i := w.find(part[0]); i < part[1]; i = w.find(i + 1) {
			switch {
			case gone(w.pool[i]):
				w.next[i] = int32(i + 1)
				w.left--
			case fits(w.pool[i]):
				return w.pool[i]
			}
		}
	}
	return ""
}

// find returns the first index from i on whose name is not known to be gone,
// and shortens the way for the next that asks.
func (w *walk) find(i int) int {
	end := i
	for int(w.next[end]) != end {
		end = int(w.next[end])
	}
	for int(w.next[i]) != i {
		i, w.next[i] = int(w.next[i]), int32(end)
	}
	return end
}

// word returns the surrogate of a folded canonical word. A word that was never
// made known takes the first of its choices that no known word has. Nothing is
// taken by it, so that the outcome does not tell which note came first: two such
// words, of which there are few, may have one surrogate.
func (b *book) word(ps *people, word string, d drawer) string {
	if s, ok := b.of[word]; ok {
		return s
	}
	key := unseen{word, d.scope}
	s, ok := b.unseen[key]
	if !ok {
		s = b.choose(ps, ps.newClaim(word, d))
		b.unseen[key] = s
	}
	return s
}

// unseen is a word that was not known when the book was written, and the scope
// that it is drawn in.
type unseen struct{ word, scope string }

// mayBe reports whether a surrogate may be this word for that one: neither a
// name known of the patient nor one that holds such a name, and with another
// first letter than it and its short forms have, so that no initial stays: Bill, a
// William, is no Bradley.
func (ps *people) mayBe(surrogate, original string) bool {
	f := fold(surrogate)
	first := firstRune(f)
	if first == firstRune(original) || !unicode.IsLetter(first) || f == original {
		return false
	}
	for _, short := range ps.lists.short[original] {
		if firstRune(fold(short)) == first {
			return false
		}
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

// Made-up names are of three syllables at first. Where so many names are known
// that those are taken or hold one, they are of letters that hardly stand
// together in any name, and longer and longer; in the end, where every group of
// three letters is somebody's name, it has to do that no name is the whole word.
const (
	syllables = 256
	desperate = 4096
	hopeless  = 16 // words in a row without a name of syllables; then no other word looks for one
)

// invent makes a name for a patient of whom every listed name is known or
// taken. counter keys the draw, and round is how many were refused.
func invent(d drawer, word string, counter uint64, round int) string {
	const consonants, vowels, rough = "bdfgklmnprstv", "aeiou", "qxzvkjw"
	sum := d.prf.sum(counter, d.scope, "invented name", word)
	b := make([]byte, 0, 24)
	if round < syllables {
		for i := 0; i < 6; i += 2 {
			b = append(b, consonants[int(sum[i])%len(consonants)], vowels[int(sum[i+1])%len(vowels)])
		}
	} else {
		for i := range min(5+round/syllables, len(sum)) {
			b = append(b, rough[int(sum[i])%len(rough)])
		}
	}
	return strings.ToUpper(string(b[:1])) + string(b[1:])
}

// chance returns a keyed number in [0, 1).
func (d drawer) chance(domain, value string, n uint64) float64 {
	sum := d.prf.sum(n, d.scope, domain, value)
	return float64(binary.BigEndian.Uint64(sum[:])>>11) / (1 << 53)
}
