package lexicon

import (
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/cues"
	"github.com/palimpsest-deid/palimpsest/model/names"
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
		return t.Class != token.Lower && tokens[head(text, tokens, i, j)].Class != token.Lower && capitalLetters(text, tokens, i, j)
	case quantity:
		return !Measured(text, tokens, i, j) || cues.Labelled(text, tokens, i, idLabels)
	case label:
		return labelled(text, tokens, i, j, idLabels)
	case ssnLabel:
		return labelled(text, tokens, i, j, ssnLabels)
	case initialed:
		return stops(text, tokens, i, j)
	case signature:
		return signed(text, tokens, i, j)
	case clinician:
		return t.Class != token.Lower && (cues.AfterClinician(text, tokens, i) || cues.BeforeDegree(text, tokens, j))
	}
	if t.Class == token.Lower {
		return false
	}
	if cues.AfterTitle(text, tokens, i) {
		return true
	}
	switch e.need {
	case titled:
		return false
	case eponym:
		return cues.BeforeDegree(text, tokens, j) || e.tagger == phi.Known && !cues.Disease(text, tokens, j) && amid(text, tokens, i, j)
	}
	return amid(text, tokens, i, j)
}

// capitalLetters reports whether single letters among the tokens are capitals.
func capitalLetters(text string, tokens []token.Token, i, j int) bool {
	if j > i && tokens[j].Text(text) == "I" && (j+1 == len(tokens) || tokens[j+1].Text(text) != ".") {
		return false // "Mrs Hale, I called": an I
	}
	for k := i; k <= j; k++ {
		if tokens[k].Class == token.Lower && tokens[k].End-tokens[k].Start == 1 && head(text, tokens, i, k) == k &&
			continued(text, tokens, k, tokens[j].Start) < 0 {
			return false
		}
	}
	return true
}

// head returns the token, of i to j, that the word begins with which token j
// ends, if it was broken apart: see continued.
func head(text string, tokens []token.Token, i, j int) int {
	for k := j - 1; k >= i; k-- {
		switch c := tokens[k].Class; {
		case !token.IsWord(c):
		case token.IsLetters(c) && continued(text, tokens, k, tokens[j].Start) == j:
			j = k
		default:
			return j
		}
	}
	return j
}

// labelled reports whether the number of tokens i to j has one of the labels and
// is no count. "MRN=4410" and "MRN/4410" are as good as "MRN: 4410".
func labelled(text string, tokens []token.Token, i, j int, labels map[string]bool) bool {
	if !cues.Labelled(text, tokens, i, labels) || counted(text, tokens, j) {
		return false
	}
	return !partOf(text, tokens, i) || i > 1 && !tokens[i-1].Space && strings.Contains("=/", tokens[i-1].Text(text)) &&
		names.Has(labels, tokens[i-2].Text(text))
}

// amid reports whether an ordinary word, such as Will or Rose, stands as a
// name at tokens i to j: not at the start of a sentence unless another name
// follows, not amid other capitals, not before a number, and not where it is a month,
// a day or a season.
func amid(text string, tokens []token.Token, i, j int) bool {
	next := j + 1
	if next < len(tokens) && tokens[next].Class == token.Digits {
		return false // Bay 4, April 5
	}
	if i == 0 {
		return false
	}
	if i == j && dated(text, tokens, i) {
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
		return tokens[next].Class == token.Title && !names.Has(names.Common, tokens[next].Text(text)) // "Rose Hale"
	case tokens[i].Class == token.Upper && tokens[j].End-tokens[i].Start > 1 && (before.Class == token.Upper || next < len(tokens) &&
		tokens[next].Class == token.Upper):
		return false
	}
	return true
}

var (
	calendarWords = names.Set(`sunday monday tuesday wednesday thursday friday saturday january february march april may june july august
		september october november december spring summer autumn winter`)
	timeWords = names.Set("a this last next every each early late mid in on until till since during through")
)

// dated reports whether token i is a word of the calendar where one speaks of time:
// "on Sunday", "through August", and not "in April's car".
func dated(text string, tokens []token.Token, i int) bool {
	if i == 0 || !names.Has(calendarWords, tokens[i].Text(text)) || !names.Has(timeWords, tokens[i-1].Text(text)) {
		return false
	}
	rest := text[tokens[i].End:]
	return !strings.HasPrefix(rest, "'s") && !strings.HasPrefix(rest, "’s")
}

// sayings are what people do, and no ordinary word does.
var sayings = names.Set("says said states stated denies denied admits admitted asks asked tells told agrees agreed declines declined")

// idLabels announce identifiers.
var idLabels = names.Set(`mrn mrns medical record records chart hosp hospital id ids identifier number no num ur nhs hcn phn account acct
	patient encounter visit case file ref reference expediente historia nhc folio ext extension pager bleep beeper phone tel`)

// ssnLabels announce social security numbers.
var ssnLabels = names.Set(`ssn ss social security xxx xx xxxx sss`)

// units follow counts.
var units = names.Set(`mg mcg ug g kg ml l dl cc mm cm m km ng pg iu u units unit mmol mol meq k cells cell steps hz kcal cal calories ms
	min minutes hours hrs h days weeks months years patients people times x copies bpm lb lbs oz ft`)

// IsUnit reports whether a word is a unit of what is counted or measured.
func IsUnit(word string) bool { return names.Has(units, word) }

// Measured reports whether the number of tokens i to j is a count or part of a
// larger number: "15000 units", "1.15000", "$15000", "15000/uL".
func Measured(text string, tokens []token.Token, i, j int) bool {
	return partOf(text, tokens, i) || counted(text, tokens, j)
}

// partOf reports whether a mark before token i makes it a part of something.
func partOf(text string, tokens []token.Token, i int) bool {
	return i > 0 && !tokens[i].Space && strings.Contains(".,$€£<>=~/+", tokens[i-1].Text(text))
}

// counted reports whether what stands behind token j makes it a count.
func counted(text string, tokens []token.Token, j int) bool {
	k := j + 1
	if k >= len(tokens) {
		return false
	}
	if names.Has(units, tokens[k].Text(text)) {
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
		if tokens[k].Class != token.Initial || k+1 >= len(tokens) || tokens[k+1].Text(text) != "." || k > i && tokens[k].Space &&
			!tokens[k-1].Space && j-i < 4 {
			return false
		}
	}
	return i == 0 || tokens[i].Space || strings.Contains("(/[", tokens[i-1].Text(text))
}
