package veto

import (
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// spot is a span and what stands around it on its line.
type spot struct {
	text   string
	tokens []token.Token
	i, j   int // tokens of the span
	// The span widened to blanks and without the punctuation around it.
	ci, cj int
	chunk  string
	before []string // words before the chunk, nearest first, folded
	after  []string // words behind it
}

// around is how many words on each side a shape may look at.
const around = 8

// walk bounds every walk from a span, in tokens, so that no text makes the
// guards quadratic.
const walk = 48

func newSpot(text string, tokens []token.Token, i, j int) *spot {
	p := &spot{text: text, tokens: tokens, i: i, j: j, ci: i, cj: j}
	for p.ci > max(0, i-walk) && !tokens[p.ci].Space && tokens[p.ci-1].Class != token.Newline {
		p.ci--
	}
	for p.cj+1 < min(len(tokens), j+walk) && !tokens[p.cj+1].Space && tokens[p.cj+1].Class != token.Newline {
		p.cj++
	}
	for p.ci < i && strings.Contains("([{\"", tokens[p.ci].Text(text)) {
		p.ci++
	}
	for p.cj > j && strings.Contains(".,;:)]}?!\"", tokens[p.cj].Text(text)) {
		p.cj--
	}
	p.chunk = text[tokens[p.ci].Start:tokens[p.cj].End]
	p.before, p.after = p.wordsBefore(p.ci), p.wordsAfter(p.cj)
	return p
}

func (p *spot) wordsBefore(k int) (words []string) {
	stop := max(0, k-walk)
	for k--; k >= stop && p.tokens[k].Class != token.Newline && len(words) < around; k-- {
		if token.IsWord(p.tokens[k].Class) {
			end := k
			k = runStart(p.tokens, k)
			words = append(words, names.Fold(p.text[p.tokens[k].Start:p.tokens[end].End]))
		}
	}
	return words
}

func (p *spot) wordsAfter(k int) (words []string) {
	stop := min(len(p.tokens), k+walk)
	for k++; k < stop && p.tokens[k].Class != token.Newline && len(words) < around; k++ {
		if token.IsWord(p.tokens[k].Class) {
			end := runEnd(p.tokens, k)
			words = append(words, names.Fold(p.text[p.tokens[k].Start:p.tokens[end].End]))
			k = end
		}
	}
	return words
}

// runStart and runEnd return the first and the last token of the word that
// token k is in: "mL" and "McBride" are two tokens each.
func runStart(tokens []token.Token, k int) int {
	for stop := max(0, k-walk); token.IsLetters(tokens[k].Class) && k > stop && !tokens[k].Space && token.IsLetters(tokens[k-1].Class); {
		k--
	}
	return k
}

func runEnd(tokens []token.Token, k int) int {
	for stop := min(len(tokens), k+walk); token.IsLetters(tokens[k].Class) && k+1 < stop && !tokens[k+1].Space &&
		token.IsLetters(tokens[k+1].Class); {
		k++
	}
	return k
}

// prev and next return the nearest word before and behind the chunk.
func (p *spot) prev() string { return at(p.before, 0) }

func (p *spot) next() string { return at(p.after, 0) }

func at(words []string, n int) string {
	if n < len(words) {
		return words[n]
	}
	return ""
}

// among reports whether one of the first n words is in the set.
func among(words []string, n int, of map[string]bool) bool {
	for k := 0; k < n && k < len(words); k++ {
		if of[words[k]] {
			return true
		}
	}
	return false
}

// span returns the text of the span itself.
func (p *spot) span() string {
	return p.text[p.tokens[p.i].Start:p.tokens[p.j].End]
}

// dated reports whether the word before the chunk announces a date.
func (p *spot) dated() bool { return dateWords[p.prev()] }

var dateWords = names.Set(`on since from until till by dated date through thru before after due between to last next dob seen visit
	admitted discharged mon tue wed thu fri sat sun monday tuesday wednesday thursday friday saturday sunday`)
