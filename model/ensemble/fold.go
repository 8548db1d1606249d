package ensemble

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/palimpsest-deid/palimpsest/model/token"
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

var lowered = func() (t [utf8.RuneSelf]byte) {
	for c := range t {
		t[c] = byte(c)
		if 'A' <= c && c <= 'Z' {
			t[c] += 'a' - 'A'
		}
	}
	return t
}()

// hashForm goes on with h over a form.
func hashForm(h uint64, form string) uint64 {
	for i := 0; i < len(form); i++ {
		c := form[i]
		if c >= utf8.RuneSelf {
			return hashUnicode(h, form[i:])
		}
		h = (h ^ uint64(lowered[c])) * hashPrime
	}
	return h
}

func hashUnicode(h uint64, form string) uint64 {
	for _, r := range norm.NFKD.String(strings.ToLower(form)) {
		if unicode.Is(unicode.Mn, r) || r == '\u200d' {
			continue
		}
		if s, ok := spelled[r]; ok {
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

// spelled holds letters that are no base letter with a mark.
var spelled = map[rune]string{'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'þ': "th", 'ß': "ss", 'æ': "ae", 'œ': "oe", 'ı': "i", 'ħ': "h"}

// fold returns s in lower case and without diacritics.
func fold(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	var b strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(s)) {
		if s, ok := spelled[r]; ok {
			b.WriteString(s)
		} else if !unicode.Is(unicode.Mn, r) && r != '\u200d' {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// appendFolded appends fold(s) to dst.
func appendFolded(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return append(dst, fold(s[i:])...)
		}
		dst = append(dst, lowered[s[i]])
	}
	return dst
}

// has reports whether a set of folded words holds s, folded.
func has(set map[string]bool, s string) bool {
	var buf [32]byte
	if len(s) > len(buf) || !isASCII(s) {
		return set[fold(s)]
	}
	for i := 0; i < len(s); i++ {
		buf[i] = lowered[s[i]]
	}
	return set[string(buf[:len(s)])] // makes no string
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// isWord reports whether a token is letters or digits.
func isWord(c token.Class) bool { return c <= token.Digits }

// isLetters reports whether a token is letters.
func isLetters(c token.Class) bool { return c <= token.Mixed }
