package ensemble

import (
	_ "embed"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/token"
)

//go:embed lists/clinical.txt
var clinicalList string

// phrase is a line of lists/clinical.txt. A slot is the words that may stand
// at one place.
type phrase struct {
	slots  []map[string]bool
	degree bool // a degree behind it is no name's
}

// phrases holds the lines of the list by each word of the first slot; those
// that begin with any capital letter under "_".
var phrases = parsePhrases(clinicalList)

func parsePhrases(list string) map[string][]*phrase {
	m := map[string][]*phrase{}
	for _, line := range strings.Split(list, "\n") {
		line, degree := strings.CutPrefix(line, "! ")
		if line == "" || line[0] == '#' {
			continue
		}
		p := &phrase{degree: degree}
		for _, slot := range strings.Fields(line) {
			p.slots = append(p.slots, set(strings.ReplaceAll(slot, "|", " ")))
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
// of the list, or a clinical noun or short number beside one, and whether a
// degree behind the span is then no name's.
func clinicalPhrase(text string, tokens []token.Token, i, j int) (ok, degree bool) {
	first := i
	for n := 0; n < reach; n++ {
		k := onLine(tokens, first, 1)
		if k < 0 {
			break
		}
		first = k
	}
	covered := i - 1 // up to which token the span's words are in phrases
	matched := false
	for k := first; k <= j; k++ {
		if !isWord(tokens[k].Class) {
			continue
		}
		end, d := phraseAt(text, tokens, k)
		switch {
		case end >= i && end > covered:
			covered, matched, degree = end, true, degree || d
		case k < i || k <= covered:
		case matched && (clinicalNouns[fold(tokens[k].Text(text))] || tokens[k].Class == token.Digits && tokens[k].End-tokens[k].Start <= 3) || possessive(text, tokens, k):
		default:
			return false, false
		}
	}
	return matched, degree
}

// phraseAt returns the last token of the longest phrase that begins at token
// k, or -1.
func phraseAt(text string, tokens []token.Token, k int) (end int, degree bool) {
	end = -1
	try := func(ps []*phrase) {
		for _, p := range ps {
			if e := p.match(text, tokens, k); e > end {
				end, degree = e, p.degree
			}
		}
	}
	try(phrases[fold(tokens[k].Text(text))])
	if tokens[k].Class == token.Initial {
		try(phrases["_"])
	}
	return end, degree
}

// match returns the last token of the phrase if it stands at token k, or -1.
func (p *phrase) match(text string, tokens []token.Token, k int) int {
	end := k
	for _, slot := range p.slots[1:] {
		k = nextWord(text, tokens, end)
		if k < 0 {
			return -1
		}
		switch {
		case slot[fold(tokens[k].Text(text))]:
			end = k
		case slot["#"]:
			if end = codeEnd(tokens, k); end < 0 {
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
		case isWord(tokens[k].Class):
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
	for ; end < len(tokens) && isWord(tokens[end].Class) && (end == k || !tokens[end].Space); end++ {
		digits = digits || tokens[end].Class == token.Digits
	}
	if end--; digits && tokens[end].End-tokens[k].Start <= 4 {
		return end
	}
	return -1
}

// clinicalNouns may stand in a span beside a phrase of the list.
var clinicalNouns = set(`bacteremia bacteraemia infection sepsis virus fever titer titre igg igm pcr antigen antibody esbl mrsa
	syndrome disease sign signs test score scale class grade type catheter drain brace tube line repair procedure nodule negative positive
	in on with at of the and urine blood sputum stool csf wound culture cultures`)
