package names

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// leastMisread is the least letters of a word that was misread: of shorter ones, such as
// "7B", nothing says that digits stand for letters.
const leastMisread = 3

// Misread reports whether a run of letters and digits is a word in which a scanner read
// letters for others that look like them: digits among more letters ("Trex1er",
// "T0LEDO"), or small l's among capitals ("WlLL").
func Misread(word string) bool {
	var letters, digits, group, capitals, ells, small int
	last, first := 0, 0 // digits that it ends and begins with
	for i, r := range word {
		switch {
		case strings.ContainsRune("0158", r):
			digits, group, last = digits+1, group+1, last+1
			if i == first {
				first++
			}
			if group > 2 {
				return false
			}
			continue
		case !unicode.IsLetter(r):
			return false
		case r == 'l':
			ells++
		case unicode.IsUpper(r):
			capitals++
		default:
			small++
		}
		letters++
		group, last = 0, 0
	}
	if digits == 0 {
		return ells > 0 && small == 0 && capitals >= 2
	}
	if letters < leastMisread || digits >= letters || first > 1 || last > 1 || first+last == digits && digits > 1 {
		return false
	}
	if first == 1 { // "1ndian", "0BIAGELI", and not "1Smith"
		r, n := utf8.DecodeRuneInString(word[1:])
		next, _ := utf8.DecodeRuneInString(word[1+n:])
		return !unicode.IsUpper(r) || unicode.IsUpper(next)
	}
	return true
}
