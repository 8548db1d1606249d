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
		ats ers acog rcog aap uspstf aha acc esc easl aasld acg aga ash asco esmo jnc enets tnm acls atls sofa`)
	works = names.Set("criteria criterion guideline guidelines edition consensus recommendations")
	// called are towns and people that works are called after, revised what may stand
	// between a year and a work in small letters, and issued what only a word of
	// issuers or called beside it makes a work.
	called  = names.Set("mcdonald bethesda bosniak rome roma atlanta cochrane tokyo chicago rotterdam vienna baveno sydney budapest")
	revised = names.Set(`revised modified updated international national european american british canadian joint expert diagnostic clinical
		practice treatment management dosing response disease classification consensus and for on of the`)
	issued = names.Set("classification revision manual staging definition definitions statement system")
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
	if strings.Trim(text[s.Start:s.End], "0123456789") != "" || words(whole)[0] != text[s.Start:s.End] && !issuer(words(whole)[0]) {
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
	w := words(before)
	if n := len(w); n > 0 && issuer(w[n-1]) && w[n-1] != "ICD" || n > 1 && issuer(w[n-2]) && digit(w[n-1][0]) ||
		n > 1 && works[names.Fold(w[n-1])] && (issuer(w[n-2]) || called[names.Fold(w[n-2])]) {
		return true
	}
	told := len(w) > 0 && called[names.Fold(last(w))]
	for k, w := range words(after) {
		f := names.Fold(w)
		if k >= beside {
			break
		}
		if works[f] || issued[f] && told {
			return true
		}
		told = told || issuer(w) || called[f]
		if w == strings.ToLower(w) && !revised[f] {
			break // "in 2014 she met criteria"
		}
	}
	return false
}

// issuer reports whether a word is one of issuers, in capitals: who asks and what is
// nice publishes nothing.
func issuer(word string) bool { return word == strings.ToUpper(word) && issuers[names.Fold(word)] }

// issuing reports whether what the network took for an institution issued what the
// year behind it is of: the GOLD of "GOLD 2014". Moved apart, neither would be known.
func issuing(text string, s phi.Span) bool {
	if s.Tagger != phi.Network || s.Type != phi.Hospital && s.Type != phi.Organization && s.Type != phi.Department {
		return false
	}
	surface := text[s.Start:s.End]
	year := strings.TrimLeft(text[s.End:min(len(text), s.End+6)], " (")
	return issuer(surface) && len(year) >= 4 && year[:2] <= "20" && year[:2] >= "19" &&
		digit(year[2]) && digit(year[3]) && (len(year) == 4 || !digit(year[4]) && year[4] != '/' && year[4] != '-')
}

func last(words []string) string { return words[len(words)-1] }

// words returns the runs of letters and of digits of a text.
func words(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r < 0x80 && !digit(byte(r)) && !(r|0x20 >= 'a' && r|0x20 <= 'z') })
}
