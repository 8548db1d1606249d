package merge

import (
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/cues"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// repair widens spans that were found in part: to whole words, and names over
// the rest of a hyphenated name, the initials beside them and the particles
// between two parts. A possessive s is left outside. spans are disjoint and in
// order, and stay so.
func repair(text string, tokens []token.Token, spans []phi.Span, trace func(phi.Event)) []phi.Span {
	out := spans[:0]
	for k := 0; k < len(spans); k++ {
		s := spans[k]
		before := s
		left := 0 // nothing may be taken that another span has
		if n := len(out); n > 0 {
			left = out[n-1].End
		}
		right := len(text)
		if k+1 < len(spans) {
			right = spans[k+1].Start
		}
		i, j := cues.TokensOf(tokens, s.Start, s.End)
		if i > j {
			out = append(out, s)
			continue
		}
		s.Start = max(left, min(s.Start, int(tokens[i].Start)))
		s.End = min(right, max(s.End, int(tokens[j].End)))
		if phi.IsPerson(s.Type) {
			i, j = widenName(text, tokens, i, j, left, right)
			s.Start = max(left, min(s.Start, int(tokens[i].Start)))
			s.End = min(right, max(s.End, int(tokens[j].End)))
			s.End = withoutPossessive(text, s.Start, s.End)
			if n := len(out); n > 0 && out[n-1].Type == s.Type && joins(text, tokens, out[n-1].End, s.Start) {
				last := &out[n-1]
				if trace != nil {
					trace(phi.Event{Step: "repair", Before: before, After: phi.Span{Start: last.Start, End: s.End, Type: s.Type, Tagger: s.Tagger, Score: s.Score},
						Why: "one name with the span before it"})
				}
				last.End = s.End
				last.Score = max(last.Score, s.Score)
				last.Tagger = min(last.Tagger, s.Tagger)
				continue
			}
		}
		if trace != nil && s != before {
			trace(phi.Event{Step: "repair", Before: before, After: s, Why: "a name or word was found in part"})
		}
		out = append(out, s)
	}
	return out
}

// widenName moves the ends of a name, tokens i to j, within the bytes left to right.
func widenName(text string, tokens []token.Token, i, j, left, right int) (int, int) {
	free := func(k int) bool {
		return k >= 0 && k < len(tokens) && int(tokens[k].Start) >= left && int(tokens[k].End) <= right && tokens[k].Class != token.Newline
	}
	word := func(k int) string { return text[tokens[k].Start:tokens[k].End] }
	for range 4 {
		switch {
		// The rest of McDonald or of DeShawn.
		case free(j+1) && !tokens[j+1].Space && tokens[j+1].Class == token.Title && tokens[j].Class == token.Title && tokens[j].End-tokens[j].Start <= 3:
			j++
		case free(i-1) && !tokens[i].Space && tokens[i].Class == token.Title && tokens[i-1].Class == token.Title && namePrefixes[names.Fold(word(i-1))]:
			i--
		// The rest of Smith-Jones, and of O'Brien.
		case free(j+1) && free(j+2) && !tokens[j+1].Space && !tokens[j+2].Space && word(j+1) == "-" && namePart(tokens[j+2], word(j+2), tokens[j].Class):
			j += 2
		case i > 1 && free(i-1) && free(i-2) && !tokens[i].Space && !tokens[i-1].Space && word(i-1) == "-" && tokens[i].Class != token.Lower && namePart(tokens[i-2], word(i-2), tokens[i].Class):
			i -= 2
		case i > 1 && free(i-1) && free(i-2) && !tokens[i].Space && !tokens[i-1].Space && strings.Contains("'’", word(i-1)) && (word(i-2) == "O" || word(i-2) == "D"):
			i -= 2
		// The initial of J. Smith.
		case i > 1 && free(i-1) && free(i-2) && word(i-1) == "." && !tokens[i-1].Space && tokens[i-2].Class == token.Initial && initialMay(text, tokens, i-2):
			i -= 2
		default:
			return i, j
		}
	}
	return i, j
}

var namePrefixes = names.Set("mc mac de di da la le du van von el al san st")

// namePart reports whether a token may go on with a hyphenated name whose other
// half has a class.
func namePart(t token.Token, form string, other token.Class) bool {
	if t.Class != token.Title && (t.Class != token.Upper || other != token.Upper) || t.End-t.Start < 2 {
		return false
	}
	f := names.Fold(form)
	return !names.Degrees[f] && !names.Titles[f] && !lexicon.GluedLabels[f] && !noParts[f]
}

// noParts follow a hyphen without being part of a name.
var noParts = names.Set("patient doctor nurse mother father wife husband son daughter hospital clinic ward center street related dad mom mum sister brother see note ext fax phone tel")

// initialMay reports whether the capital at token k may be somebody's initial,
// and not the B of hepatitis B.
func initialMay(text string, tokens []token.Token, k int) bool {
	if !tokens[k].Space && k > 0 && text[tokens[k].Start-1] != '(' {
		return k > 0 && text[tokens[k].Start-1] == '.' // J.R.
	}
	if k == 0 {
		return true
	}
	return !lettered[names.Fold(tokens[k-1].Text(text))]
}

// lettered are words that a capital letter follows.
var lettered = names.Set(`vitamin hepatitis influenza type stage class grade group strep protein factor complex plan part option phase level
	bay bed ward wing room building block unit schedule appendix figure table section hep flu immunoglobulin ig`)

// withoutPossessive returns the end of a name without a possessive s.
func withoutPossessive(text string, start, end int) int {
	for _, s := range []string{"'s", "’s", "'S", "’S"} {
		if strings.HasSuffix(text[start:end], s) && end-start > len(s)+1 {
			return end - len(s)
		}
	}
	return end
}

// joins reports whether two spans of one type are one name: a blank, an
// initial or a particle is all that lies between.
func joins(text string, tokens []token.Token, end, start int) bool {
	if start < end || start-end > 12 {
		return false
	}
	gap := text[end:start]
	if gap == " " {
		return true
	}
	if strings.ContainsAny(gap, "\n\r,;:/()") {
		return false
	}
	if gap == "-" {
		return true
	}
	f := strings.Fields(gap)
	if len(f) == 0 || gap[0] != ' ' || gap[len(gap)-1] != ' ' {
		return false
	}
	for _, w := range f {
		w = strings.TrimSuffix(w, ".")
		if !namePrefixes[names.Fold(w)] && !names.Particles[w] && !(len(w) == 1 && w[0] >= 'A' && w[0] <= 'Z') || w == "and" || w == "of" || w == "the" {
			return false
		}
	}
	return true
}
