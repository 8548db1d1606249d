package meddocan

import (
	"regexp"
	"strings"
)

var (
	month     = `(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|sep?tiembre|octubre|noviembre|diciembre)`
	dateForms = []*regexp.Regexp{
		regexp.MustCompile(`\d{1,2}[/-]\d{1,2}[/-](?:19|20)\d\d`),
		regexp.MustCompile(`(?:0?[1-9]|[12]\d|3[01])(?:/(?:0?[1-9]|1[0-2])/|-(?:0?[1-9]|1[0-2])-)\d\d`),
		regexp.MustCompile(`(?i)(?:` + month + `|ene|feb|mar|abr|may|jun|jul|ago|sep|oct|nov|dic)-\d\d`),
		regexp.MustCompile(`(?i)(?:\d{1,2} de )?` + month + `(?: del?|,)?(?: año)? (?:19|20)\d\d`),
		regexp.MustCompile(`(?i)\d{1,2} de ` + month),
	}
	// What the network takes with a date and the corpus does not.
	beforeDate = regexp.MustCompile(`(?i)^(?:(?:en|el|la|a|mes|finales|principios|mediados|comienzos|desde|hasta)(?: del?| el)? )+`)
	inYear     = regexp.MustCompile(`(?i)\ben ((?:19|20)\d\d)\b`)
	sameYear   = regexp.MustCompile(`(?i)\b(` + month + `) (?:de(?:l)?) (?:(?:ese|este|mismo|siguiente|pasado|ese mismo|este mismo) )+año`)
	theYear    = regexp.MustCompile(`(?i)\b(año (?:19|20)\d\d)\b`)
)

// dates finds dates in their usual forms.
func dates(n *note) {
	for i, s := range n.spans {
		if s.Label == date {
			if m := beforeDate.FindString(n.text[s.Start:s.End]); m != "" && len(m) < s.End-s.Start {
				n.spans[i].Start += len(m)
			}
		}
	}
	for _, form := range dateForms {
		for _, m := range form.FindAllStringIndex(n.text, -1) {
			before := strings.ToLower(n.text[max(0, m[0]-24):m[0]])
			if m[1] < len(n.text) && strings.ContainsAny(n.text[m[1]:m[1]+1], "/-") {
				continue
			}
			if whole(n.text, m[0], m[1]) && !strings.Contains(before, "hospital") && !strings.HasSuffix(before, "-") &&
				!strings.HasSuffix(before, "/") {
				n.add(m[0], m[1], date)
			}
		}
	}
	for _, form := range []*regexp.Regexp{inYear, theYear, sameYear} {
		for _, m := range form.FindAllStringSubmatchIndex(n.text, -1) {
			if !measured.MatchString(n.text[m[3]:]) {
				n.add(m[2], m[3], date)
			}
		}
	}
}

var measured = regexp.MustCompile(`(?i)^ ?(?:ml|mg|cc|ui|g|mcg|kcal|pacientes|casos|%|[.,]\d)`)

const (
	counted = `(?:\d{1,3}|un|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|dieciséis|diecisiete|` +
		`dieciocho|diecinueve|veinte|treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa)`
	lived = counted + `(?: y medio)? (?:años?|mes(?:es)?|días?|semanas?)(?: y (?:medio|` + counted + ` (?:meses|mes|días)))?`
)

var (
	ageForms = []*regexp.Regexp{
		regexp.MustCompile(`(?i)\b(` + lived + `) de (?:edad|vida)\b`),
		regexp.MustCompile(`(?i)\ba la edad de (` + lived + `)\b`),
		regexp.MustCompile(`(?i)\b((?:(?:primer|segundo|tercer|cuarto|quinto|sexto|séptimo|octavo|noveno|décimo) )?(?:mes|año)) de vida\b`),
	}
	andMonths = regexp.MustCompile(`^ y $`)
)

// ages finds what is said to be an age, and joins "5 años y 7 meses".
func ages(n *note) {
	for i := 0; i+1 < len(n.spans); i++ {
		a, b := n.spans[i], n.spans[i+1]
		if a.Label == age && b.Label == age && andMonths.MatchString(n.text[a.End:b.Start]) &&
			strings.HasPrefix(unit(n.text[a.Start:a.End]), "a") != strings.HasPrefix(unit(n.text[b.Start:b.End]), "a") {
			n.put(a.Start, b.End, age)
		}
	}
	for _, form := range ageForms {
		for _, m := range form.FindAllStringSubmatchIndex(n.text, -1) {
			n.add(m[2], m[3], age)
		}
	}
}

// unit is the last word of an age.
func unit(s string) string { return strings.ToLower(s[strings.LastIndexByte(s, ' ')+1:]) }
