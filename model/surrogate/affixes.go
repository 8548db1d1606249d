package surrogate

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A number may be written with letters before or behind it and without them: the
// version of a health card, "7021 558 310 QD", or who dictated, "KV/mmb/T0713386". The
// number itself, from its first digit to its last, gets the same surrogate in both. Its
// letters are moved in the alphabet, by steps that hang on the number and on how far
// from it they stand, so that two codes that differ in their letters alone never become
// one.

// leastCore is the least digits of a number that is drawn apart from its letters.
const leastCore = 6

// affixed returns the surrogate of a code that begins or ends with letters, "" for others.
func (d drawer) affixed(s string) string {
	start, end := coreOf(s)
	if alnum(s[:start]+s[end:]) == "" {
		return ""
	}
	key := alnum(s[start:end])
	return d.moved(s[:start], "before "+key, true) + d.code(s[start:end]) + d.moved(s[end:], "behind "+key, false)
}

// coreOf returns the stretch of a code from its first to its last digit; all of it where
// that has too few digits.
func coreOf(s string) (start, end int) {
	digits := 0
	for i, r := range s {
		if unicode.IsDigit(r) {
			if digits++; digits == 1 {
				start = i
			}
			end = i + utf8.RuneLen(r)
		}
	}
	if digits < leastCore {
		return 0, len(s)
	}
	return start, end
}

// moved moves the letters of an affix in the alphabet, each by steps of its own. Those
// that stand before the number are counted from it backwards.
func (d drawer) moved(s, key string, backwards bool) string {
	letters := len([]rune(alnum(s)))
	var b strings.Builder
	i := 0
	for _, r := range s {
		if !isLetter(r) {
			b.WriteRune(r)
			continue
		}
		letter := byte('X')
		if u := unaccent(string(unicode.ToUpper(r))); u[0] >= 'A' && u[0] <= 'Z' {
			letter = u[0]
		}
		at := i
		if backwards {
			at = letters - 1 - i
		}
		i++
		letter = 'A' + (letter-'A'+1+byte(d.index(25, 0, "affix", key+" "+strconv.Itoa(at))))%26
		if unicode.IsLower(r) {
			letter |= 0x20
		}
		b.WriteByte(letter)
	}
	return b.String()
}

// ssnForm is a social security number as it is written, whatever it was taken for.
var ssnForm = regexp.MustCompile(`^[0-9]{3}-[0-9]{2}-[0-9]{4}$`)
