package merge

import (
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// issuers publish criteria, guidelines, classifications and journals, and works
// are what they publish. The year beside one is nobody's: moved, it would tell by
// how many years all else has.
var (
	issuers = names.Set(`ajcc uicc figo recist ctcae dsm icd gold gina nejm jama lancet bmj nccn nice who kdigo kdoqi idsa ada acr eular
		ats ers acog rcog aap uspstf aha acc esc easl aasld acg aga ash asco esmo jnc mcdonald bethesda enets bosniak tnm roma atlanta
		cochrane acls atls sofa`)
	works = names.Set(`criteria criterion guideline guidelines edition classification consensus recommendations revision manual
		staging definition definitions statement`)
)

// beside is how many words may lie between a year and what it is the year of.
const beside = 3

// published reports whether a year alone is that of a guideline, journal or
// edition: "AJCC 2017", "DSM-5 (2013)", "the 2015 ACC/AHA guidelines".
func published(text string, s phi.Span) bool {
	whole := text[s.Start:s.End]
	if s.End-s.Start < 4 {
		return false
	}
	s.Start = s.End - 4 // "NEJM 2015" may be one span
	if strings.Trim(text[s.Start:s.End], "0123456789") != "" || words(whole)[0] != text[s.Start:s.End] && !issuers[words(whole)[0]] {
		return false
	}
	const reach = 48 // bytes
	before := text[max(0, s.Start-reach):s.Start]
	if i := strings.LastIndexAny(before, "\n.;:"); i >= 0 {
		before = before[i+1:]
	}
	after := text[s.End:min(len(text), s.End+reach)]
	if i := strings.IndexAny(after, "\n.;:,)"); i >= 0 {
		after = after[:i]
	}
	if w := words(before); len(w) > 0 && issuers[last(w)] || len(w) > 1 && issuers[w[len(w)-2]] && digit(last(w)[0]) {
		return true
	}
	for k, w := range words(after) {
		if k >= beside {
			break
		}
		if works[w] {
			return true
		}
	}
	return false
}

// issuing reports whether what the network took for an institution issued what the
// year behind it is of: the GOLD of "GOLD 2014". Moved apart, neither would be known.
func issuing(text string, s phi.Span) bool {
	if s.Tagger != phi.Network || s.Type != phi.Hospital && s.Type != phi.Organization && s.Type != phi.Department {
		return false
	}
	surface := text[s.Start:s.End]
	year := strings.TrimLeft(text[s.End:min(len(text), s.End+6)], " (")
	return surface == strings.ToUpper(surface) && issuers[names.Fold(surface)] && len(year) >= 4 && year[:2] <= "20" && year[:2] >= "19" &&
		digit(year[2]) && digit(year[3]) && (len(year) == 4 || !digit(year[4]) && year[4] != '/' && year[4] != '-')
}

func last(words []string) string { return words[len(words)-1] }

// words returns the runs of letters and of digits of a text, folded.
func words(s string) []string {
	all := strings.FieldsFunc(s, func(r rune) bool { return r < 0x80 && !digit(byte(r)) && !(r|0x20 >= 'a' && r|0x20 <= 'z') })
	for i, w := range all {
		all[i] = names.Fold(w)
	}
	return all
}
