package token

import (
	"math/bits"
	"unicode/utf8"
)

// Filter is a set of words that says of most words within a few nanoseconds
// that they are not in it, so that the tables behind it, of word lists or of a
// patient's names, are asked for few and need not stay in the cache. It asks
// for the first and last letter, then a blocked Bloom filter (Putze et al.
// 2007) whose hash takes a word of up to sixteen bytes at once, without a loop
// over its letters. ASCII letters count without case. Immutable, and safe for
// concurrent use. The zero value holds nothing.
type Filter struct {
	ends   [32]uint32 // by first letter: bits of the last letters
	blocks []uint64
	shift  uint8
}

// Words collects the words of a Filter.
type Words struct {
	ends [32]uint32
	keys []uint64
}

// filterBits is the bits of a filter for each of its words; two are set. About
// one foreign word of a hundred passes.
const filterBits = 16

// Add enters a word, which is not empty. Callers that compare without
// diacritics enter it without them.
func (w *Words) Add(word string) {
	w.ends[word[0]&31] |= 1 << (word[len(word)-1] & 31)
	if k, ok := key(word, 0, int32(len(word))); ok {
		w.keys = append(w.keys, k)
	}
}

// Filter returns the filter of the words.
func (w *Words) Filter() Filter {
	n := 2
	for n*64 < len(w.keys)*filterBits {
		n *= 2
	}
	f := Filter{ends: w.ends, blocks: make([]uint64, n), shift: uint8(64 - bits.Len(uint(n-1)))}
	for _, k := range w.keys {
		f.blocks[k>>(f.shift&63)] |= twoBits(k)
	}
	return f
}

// twoBits picks two bits by the low bits of a key; its high ones pick the block.
func twoBits(k uint64) uint64 { return 1<<(k&63) | 1<<(k>>6&63) }

// Ends reports whether text[start:end], which is not empty, has the first and
// last letter of a word of the set, or one beyond ASCII: the question that is
// cheap enough to be asked of every token, before May.
func (f *Filter) Ends(text string, start, end int32) bool {
	first, last := text[start], text[end-1]
	return f.ends[first&31]>>(last&31)&1 != 0 || (first|last)&utf8.RuneSelf != 0
}

// May reports whether text[start:end], which is not empty, may be in the set:
// true for every word that is, and for some others, among them those of more
// than sixteen bytes and with bytes beyond ASCII.
func (f *Filter) May(text string, start, end int32) bool {
	k, ok := key(text, start, end)
	if !ok || len(f.blocks) == 0 {
		return !ok
	}
	two := twoBits(k)
	return f.blocks[k>>(f.shift&63)]&two == two
}

// maxKey is the most bytes of a word that has a key.
const maxKey = 16

const (
	highBits = 0x8080808080808080
	caseBits = 0x2020202020202020
)

// key returns a hash of text[start:end], which is not empty, that is the same
// for upper-case and lower-case ASCII letters. Words of more than sixteen bytes
// or with bytes beyond ASCII have none.
func key(text string, start, end int32) (key uint64, ok bool) {
	n := int(end - start)
	if n > maxKey {
		return 0, false
	}
	// The first eight bytes and the last eight; of a shorter word all, twice.
	var a, b uint64
	if from := int(start); from+8 <= len(text) && end >= 8 {
		rest := uint(8-min(n, 8)) * 8 & 63
		a = load(text[from:]) << rest >> rest
		b = load(text[from+n-8:]) >> rest
	} else { // at the edges of the text
		for i := range min(n, 8) {
			a |= uint64(text[from+i]) << (8 * uint(i))
			b |= uint64(text[from+n-1-i]) << (8 * uint(min(n, 8)-1-i))
		}
	}
	if (a|b)&highBits != 0 {
		return 0, false
	}
	h, l := bits.Mul64(a|caseBits^0x9e3779b97f4a7c15, b|caseBits^0xd6e8feb86659fd93^uint64(n)<<57)
	return (h ^ l) * 0xff51afd7ed558ccd, true
}

func load(s string) uint64 {
	_ = s[7] // one check of the bounds
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
