package view

import (
	"encoding/base64"
	"html"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// leastBase64 is how long a text of base64 is: forty bytes and more. What is
// shorter may be an id.
const leastBase64 = 56

// The two alphabets of base64.
const (
	alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	standard     = alphanumeric + "+/"
	forAddresses = alphanumeric + "-_"
)

// isBase64 tells whether a text is nothing but base64. Digests in hexadecimal
// digits are not.
func isBase64(text string) bool {
	if len(text) < leastBase64 || strings.IndexByte(text[:leastBase64], ' ') >= 0 {
		return false
	}
	joined := strings.NewReplacer("\n", "", "\r", "").Replace(strings.TrimSpace(text))
	if len(joined) < leastBase64 || !strings.ContainsAny(joined, "0123456789+/=") || strings.Trim(joined, "0123456789abcdefABCDEF") == "" {
		return false
	}
	if _, err := base64.StdEncoding.DecodeString(joined); err == nil {
		return true
	}
	bare := strings.TrimRight(joined, "=") // without padding, or cut off
	return len(bare) >= leastBase64-2 && (strings.Trim(bare, standard) == "" || strings.Trim(bare, forAddresses) == "") && mixed(bare)
}

// mixed tells whether capitals, small letters, digits and signs change as often as they do
// in base64. In names of files, which have letters and digits as well, most letters
// stand beside others of their kind.
func mixed(text string) bool {
	met, changes := kinds(text)
	const letters = isCapital | isSmall
	return met&letters == letters && met != letters && float64(changes) > 0.45*float64(len(text))
}

// kinds returns the kinds of characters that a text has, and how often one of another
// kind follows.
func kinds[T string | []byte](text T) (met, changes int) {
	before := kindOf(text[0])
	for i := range len(text) {
		k := kindOf(text[i])
		if met |= k; k != before {
			changes++
		}
		before = k
	}
	return met, changes
}

const (
	isCapital = 1 << iota
	isSmall
	isOther
)

func kindOf(c byte) int {
	switch {
	case c >= 'A' && c <= 'Z':
		return isCapital
	case c >= 'a' && c <= 'z':
		return isSmall
	}
	return isOther
}

// mostDigest is how many hexadecimal digits the longest digest has.
const mostDigest = 128

// isHex tells whether a text is nothing but hexadecimal digits, and more than digests
// have. A number, and a column of them, has no letters.
func isHex(text string) bool {
	for _, mark := range []string{"0x", "0X", `\x`, "X'"} {
		text = strings.TrimPrefix(text, mark)
	}
	if len(text) <= mostDigest || strings.Trim(text[:mostDigest], "0123456789abcdefABCDEF\r\n") != "" {
		return false
	}
	joined := strings.NewReplacer("\n", "", "\r", "").Replace(strings.TrimRight(text, " \t\r\n'"))
	return len(joined) > mostDigest && strings.Trim(joined, "0123456789abcdefABCDEF") == "" && strings.ContainsAny(joined, "abcdefABCDEF")
}

// What is encoded within other text: files that were attached, the state of a form.
// No id, digest or token of an address has as many characters.
const (
	leastPiece = 48   // of a line of base64 or hexadecimal digits
	manyBase64 = 256  // characters in a row, or on lines below each other
	manyDigits = 1024 // hexadecimal digits on lines below each other, which may be digests
)

// inPieces are the characters of base64 and hexadecimal digits.
var inPieces = func() (is [256]bool) {
	for _, c := range []byte(standard + forAddresses) {
		is[c] = true
	}
	return is
}()

// isEncoded tells whether a text holds base64 or hexadecimal digits in which a file may
// be. In RTF all digits are, as its writers put bytes so.
func isEncoded(text string, rtf bool) bool {
	var joined []byte // what stands on the lines before, of base64
	digits, last := 0, 0
	for i := leastPiece - 1; i < len(text); { // no piece begins and ends between two looks
		if !inPieces[text[i]] {
			i += leastPiece
			continue
		}
		from, to := i, i+1
		for from > last && inPieces[text[from-1]] {
			from--
		}
		for to < len(text) && inPieces[text[to]] {
			to++
		}
		if to-from < leastPiece {
			i = to + leastPiece
			continue
		}
		if !isWrap(text[last:from]) {
			joined, digits = joined[:0], 0
		}
		piece := text[from:to]
		next := endOfTail(text, to)
		tail := text[to:next]
		row, all := hexRow(piece, rtf)
		if digits += len(piece); !all {
			digits = 0
		}
		if row > mostDigest || digits > manyDigits {
			return true
		}
		for _, c := range []byte(piece + strings.TrimLeft(tail, wraps)) {
			if joined = append(joined, c); len(joined) == manyBase64 {
				if isDense(joined) {
					return true
				}
				joined = joined[:0]
			}
		}
		last = to
		i = to + leastPiece
	}
	return false
}

// wraps are the characters between two lines of something encoded: also those of mail that
// answers, and of line ends written as escapes.
const wraps = "\r\n\t >\\"

// isWrap tells whether nothing but the end of a line stands between two pieces.
func isWrap(between string) bool {
	return between != "" && len(between) <= 8 && strings.Trim(between, wraps) == "" && strings.ContainsAny(between, "\n\\ ")
}

// endOfTail returns where the last line of something encoded ends that is shorter than
// the others.
func endOfTail(text string, to int) int {
	from := to
	for from < len(text) && from < to+8 && strings.IndexByte(wraps, text[from]) >= 0 {
		from++
	}
	end := from
	for end < len(text) && end < from+leastPiece && inPieces[text[end]] {
		end++
	}
	if from == to || end == from+leastPiece { // a piece of its own
		return to
	}
	return end
}

// hexRow returns how many hexadecimal digits of a piece stand in a row, and whether all
// of it are. Numbers alone are none, but in RTF.
func hexRow(piece string, rtf bool) (most int, all bool) {
	row, letters, numbers := 0, rtf, rtf
	for i := 0; i < len(piece); i++ {
		switch c := piece[i]; {
		case isDigit(c):
			row, numbers = row+1, true
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			row, letters = row+1, true
		default:
			row, letters, numbers = 0, rtf, rtf
		}
		if letters && numbers {
			most = max(most, row)
		}
	}
	return most, row == len(piece) && letters && numbers
}

// isDense tells whether capitals, small letters and digits change as often as in base64, of
// which each tenth character is a digit, and each thirtieth where it is of UTF-16.
func isDense(text []byte) bool {
	met, changes := kinds(text)
	digits := 0
	for _, c := range text {
		if isDigit(c) {
			digits++
		}
	}
	return met == isCapital|isSmall|isOther && digits*33 > len(text) && 100*changes > 42*len(text)
}

// holdsBase64 tells whether the words before the bytes of a file stand in a text:
// "data:application/pdf;base64," or "Content-Transfer-Encoding: base64".
func holdsBase64(text string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], "64")
		if i < 0 {
			return false
		}
		at += i + 2
		if at < 6 || !strings.EqualFold(text[at-6:at-2], "base") {
			continue
		}
		before := strings.TrimRight(text[max(0, at-60):at-6], " \t\r\n")
		if strings.HasSuffix(before, ";") && strings.HasPrefix(strings.TrimLeft(text[at:min(len(text), at+60)], " \t\r\n"), ",") ||
			strings.HasSuffix(strings.ToLower(before), "transfer-encoding:") {
			return true
		}
	}
}

