package pattern

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/names"
)

// Many names end with a word that says what they are: "Larkhill Cross
// Surgery", "14 Atkinson Lane", "A. B. Smith, RN". A rule for them matches the
// head word alone, which few tokens begin, and its check looks back from there
// word by word. That costs nothing where no head word stands.

// word is one word of a text, in bytes.
type word struct{ Start, End int }

func (w word) In(text string) string { return text[w.Start:w.End] }

// WordBack returns the word that ends before i, with at most gap blanks
// between; a word is letters, digits and the marks ' ’ - . & within or after
// them. The line is not left.
func WordBack(text string, i, gap int) (w word, ok bool) {
	for n := 0; i > 0; n++ {
		if b := text[i-1]; b < utf8.RuneSelf && b != ' ' && b != '\t' {
			break
		}
		r, size := utf8.DecodeLastRuneInString(text[:i])
		if r != ' ' && r != '\t' && r != '\u00a0' {
			break
		}
		if n == gap {
			return w, false
		}
		i -= size
	}
	w.End = i
	low := max(0, i-2*WordLimit)
	for i > low {
		if b := text[i-1]; b < utf8.RuneSelf {
			if !ASCIIWordByte(b) && !joins[b] {
				break
			}
			i--
			continue
		}
		r, size := utf8.DecodeLastRuneInString(text[:i])
		if !IsWord(r) && r != '’' && r != '‑' && r != '‐' {
			break
		}
		i -= size
	}
	w.Start = i
	// Marks that open the word are no part of it.
	for w.Start < w.End && strings.IndexByte("'-./", text[w.Start]) >= 0 {
		w.Start++
	}
	return w, w.Start < w.End
}

// joins are the ASCII marks within words.
var joins = [utf8.RuneSelf]bool{'\'': true, '-': true, '.': true, '&': true, '/': true}

// Capital reports whether s begins with an upper-case letter.
func Capital(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

// AllCapital reports whether s has two letters or more and none in lower case.
func AllCapital(s string) bool {
	n := 0
	for _, r := range s {
		if unicode.IsLower(r) {
			return false
		}
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n > 1
}

// Initials reports whether s is an initial, with or without its stop, or
// several ("J.R.", "A-L.").
func Initials(s string) bool {
	n := 0
	for i, r := range s {
		switch {
		case unicode.IsUpper(r):
			if n++; n > 3 {
				return false
			}
			if next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):]); unicode.IsLetter(next) {
				return false
			}
		case r != '.' && r != '-':
			return false
		}
	}
	return n > 0
}

// Particle reports whether s stands in lower case within names, of people and of places.
func Particle(s string) bool { return names.Particles[s] || links[s] }

var links = Words(`ap ab y e st of and the und zum im`)

// Bare returns s in lower case without the marks and the possessive at its end.
func Bare(s string) string {
	s = strings.ToLower(strings.TrimRight(s, ".-/&'’"))
	if t := strings.TrimSuffix(strings.TrimSuffix(s, "'s"), "’s"); t != "" {
		return t
	}
	return s
}

// EndsSentence reports whether the word, not an initial and no known short
// form, ends with a stop: what stands before it belongs to another sentence.
func EndsSentence(s string) bool {
	if !strings.HasSuffix(s, ".") || Initials(s) {
		return false
	}
	switch Bare(s) {
	case "st", "ste", "dr", "mt", "ft", "jr", "sr", "no", "n", "s", "e", "w", "rev", "fr", "co":
		return false
	}
	return true
}

// Header reports whether text[start:end] opens its line and a colon closes it:
// a section header or an attribute, which is no PHI (Lee et al. 2017, 3.3.1).
func Header(text string, start, end int) bool {
	i := SkipBlanks(text, end)
	return ByteAt(text, i) == ':' && LineStart(text, start)
}

// LineEnd reports whether only blanks and marks stand between i and the end of
// its line.
func LineEnd(text string, i int) bool {
	for n := 0; i < len(text) && n < WordLimit; n++ {
		switch text[i] {
		case ' ', '\t', '.', ',', ')', ']', ';', '-':
			i++
		case '\n', '\r':
			return true
		default:
			return false
		}
	}
	return i >= len(text)
}
