package token

import "math/bits"

// Filter is a set of words that answers in a few nanoseconds for most words
// that they are not in it: a blocked Bloom filter (Putze et al. 2007) whose
// hash takes a word of up to sixteen bytes at once, without a loop over its
// letters. ASCII letters count without case. The tables behind it, of word
// lists or of a patient's names, are then asked for few words, and need not
// stay in the cache. Immutable once built, and safe for concurrent use then.
// The zero value holds nothing.
type Filter struct {
	blocks []uint64
	shift  uint8
}

// filterBits is the bits of a filter for each of its words; two are set. About
// one foreign word of a hundred passes.
const filterBits = 16

// NewFilter returns the filter of some words, given by their keys.
func NewFilter(keys []uint64) Filter {
	n := 2
	for n*64 < len(keys)*filterBits {
		n *= 2
	}
	f := Filter{blocks: make([]uint64, n), shift: uint8(64 - bits.Len(uint(n-1)))}
	for _, k := range keys {
		f.blocks[k>>(f.shift&63)] |= twoBits(k)
	}
	return f
}

// twoBits picks two bits by the low bits of a key; its high ones pick the block.
func twoBits(k uint64) uint64 { return 1<<(k&63) | 1<<(k>>6&63) }

// HasKey reports whether a word of this key may be in the set.
func (f *Filter) HasKey(k uint64) bool {
	if len(f.blocks) == 0 {
		return false
	}
	two := twoBits(k)
	return f.blocks[k>>(f.shift&63)]&two == two
}

// May reports whether text[start:end] may be in the set: true for every word
// that is, and for every word that has no key.
func (f *Filter) May(text string, start, end int32) bool {
	k, ok := Key(text, start, end)
	return !ok || f.HasKey(k)
}

// maxKey is the most bytes of a word that has a key.
const maxKey = 16

const (
	highBits = 0x8080808080808080
	caseBits = 0x2020202020202020
)

// Key returns a hash of text[start:end], which is not empty, that is the same
// for upper-case and lower-case ASCII letters. Words of more than sixteen bytes
// or with bytes beyond ASCII have none.
func Key(text string, start, end int32) (key uint64, ok bool) {
	n := end - start
	if n > maxKey {
		return 0, false
	}
	var a, b uint64
	if int(start)+8 <= len(text) {
		a = load(text[start : start+8])
		if n < 8 {
			a &= 1<<(8*uint(n)) - 1
		}
	} else {
		for i := start; i < end; i++ {
			a |= uint64(text[i]) << (8 * uint(i-start) & 63)
		}
	}
	if n > 8 {
		b = load(text[end-8 : end])
	}
	if (a|b)&highBits != 0 {
		return 0, false
	}
	a |= caseBits
	b |= caseBits
	h, l := bits.Mul64(a^0x9e3779b97f4a7c15, b^0xd6e8feb86659fd93^uint64(n)<<57)
	h ^= l
	return h * 0xff51afd7ed558ccd, true
}

func load(s string) uint64 {
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// KeyOf is Key of a whole word.
func KeyOf(word string) (key uint64, ok bool) {
	if word == "" || len(word) > maxKey {
		return 0, false
	}
	return Key(word, 0, int32(len(word)))
}
