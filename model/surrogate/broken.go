package surrogate

import (
	"regexp"
	"strings"
)

// lineEnd is a word that was broken at the end of a line, or of a cell's.
var lineEnd = regexp.MustCompile(`(\pL)([-\x{2010}][ \t]*\r?\n\s*)(\p{Ll})`)

// lineBreak is what stood between the halves of a word, and the byte where, of the
// surface without it.
type lineBreak struct {
	gap string
	at  int
}

// mended returns a surface whose first broken word is whole.
func mended(s string) (string, lineBreak) {
	if !strings.Contains(s, "\n") { // as in nearly every name, and the pattern is slow
		return s, lineBreak{}
	}
	m := lineEnd.FindStringSubmatchIndex(s)
	if m == nil {
		return s, lineBreak{}
	}
	return s[:m[4]] + s[m[5]:], lineBreak{s[m[4]:m[5]], m[4]}
}

// pieceOf returns the piece that a break is in, and how many bytes behind its start.
func (b lineBreak) pieceOf(pieces []piece) (i, at int) {
	at = b.at
	for i < len(pieces) && at > len(pieces[i].text) {
		at -= len(pieces[i].text)
		i++
	}
	return i, at
}

// broken breaks the word of piece i, which b was in, behind about so many bytes, and
// not beside its first or its last letter.
func (b lineBreak) broken(pieces []piece, i, at int) {
	if b.gap == "" || i >= len(pieces) {
		return
	}
	letters := []rune(pieces[i].text)
	if len(letters) < 4 {
		pieces[i].text += strings.TrimLeft(b.gap, "-\u2010")
		return
	}
	at = max(2, min(at, len(letters)-2))
	pieces[i].text = string(letters[:at]) + b.gap + string(letters[at:])
}
