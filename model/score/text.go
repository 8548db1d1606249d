package score

import (
	"unicode"
	"unicode/utf8"
)

// asciiWord reports whether c belongs to a token of the i2b2 2014 script: its
// tokens are maximal runs of ASCII letters and digits, and every other
// character, letters such as ñ included, parts them.
func asciiWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// alphanumeric is str.isalnum of Python 3 on one character: the Unicode
// categories L (letters) and N (numbers, also fractions and Roman numerals).
// Combining marks are neither.
func alphanumeric(r rune) bool {
	if r < utf8.RuneSelf {
		return asciiWord(byte(r))
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

// hasAlphanumeric reports whether text holds a letter or a number.
func hasAlphanumeric(text string) bool {
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			if asciiWord(c) {
				return true
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if alphanumeric(r) {
			return true
		}
		i += size
	}
	return false
}

// near reports whether the bytes a and b of text are at most two code points
// apart.
func near(text string, a, b int) bool {
	if a > b {
		a, b = b, a
	}
	return b-a <= 2*utf8.UTFMax && utf8.RuneCountInString(text[a:b]) <= 2
}
