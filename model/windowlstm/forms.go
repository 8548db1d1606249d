package windowlstm

import (
	"strings"
	"unicode"

	"github.com/palimpsest-deid/palimpsest/model/token"
)

// The lines of vocabulary.txt for Newline tokens: one line end, and more than one.
const (
	lineForm      = "<nl>"
	paragraphForm = "<nl2>"
)

// maxFormBytes bounds the forms that are looked up, as in training.
const maxFormBytes = 96

// normal is a token's line in vocabulary.txt, if it has one: all digits are one, as
// the paper's DIGIT, and case stays.
func normal(form string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return '0'
		}
		return r
	}, form)
}

// vector returns the vector of a token, of its letter-case class where its form has none.
func (m *Model) vector(text string, t token.Token) []float32 {
	line := m.line(t.Text(text), t.Class)
	width := m.Dimensions.Token
	return m.embedding[line*width : (line+1)*width]
}

// line returns the line of vocabulary.txt that a token is.
func (m *Model) line(form string, class token.Class) int {
	switch {
	case class == token.Newline && strings.Count(form, "\n") > 1:
		form = paragraphForm
	case class == token.Newline:
		form = lineForm
	case len(form) > maxFormBytes:
		return int(class)
	default:
		form = normal(form)
	}
	if line, ok := m.vocabulary[form]; ok {
		return int(line)
	}
	return int(class)
}
