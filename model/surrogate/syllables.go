package surrogate

import (
	"regexp"
	"slices"
	"strings"
)

// Given names of East Asia that are written in two syllables with a hyphen, "Jin-woo"
// and "Mei-Ling", are one name: one is drawn in their place, and "Jin" alone is the
// same person's. "Anne-Marie" is two.

// syllable is a word as Korean and Chinese ones are spelt in Latin letters.
var syllable = regexp.MustCompile(`^[bcdfghjklmnpqrstvwxyz]{0,3}[aeiouyw]{1,3}(?:ng|[nklpmtrh])?$`)

const longestSyllable = 6 // letters, as in "shuang"

// syllables reports whether two folded words are the syllables of one name. Two that
// are common names of the West are two names: "Jean-Paul".
func (l *lists) syllables(a, b string) bool {
	return len(a) <= longestSyllable && len(b) <= longestSyllable && len(a)+len(b) > 3 && syllable.MatchString(a) && syllable.MatchString(b) &&
		!(l.western[a] && l.western[b])
}

// joinSyllables makes one part of each given name in two syllables: of two words with a
// hyphen that are given names, or are all of the name and not known as family names, and
// of two words apart that have a hyphen elsewhere.
func (n *parsedName) joinSyllables(ps *people) {
	lone := len(n.parts) == 2
	for i := 0; i+1 < len(n.parts); i++ {
		a, b := n.parts[i], n.parts[i+1]
		if a.joined || i+2 < len(n.parts) && n.parts[i+2].joined || b.piece != a.piece+2 {
			continue
		}
		given := !a.family && !b.family || lone && ps.family[a.fold] == 0 && ps.family[b.fold] == 0
		if !(b.joined && given && ps.lists.syllables(a.fold, b.fold)) && !(n.pieces[a.piece+1].text == " " && ps.pairs[a.fold+b.fold]) {
			continue
		}
		text := a.text + n.pieces[a.piece+1].text + b.text
		n.pieces = slices.Replace(n.pieces, a.piece, b.piece+1, piece{kind: wordPiece, text: text})
		n.parts = slices.Replace(n.parts, i, i+2, part{piece: a.piece, text: text, fold: a.fold + b.fold, loose: a.loose,
			halves: []string{a.fold, b.fold}})
		for k := i + 1; k < len(n.parts); k++ {
			n.parts[k].piece -= 2
		}
	}
}

// pairsOf returns the given names in two syllables of those of some names that have a
// hyphen.
func (ps *people) pairsOf(names []string) map[string]bool {
	pairs := map[string]bool{}
	for _, s := range names {
		if !strings.Contains(s, "-") {
			continue
		}
		for _, p := range ps.parse(s, false).parts {
			if len(p.halves) > 0 {
				pairs[p.fold] = true
			}
		}
	}
	return pairs
}

// enterHalves notes the syllables of a name, which no surrogate may hold, and what the
// first stands for alone.
func (ps *people) enterHalves(p part) {
	for _, h := range p.halves {
		if runes(h) > 1 {
			ps.known[h] = true
		}
	}
	if len(p.halves) > 0 && ps.wholes[p.halves[0]] == "" {
		ps.wholes[p.halves[0]] = p.fold
	}
}
