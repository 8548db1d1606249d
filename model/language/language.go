// Package language tells in which language notes are written, by the words that
// every text has whatever it is about: articles, prepositions, pronouns, forms of
// "to be" and the few words that no clinical note goes without. It knows the
// languages of words.go, and the scripts that none of them uses.
package language

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Other is a script that none of the known languages uses.
const Other = "other"

// Name returns what a language is called in English.
func Name(code string) string {
	switch code {
	case "":
		return "undecided"
	case Other:
		return "a language not written in Latin letters"
	}
	if n, ok := names[code]; ok {
		return n
	}
	return code
}

// Known reports whether a language can be told from others.
func Known(code string) bool { _, ok := names[code]; return ok }

// profile is how much of some words speaks for which language.
type profile struct {
	words   int // runs of letters
	foreign int // of these, in another script than Latin
	weight  [len(codes)]float64
}

// add counts the words of a text.
func (p *profile) add(text string) {
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.Is(unicode.Mn, r) }) {
		if !strings.ContainsFunc(w, unicode.IsLetter) || strings.ContainsRune(w, unicode.ReplacementChar) {
			continue
		}
		p.words++
		if !strings.ContainsFunc(w, func(r rune) bool { return unicode.Is(unicode.Latin, r) }) {
			p.foreign++
			continue
		}
		for _, i := range owners[fold(w)] {
			p.weight[i] += 1 / float64(len(owners[fold(w)]))
		}
	}
}

const (
	// least is the share of words, each weighed by how few languages have it, from
	// which a text is in a language. Half of the examples' notes have 0.20, the most
	// clipped 0.03, notes in Swedish, which is not known here, 0.07.
	least = 0.08

	// ahead is by how much the likeliest language must be ahead of the next.
	ahead = 1.25
)

// language returns the language of the words, "" if it cannot be told.
func (p *profile) language() string {
	if p.words == 0 {
		return ""
	}
	if 2*p.foreign > p.words {
		return Other
	}
	best, next := 0, 0.0
	for i, w := range p.weight {
		if w > p.weight[best] {
			best = i
		}
	}
	for i, w := range p.weight {
		if i != best {
			next = max(next, w)
		}
	}
	if p.weight[best] < least*float64(p.words) || p.weight[best] < ahead*next {
		return ""
	}
	return codes[best]
}

// fold returns a word in small letters without accents: a note in capitals, or
// from a system that knows ASCII alone, has none.
func fold(word string) string {
	word = strings.ToLower(word)
	ascii := true
	for i := range len(word) {
		ascii = ascii && word[i] < 0x80
	}
	if ascii {
		return word
	}
	var b strings.Builder
	for _, r := range norm.NFD.String(word) {
		if !unicode.Is(unicode.Mn, r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Sample gathers texts. Its zero value is empty.
type Sample struct {
	words map[string]int // by language
	rest  profile        // of texts too short to be judged alone
}

const (
	alone    = 20 // words from which a text is judged by itself
	decisive = 50 // words of a sample from which it says anything
)

// Add adds a text.
func (s *Sample) Add(text string) {
	if s.words == nil {
		s.words = map[string]int{}
	}
	var p profile
	p.add(text)
	if p.words < alone {
		s.rest.add(text)
		return
	}
	s.words[p.language()] += p.words
}

// Share is how much of a sample is in a language.
type Share struct {
	Language string  // code, Other, or "" for what cannot be told
	Words    float64 // of all words of the sample, 0 to 1
}

// Shares returns the languages of the sample, the largest share first, and how
// many words they are shares of.
func (s *Sample) Shares() (shares []Share, words int) {
	all := map[string]int{}
	for l, n := range s.words {
		all[l] += n
		words += n
	}
	all[s.rest.language()] += s.rest.words
	words += s.rest.words
	for l, n := range all {
		if n > 0 {
			shares = append(shares, Share{l, float64(n) / float64(words)})
		}
	}
	slices.SortFunc(shares, func(a, b Share) int {
		return cmp.Or(cmp.Compare(b.Words, a.Words), strings.Compare(a.Language, b.Language))
	})
	return shares, words
}

// Majority returns the language of more than half of the sample's words, or ""
// where there is none or the words are too few to say.
func (s *Sample) Majority() string {
	shares, words := s.Shares()
	if words < decisive || len(shares) == 0 || shares[0].Words <= 0.5 {
		return ""
	}
	return shares[0].Language
}
