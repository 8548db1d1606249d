package rules

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Many names end with a word that says what they are: "Larkhill Cross
// Surgery", "14 Atkinson Lane", "A. B. Smith, RN". A rule for them matches the
// head word alone, which few tokens begin, and its check looks back from there
// word by word. That costs nothing where no head word stands.

// word is one word of a text, in bytes.
type word struct{ start, end int }

func (w word) in(text string) string { return text[w.start:w.end] }

// wordBack returns the word that ends before i, with at most gap blanks
// between; a word is letters, digits and the marks ' ’ - . & within or after
// them. The line is not left.
func wordBack(text string, i, gap int) (w word, ok bool) {
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
	w.end = i
	low := max(0, i-2*wordLimit)
	for i > low {
		if b := text[i-1]; b < utf8.RuneSelf {
			if !asciiWordByte(b) && !joins[b] {
				break
			}
			i--
			continue
		}
		r, size := utf8.DecodeLastRuneInString(text[:i])
		if !isWord(r) && r != '’' && r != '‑' && r != '‐' {
			break
		}
		i -= size
	}
	w.start = i
	// Marks that open the word are no part of it.
	for w.start < w.end && strings.IndexByte("'-./", text[w.start]) >= 0 {
		w.start++
	}
	return w, w.start < w.end
}

// joins are the ASCII marks within words.
var joins = [utf8.RuneSelf]bool{'\'': true, '-': true, '.': true, '&': true, '/': true}

// capital reports whether s begins with an upper-case letter.
func capital(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

// allCapital reports whether s has two letters or more and none in lower case.
func allCapital(s string) bool {
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

// initials reports whether s is an initial, with or without its stop, or
// several ("J.R.", "A-L.").
func initials(s string) bool {
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

// particle reports whether s stands in lower case within names.
func particle(s string) bool { return particles[s] }

var particles = words(`van von de del della der den la le les da das dos di du al el bin ter ap ab abu ibn y e st of and the und zu zum im`)

// bare returns s in lower case without the marks and the possessive at its end.
func bare(s string) string {
	s = strings.ToLower(strings.TrimRight(s, ".-/&'’"))
	if t := strings.TrimSuffix(strings.TrimSuffix(s, "'s"), "’s"); t != "" {
		return t
	}
	return s
}

// endsSentence reports whether the word, not an initial and no known short
// form, ends with a stop: what stands before it belongs to another sentence.
func endsSentence(s string) bool {
	if !strings.HasSuffix(s, ".") || initials(s) {
		return false
	}
	switch bare(s) {
	case "st", "ste", "dr", "mt", "ft", "jr", "sr", "no", "n", "s", "e", "w", "rev", "fr", "co":
		return false
	}
	return true
}

// header reports whether text[start:end] opens its line and a colon closes it:
// a section header or an attribute, which is no PHI (Lee et al. 2017, 3.3.1).
func header(text string, start, end int) bool {
	i := skipBlanks(text, end)
	return byteAt(text, i) == ':' && lineStart(text, start)
}

// lineEnd reports whether only blanks and marks stand between i and the end of
// its line.
func lineEnd(text string, i int) bool {
	for n := 0; i < len(text) && n < wordLimit; n++ {
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
