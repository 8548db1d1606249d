package surrogate

import (
	"strings"
	"unicode"

	"github.com/palimpsest-deid/palimpsest/model/names"
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
		if end-i == 1 && pieces[i].kind == wordPiece && names.Misread(pieces[i].text) && pieces[i].apart == "" {
			out = append(out, piece{kind: wordPiece, text: l.asLetters(pieces[i].text)})
			continue
		}
		if end-i < 2 || letters < 3 || digits == 0 || number || digits >= letters || numbered || end-i > 1 && besideLoneLetter(pieces[i:end]) {
			out = append(out, pieces[i:last+1]...)
			i = last
			continue
		}
		var b strings.Builder
		for _, p := range pieces[i:end] {
			b.WriteString(p.text)
		}
		out = append(out, piece{kind: wordPiece, text: l.asLetters(b.String())})
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

// asLetters replaces what a scanner reads for the letters of a word by these: digits, and
// small l's among capitals. A 1 is the I or the L that makes it a word of the lists, else
// an I among capitals and an l among small letters.
func (l *lists) asLetters(word string) string {
	plain := strings.ReplaceAll(word, "l", "")
	one, other := 'l', 'i'
	if upper := plain == strings.ToUpper(plain) && capitals(plain) > 1; upper {
		one, other = 'I', 'L'
	}
	first, second := withLetters(word, one), withLetters(word, other)
	if first != second && !l.has(fold(first)) && l.has(fold(second)) {
		return second
	}
	return first
}

// withLetters replaces the digits of a word by letters of its case, a 1 by one. The first
// letter is a capital: what small letters follow is a name.
func withLetters(word string, one rune) string {
	upper := unicode.IsUpper(one)
	var b strings.Builder
	for i, r := range word {
		switch letter := looksLike[r]; {
		case r == '1' && i == 0:
			b.WriteRune('I')
		case r == '1':
			b.WriteRune(one)
		case r == 'l' && upper:
			b.WriteRune('I')
		case letter == 0:
			b.WriteRune(r)
		case upper || i == 0:
			b.WriteRune(letter)
		default:
			b.WriteRune(unicode.ToLower(letter))
		}
	}
	return b.String()
}

// has reports whether the lists know a folded word, as a name or within one.
func (l *lists) has(word string) bool {
	return l.givenOf[word] != "" || l.familyOf[word] != "" || l.family[word] || l.isTown(word) ||
		l.words["generic"][word] || l.words["heads"][word] || l.words["suffix"][word]
}

// looksLike has the letters that digits stand for; 1 may be either of two.
var looksLike = map[rune]rune{'0': 'O', '1': 'L', '5': 'S', '8': 'B'}
