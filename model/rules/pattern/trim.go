package pattern

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// edges are what trim takes from a start (1) and from an end (2), of ASCII.
var edges = func() (e [utf8.RuneSelf]uint8) {
	for b := range e {
		if unicode.IsSpace(rune(b)) {
			e[b] = 3
		}
	}
	for _, b := range []byte(".,;:!?/|)]}>([{<\"-") {
		e[b] |= 1
	}
	for _, b := range []byte(".,;:!?/|)]}>([{<\"'-#") {
		e[b] |= 2
	}
	return e
}()

// Trim moves the ends past blanks and closing punctuation. A bracket is kept
// where its partner is inside, as in "(505) 555-0143".
func Trim(text string, start, end int) (int, int) {
	for start < end {
		b, size := text[start], 1
		if b < utf8.RuneSelf {
			if edges[b]&1 == 0 || b == '(' && strings.IndexByte(text[start:end], ')') > 0 {
				break
			}
		} else {
			var r rune
			if r, size = utf8.DecodeRuneInString(text[start:end]); !unicode.IsSpace(r) {
				break
			}
		}
		start += size
	}
	for start < end {
		b, size := text[end-1], 1
		if b < utf8.RuneSelf {
			if edges[b]&2 == 0 || b == ')' && strings.IndexByte(text[start:end], '(') >= 0 {
				break
			}
		} else {
			var r rune
			if r, size = utf8.DecodeLastRuneInString(text[start:end]); !unicode.IsSpace(r) && r != '’' && r != '”' && r != '–' {
				break
			}
		}
		end -= size
	}
	return start, end
}
