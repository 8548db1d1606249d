package cues

import (
	"sort"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

var titleWords = names.FilterOf(names.Titles)

// AfterTitle reports whether a title stands before token i.
func AfterTitle(text string, tokens []token.Token, i int) bool {
	k := i - 1
	if k >= 0 && text[tokens[k].Start] == '.' {
		k--
	}
	return k >= 0 && titleWords.May(text, tokens[k].Start, tokens[k].End) && names.Has(names.Titles, tokens[k].Text(text))
}

// AfterClinician reports whether a clinician's title stands before token i.
func AfterClinician(text string, tokens []token.Token, i int) bool {
	k := i - 1
	if k >= 0 && tokens[k].Text(text) == "." {
		k--
	}
	return k >= 0 && names.Has(names.DoctorTitles, tokens[k].Text(text))
}

// BeforeDegree reports whether a degree follows token j: "Bell, MD".
func BeforeDegree(text string, tokens []token.Token, j int) bool {
	k := j + 1
	if k < len(tokens) && tokens[k].Text(text) == "," {
		k++
	}
	if k >= len(tokens) || tokens[k].Class == token.Lower || tokens[k].Class == token.Newline {
		return false
	}
	w := names.Fold(tokens[k].Text(text))
	if k+2 < len(tokens) && tokens[k].Class == token.Initial && tokens[k+1].Text(text) == "." && !tokens[k+2].Space {
		w += names.Fold(tokens[k+2].Text(text)) // M.D.
	}
	return names.Degrees[w] && (len(w) > 2 || tokens[k].Class == token.Upper || tokens[k].Class == token.Initial)
}

// diseases follow eponyms.
var diseases = names.Set(`disease syndrome sign signs test score scale catheter catheters lymphoma sarcoma monitor maneuver manoeuvre
	procedure criteria phenomenon palsy tumor tumour fracture thyroiditis stain lavage cyst duct tube drain classification grade index
	contracture nodule nodules society lens node nodes body bodies esophagus oesophagus chorea ataxia dementia reflex test's position hernia
	dz ds synd anaemia anemia cell cells crease ligament stand crisis orbitopathy clip forceps retractor needle blade`)

// Disease reports whether token j, an eponym, means a disease here.
func Disease(text string, tokens []token.Token, j int) bool {
	k := j + 1
	if k+1 < len(tokens) && !tokens[k].Space && strings.Contains("'’", tokens[k].Text(text)) {
		k += 2 // "'s"
	}
	if k < len(tokens) && tokens[k].Text(text) == "-" {
		k++
	}
	return k < len(tokens) && names.Has(diseases, tokens[k].Text(text))
}

// Labelled reports whether one of the labels stands among the three words
// before token i, on its line.
func Labelled(text string, tokens []token.Token, i int, labels map[string]bool) bool {
	for n := 1; n <= 3; n++ {
		k := onLine(tokens, i, n)
		if k < 0 {
			return false
		}
		if names.Has(labels, tokens[k].Text(text)) {
			return true
		}
	}
	return false
}

// TokensOf returns the first and the last token within a stretch; i > j where
// there is none.
func TokensOf(tokens []token.Token, start, end int) (i, j int) {
	i = sort.Search(len(tokens), func(k int) bool { return int(tokens[k].End) > start })
	j = sort.Search(len(tokens), func(k int) bool { return int(tokens[k].Start) >= end }) - 1
	return i, j
}

// onLine returns the token n words before i on the same line, -1 for none,
// counting words and skipping marks.
func onLine(tokens []token.Token, i, n int) int {
	for i--; i >= 0 && tokens[i].Class != token.Newline; i-- {
		if token.IsWord(tokens[i].Class) {
			if n--; n == 0 {
				return i
			}
		}
	}
	return -1
}
