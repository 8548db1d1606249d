package ensemble

import (
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// allowed reports whether an entry may stand at tokens i to j.
func (l *Lexicon) allowed(e entry, text string, tokens []token.Token, i, j int) bool {
	t := tokens[i]
	switch e.need {
	case nothing:
		return true
	case letters:
		return capitalLetters(text, tokens, i, j)
	case capital:
		return t.Class != token.Lower && tokens[j].Class != token.Lower && capitalLetters(text, tokens, i, j)
	case quantity:
		return !measured(text, tokens, i, j) || labelled(text, tokens, i, idLabels)
	case label:
		return labelled(text, tokens, i, idLabels) && !measured(text, tokens, i, j)
	case ssnLabel:
		return labelled(text, tokens, i, ssnLabels) && !measured(text, tokens, i, j)
	case initialed:
		return stops(text, tokens, i, j)
	case signature:
		return signed(text, tokens, i, j)
	case clinician:
		return t.Class != token.Lower && (afterClinician(text, tokens, i) || beforeDegree(text, tokens, j))
	}
	if t.Class == token.Lower {
		return false
	}
	if afterTitle(text, tokens, i) {
		return true
	}
	switch e.need {
	case cue:
		return false
	case eponym:
		return beforeDegree(text, tokens, j) || e.tagger == phi.Census && !disease(text, tokens, j) && amid(text, tokens, i, j)
	}
	return amid(text, tokens, i, j)
}

// capitalLetters reports whether single letters among the tokens are capitals.
func capitalLetters(text string, tokens []token.Token, i, j int) bool {
	if j > i && tokens[j].Text(text) == "I" && (j+1 == len(tokens) || tokens[j+1].Text(text) != ".") {
		return false // "Mrs Hale, I called": an I
	}
	for ; i <= j; i++ {
		if tokens[i].Class == token.Lower && tokens[i].End-tokens[i].Start == 1 {
			return false
		}
	}
	return true
}

// amid reports whether an ordinary word, such as Will or Rose, stands as a
// name at tokens i to j: not at the start of a sentence unless another name
// follows, not amid other capitals, and not before a number.
func amid(text string, tokens []token.Token, i, j int) bool {
	next := j + 1
	if next < len(tokens) && tokens[next].Class == token.Digits {
		return false // Bay 4, April 5
	}
	if i == 0 {
		return false
	}
	before := tokens[i-1]
	end := before.Class == token.Newline
	if !end {
		switch text[before.End-1] {
		case '.', '?', '!', ':', '-', '*':
			end = true
		}
	}
	switch {
	case end:
		if next >= len(tokens) {
			return false
		}
		if sayings[tokens[next].Text(text)] {
			return true // "Will says"
		}
		if next+2 < len(tokens) && tokens[next].Text(text) == "is" && tokens[next+1].Text(text) == "a" && tokens[next+2].Class == token.Digits {
			return true // "Will is a 34 year old"
		}
		return tokens[next].Class == token.Title && !has(common, tokens[next].Text(text)) // "Rose Hale"
	case tokens[i].Class == token.Upper && tokens[j].End-tokens[i].Start > 1 && (before.Class == token.Upper || next < len(tokens) && tokens[next].Class == token.Upper):
		return false
	}
	return true
}

// sayings are what people do, and no ordinary word does.
var sayings = set("says said states stated denies denied admits admitted asks asked tells told agrees agreed declines declined")

// titles come before names.
var titles = set("mr mrs ms miss mx dr drs doctor prof professor sister nurse patient pt sir lady rev reverend father sra sr srta dra dña")

var titleWords = filterOf(titles)

// afterTitle reports whether a title stands before token i.
func afterTitle(text string, tokens []token.Token, i int) bool {
	k := i - 1
	if k >= 0 && text[tokens[k].Start] == '.' {
		k--
	}
	return k >= 0 && titleWords.May(text, tokens[k].Start, tokens[k].End) && has(titles, tokens[k].Text(text))
}

// afterClinician reports whether a clinician's title stands before token i.
func afterClinician(text string, tokens []token.Token, i int) bool {
	k := i - 1
	if k >= 0 && tokens[k].Text(text) == "." {
		k--
	}
	return k >= 0 && has(doctorTitles, tokens[k].Text(text))
}

// beforeDegree reports whether a degree follows token j: "Bell, MD".
func beforeDegree(text string, tokens []token.Token, j int) bool {
	k := j + 1
	if k < len(tokens) && tokens[k].Text(text) == "," {
		k++
	}
	if k >= len(tokens) || tokens[k].Class == token.Lower || tokens[k].Class == token.Newline {
		return false
	}
	w := fold(tokens[k].Text(text))
	if k+2 < len(tokens) && tokens[k].Class == token.Initial && tokens[k+1].Text(text) == "." && !tokens[k+2].Space {
		w += fold(tokens[k+2].Text(text)) // M.D.
	}
	return degrees[w] && (len(w) > 2 || tokens[k].Class == token.Upper || tokens[k].Class == token.Initial)
}

// diseases follow eponyms.
var diseases = set(`disease syndrome sign signs test score scale catheter catheters lymphoma sarcoma monitor maneuver manoeuvre
	procedure criteria phenomenon palsy tumor tumour fracture thyroiditis stain lavage cyst duct tube drain classification grade index
	contracture nodule nodules society lens node nodes body bodies esophagus oesophagus chorea ataxia dementia reflex test's position hernia dz ds synd
	anaemia anemia cell cells crease ligament stand crisis orbitopathy clip forceps retractor needle blade`)

// disease reports whether token j, an eponym, means a disease here.
func disease(text string, tokens []token.Token, j int) bool {
	k := j + 1
	if k+1 < len(tokens) && !tokens[k].Space && strings.Contains("'’", tokens[k].Text(text)) {
		k += 2 // "'s"
	}
	if k < len(tokens) && tokens[k].Text(text) == "-" {
		k++
	}
	return k < len(tokens) && has(diseases, tokens[k].Text(text))
}

// idLabels announce identifiers.
var idLabels = set(`mrn mrns medical record records chart hosp hospital id ids identifier number no num ur nhs hcn phn account acct patient
	encounter visit case file ref reference expediente historia nhc folio ext extension pager bleep beeper phone tel`)

// ssnLabels announce social security numbers.
var ssnLabels = set(`ssn ss social security xxx xx xxxx sss`)

// labelled reports whether one of the labels stands among the three words
// before token i, on its line.
func labelled(text string, tokens []token.Token, i int, labels map[string]bool) bool {
	for n := 1; n <= 3; n++ {
		k := onLine(tokens, i, n)
		if k < 0 {
			return false
		}
		if has(labels, tokens[k].Text(text)) {
			return true
		}
	}
	return false
}

// units follow counts.
var units = set(`mg mcg ug g kg ml l dl cc mm cm m km ng pg iu u units unit mmol mol meq k cells cell steps hz kcal cal calories ms min
	minutes hours hrs h days weeks months years patients people times x copies bpm lb lbs oz ft`)

// measured reports whether the number of tokens i to j is a count or part of a
// larger number: "15000 units", "1.15000", "$15000", "15000/uL".
func measured(text string, tokens []token.Token, i, j int) bool {
	if i > 0 && !tokens[i].Space && strings.Contains(".,$€£<>=~/+", tokens[i-1].Text(text)) {
		return true
	}
	k := j + 1
	if k >= len(tokens) {
		return false
	}
	if has(units, tokens[k].Text(text)) {
		return true
	}
	if tokens[k].Space {
		return false
	}
	if strings.Contains("%/", tokens[k].Text(text)) {
		return true
	}
	return k+1 < len(tokens) && !tokens[k+1].Space && tokens[k+1].Class == token.Digits && strings.Contains(".,", tokens[k].Text(text))
}

// stops reports whether tokens i to j are capitals, each with its stop.
func stops(text string, tokens []token.Token, i, j int) bool {
	for k := i; k <= j; k += 2 {
		if tokens[k].Class != token.Initial || k+1 >= len(tokens) || tokens[k+1].Text(text) != "." || k > i && tokens[k].Space && !tokens[k-1].Space && j-i < 4 {
			return false
		}
	}
	return i == 0 || tokens[i].Space || strings.Contains("(/[", tokens[i-1].Text(text))
}
