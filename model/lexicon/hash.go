package lexicon

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/palimpsest-deid/palimpsest/model/names"
)

// Texts and entries are compared by a streaming hash of their letters and
// digits, without case and diacritics: FNV-1a, 64 bits. It has no seed, so a
// lexicon is the same everywhere. Two strings of one hash would mean a word
// replaced that need not be; at 64 bits and a million entries that is not
// going to happen in any text that exists.
const (
	hashStart = uint64(14695981039346656037)
	hashPrime = uint64(1099511628211)
	separator = ' ' // any blank and light punctuation between two words
)

func hashByte(h uint64, c byte) uint64 { return (h ^ uint64(c)) * hashPrime }

// hashForm goes on with h over a form.
func hashForm(h uint64, form string) uint64 {
	for i := 0; i < len(form); i++ {
		c := form[i]
		if c >= utf8.RuneSelf {
			return hashUnicode(h, form[i:])
		}
		h = (h ^ uint64(names.Lowered[c])) * hashPrime
	}
	return h
}

func hashUnicode(h uint64, form string) uint64 {
	for _, r := range norm.NFKD.String(strings.ToLower(form)) {
		if unicode.Is(unicode.Mn, r) || r == '\u200d' {
			continue
		}
		if s, ok := names.Spelled[r]; ok {
			for i := 0; i < len(s); i++ {
				h = hashByte(h, s[i])
			}
			continue
		}
		var b [utf8.UTFMax]byte
		for _, c := range b[:utf8.EncodeRune(b[:], r)] {
			h = hashByte(h, c)
		}
	}
	return h
}

// unseen reports whether a character is shown as nothing: a soft hyphen, a
// zero-width blank, a byte order mark.
func unseen(r rune) bool { return r >= '\u00ad' && unicode.Is(unicode.Cf, r) }

// seen returns text as it is shown.
func seen(text string) string {
	if !strings.ContainsFunc(text, unseen) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if unseen(r) {
			return -1
		}
		return r
	}, text)
}
