package surrogate

import (
	"regexp"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/names"
)

// workPrefixes stand before a profession and are no part of it.
var workPrefixes = names.Set("retired former ex self employed currently semi part full time")

// owned is what may stand before a place of work: "co-owns a".
var owned = regexp.MustCompile(`(?i)^(co-)?(own|run|manage|operate)(s|ed|ing)? (a|an|the|his|her|their) `)

// profession returns another occupation, place of work or thing to do, as the
// original is one of them; beginning with a vowel where that does, so that "a" and
// "an" stay right; "" for a phrase that is none.
func (p *Patient) profession(d drawer, s string) string {
	start := 0
	for _, piece := range cut(s) {
		if piece.kind == wordPiece && !workPrefixes[fold(piece.text)] {
			break
		}
		start += len(piece.text)
	}
	if start == len(s) {
		start = 0
	}
	start += len(owned.FindString(s[start:]))
	key := fold(s[start:])
	list := p.lists.workOf(key)
	if p.spanish() || list == nil {
		return ""
	}
	c := s[start:]
	letters := len(c) <= 4 && (c == strings.ToUpper(c) || !strings.ContainsAny(key, "aeiouy") || key == "emt" || key == "cna")
	vowel := startsWithVowel(key)
	if letters { // an RN, a CNA
		vowel = strings.IndexByte("aefhilmnorsx", key[0]) >= 0
	}
	out := d.pick(list, "profession", strings.TrimSuffix(key, "s"), func(w string) bool {
		return startsWithVowel(w) == vowel && p.known().free(w) && !strings.Contains(key, w)
	})
	if out == "" {
		return ""
	}
	if p.lists.occupation(key) && strings.HasSuffix(key, "s") && !strings.HasSuffix(key, "ss") {
		out += "s"
	}
	if letters {
		return s[:start] + out
	}
	out = like(out, c)
	first, _, more := strings.Cut(c, " ")
	if c := s[start]; c >= 'A' && c <= 'Z' && out == strings.ToLower(out) && (!more || first[1:] == strings.ToLower(first[1:])) {
		out = strings.ToUpper(out[:1]) + out[1:]
	}
	return s[:start] + out
}

func startsWithVowel(s string) bool { return s != "" && strings.IndexByte("aeiou", s[0]) >= 0 }

// clauseWords stand in phrases that tell what somebody does, and in no name of
// an occupation.
var clauseWords = names.Set("a an the at in on with his her their my own owns run runs does do doing works working sees who that is was")

// occupation reports whether a folded phrase names an occupation: whether its
// last word, or that before "of", is or ends like one that does.
func (l *lists) occupation(phrase string) bool {
	words := strings.FieldsFunc(phrase, func(r rune) bool { return r == ' ' || r == '-' || r == '/' || r == '\t' || r == '\n' || r == ',' })
	for i, w := range words {
		if clauseWords[w] {
			return false
		}
		if i > 0 && (w == "of" || w == "for" || w == "to") {
			words = words[:i]
			break
		}
	}
	if len(words) == 0 {
		return false
	}
	last := strings.Trim(words[len(words)-1], ".;:()")
	for _, w := range []string{last, strings.TrimSuffix(last, "s"), strings.TrimSuffix(last, "es")} {
		if l.words["occupations"][w] || strings.HasSuffix(phrase, " "+w) && l.words["behind others"][w] {
			return true
		}
		if l.words["generic"][w] || l.words["heads"][w] || strings.HasSuffix(w, "ness") {
			return false // a restaurant, plant, theater or business ends like one
		}
		for end := range l.words["endings"] {
			if len(w) > len(end)+2 && strings.HasSuffix(w, end) && w == strings.TrimSuffix(last, "s") {
				return true
			}
		}
	}
	return false
}

// lastOf returns the last word of a phrase.
func lastOf(phrase string) string { return phrase[strings.LastIndexByte(phrase, ' ')+1:] }
