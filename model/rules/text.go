package rules

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lastRune returns the last rune of s.
func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

// isWord reports whether r is a rune of a word, as \b sees it.
func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return asciiWordByte(byte(r))
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
}

func asciiWordByte(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || b == '_'
}

func digit(b byte) bool { return '0' <= b && b <= '9' }

// byteAt returns the byte at i, or a blank outside the text.
func byteAt(text string, i int) byte {
	if i < 0 || i >= len(text) {
		return ' '
	}
	return text[i]
}

// skipBlanks returns the first byte at or after i that is no blank.
func skipBlanks(text string, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	return i
}

// backBlanks returns the end of the text before i without its blanks.
func backBlanks(text string, i int) int {
	for i > 0 && (text[i-1] == ' ' || text[i-1] == '\t') {
		i--
	}
	return i
}

// wordLimit bounds the words that the checks look at, in bytes: a longer one
// is no word of theirs, and its end is not worth looking for.
const wordLimit = 32

// nextWord returns, in lower case, the run of letters or "%" or "°" that
// begins at i or after blanks; empty at anything else.
func nextWord(text string, i int) string {
	i = skipBlanks(text, i)
	if i < len(text) && text[i] == '%' {
		return "%"
	}
	if strings.HasPrefix(text[min(i, len(text)):], "°") {
		return "°"
	}
	j := i
	for j < len(text) && j-i < wordLimit {
		r, size := utf8.DecodeRuneInString(text[j:])
		if !unicode.IsLetter(r) {
			break
		}
		j += size
	}
	return strings.ToLower(text[i:j])
}

// prevWord returns, in lower case, the run of letters that ends at i or before
// blanks and the given marks.
func prevWord(text string, i int, marks string) string {
	low := max(0, i-wordLimit)
	for i > low && (text[i-1] == ' ' || text[i-1] == '\t' || strings.IndexByte(marks, text[i-1]) >= 0) {
		i--
	}
	j := i
	for j > low {
		r, size := utf8.DecodeLastRuneInString(text[:j])
		if !unicode.IsLetter(r) {
			break
		}
		j -= size
	}
	return strings.ToLower(text[j:i])
}

// lineStart reports whether only blanks and list marks stand between the
// start of the line and i.
func lineStart(text string, i int) bool {
	for low := max(0, i-wordLimit); i > low; i-- {
		switch text[i-1] {
		case ' ', '\t', '-', '*', '#', '|', '>':
		case '\n', '\r':
			return true
		default:
			return false
		}
	}
	return i == 0
}

// numbers returns the runs of digits of s as values, at most six of them, and
// their lengths. A run of more than nine digits has the value -1.
func numbers(s string) (values, lengths [6]int, n int) {
	for i := 0; i < len(s) && n < len(values); {
		if !digit(s[i]) {
			i++
			continue
		}
		j, v := i, 0
		for j < len(s) && digit(s[j]) {
			if j-i < 9 {
				v = 10*v + int(s[j]-'0')
			} else {
				v = -1
			}
			j++
		}
		values[n], lengths[n] = v, j-i
		n++
		i = j
	}
	return values, lengths, n
}

// hasDigit reports whether s holds an ASCII digit.
func hasDigit(s string) bool {
	for i := 0; i < len(s); i++ {
		if digit(s[i]) {
			return true
		}
	}
	return false
}

// countDigits returns the number of ASCII digits in s.
func countDigits(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if digit(s[i]) {
			n++
		}
	}
	return n
}

// capitalHead cuts s behind the ASCII capitals that it begins with, and returns
// them in lower case.
func capitalHead(s string) (head, rest string) {
	i := 0
	for i < len(s) && s[i] >= 'A' && s[i] <= 'Z' {
		i++
	}
	return strings.ToLower(s[:i]), s[i:]
}

// words makes a set of blank-separated words.
func words(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(s) {
		set[w] = true
	}
	return set
}
