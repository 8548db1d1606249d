// Package token cuts clinical text into tokens, lines and windows.
//
// The tokeniser is aggressive, as in Lee et al. 2017, section 3.3.1: it splits
// not only at blanks and punctuation but also where a letter meets a digit and
// where a lower-case letter meets an upper-case one, because hurried text runs
// names, labels and numbers together ("MRN0081", "helpDr", "Smith4/12"). A
// span of PHI then always begins and ends at a token boundary.
//
// All offsets are bytes. Bytes between two tokens are blanks, so the text is
// the concatenation of gaps and tokens: nothing is changed or lost. Invalid
// UTF-8 is cut into one-byte tokens of class Symbol; callers that must refuse
// it check beforehand.
package token

import (
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// Class is the coarse shape of a token.
type Class uint8

// The classes of tokens.
const (
	Lower   Class = iota // all letters lower case, or letters without case
	Title                // first letter upper case, the rest lower case
	Upper                // two or more letters, all upper case
	Initial              // a single upper-case letter
	Mixed                // any other run of letters
	Digits               // a run of digits
	Symbol               // one punctuation mark, symbol or invalid byte
	Newline              // a run of line ends with the blanks between them
	numClasses
)

// NumClasses is the number of classes: the width of a one-hot class feature.
const NumClasses = int(numClasses)

// Token is one token of a text.
type Token struct {
	Start, End int32 // bytes; End is exclusive
	Class      Class
	Space      bool // preceded by a blank, a line end or the start of the text
}

// Text returns the token's bytes in the text that it was cut from.
func (t Token) Text(text string) string { return text[t.Start:t.End] }

// usualBytes is how many bytes of text there are to a token, a little less than in
// the notes that were measured, so that tokens seldom have to move to a larger place.
const usualBytes = 3

// Tokenize appends the tokens of text to dst and returns it. Texts of 2 GiB
// and more are out of its range.
func Tokenize(dst []Token, text string) []Token {
	if dst == nil {
		dst = make([]Token, 0, len(text)/usualBytes+8)
	}
	space := true
	for i := 0; i < len(text); {
		c, size := kindSymbol, 1
		b := text[i]
		if b == ' ' {
			space = true
			i++
			continue
		}
		if b < utf8.RuneSelf {
			c = ascii[b]
		} else {
			c, size = classify(text, i)
		}
		switch c {
		case kindBlank:
			space = true
			i += size
		case kindNewline:
			start := i
			end := i + size
			for i = end; i < len(text); i += size {
				c, size = classify(text, i)
				if c == kindNewline {
					end = i + size
				} else if c != kindBlank {
					break
				}
			}
			dst = append(dst, Token{Start: int32(start), End: int32(end), Class: Newline, Space: true})
			space = true
			i = end
		case kindDigit:
			start := i
			for i += size; i < len(text); i += size {
				if c, size = classify(text, i); c != kindDigit {
					break
				}
			}
			dst = append(dst, Token{Start: int32(start), End: int32(i), Class: Digits, Space: space})
			space = false
		case kindLower, kindUpper, kindMark:
			end, class, ok := word(text, i)
			if !ok {
				end, class = letters(text, i)
			}
			dst = append(dst, Token{Start: int32(i), End: int32(end), Class: class, Space: space})
			space = false
			i = end
		default:
			dst = append(dst, Token{Start: int32(i), End: int32(i + size), Class: Symbol, Space: space})
			space = false
			i += size
		}
	}
	return dst
}

// word is letters for the frequent case: ASCII letters of which all but the
// first are lower case. ok is false for others.
func word(text string, start int) (end int, class Class, ok bool) {
	switch c := text[start]; {
	case 'a' <= c && c <= 'z':
		class = Lower
	case 'A' <= c && c <= 'Z':
		class = Title
	default:
		return 0, 0, false
	}
	end = start + 1
	for end+8 <= len(text) {
		n := lowers(load(text[end:]))
		end += n
		if n < 8 {
			return end, class, text[end] < utf8.RuneSelf && (class == Lower || end > start+1)
		}
	}
	for end < len(text) && 'a' <= text[end] && text[end] <= 'z' {
		end++
	}
	if end < len(text) && text[end] >= utf8.RuneSelf {
		return 0, 0, false
	}
	return end, class, class == Lower || end > start+1
}

// lowers returns how many of eight bytes, from the lowest on, are lower-case
// ASCII letters: a word is mostly read at once, without a loop whose end no
// processor can predict.
func lowers(eight uint64) int {
	const ones = 0x0101010101010101
	low := eight &^ highBits
	fromA := low + (0x80-'a')*ones     // the high bit says: 'a' or more
	behindZ := low + (0x80-'z'-1)*ones // more than 'z'
	others := ^(fromA &^ behindZ &^ eight) & highBits
	return bits.TrailingZeros64(others) / 8
}

// letters returns the end and class of the letter token that starts at i.
// It ends before a lower-to-upper change, and before the last upper-case
// letter of a run that two lower-case letters follow ("MRNSmith").
func letters(text string, i int) (end int, class Class) {
	var uppers, lowers int
	start := i
	firstUpper := false
	for i < len(text) {
		k, size := classify(text, i)
		switch k {
		case kindLower:
			lowers++
		case kindMark: // a combining mark belongs to the letter before it
		case kindUpper:
			if lowers > 0 {
				return i, shape(uppers, lowers, firstUpper)
			}
			if uppers > 0 && lowerPair(text, i+size) {
				return i, shape(uppers, lowers, firstUpper)
			}
			if i == start {
				firstUpper = true
			}
			uppers++
		default:
			return i, shape(uppers, lowers, firstUpper)
		}
		i += size
	}
	return i, shape(uppers, lowers, firstUpper)
}

// lowerPair reports whether two lower-case letters stand at i.
func lowerPair(text string, i int) bool {
	k, size := classify(text, i)
	if k != kindLower {
		return false
	}
	k, _ = classify(text, i+size)
	return k == kindLower
}

func shape(uppers, lowers int, firstUpper bool) Class {
	switch {
	case uppers == 0:
		return Lower
	case lowers == 0 && uppers == 1:
		return Initial
	case lowers == 0:
		return Upper
	case uppers == 1 && firstUpper:
		return Title
	default:
		return Mixed
	}
}

type kind uint8

const (
	kindSymbol kind = iota
	kindBlank
	kindNewline
	kindDigit
	kindLower
	kindUpper
	kindMark
)

// ascii holds the kind of each ASCII byte.
var ascii = func() (t [utf8.RuneSelf]kind) {
	for c := range t {
		switch r := rune(c); {
		case r == '\n' || r == '\r' || r == '\v' || r == '\f':
			t[c] = kindNewline
		case r == ' ' || r == '\t':
			t[c] = kindBlank
		case r >= '0' && r <= '9':
			t[c] = kindDigit
		case r >= 'a' && r <= 'z':
			t[c] = kindLower
		case r >= 'A' && r <= 'Z':
			t[c] = kindUpper
		}
	}
	return t
}()

// classify returns the kind and size in bytes of the rune at i; past the end
// it returns kindSymbol, 0.
func classify(text string, i int) (kind, int) {
	if i >= len(text) {
		return kindSymbol, 0
	}
	if c := text[i]; c < utf8.RuneSelf {
		return ascii[c], 1
	}
	r, size := utf8.DecodeRuneInString(text[i:])
	switch {
	case r == utf8.RuneError && size == 1:
		return kindSymbol, 1
	case r == '\u2028' || r == '\u2029' || r == '\u0085':
		return kindNewline, size
	case unicode.IsUpper(r) || unicode.IsTitle(r):
		return kindUpper, size
	case unicode.IsLetter(r):
		return kindLower, size
	case unicode.Is(unicode.M, r) || r == '\u200d':
		return kindMark, size
	case unicode.IsDigit(r):
		return kindDigit, size
	case unicode.IsSpace(r):
		return kindBlank, size
	}
	return kindSymbol, size
}
