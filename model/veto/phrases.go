package veto

import (
	_ "embed"
	"strconv"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

//go:embed lists/clinical.txt
var clinicalList string

// phrase is a line of lists/clinical.txt. A slot is the words that may stand
// at one place.
type phrase struct {
	slots []map[string]bool
	sure  bool // what looks like a cue is none: "wound care RN"
}

// phrases holds the lines of the list by each word of the first slot; those
// that begin with any capital letter under "_".
var phrases = parsePhrases(clinicalList + "\n" + eponymPhrases())

func parsePhrases(list string) map[string][]*phrase {
	m := map[string][]*phrase{}
	for _, line := range strings.Split(list, "\n") {
		line, sure := strings.CutPrefix(line, "! ")
		if line == "" || line[0] == '#' {
			continue
		}
		p := &phrase{sure: sure}
		for _, slot := range strings.Fields(line) {
			p.slots = append(p.slots, names.Set(strings.ReplaceAll(slot, "|", " ")))
		}
		for w := range p.slots[0] {
			m[w] = append(m[w], p)
		}
	}
	return m
}

// reach is how many words before a span a phrase may begin.
const reach = 5

// clinicalPhrase reports whether every word of tokens i to j is within phrases
// of the list, or a clinical noun or short number beside one, and whether
// what looks like a cue of PHI is then none.
func clinicalPhrase(text string, tokens []token.Token, i, j int) (ok, sure bool) {
	i, j = runStart(tokens, i), runEnd(tokens, j)
	first := i
	for n, k := 0, i-1; n < reach && k >= max(0, i-walk) && tokens[k].Class != token.Newline; k-- {
		if token.IsWord(tokens[k].Class) {
			k = runStart(tokens, k)
			first = k
			n++
		}
	}
	covered := i - 1 // up to which token the span's words are in phrases
	matched := false
	for k := first; k <= j; k++ {
		if !token.IsWord(tokens[k].Class) {
			continue
		}
		run := runEnd(tokens, k)
		word := names.Fold(text[tokens[k].Start:tokens[run].End])
		end, d := phraseAt(text, tokens, k, run)
		switch {
		case end >= i && end > covered:
			covered, matched, sure = end, true, sure || d
		case k < i || k <= covered:
		case matched && (clinicalNouns[word] || tokens[k].Class == token.Digits && tokens[k].End-tokens[k].Start <= 3) ||
			possessive(text, tokens, k):
		default:
			return false, false
		}
		k = run
	}
	return matched, sure
}

// phraseAt returns the last token of the longest phrase that begins with the
// word of tokens k to run, or -1.
func phraseAt(text string, tokens []token.Token, k, run int) (end int, sure bool) {
	end = -1
	try := func(ps []*phrase) {
		for _, p := range ps {
			if e := p.match(text, tokens, run); e > end {
				end, sure = e, p.sure
			}
		}
	}
	try(phrases[names.Fold(text[tokens[k].Start:tokens[run].End])])
	if tokens[k].Class == token.Initial {
		try(phrases["_"])
	}
	return end, sure
}

// match returns the last token of the phrase if its first word ends at token
// end and the others follow, or -1.
func (p *phrase) match(text string, tokens []token.Token, end int) int {
	for _, slot := range p.slots[1:] {
		k := nextWord(text, tokens, end)
		if k < 0 {
			return -1
		}
		run := runEnd(tokens, k)
		switch {
		case slot[names.Fold(text[tokens[k].Start:tokens[run].End])]:
			end = run
		case slot["#"]:
			if end = codeEnd(tokens, k); end < 0 || beforeDay(text, tokens, end) {
				return -1
			}
		default:
			return -1
		}
	}
	return end
}

// nextWord returns the next word of a phrase, or -1: on the same line, and
// with nothing but hyphens, stops, slashes and a possessive s between.
func nextWord(text string, tokens []token.Token, k int) int {
	for k++; k < len(tokens); k++ {
		switch {
		case possessive(text, tokens, k):
		case token.IsWord(tokens[k].Class):
			return k
		case tokens[k].Class != token.Symbol || !strings.Contains("-./'’", tokens[k].Text(text)):
			return -1
		}
	}
	return -1
}

func possessive(text string, tokens []token.Token, k int) bool {
	return k > 0 && tokens[k].Text(text) == "s" && !tokens[k].Space && strings.Contains("'’", tokens[k-1].Text(text))
}

// codeEnd returns the last token of a short code with a digit at token k: B4,
// 22, 16B; or -1.
func codeEnd(tokens []token.Token, k int) int {
	end, digits := k, false
	for ; end < len(tokens) && token.IsWord(tokens[end].Class) && (end == k || !tokens[end].Space); end++ {
		digits = digits || tokens[end].Class == token.Digits
	}
	if end--; digits && tokens[end].End-tokens[k].Start <= 4 {
		return end
	}
	return -1
}

// beforeDay reports whether a slash and a number over 12 and up to 31 follow token k:
// the 12 of "Cobb 12/30" is a month and no grade.
func beforeDay(text string, tokens []token.Token, k int) bool {
	if k+2 >= len(tokens) || tokens[k+1].Space || tokens[k+2].Space || tokens[k+1].Text(text) != "/" || tokens[k+2].Class != token.Digits {
		return false
	}
	month, err := strconv.Atoi(tokens[k].Text(text))
	day, err2 := strconv.Atoi(tokens[k+2].Text(text))
	return err == nil && err2 == nil && 1 <= month && month <= 12 && 12 < day && day <= 31
}

// clinicalNouns may stand in a span beside a phrase of the list.
var clinicalNouns = names.Set(`bacteremia bacteraemia infection sepsis virus fever titer titre igg igm pcr antigen antibody esbl mrsa
	syndrome disease sign signs test score scale class grade type catheter drain brace tube line repair procedure nodule negative positive
	in on with at of the and urine blood sputum stool csf wound culture cultures`)
