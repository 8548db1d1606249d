package bilstmcrf

import (
	"strings"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/token"
)

// The forms of Newline tokens: one line end, and more than one.
const (
	lineForm      = "\n"
	paragraphForm = "\n\n"
)

// maxFormBytes bounds the forms that are looked up and cached as they are;
// longer ones, which no vocabulary holds, are first cut to what the character
// encoder sees.
const maxFormBytes = 96

// form returns what a token is called in the vocabulary and, with its class, in the cache.
func (m *Model) form(text string, t token.Token) string {
	s := t.Text(text)
	if t.Class == token.Newline {
		if strings.Count(s, "\n") > 1 {
			return paragraphForm
		}
		return lineForm
	}
	if len(s) > maxFormBytes {
		head, tail := m.cut(s)
		return head + "\x00" + tail
	}
	return s
}

// cut returns the first and last characters of s that the character encoder
// sees; tail is empty where s is short enough to be seen whole.
func (m *Model) cut(s string) (head, tail string) {
	first, last := m.Tokenizer.MaxChars[0], m.Tokenizer.MaxChars[1]
	if len(s) <= first+last || (len(s) <= 4*(first+last) && utf8.RuneCountInString(s) <= first+last) {
		return s, ""
	}
	i := 0
	for range first {
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	j := len(s)
	for range last {
		_, size := utf8.DecodeLastRuneInString(s[:j])
		j -= size
	}
	return s[:i], s[j:]
}

// appendChars appends the character indices of a form.
func (m *Model) appendChars(dst []int32, form string) []int32 {
	head, tail := m.cut(form)
	for _, part := range [2]string{head, tail} {
		for _, r := range part {
			if r != 0 { // the mark of an already cut form
				dst = append(dst, m.characters[r])
			}
		}
	}
	if len(dst) == 0 {
		dst = append(dst, 0)
	}
	return dst
}
