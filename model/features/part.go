package features

import (
	"math/bits"
	"strings"
)

// part is a value of a template, and its hash.
type part struct {
	text string
	hash uint64
}

// HashBits is the width of a feature's hash. Of features that a table of 300,000
// does not hold, one in three million is taken for one that it holds.
const HashBits = 40

func hashOf(s string) uint64 {
	h := uint64(14695981039346656037) // FNV-1a
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return mix(h)
}

// mix spreads every bit of h over all of them (the finaliser of MurmurHash3).
func mix(h uint64) uint64 {
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// hash of a template and its parts, of which b and c may be nil.
func hash(t *template, a, b, c *part) uint64 {
	h := t.hash ^ a.hash
	if b != nil {
		h = rotate(h) ^ b.hash
	}
	if c != nil {
		h = rotate(h) ^ c.hash
	}
	return mix(h) >> (64 - HashBits)
}

func rotate(h uint64) uint64 { return bits.RotateLeft64(h, 23) * 0x9e3779b97f4a7c15 }

// Hash returns the hash of a feature by its name, as a table of weights has it.
func Hash(s string) uint64 {
	t, rest, _ := strings.Cut(s, Equals)
	h := hashOf(t + Equals)
	for k, p := range strings.Split(rest, Joiner) {
		if k > 0 {
			h = rotate(h)
		}
		h ^= hashOf(p)
	}
	return mix(h) >> (64 - HashBits)
}

// The name of a feature is template, "=" and the parts with Joiner between them; a
// part that is several words has inner between them.
const (
	Equals = "="
	Joiner = "\x1f"
	inner  = "\x1e"
)

func name(t *template, a, b, c *part) string {
	s := t.name + Equals + a.text
	for _, p := range []*part{b, c} {
		if p != nil {
			s += Joiner + p.text
		}
	}
	return s
}
