package surrogate

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// plain maps letters with diacritics to ASCII.
var plain = func() map[rune]string {
	m := map[rune]string{}
	for ascii, letters := range map[string]string{
		"a": "àáâãåāăąǎ", "ae": "æä", "c": "çćĉċč", "d": "ďđð", "e": "èéêëēĕėęě", "g": "ĝğġģ", "h": "ĥħ", "i": "ìíîïĩīĭįı",
		"j": "ĵ", "k": "ķ", "l": "ĺļľŀł", "n": "ñńņňŉ", "o": "òóôõøōŏőơ", "oe": "œö", "r": "ŕŗř", "s": "śŝşšș", "ss": "ß",
		"t": "ţťŧț", "th": "þ", "u": "ùúûũūŭůűųư", "ue": "ü", "w": "ŵ", "y": "ýÿŷ", "z": "źżž",
	} {
		for _, r := range letters {
			m[r] = ascii
		}
	}
	// Hurried text drops the umlaut and not more.
	m['ä'], m['ö'], m['ü'] = "a", "o", "u"
	return m
}()

// fold returns s in lower case without diacritics, apostrophes and full stops:
// what names are compared by.
func fold(s string) string {
	clean, ascii := true, true
	for i := range len(s) {
		c := s[i]
		clean = clean && !(c >= 'A' && c <= 'Z' || c == '\'' || c == '.' || c == '`')
		ascii = ascii && c < utf8.RuneSelf
	}
	if ascii && clean {
		return s
	}
	if ascii {
		var buf [64]byte
		b := buf[:0]
		for i := range len(s) {
			switch c := s[i]; {
			case c == '\'' || c == '`' || c == '.':
			case c >= 'A' && c <= 'Z':
				b = append(b, c+'a'-'A')
			default:
				b = append(b, c)
			}
		}
		return string(b)
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		r = unicode.ToLower(r)
		switch {
		case r == '\'' || r == '\u2019' || r == '\u2018' || r == '`' || r == '.':
		case r < utf8.RuneSelf:
			b.WriteByte(byte(r))
		case unicode.Is(unicode.Mn, r):
		default:
			if p, ok := plain[r]; ok {
				b.WriteString(p)
			} else if unicode.Is(unicode.Latin, r) { // Vietnamese has letters with two marks
				for _, part := range norm.NFD.String(string(r)) {
					if !unicode.Is(unicode.Mn, part) {
						b.WriteRune(part)
					}
				}
			} else {
				b.WriteRune(r)
			}
		}
	}
	return b.String()
}

// unaccent replaces letters with diacritics by ASCII, keeping case.
func unaccent(s string) string {
	if ascii(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		p, ok := plain[unicode.ToLower(r)]
		switch {
		case !ok:
			b.WriteRune(r)
		case unicode.IsUpper(r):
			b.WriteString(strings.ToUpper(p[:1]) + p[1:])
		default:
			b.WriteString(p)
		}
	}
	return b.String()
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// like writes a surrogate in the case of what it replaces, and without
// diacritics where that has none.
func like(surrogate, original string) string {
	if ascii(original) {
		surrogate = unaccent(surrogate)
	}
	return inCase(surrogate, original)
}

// inCase writes a surrogate in the case of what it replaces.
func inCase(surrogate, original string) string {
	letters := 0
	for _, r := range original {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	switch {
	case letters > 0 && original == strings.ToLower(original) && original != strings.ToUpper(original):
		return strings.ToLower(surrogate)
	case letters > 1 && original == strings.ToUpper(original) && original != strings.ToLower(original):
		return strings.ToUpper(surrogate)
	}
	return surrogate
}

// piece is a run of one kind in a surface.
type piece struct {
	kind  pieceKind
	text  string
	apart string // of a word that the surface spells, what stands between its letters
}

type pieceKind uint8

const (
	gapPiece pieceKind = iota
	wordPiece
	digitPiece
)

// cut splits a surface into words (letters, combining marks, and apostrophes
// between letters), runs of digits, and what stands between them.
func cut(s string) []piece {
	out := make([]piece, 0, min(1+2*strings.Count(s, " "), 9)) // mostly words with blanks between them
	start := 0                                                 // of the last piece; pieces lie side by side
	add := func(kind pieceKind, text string) {
		if n := len(out); n > 0 && out[n-1].kind == kind && kind != digitPiece {
			out[n-1].text = s[start : start+len(out[n-1].text)+len(text)]
			return
		}
		if n := len(out); n > 0 {
			start += len(out[n-1].text)
		}
		out = append(out, piece{kind: kind, text: text})
	}
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		j := i + size
		switch {
		case isLetter(r):
			for j < len(s) {
				r, size := utf8.DecodeRuneInString(s[j:])
				if r == '\'' || r == '\u2019' {
					if next, _ := utf8.DecodeRuneInString(s[j+size:]); !isLetter(next) {
						break
					}
				} else if !isLetter(r) && (!unicode.Is(unicode.M, r) || unicode.Is(unicode.Variation_Selector, r)) {
					break // a variation selector is the next emoji's, or none of a name's
				}
				j += size
			}
			word, tail := possessive(s[i:j])
			add(wordPiece, word)
			if tail != "" {
				add(gapPiece, tail)
			}
		case unicode.IsDigit(r):
			for j < len(s) {
				r, size := utf8.DecodeRuneInString(s[j:])
				if !unicode.IsDigit(r) {
					break
				}
				j += size
			}
			add(digitPiece, s[i:j])
		default:
			add(gapPiece, s[i:j])
		}
		i = j
	}
	return out
}

// possessive cuts 's off a word.
func possessive(w string) (word, tail string) {
	for _, t := range []string{"'s", "\u2019s", "'S", "\u2019S"} {
		if len(w) > len(t) && strings.HasSuffix(w, t) {
			return w[:len(w)-len(t)], t
		}
	}
	return w, ""
}

// isLetter is unicode.IsLetter but for the ordinals of Spanish, which stand at
// numbers ("2º", "nº") and are part of no word.
func isLetter(r rune) bool { return unicode.IsLetter(r) && r != 'º' && r != 'ª' }

func runes(s string) int { return utf8.RuneCountInString(s) }

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// mask returns s with X or x for letters by case, 0 for digits, and all else
// as it is. Combining marks, and joiners within words, go with their letter:
// they would tell which letters bore an accent. Those of symbols stay, so that
// emoji remain whole.
func mask(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	word := false // the rune before is part of a word
	for _, r := range s {
		switch {
		case unicode.IsUpper(r) || unicode.IsTitle(r):
			word = true
			b.WriteByte('X')
		case unicode.IsLetter(r):
			word = true
			b.WriteByte('x')
		case unicode.IsNumber(r):
			word = true
			b.WriteByte('0')
		case word && (unicode.Is(unicode.M, r) || r == zwj || r == zwnj):
		default:
			word = false
			b.WriteRune(r)
		}
	}
	return b.String()
}

// The zero-width joiner and non-joiner: within words of some scripts, and
// within emoji.
const (
	zwnj = '\u200c'
	zwj  = '\u200d'
)
