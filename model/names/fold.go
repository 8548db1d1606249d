package names

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Lowered holds the lower case of each ASCII byte.
var Lowered = func() (t [utf8.RuneSelf]byte) {
	for c := range t {
		t[c] = byte(c)
		if 'A' <= c && c <= 'Z' {
			t[c] += 'a' - 'A'
		}
	}
	return t
}()

// Spelled holds letters that are no base letter with a mark.
var Spelled = map[rune]string{'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'þ': "th", 'ß': "ss", 'æ': "ae", 'œ': "oe", 'ı': "i", 'ħ': "h"}

// Fold returns s in lower case and without diacritics.
func Fold(s string) string {
	if IsASCII(s) {
		return strings.ToLower(s)
	}
	var b strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(s)) {
		if s, ok := Spelled[r]; ok {
			b.WriteString(s)
		} else if !unicode.Is(unicode.Mn, r) && r != '\u200d' {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// AppendFolded appends fold(s) to dst.
func AppendFolded(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return append(dst, Fold(s[i:])...)
		}
		dst = append(dst, Lowered[s[i]])
	}
	return dst
}

// Has reports whether a set of folded words holds s, folded.
func Has(set map[string]bool, s string) bool {
	var buf [32]byte
	if len(s) > len(buf) || !IsASCII(s) {
		return set[Fold(s)]
	}
	for i := 0; i < len(s); i++ {
		buf[i] = Lowered[s[i]]
	}
	return set[string(buf[:len(s)])] // makes no string
}

// IsASCII reports whether s holds no byte beyond ASCII.
func IsASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
