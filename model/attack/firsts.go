package attack

import (
	"regexp"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/dates"
)

// firsts are things that no ordinary note speaks of before a day: diseases
// before they had their name (World Health Organization), drugs before the Food
// and Drug Administration approved them or allowed their use in an emergency
// (Drugs@FDA). Trials speak of a drug earlier, under this name or another.
var firsts = []struct {
	words string
	day   int
}{
	{"dabigatran|pradaxa", day(2010, 10, 19)},
	{"rivaroxaban|xarelto", day(2011, 7, 1)},
	{"apixaban|eliquis", day(2012, 12, 28)},
	{"sofosbuvir|sovaldi", day(2013, 12, 6)},
	{"empagliflozin|jardiance", day(2014, 8, 1)},
	{"pembrolizumab|keytruda", day(2014, 9, 4)},
	{"nivolumab|opdivo", day(2014, 12, 22)},
	{"sacubitril|entresto", day(2015, 7, 7)},
	{"dupilumab|dupixent|ocrelizumab|ocrevus", day(2017, 3, 28)},
	{"semaglutide|ozempic", day(2017, 12, 5)},
	{"elexacaftor|trikafta", day(2019, 10, 21)},
	{"covid|covid-19|covid19", day(2020, 2, 11)},
	{"remdesivir|veklury", day(2020, 5, 1)},
	{"paxlovid|nirmatrelvir", day(2021, 12, 22)},
	{"molnupiravir|lagevrio", day(2021, 12, 23)},
	{"tirzepatide|mounjaro", day(2022, 5, 13)},
	{"mpox", day(2022, 11, 28)},
}

func day(year, month, day int) int { return dates.DaysFromCivil(year, month, day) }

// firstWords finds them; each is a group.
var firstWords = func() *regexp.Regexp {
	var all []string
	for _, f := range firsts {
		all = append(all, "("+f.words+")")
	}
	return regexp.MustCompile(`(?i)\b(?:` + strings.Join(all, "|") + `)\b`)
}()

// latestFirst returns the latest of the days before which a text cannot have been
// written, and how many words tell one.
func latestFirst(text string) (day, words int) {
	for _, m := range firstWords.FindAllStringSubmatchIndex(text, -1) {
		words++
		for g := range firsts {
			if m[2+2*g] >= 0 {
				day = max(day, firsts[g].day)
			}
		}
	}
	return day, words
}
