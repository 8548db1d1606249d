package names

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// PersonName is a known name, cut into words.
type PersonName struct {
	Given  []string
	Family []string // words of the family name, particles included
}

// ParseName cuts "Ana María de la Cruz-Hale", "Cruz-Hale, Ana" or "Dr. J. Fox,
// MD" into given and family words; titles and degrees go. A single word is a
// family name.
func ParseName(name string) (p PersonName) {
	before, after, comma := strings.Cut(name, ",")
	words := NameWords(before)
	if comma && degreesOnly(after) {
		comma, after = false, ""
	}
	if comma && len(words) > 0 {
		return PersonName{Given: NameWords(after), Family: words}
	}
	words = append(words, NameWords(after)...)
	at := len(words) - 1
	for at > 1 && Has(Idle, words[at-1]) {
		at--
	}
	if at < 0 {
		return p
	}
	return PersonName{Given: words[:at], Family: words[at:]}
}

// degreesOnly reports whether what stands behind a comma is no name.
func degreesOnly(s string) bool {
	for _, w := range WordsOf(s) {
		if !IsDegree(Fold(w)) {
			return false
		}
	}
	return true
}

// Suffixes stand behind names: "Jr.", "III".
var Suffixes = Set("jr sr ii iii iv esq")

// IsDegree reports whether a folded word stands behind names: a degree, with or
// without its stops, or a suffix.
func IsDegree(folded string) bool {
	f := strings.ReplaceAll(folded, ".", "")
	return Degrees[f] || Suffixes[f]
}

// NameWords returns the words of a name without titles and degrees.
func NameWords(s string) []string {
	var out []string
	all := WordsOf(s)
	for i, w := range all {
		f := strings.Trim(Fold(w), ".")
		switch {
		case Titles[f] && i == 0 && len(all) > 1, Suffixes[f] && i > 0:
		case Degrees[strings.ReplaceAll(f, ".", "")] && i > 0 && i == len(all)-1 && len(f) > 1 && w == strings.ToUpper(w) && len(all) > 2:
		default:
			if w = strings.Trim(w, ".;:\"'()“”‘’"); w != "" {
				out = append(out, w)
			}
		}
	}
	return out
}

// WordsOf cuts at blanks and commas.
func WordsOf(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' || r == '\n' || r == '\r' || r == '\u00a0' })
}

// words returns the words of a name without its particles.
func (p PersonName) Words() []string {
	return slices.DeleteFunc(slices.Concat(p.Given, p.Family), func(w string) bool { return Has(Idle, w) })
}

// Initial returns the first letter of a word.
func Initial(w string) string {
	_, n := utf8.DecodeRuneInString(w)
	return w[:n]
}

// FirstLetter returns the place in the alphabet of a word's first letter, or -1.
func FirstLetter(w string) int {
	f := Fold(w)
	if f == "" || f[0] < 'a' || f[0] > 'z' {
		return -1
	}
	return int(f[0] - 'a')
}
