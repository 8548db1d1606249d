package cues

import (
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// kinOf is who a word of kinship speaks of.
var kinOf = sexes(`mother mom mommy mum mam mama wife daughter dtr sister grandmother grandma granny grandmom
	granddaughter aunt auntie niece girlfriend fiancee widow stepmother stepdaughter stepsister goddaughter godmother
	madre esposa hija hermana abuela nieta sobrina`,
	`father dad daddy papa husband hubby son brother grandfather grandpa granddad grandson uncle nephew boyfriend fiance widower stepfather
	stepson stepbrother godson godfather padre esposo marido hijo hermano abuelo nieto sobrino`)

// titleOf is whom a title addresses.
var titleOf = sexes("mrs ms miss madam mme mlle madame mademoiselle sra srta señora señorita dona doña", "mr monsieur señor don")

func sexes(women, men string) map[string]phi.Sex {
	m := map[string]phi.Sex{}
	for w := range names.Set(women) {
		m[names.Fold(w)] = phi.Female
	}
	for w := range names.Set(men) {
		m[names.Fold(w)] = phi.Male
	}
	return m
}

// SexOf returns the sex that a word of kinship or a title beside it tells of the
// name of tokens i to j: "her brother Ansel", "wife, Odile", "mother-in-law Odile",
// "Ansel (son)", "Mrs. Odile Brandt". A title before one word tells nothing of it: it
// is a family name as a rule.
func SexOf(text string, tokens []token.Token, i, j int) phi.Sex {
	if sex := kinBefore(text, tokens, i); sex != phi.Untold {
		return sex
	}
	k := i - 1
	if k > 0 && tokens[k].Text(text) == "." {
		k--
	}
	if k >= 0 && len(names.NameWords(text[tokens[i].Start:tokens[j].End])) > 1 {
		if sex := titleOf[names.Fold(tokens[k].Text(text))]; sex != phi.Untold {
			return sex
		}
	}
	return kinBehind(text, tokens, j)
}

// kinBefore returns what a word of kinship before token i tells.
func kinBefore(text string, tokens []token.Token, i int) phi.Sex {
	k := i - 1
	if k > 0 && strings.Contains(",:(", tokens[k].Text(text)) {
		k--
	} else if k > 0 && names.Has(naming, tokens[k].Text(text)) {
		k--
	}
	if k < 0 {
		return phi.Untold
	}
	if k > 3 && names.Fold(tokens[k].Text(text)) == "law" && tokens[k-1].Text(text) == "-" && names.Fold(tokens[k-2].Text(text)) == "in" &&
		tokens[k-3].Text(text) == "-" {
		k -= 4
	}
	return kinOf[names.Fold(tokens[k].Text(text))]
}

// naming are words between a word of kinship and the name.
var naming = names.Set("named called is")

// kinBehind returns what a word of kinship in brackets behind token j tells.
func kinBehind(text string, tokens []token.Token, j int) phi.Sex {
	if j+3 >= len(tokens) || tokens[j+1].Text(text) != "(" || !strings.Contains("),:;-/", tokens[j+3].Text(text)) {
		return phi.Untold
	}
	return kinOf[names.Fold(tokens[j+2].Text(text))]
}
