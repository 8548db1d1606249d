package pattern

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// NumberGoesOn reports whether the number that ends at end does not.
func NumberGoesOn(text string, end int) bool { return DigitAfter(text, end, "./-:,") }

// DigitBefore reports whether a digit stands before start, with one of the marks
// between them or none.
func DigitBefore(text string, start int, marks string) bool {
	b := ByteAt(text, start-1)
	return Digit(b) || strings.IndexByte(marks, b) >= 0 && Digit(ByteAt(text, start-2))
}

// DigitAfter is digitBefore for what stands behind end.
func DigitAfter(text string, end int, marks string) bool {
	a := ByteAt(text, end)
	return Digit(a) || strings.IndexByte(marks, a) >= 0 && Digit(ByteAt(text, end+1))
}

// FirstWord returns the first blank-separated word of s and where the rest
// begins.
func FirstWord(s string) (w string, rest int) {
	i := strings.IndexByte(s, ' ')
	if i < 0 {
		return s, len(s)
	}
	for rest = i; rest < len(s) && s[rest] == ' '; rest++ {
	}
	return s[:i], rest
}

// LastRune returns the last rune of s.
func LastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

// IsWord reports whether r is a rune of a word, as \b sees it.
func IsWord(r rune) bool {
	if r < utf8.RuneSelf {
		return ASCIIWordByte(byte(r))
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
}

func ASCIIWordByte(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || b == '_'
}

func Digit(b byte) bool { return '0' <= b && b <= '9' }

// ByteAt returns the byte at i, or a blank outside the text.
func ByteAt(text string, i int) byte {
	if i < 0 || i >= len(text) {
		return ' '
	}
	return text[i]
}

// SkipBlanks returns the first byte at or after i that is no blank.
func SkipBlanks(text string, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	return i
}

// BackBlanks returns the end of the text before i without its blanks.
func BackBlanks(text string, i int) int {
	for i > 0 && (text[i-1] == ' ' || text[i-1] == '\t') {
		i--
	}
	return i
}

// WordLimit bounds the words that the checks look at, in bytes: a longer one
// is no word of theirs, and its end is not worth looking for.
const WordLimit = 32

// NextWord returns, in lower case, the run of letters or "%" or "°" that
// begins at i or after blanks; empty at anything else.
func NextWord(text string, i int) string {
	i = SkipBlanks(text, i)
	if i < len(text) && text[i] == '%' {
		return "%"
	}
	if strings.HasPrefix(text[min(i, len(text)):], "°") {
		return "°"
	}
	j := i
	for j < len(text) && j-i < WordLimit {
		r, size := utf8.DecodeRuneInString(text[j:])
		if !unicode.IsLetter(r) {
			break
		}
		j += size
	}
	return strings.ToLower(text[i:j])
}

// PrevWord returns, in lower case, the run of letters that ends at i or before
// blanks and the given marks.
func PrevWord(text string, i int, marks string) string {
	w, _ := PrevWordAt(text, i, marks)
	return w
}

// PrevWordAt is PrevWord that returns, too, at which byte the word begins.
func PrevWordAt(text string, i int, marks string) (word string, at int) {
	low := max(0, i-WordLimit)
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
	return strings.ToLower(text[j:i]), j
}

// LineStart reports whether only blanks and list marks stand between the
// start of the line and i.
func LineStart(text string, i int) bool {
	for low := max(0, i-WordLimit); i > low; i-- {
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

// HasDigit reports whether s holds an ASCII digit.
func HasDigit(s string) bool {
	for i := 0; i < len(s); i++ {
		if Digit(s[i]) {
			return true
		}
	}
	return false
}

// CountDigits returns the number of ASCII digits in s.
func CountDigits(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if Digit(s[i]) {
			n++
		}
	}
	return n
}

// CapitalHead cuts s behind the ASCII capitals that it begins with, and returns
// them in lower case.
func CapitalHead(s string) (head, rest string) {
	i := 0
	for i < len(s) && s[i] >= 'A' && s[i] <= 'Z' {
		i++
	}
	return strings.ToLower(s[:i]), s[i:]
}

// Words makes a set of blank-separated words.
func Words(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(s) {
		set[w] = true
	}
	return set
}
