package veto

import (
	"regexp"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/cues"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// WithoutMeasurements cuts what reads as a measured value out of a span that the
// network is in doubt about, and returns the pieces that are left with a letter
// or digit: numbers with a unit, decimals, percentages, fractions that are no day
// and month, and, where it is all of the span, a lone number of up to three
// digits, which is a laboratory value more often than a room. A span whose
// context says beyond doubt what it is, is left as it is.
func WithoutMeasurements(text string, tokens []token.Token, s phi.Span) []phi.Span {
	i, j := cues.TokensOf(tokens, s.Start, s.End)
	if i > j || cues.Told(text, tokens, i, j, s.Type) {
		return []phi.Span{s}
	}
	if lone := tokens[i]; i == j && lone.Class == token.Digits && lone.End-lone.Start <= 3 && s.Type != phi.Age {
		return nil
	}
	var pieces []phi.Span
	open := false
	for k := i; k <= j; {
		if n := value(text, tokens, k, s.Type); n > 0 {
			k, open = k+n, false
			continue
		}
		if !open {
			pieces = append(pieces, phi.Span{Start: max(s.Start, int(tokens[k].Start)), Type: s.Type, Tagger: s.Tagger, Score: s.Score})
			open = true
		}
		pieces[len(pieces)-1].End = min(s.End, int(tokens[k].End))
		k++
	}
	legible := pieces[:0]
	for _, p := range pieces {
		if strings.ContainsFunc(text[p.Start:p.End], func(r rune) bool {
			return r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r > 127
		}) {
			legible = append(legible, p)
		}
	}
	return legible
}

// value returns how many tokens from k on are one measured value, its unit
// included; 0 for none.
func value(text string, tokens []token.Token, k int, typ phi.Type) int {
	short := func(k int) bool {
		return k < len(tokens) && tokens[k].Class == token.Digits && tokens[k].End-tokens[k].Start <= 3
	}
	glued := func(k int) bool { return k < len(tokens) && !tokens[k].Space }
	if !short(k) || k > 0 && glued(k) && token.IsLetters(tokens[k-1].Class) {
		return 0
	}
	end := k // last token of the number
	mark := ""
	if glued(k+1) && glued(k+2) && short(k+2) {
		if mark = tokens[k+1].Text(text); mark == "." || mark == "/" || mark == "-" {
			end = k + 2
		}
	}
	whole := text[tokens[k].Start:tokens[end].End]
	unit := end + 1
	if unit < len(tokens) && tokens[unit].Text(text) == "%" {
		return unit + 1 - k
	}
	if unit < len(tokens) && lexicon.IsUnit(tokens[unit].Text(text)) && !(typ == phi.Age && timeUnits[names.Fold(tokens[unit].Text(text))]) {
		return unit + 1 - k
	}
	longer := glued(end+1) && end+2 < len(tokens) && !tokens[end+2].Space && tokens[end+2].Class == token.Digits // 3/4/2014
	switch {
	case end == k || longer || k > 0 && glued(k) && strings.Contains("/-.", tokens[k-1].Text(text)):
		return 0
	case mark == ".", mark == "/" && !dayAndMonth.MatchString(whole):
		return end + 1 - k
	case mark == "/" && k > 0 && among(newSpot(text, tokens, k, end).before, 4, pressures):
		return end + 1 - k
	}
	return 0
}

var (
	dayAndMonth = regexp.MustCompile(`^(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01])$|^(?:0?[1-9]|[12]\d|3[01])/(?:0?[1-9]|1[0-2])$`)
	timeUnits   = names.Set("minutes hours hrs h days weeks months years")
	pressures   = names.Set("bp va vision acuity")
)
