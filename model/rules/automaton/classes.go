package automaton

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// runeSet is a sorted list of rune ranges, lo and hi inclusive, flattened as
// regexp/syntax keeps them.
type runeSet []rune

// classes compresses the alphabet: runes that no expression tells apart share
// a class, so a row of the automaton has about a hundred cells.
type classes struct {
	ascii   [utf8.RuneSelf]uint8
	pages   []uint16 // rune >> pageBits -> page
	data    []uint8  // pages of 1 << pageBits classes
	n       int      // number of classes
	word    []bool   // by class: a rune of a word
	newline []bool   // by class: '\n'
}

const pageBits = 7

// frequent are the most frequent characters of notes.
const frequent = " abcdefghijklmnopqrstuvwxyz.,:-\n"

// of returns the class of r.
func (c *classes) of(r rune) uint8 {
	return c.data[int(c.pages[r>>pageBits])<<pageBits|int(r&(1<<pageBits-1))]
}

// newClasses returns the coarsest classes that respect every set and word.
// member[s*n+k] tells whether class k is in set s.
func newClasses(sets []runeSet, word runeSet) (c *classes, member []bool, err error) {
	all := append(slices.Clone(sets), word, runeSet{'\n', '\n'})
	cuts := []rune{0, unicode.MaxRune + 1}
	for _, set := range all {
		for i := 0; i < len(set); i += 2 {
			cuts = append(cuts, set[i], set[i+1]+1)
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	// The signature of an interval between cuts is the list of sets it is in.
	signs := make([][]byte, len(cuts)-1)
	for k := range signs {
		signs[k] = make([]byte, (len(all)+7)/8)
	}
	for s, set := range all {
		for i := 0; i < len(set); i += 2 {
			k, _ := slices.BinarySearch(cuts, set[i])
			for ; k < len(signs) && cuts[k] <= set[i+1]; k++ {
				signs[k][s/8] |= 1 << (s % 8)
			}
		}
	}
	c = &classes{}
	ids := map[string]uint8{}
	var of [][]byte // class -> signature
	interval := make([]uint8, len(signs))
	number := func(k int) error {
		id, ok := ids[string(signs[k])]
		if !ok {
			if len(of) == 255 {
				return fmt.Errorf("rules: the expressions tell more than 255 kinds of rune apart; write them with fewer character classes")
			}
			id = uint8(len(of))
			ids[string(signs[k])] = id
			of = append(of, signs[k])
		}
		interval[k] = id
		return nil
	}
	// The classes of frequent runes come first, so that they share a cache line.
	for _, r := range frequent {
		k, ok := slices.BinarySearch(cuts, r)
		if !ok {
			k--
		}
		if err := number(k); err != nil {
			return nil, nil, err
		}
	}
	for k := range signs {
		if err := number(k); err != nil {
			return nil, nil, err
		}
	}
	has := func(k, s int) bool { return of[k][s/8]&(1<<(s%8)) != 0 }
	c.n = len(of)
	member = make([]bool, len(sets)*c.n)
	for k := range of {
		for s := range sets {
			member[s*c.n+k] = has(k, s)
		}
		c.word = append(c.word, has(k, len(sets)))
		c.newline = append(c.newline, has(k, len(sets)+1))
	}
	c.fill(cuts, interval)
	return c, member, nil
}

// fill builds the two-level table; equal pages are stored once.
func (c *classes) fill(cuts []rune, interval []uint8) {
	pages := map[string]uint16{}
	var page [1 << pageBits]uint8
	k := 0
	for base := rune(0); base <= unicode.MaxRune; base += 1 << pageBits {
		for i := range page {
			for cuts[k+1] <= base+rune(i) {
				k++
			}
			page[i] = interval[k]
		}
		id, ok := pages[string(page[:])]
		if !ok {
			id = uint16(len(pages))
			pages[string(page[:])] = id
			c.data = append(c.data, page[:]...)
		}
		c.pages = append(c.pages, id)
	}
	for r := range c.ascii {
		c.ascii[r] = c.of(rune(r))
	}
}

// instSet returns the runes that a rune instruction takes.
func instSet(in *syntax.Inst) runeSet {
	switch in.Op {
	case syntax.InstRuneAny:
		return runeSet{0, unicode.MaxRune}
	case syntax.InstRuneAnyNotNL:
		return runeSet{0, '\n' - 1, '\n' + 1, unicode.MaxRune}
	}
	if len(in.Rune) != 1 {
		return runeSet(in.Rune)
	}
	r := in.Rune[0]
	orbit := []rune{r}
	if syntax.Flags(in.Arg)&syntax.FoldCase != 0 {
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			orbit = append(orbit, f)
		}
	}
	slices.Sort(orbit)
	set := make(runeSet, 0, 2*len(orbit))
	for _, r := range orbit {
		set = append(set, r, r)
	}
	return set
}

// classSet parses a character class.
func classSet(expr string) runeSet {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil || re.Op != syntax.OpCharClass {
		panic("rules: not a character class: " + expr) // a constant of this package
	}
	return runeSet(re.Rune)
}
