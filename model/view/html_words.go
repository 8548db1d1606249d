package view

import (
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

// decoding says what is decoded in a text.
type decoding uint8

const (
	references decoding = 1 << iota // entities
	percents                        // %C3%AD
	flow                            // line ends, which are blanks
)

// reference is what may be an entity: Go's decoder says whether it is.
var reference = regexp.MustCompile(`^&(#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[A-Za-z][A-Za-z0-9]*;?)`)

// again is an entity whose own "&" was written as one.
var again = regexp.MustCompile(`^&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});`)

// words adds source[from:to] to r, decoded.
func words(r *run, source string, from, to int, how decoding) {
	kept := from
	for i := from; i < to; {
		n, d := 0, ""
		switch c := source[i]; {
		case c == '&' && how&references != 0:
			d, n = entity(source[i:to])
		case c == '%' && how&percents != 0:
			d, n = percent(source[i:to])
		case (c == '\n' || c == '\r') && how&flow != 0:
			n, d = 1, " "
			if c == '\r' && i+1 < to && source[i+1] == '\n' {
				n = 2
			}
		}
		if n == 0 || !valid(d) {
			i++
			continue
		}
		r.keep(source, kept, i)
		if d == "<" {
			r.angles = append(r.angles, r.text.Len())
		}
		r.atom(strings.ReplaceAll(d, "\u00a0", " "), i, i+n)
		i += n
		kept = i
	}
	r.keep(source, kept, to)
}

// decoded reads a run of the source that stands behind the main text, decoded.
func decoded(how decoding) func(r *run, source string) {
	return func(r *run, source string) { words(r, source, 0, len(source), how) }
}

// entity decodes the entity at the beginning of s, also one that was escaped twice, as in
// Garc&amp;iacute;a. n is how many bytes it has, 0 for none.
func entity(s string) (d string, n int) {
	m := reference.FindString(s)
	d, n = html.UnescapeString(m), len(m)
	if d == m {
		return "", 0
	}
	for d == "&" {
		m = again.FindString("&" + s[n:min(len(s), n+40)])
		next := html.UnescapeString(m)
		if next == m || !valid(next) {
			break
		}
		d, n = next, n+len(m)-1
	}
	return d, n
}

// percent decodes a character in percent signs at the beginning of s: one of UTF-8, or
// a letter of Latin-1.
func percent(s string) (d string, n int) {
	var b []byte
	for n+2 < len(s) && n < 3*utf8.UTFMax && s[n] == '%' {
		v, err := strconv.ParseUint(s[n+1:n+3], 16, 8)
		if err != nil {
			break
		}
		b = append(b, byte(v))
		n += 3
		if r, _ := utf8.DecodeRune(b); r != utf8.RuneError {
			return string(b), n
		}
	}
	if len(b) > 0 && b[0] >= 0xC0 {
		return string(rune(b[0])), 3
	}
	return "", 0
}

// escapedMarks tells whether marks of HTML stand in a text that was escaped twice, or is
// the source of HTML: they cut its words.
func escapedMarks(r *run) bool {
	text := r.text.String()
	for _, at := range r.angles {
		s := text[at:min(len(text), at+200)]
		if len(s) < 3 || s[1] != '/' && kindOf(s[1]) == isOther {
			continue
		}
		m := strings.ToLower(tagHere.FindString(s))
		if m == "" {
			continue
		}
		name := strings.TrimLeft(m, "</")
		name = name[:len(name)-len(strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz0123456789"))]
		if a := atom.Lookup([]byte(name)); elements[a] && !inline[a] && !strings.Contains(m, "=") {
			continue // it cuts no word
		}
		if m[1] == '/' || strings.Contains(m, "=") {
			return true
		}
	}
	return false
}

// escapeHTML writes a text between tags or as a value, where those characters are special. What stands behind a "<" or
// "&" would be read together with it.
func escapeHTML(text string, before byte, special string) string {
	var b strings.Builder
	for i, r := range text {
		switch {
		case i == 0 && strings.IndexByte("<&#!/", before) >= 0, strings.ContainsRune(special, r):
			b.WriteString("&#" + strconv.Itoa(int(r)) + ";")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// escapeURL writes a text in an address. Blanks are encoded, but addresses of mail
// and their punctuation stay as people write them.
func escapeURL(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		if c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || slices.Contains([]byte("-._~@:/+"), c) {
			b.WriteByte(c)
		} else {
			b.WriteString("%" + strings.ToUpper(strconv.FormatUint(uint64(c)|0x100, 16)[1:]))
		}
	}
	return b.String()
}

// escapeCode writes a text where nothing can be escaped: without what would end
// it.
func escapeCode(text string) string {
	return strings.NewReplacer("<", " ", ">", " ", "--", "- ", "\"", " ", "&", " ").Replace(text)
}
