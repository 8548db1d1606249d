package ensemble

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// appendFolded appends a form without case and diacritics, and a separator.
func appendFolded(key []byte, form string) []byte {
	for i := 0; i < len(form); i++ {
		c := form[i]
		if c >= utf8.RuneSelf {
			return appendFoldedUnicode(key[:len(key)-i], form)
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		key = append(key, c)
	}
	return append(key, 0)
}

func appendFoldedUnicode(key []byte, form string) []byte {
	for _, r := range norm.NFKD.String(strings.ToLower(form)) {
		if !unicode.Is(unicode.Mn, r) {
			key = utf8.AppendRune(key, r)
		}
	}
	return append(key, 0)
}
