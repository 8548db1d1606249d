package surrogate

import (
	"strings"
	"unicode"
)

// scanned puts words together that a scanner has read digits into ("BATT1E R1dge",
// "Du5ty"), with the letters that these stand for, so that one name gets one surrogate
// and the same as elsewhere. Pieces of a number ("7B", "Ward 1") stay.
func (l *lists) scanned(pieces []piece) []piece {
	var out []piece
	for i := 0; i < len(pieces); i++ {
		end, letters, digits, number := i, 0, 0, false
		for ; end < len(pieces) && pieces[end].kind != gapPiece; end++ {
			if pieces[end].kind == wordPiece {
				letters += runes(pieces[end].text)
			} else {
				digits++
				number = number || strings.Trim(pieces[end].text, "0158") != "" || len(pieces[end].text) > 2 // no letter looks like it
			}
		}
		last := max(i, end-1)
		numbered := end-i == 2 && pieces[last].kind == digitPiece && (l.words["generic"][fold(pieces[i].text)] ||
			l.words["heads"][fold(pieces[i].text)] || l.words["suffix"][fold(pieces[i].text)])
		if end-i < 2 || letters < 3 || digits == 0 || number || digits >= letters || numbered || end-i > 1 && besideLoneLetter(pieces[i:end]) {
			out = append(out, pieces[i:last+1]...)
			i = last
			continue
		}
		var b strings.Builder
		for _, p := range pieces[i:end] {
			b.WriteString(p.text)
		}
		out = append(out, piece{kind: wordPiece, text: asLetters(b.String())})
		i = last
	}
	return out
}

// besideLoneLetter reports whether a word of three letters and more is followed by a
// number and one letter, as in "Ward7B".
func besideLoneLetter(pieces []piece) bool {
	n := len(pieces)
	return n == 3 && pieces[0].kind == wordPiece && runes(pieces[2].text) == 1 && unicode.IsUpper(firstRune(pieces[2].text)) &&
		pieces[0].text != strings.ToUpper(pieces[0].text)
}

// asLetters replaces the digits of a word by the letters that they look like.
func asLetters(word string) string {
	upper := word == strings.ToUpper(word)
	return strings.Map(func(r rune) rune {
		letter, ok := looksLike[r]
		if ok && !upper {
			return unicode.ToLower(letter)
		}
		if ok {
			return letter
		}
		return r
	}, word)
}

var looksLike = map[rune]rune{'0': 'O', '1': 'L', '5': 'S', '8': 'B'}
