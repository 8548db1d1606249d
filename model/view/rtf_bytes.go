package view

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// byte reads a byte of a code page, from start to r.i.
func (r *rtfReader) byte(v byte, start int) error {
	if v < utf8.RuneSelf {
		if v == 0 {
			return ErrUnreadable
		}
		r.put(string(rune(v)), start, r.i)
		return nil
	}
	page := r.page
	if page == ofDefault {
		page = r.fontCP[r.deff]
	}
	if page == 0 {
		page = r.ansi
	}
	switch page {
	case utf8Page:
		return r.character(v, start)
	case 0:
		page = 1252
	}
	e, ok := codePages[page]
	if !ok {
		return ErrUnreadable // of two bytes a character
	}
	d, err := e.NewDecoder().Bytes([]byte{v})
	if err != nil || !valid(string(d)) {
		return ErrUnreadable
	}
	text := string(d)
	if text == "\u00a0" {
		text = " "
	}
	r.put(text, start, r.i)
	return nil
}

// utf8Page is the code page that is UTF-8.
const utf8Page = 65001

// character reads a character of UTF-8 that begins with a byte and goes on in those
// behind it.
func (r *rtfReader) character(v byte, start int) error {
	b := []byte{v}
	for !utf8.FullRune(b) {
		rest := strings.TrimLeft(r.s[r.i:min(len(r.s), r.i+8)], "\r\n")
		if len(rest) < 4 || rest[:2] != `\'` {
			return ErrUnreadable
		}
		next, err := strconv.ParseUint(rest[2:4], 16, 8)
		if err != nil {
			return ErrUnreadable
		}
		b = append(b, byte(next))
		r.i = strings.Index(r.s[r.i:], `\'`) + r.i + 4
	}
	c, n := utf8.DecodeRune(b)
	if c == utf8.RuneError || n != len(b) {
		return ErrUnreadable
	}
	r.put(strings.ReplaceAll(string(c), "\u00a0", " "), start, r.i)
	return nil
}

// codeUnit reads a \u, which may be half of a pair, and what stands behind it in
// its place.
func (r *rtfReader) codeUnit(c rune, start int) {
	r.owed, r.last = r.skip, c
	switch {
	case utf16.IsSurrogate(c) && r.high == 0:
		r.high = c
		r.put("\u00ad", start, r.i) // so that its stand-in has something to belong to
		return
	case r.high != 0 && utf16.IsSurrogate(c):
		d := utf16.DecodeRune(r.high, c)
		r.high = 0
		r.put(string(d), start, r.i)
		return
	case c == 0:
		c = '\uFFFD'
	case c >= 0xF000 && c < 0xF100: // of a symbol font
		c -= 0xF000
	case c == '\u00a0':
		c = ' '
	}
	r.high = 0
	if c < ' ' {
		c = ' '
	}
	r.put(string(c), start, r.i)
}

// standsIn tells whether a character behind a \u may stand there in its place: not a
// letter or digit that is not like it, or is behind a sign, which is text, however the \u
// came there.
func (r *rtfReader) standsIn(c rune) bool {
	if !unicode.IsLetter(c) && !unicode.IsDigit(c) || c >= utf8.RuneSelf {
		return true
	}
	if unicode.IsPunct(r.last) || unicode.IsSpace(r.last) {
		return false
	}
	if r.last >= 0x250 {
		return true
	}
	base, _ := utf8.DecodeRuneInString(norm.NFKD.String(string(r.last)))
	return unicode.ToLower(base) == unicode.ToLower(c) || ligatures[r.last] == unicode.ToLower(c)
}