// embedded tells whether an address holds a file.
func embedded(value string) bool {
	if holdsBase64(value) {
		return true
	}
	head := strings.TrimSpace(value)
	return strings.HasPrefix(strings.ToLower(head[:min(len(head), len(picture))]), picture)
}

// picture begins an address that is a picture.
const picture = "data:image/"

// holdsFile tells whether an address that holds a file stands anywhere in a tag.
func holdsFile(tag string) bool {
	t := html.UnescapeString(tag)
	return holdsBase64(t) || strings.Contains(strings.ToLower(t), picture)
}

// holdsRTF tells whether a text holds RTF, also such as was quoted.
func holdsRTF(text string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], `\rtf`)
		if i < 0 {
			return false
		}
		at += i
		if strings.HasSuffix(strings.TrimRight(text[max(0, at-20):at], "\\ \r\n"), "{") {
			return true
		}
		at++
	}
}

// escapesLetters tells whether letters of words stand as escapes in a text that is plain
// otherwise: \u00ed of programs, \XC3AD\ of HL7, =C3=AD of mail.
func escapesLetters(text string) bool {
	for at := 0; ; at++ {
		i := strings.IndexByte(text[at:], '\\')
		if i < 0 {
			break
		}
		at += i
		rest := text[at+1 : min(len(text), at+200)]
		if len(rest) > 4 && rest[0] == 'u' {
			c, err := strconv.ParseUint(rest[1:5], 16, 16)
			if err == nil && c >= 0xC0 && c < 0x250 && unicode.IsLetter(rune(c)) && (endsWord(text[:at]) || beginsWord(rest[5:])) {
				return true
			}
		}
		if len(rest) > 3 && rest[0] == 'X' {
			digits, _, ok := strings.Cut(rest[1:], `\`)
			if ok && len(digits)%2 == 0 && holdsLetter(digits) {
				return true
			}
		}
	}
	for at := 0; ; at++ {
		i := strings.IndexByte(text[at:], '=')
		if i < 0 {
			return false
		}
		at += i
		if s := text[at:]; len(s) > 5 && s[3] == '=' && s[1] >= 'C' && s[1] <= 'F' {
			a, err := strconv.ParseUint(s[1:3], 16, 8)
			b, other := strconv.ParseUint(s[4:6], 16, 8)
			if err == nil && other == nil && a >= 0xC2 && b >= 0x80 && b < 0xC0 {
				return true
			}
		}
	}
}

// holdsLetter tells whether pairs of hexadecimal digits are other than line ends and
// signs.
func holdsLetter(digits string) bool {
	for i := 0; i < len(digits); i += 2 {
		c, err := strconv.ParseUint(digits[i:i+2], 16, 8)
		if err != nil {
			return false
		}
		if c >= utf8.RuneSelf || len(digits) > 2 && (isDigit(byte(c)) || kindOf(byte(c)) != isOther) {
			return true // a letter of ASCII alone may be a part of a path: \\srv\X64\scan
		}
	}
	return false
}

func endsWord(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsLetter(r)
}

func beginsWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r)
}
