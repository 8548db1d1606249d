package en

import (
	"regexp"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

// prepositions stand before a place.
var prepositions = pattern.Words(`in from to near at of visiting visited via the northern southern eastern western central upstate born
	outside around into for toward towards left across moved back home de en`)

// personal are states and countries that are also names of people or things.
var personal = pattern.Words(`washington virginia georgia montana carolina dakota chad jordan israel kenya turkey guinea niger mali
	china oman malta dominica peru togo cuba wales panama ireland india samoa france holland austin uk u.k grenada indiana delaware
	maine samoa guam poland english`)

// checkCity wants a name of a place before a state: words with capitals of
// which none is a title, a month or a word of medicine.
func checkCity(text string, c *pattern.Candidate) bool {
	tail := text[c.From:c.To]
	if k := pattern.CountDigits(tail); k > 0 && (strings.HasSuffix(tail, "000") || pattern.UnitAfter(text, c.To) ||
		pattern.NumberGoesOn(text, c.To)) {
		return false
	}
	for c.Start < c.End {
		w, rest := pattern.FirstWord(c.Text(text))
		if b := pattern.Bare(w); noNames[b] || noPlace[b] || prepositions[b] || streetHeads[b] || monthOrDay(b) {
			c.Start += rest
			continue
		}
		break
	}
	if c.End-c.Start < 3 || strings.Contains(tail, " ID ") && noState[pattern.Bare(c.Text(text))] {
		return false
	}
	for s := c.Text(text); s != ""; {
		w, rest := pattern.FirstWord(s)
		if b := pattern.Bare(strings.TrimRight(w, ",")); noPlace[b] || monthOrDay(b) || noNames[b] && !pattern.Particle(b) {
			return false
		}
		s = s[rest:]
	}
	switch pattern.PrevWord(text, c.Start, " .") {
	case "dr", "mr", "mrs", "ms", "miss", "prof":
		return false
	}
	if pattern.CountDigits(tail) == 0 {
		last := tail[strings.LastIndexAny(tail, " ,\t")+1:]
		if personal[strings.ToLower(last)] && !prepositions[pattern.PrevWord(text, c.Start, " ")] {
			return false
		}
		if wordCodes[last] && pattern.AllCapital(c.Text(text)) && allCapitalAfter(text, c.To) {
			return false // "HAND WEAKNESS, ON HEPARIN"
		}
		if code(last) && strings.IndexByte(tail, ',') >= 0 && !prepositions[pattern.PrevWord(text, c.Start, " ")] &&
			!stateAfterCity(text, c.To, last) {
			return false
		}
	}
	return true
}

// wordCodes are codes of states that are words too.
var wordCodes = pattern.Words(`ON OR IN ME OK HI OH PA MA LA DE`)

// allCapitalAfter reports whether a word in capitals follows i after a blank.
func allCapitalAfter(text string, i int) bool {
	if pattern.ByteAt(text, i) != ' ' {
		return false
	}
	at := pattern.SkipBlanks(text, i)
	w, _ := pattern.FirstWord(text[at:min(len(text), at+24)])
	return pattern.AllCapital(w)
}

// stateAfterCity reports whether what follows the letters of a state at end
// leaves no doubt that they are one.
func stateAfterCity(text string, end int, state string) bool {
	switch state {
	case "CA", "CO", "MO", "NE", "SC", "AL", "IN", "CT", "GA", "NS", "NC", "MS", "AB":
		return false
	}
	b := pattern.ByteAt(text, end)
	return strings.IndexByte(",.;)\n", b) >= 0 || end == len(text) || b == ' ' && zipAfter(text, end)
}

// code reports whether s is two or three capitals.
func code(s string) bool { return len(s) <= 3 && pattern.AllCapital(s) }

// zipAfter reports whether a postcode follows end.
func zipAfter(text string, end int) bool {
	i := pattern.SkipBlanks(text, end)
	return pattern.Digit(pattern.ByteAt(text, i)) && pattern.Digit(pattern.ByteAt(text, i+3)) ||
		pattern.Capital(text[i:]) && pattern.Digit(pattern.ByteAt(text, i+1)) && pattern.Digit(pattern.ByteAt(text, i+4))
}

// checkStateLicence rejects short words in capitals.
func checkStateLicence(text string, c *pattern.Candidate) bool {
	switch c.Text(text) {
	case "IN", "OR", "ME", "HI", "OK", "ID", "MD", "PA", "MA", "CO", "AL", "DO":
		return strings.Contains(strings.ToLower(text[c.End:c.To]), "lic") && pattern.PrevWord(text, c.Start, " ") == "" &&
			c.Text(text) != "OR" && c.Text(text) != "ME"
	}
	return true
}

// noPlace are capitalised words of notes that no city is called.
var noPlace = pattern.Words(`vitamin notify md do pa rn np dr wbc rbc hgb hct plt na ca mg k cl co alt ast hemoglobin hematocrit
	platelets sodium potassium glucose creatinine calcium albumin magnesium phosphate chloride bun ph left right chest abdomen exam note
	heparin insulin aspirin hypertension diabetes cancer or and give given pain nausea vomiting fever chills cough blood urine culture
	cultures ct mri xr us ekg ecg echo stroke heart lung liver kidney bilateral acute chronic severe mild moderate started stopped
	continue restart hold increase decrease weight height medicaid medicare insurance class stage grade type`)

// streetHeads end a street, so what follows is the city.
var streetHeads = pattern.Words(`street road rd avenue ave drive dr lane ln boulevard blvd court ct place pl terrace way parkway pkwy
	suite apt unit row steps box floor building`)

func monthOrDay(s string) bool { return calendar[s] }

var calendar = pattern.Words(`monday tuesday wednesday thursday friday saturday sunday mon tue tues wed weds thu thur thurs fri sat sun
	january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov
	dec spring summer autumn fall winter today tomorrow yesterday`)

// checkStateZIP wants a postcode of the state's country.
func checkStateZIP(text string, c *pattern.Candidate) bool {
	s, code := c.Text(text), text[c.End:c.To]
	digits := code[strings.LastIndexAny(code, " \t")+1:]
	if s == "ID" {
		if w := pattern.PrevWord(text, c.From, " ,("); w == "" || noState[w] {
			return false
		}
	}
	if strings.HasSuffix(digits, "000") || pattern.UnitAfter(text, c.To) || pattern.NumberGoesOn(text, c.To) {
		return false
	}
	if len(digits) == 4 && pattern.CountDigits(digits) == 4 {
		firsts := map[string]string{"NSW": "12", "VIC": "38", "QLD": "49", "SA": "5", "WA": "6", "TAS": "7", "ACT": "2", "NT": "0",
			"N.S.W.":          "12",
			"NEW SOUTH WALES": "12", "QUEENSLAND": "49", "TASMANIA": "7"}[strings.ToUpper(s)]
		return firsts != "" && strings.IndexByte(firsts, digits[0]) >= 0
	}
	return true
}

// cityBack returns c with the city before it as its span: up to three words
// with capitals, then a comma, which comma demands.
func cityBack(text string, c *pattern.Candidate, comma bool) (city pattern.Candidate, ok bool) {
	end := pattern.BackBlanks(text, c.From)
	if c.From-end > 3 {
		return city, false
	}
	if pattern.ByteAt(text, end-1) == ',' {
		end--
	} else if comma || end == c.From {
		return city, false
	}
	start, link := end, end
	for n := 0; n < 3; {
		w, ok := pattern.WordBack(text, link, 1)
		if !ok || w.End == end && w.End != pattern.BackBlanks(text, end) {
			break
		}
		s := w.In(text)
		b := pattern.Bare(s)
		if n > 0 && (b == "of" || b == "on" || b == "upon" || b == "del" || b == "de" || b == "la" || b == "le") {
			link = w.Start
			continue
		}
		if !pattern.Capital(s) || pattern.CountDigits(s) > 0 || pattern.EndsSentence(s) || strings.ContainsAny(s, "/&") || len(s) == 1 {
			break
		}
		start, link = w.Start, w.Start
		n++
	}
	if start == end {
		return city, false
	}
	city = *c
	city.From, city.Start, city.End = start, start, end
	return city, true
}

// checkCityBack is checkCity for the city before a state and its postcode.
func checkCityBack(text string, c *pattern.Candidate) bool { return cityOf(text, c, false, false) }

// checkCityComma is checkCity for the city before a comma and a state.
func checkCityComma(text string, c *pattern.Candidate) bool { return cityOf(text, c, true, false) }

func cityOf(text string, c *pattern.Candidate, comma, placed bool) bool {
	city, ok := cityBack(text, c, comma)
	if !ok || !checkCity(text, &city) {
		return false
	}
	if w := pattern.PrevWord(text, city.Start, " "); placed && w != "in" && w != "from" && w != "near" {
		return false
	}
	c.Start, c.End = city.Start, city.End
	return true
}

// roomUnits follow a number behind "bed" or "chair" that counts something.
var roomUnits = pattern.Words(`times x time person people assist pillow pillows rails degrees deg more consecutive separate of alarm
	exercise exercises sets reps flights hr hrs night nights`)

// nodal is what is told of lymph nodes, whose stations have numbers.
var nodal = regexp.MustCompile(`(?i)\b(?:nod(?:e|es|al)|lymph\w*|ebus|suv\w*)\b`)

// around returns what stands on the line of a place of a text, up to so many bytes away.
func around(text string, at, most int) string {
	before, behind := text[max(0, at-most):at], text[at:min(len(text), at+most)]
	behind, _, _ = strings.Cut(behind, "\n")
	return before[strings.LastIndexByte(before, '\n')+1:] + behind
}

// checkRoom tells the number of a room from a measure, a time or a count.
func checkRoom(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	label := strings.ToLower(text[c.From:c.Start])
	next := pattern.NextWord(text, c.End)
	k := pattern.KindOf(s)
	near := pattern.ByteAt(text, c.End+1) != ' ' // a unit stands close to its number
	if pattern.InNumber(text, c.Start, c.End) || near && (pattern.UnitAfter(text, c.End) || roomUnits[next]) ||
		pattern.ByteAt(text, c.End) == '%' {
		return false
	}
	if len(s) == 3 && (s[1] == '-') && k.Digits == 2 {
		return false // bed 1-2 nights
	}
	if k.Digits == 0 {
		// "bay C": a letter needs the place before it and no word behind it.
		switch b := pattern.ByteAt(text, c.End); {
		case b == '.' && pattern.IsWord(rune(pattern.ByteAt(text, c.End+1))), b == '\'', b == '-', b == '/', b == '+':
			return false
		}
		return k.Uppers == 1 && (strings.HasPrefix(label, "bay") || strings.HasPrefix(label, "bed") && s != "A" ||
			strings.HasPrefix(label, "theatre") || strings.HasPrefix(label, "suite"))
	}
	if k.Lowers > 0 && (s[len(s)-1] == 'x' || s[0] == 'x') || k.Lowers > 1 {
		return false
	}
	if strings.HasPrefix(label, "station") && (strings.IndexByte("-+", pattern.ByteAt(text, c.Start-1)) >= 0 ||
		nodal.MatchString(around(text, c.Start, 80)) || pattern.ByteAt(text, c.End) == ',' && pattern.Digit(pattern.ByteAt(text, c.End+2))) {
		return false // of a head in its birth canal, or of lymph nodes
	}
	if strings.HasPrefix(label, "ste") && (strings.HasSuffix(s, "MM") || strings.HasSuffix(s, "mm")) {
		return false // ST elevation
	}
	if strings.HasPrefix(label, "suite") && k.Digits == 4 && s[0] == '0' {
		return false // suite 0800
	}
	if k.Uppers+k.Lowers == 0 && k.Digits == 4 && clockTime(pattern.Atoi(s)) && !strings.HasPrefix(label, "r") &&
		!strings.HasPrefix(label, "s") {
		return false // in bed 2230
	}
	if k.Uppers+k.Lowers == 0 && k.Digits == 4 && pattern.Year(pattern.Atoi(s)) {
		return false
	}
	if strings.HasPrefix(label, "lab") {
		return k.Uppers > 0 && k.Digits > 1
	}
	switch prev := pattern.PrevWord(text, c.From, " "); {
	case strings.HasPrefix(label, "chair"):
		if prev == "to" || prev == "oob" || prev == "into" || prev == "a" {
			return false
		}
	}
	return true
}

// checkWard tells a ward from a count of days or units.
func checkWard(text string, c *pattern.Candidate) bool {
	k := pattern.KindOf(c.Text(text))
	return !pattern.InNumber(text, c.Start, c.End) && !pattern.UnitAfter(text, c.End) && !roomUnits[pattern.NextWord(text, c.End)] &&
		strings.IndexByte("%(-+", pattern.ByteAt(text, c.End)) < 0 && (k.Uppers > 0 || k.Digits < 3)
}
