package veto

import (
	"regexp"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/cues"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// Measurement reports whether a span that the network is in doubt about reads as
// a value that was measured: numbers with a unit, decimals, percentages,
// fractions that are no day and month, and lone numbers of up to three digits,
// which are laboratory values more often than rooms. One whose context says
// beyond doubt what it is, is none.
func Measurement(text string, tokens []token.Token, s phi.Span) bool {
	i, j := cues.TokensOf(tokens, s.Start, s.End)
	if i > j || cues.Told(text, tokens, i, j, s.Type) {
		return false
	}
	unit, digits := false, false
	for k := i; k <= j; k++ {
		switch c := tokens[k].Class; {
		case c == token.Digits:
			if tokens[k].End-tokens[k].Start > 3 {
				return false // a year, or part of a longer number
			}
			digits = true
		case token.IsLetters(c):
			if !lexicon.IsUnit(tokens[k].Text(text)) {
				return false
			}
			unit = true
		}
	}
	if !digits {
		return false
	}
	p := newSpot(text, tokens, i, j)
	chunk := p.chunk
	switch {
	case s.Type == phi.Age:
		return false
	case unit || lexicon.Measured(text, tokens, i, j):
		return true
	case dayAndMonth.MatchString(chunk):
		return false
	}
	return valueForm.MatchString(strings.Trim(chunk, "()<>=~+,;:"))
}

var (
	dayAndMonth = regexp.MustCompile(`^(?:0?[1-9]|1[0-2])[-/.](?:0?[1-9]|[12]\d|3[01])(?:[-/.]\d{2,4})?$|^(?:0?[1-9]|[12]\d|3[01])[-/.](?:0?[1-9]|1[0-2])(?:[-/.]\d{2,4})?$`)
	valueForm   = regexp.MustCompile(`^\d{1,3}(?:\.\d{1,3})?%?$|^\d{1,3}/\d{1,3}$|^\d{1,3}-\d{1,3}%?$`)
)
