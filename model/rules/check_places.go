package rules

import (
	"strings"
)

// strongStreets are heads that name a street by themselves, without a number.
var strongStreets = words(`street road rd avenue ave drive lane boulevard blvd crescent terrace highway hwy parkway pkwy wynd mews esplanade turnpike rise crossing`)

// weakStreets are heads that name a street where a preposition stands before.
var weakStreets = words(`st dr ct pl ln way court place hollow trail loop circle row steps knoll bend`)

// streetPractice reports whether the street behind i names an institution:
// "Chandlery Lane Health Centre".
func streetPractice(text string, i int) bool {
	if i >= len(text) || text[i] != ' ' || !capital(text[i+1:]) {
		return false
	}
	return practices[nextWord(text, i)]
}

var practices = words(`health hospital medical surgery clinic pharmacy pediatrics paediatrics vision optical urgent school practice dental primary maternity drug elementary family community care hospice church police dialysis
	rehab rehabilitation imaging nursing eye women college physicians orthopedics`)

// noStreet are words that stand between a number and a head that is no street
// there: "6 Minute Walk", "2 View", "a Right Drive".
var noStreet = words(`minute minutes min hour hours hr day days week weeks month months year years step steps flight flights lead view views person people man
	hole vessel unit units tab tabs tablet tablets mg ml cm mm block blocks foot feet mile miles level degree degrees pound stage grade type class fold part phase
	the a an in on at to of or and for with was is no not per by from right left upper lower same different own low high blood sugar main side lateral frontal
	second third first one two three four five six seven eight nine large small stones standing seated wide long short each every other another this that
	nursing group halfway half open full day-to-day home patient pt he she they it his her clear easy rocky wrong cross fell walked walks climbed ran down up around
	electrolyte glucose iv test treatment care exercise walking bed x po bid tid qid prn daily`)

// checkStreet looks back from the head word of a street for its name and
// number. Without a number, the name needs a capital and the head must be one
// that nothing else has.
func checkStreet(text string, c *candidate) bool {
	i := c.start
	for i < c.end && (asciiWordByte(text[i])) {
		i++
	}
	head := text[c.start:i]
	low := strings.ToLower(head)
	if header(text, c.start, c.end) || streetPractice(text, i) {
		return false
	}
	start, names, lowers := c.start, 0, 0
	number := false
	for n := 0; n < 5; n++ {
		w, ok := wordBack(text, start, 1)
		if !ok {
			break
		}
		s := w.in(text)
		b := bare(s)
		if strings.Contains(s, "/") && !strongStreets[low] {
			break // a date
		}
		if houseNumber(s) {
			if names == 0 && !ordinal(s) {
				return false // "14 steps"
			}
			start = w.start
			if ordinal(s) {
				names++
				continue
			}
			number = true
			break
		}
		if s == "h" || s == "hr" {
			return false // "75 x 12 h w RD"
		}
		if endsSentence(s) || noStreet[b] && !(capital(s) && names > 0 && (b == "upper" || b == "lower" || b == "high" || b == "low")) {
			break
		}
		if !capital(s) && !particle(b) {
			if lowers++; lowers > 2 || lowers <= names {
				lowers--
				break
			}
		} else if lowers > 0 {
			break
		}
		if len(b) > 1 || strings.Contains("nsew", b) {
			names++
		}
		start = w.start
	}
	if names == 0 {
		return false
	}
	if !number {
		if placed := weakStreets[low] && prepositions[prevWord(text, start, " ")]; lowers > 0 || !strongStreets[low] && !placed || !capital(head) && low != "ave" && low != "rd" && low != "blvd" || allCapital(head) && len(head) > 2 && allCapital(text[start:c.start]) {
			return false
		}
		for {
			w, rest := firstWord(text[start:c.start])
			if b := bare(w); w != "" && (noNames[b] || particle(b)) && !ordinal(w) {
				start += rest
				continue
			}
			break
		}
		if start >= c.start {
			return false
		}
		c.start = start
		return true
	}
	if lowers > 0 && (!strongStreets[low] || low == "drive" || low == "rise" || low == "crossing") {
		return false
	}
	if byteAt(text, start-1) == '#' || byteAt(text, start-1) == '.' && digit(byteAt(text, start-2)) {
		return false
	}
	c.start = unitBefore(text, start)
	c.score = 0.95
	return true
}

// firstWord returns the first blank-separated word of s and where the rest
// begins.
func firstWord(s string) (w string, rest int) {
	i := strings.IndexByte(s, ' ')
	if i < 0 {
		return s, len(s)
	}
	for rest = i; rest < len(s) && s[rest] == ' '; rest++ {
	}
	return s[:i], rest
}

// houseNumber reports whether s may number a house: "14", "8B", "3/26",
// "12-14", "N4471", "128th".
func houseNumber(s string) bool {
	if n := countDigits(s); n == 0 || n > 6 || strings.Count(s, "/") > 1 || len(s) > 8 || strings.IndexByte(s, '.') >= 0 {
		return false
	}
	if k := kindOf(s); k.uppers+k.lowers > 2 {
		return false
	}
	return digit(s[0]) || digit(s[len(s)-1])
}

// ordinal reports whether s is a number with its ending: "128th".
func ordinal(s string) bool {
	if len(s) < 3 || !digit(s[0]) {
		return false
	}
	switch strings.ToLower(s[len(s)-2:]) {
	case "st", "nd", "rd", "th":
		return true
	}
	return false
}

// unitBefore returns where "Flat 22, " or "Unit 4, " before a house number
// begins, or the number's own start.
func unitBefore(text string, start int) int {
	i := backBlanks(text, start)
	if byteAt(text, i-1) == ',' {
		i--
	}
	number, ok := wordBack(text, i, 0)
	if !ok || !houseNumber(number.in(text)) && len(number.in(text)) != 1 {
		return start
	}
	label, ok := wordBack(text, number.start, 1)
	if !ok {
		return start
	}
	switch bare(label.in(text)) {
	case "flat", "unit", "apt", "apartment", "suite", "ste", "room", "level", "lot", "villa", "shop":
		return label.start
	}
	return start
}

// checkRue wants a number, or a word that only streets have, and a name with a
// capital.
func checkRue(text string, c *candidate) bool {
	s := c.text(text)
	if digit(s[0]) {
		return true
	}
	low := strings.ToLower(s)
	return (strings.HasPrefix(low, "rue ") || strings.HasPrefix(low, "chemin ") || strings.HasPrefix(low, "boulevard ")) && strings.ContainsAny(s, "'’ -")
}

// prepositions stand before a place.
var prepositions = words(`in from to near at of visiting visited via the northern southern eastern western central upstate born outside around into
	for toward towards left across moved back home de en`)

// personal are states and countries that are also names of people or things.
var personal = words(`washington virginia georgia montana carolina dakota chad jordan israel kenya turkey guinea niger mali china oman malta dominica
	peru togo cuba wales panama ireland india samoa france holland austin uk u.k grenada indiana delaware maine samoa guam poland english`)

// checkCity wants a name of a place before a state: words with capitals of
// which none is a title, a month or a word of medicine.
func checkCity(text string, c *candidate) bool {
	tail := text[c.from:c.to]
	if k := countDigits(tail); k > 0 && (strings.HasSuffix(tail, "000") || unitAfter(text, c.to) || numberGoesOn(text, c.to)) {
		return false
	}
	for c.start < c.end {
		w, rest := firstWord(c.text(text))
		if b := bare(w); noNames[b] || noPlace[b] || prepositions[b] || streetHeads[b] || monthOrDay(b) {
			c.start += rest
			continue
		}
		break
	}
	if c.end-c.start < 3 || strings.Contains(tail, " ID ") && noState[bare(c.text(text))] {
		return false
	}
	for s := c.text(text); s != ""; {
		w, rest := firstWord(s)
		if b := bare(strings.TrimRight(w, ",")); noPlace[b] || monthOrDay(b) || noNames[b] && !particle(b) {
			return false
		}
		s = s[rest:]
	}
	switch prevWord(text, c.start, " .") {
	case "dr", "mr", "mrs", "ms", "miss", "prof":
		return false
	}
	if countDigits(tail) == 0 {
		last := tail[strings.LastIndexAny(tail, " ,\t")+1:]
		if personal[strings.ToLower(last)] && !prepositions[prevWord(text, c.start, " ")] {
			return false
		}
		if wordCodes[last] && allCapital(c.text(text)) && allCapitalAfter(text, c.to) {
			return false // "HAND WEAKNESS, ON HEPARIN"
		}
		if code(last) && strings.IndexByte(tail, ',') >= 0 && !prepositions[prevWord(text, c.start, " ")] && !stateAfterCity(text, c.to, last) {
			return false
		}
	}
	return true
}

// wordCodes are codes of states that are words too.
var wordCodes = words(`ON OR IN ME OK HI OH PA MA LA DE`)

// allCapitalAfter reports whether a word in capitals follows i after a blank.
func allCapitalAfter(text string, i int) bool {
	if byteAt(text, i) != ' ' {
		return false
	}
	w, _ := firstWord(text[skipBlanks(text, i):min(len(text), i+24)])
	return allCapital(w)
}

// stateAfterCity reports whether what follows the letters of a state at end
// leaves no doubt that they are one.
func stateAfterCity(text string, end int, state string) bool {
	switch state {
	case "CA", "CO", "MO", "NE", "SC", "AL", "IN", "CT", "GA", "NS", "NC", "MS", "AB":
		return false
	}
	b := byteAt(text, end)
	return strings.IndexByte(",.;)\n", b) >= 0 || end == len(text) || b == ' ' && zipAfter(text, end)
}

// code reports whether s is two or three capitals.
func code(s string) bool { return len(s) <= 3 && allCapital(s) }

// zipAfter reports whether a postcode follows end.
func zipAfter(text string, end int) bool {
	i := skipBlanks(text, end)
	return digit(byteAt(text, i)) && digit(byteAt(text, i+3)) || capital(text[i:]) && digit(byteAt(text, i+1)) && digit(byteAt(text, i+4))
}

// checkStateLicence rejects short words in capitals.
func checkStateLicence(text string, c *candidate) bool {
	switch c.text(text) {
	case "IN", "OR", "ME", "HI", "OK", "ID", "MD", "PA", "MA", "CO", "AL", "DO":
		return strings.Contains(strings.ToLower(text[c.end:c.to]), "lic") && prevWord(text, c.start, " ") == "" && c.text(text) != "OR" && c.text(text) != "ME"
	}
	return true
}

// noPlace are capitalised words of notes that no city is called.
var noPlace = words(`vitamin notify md do pa rn np dr wbc rbc hgb hct plt na ca mg k cl co alt ast hemoglobin hematocrit platelets sodium potassium glucose creatinine calcium
	albumin magnesium phosphate chloride bun ph left right chest abdomen exam note heparin insulin aspirin hypertension diabetes cancer or and give given pain nausea
	vomiting fever chills cough blood urine culture cultures ct mri xr us ekg ecg echo stroke heart lung liver kidney bilateral acute chronic severe mild moderate
	started stopped continue restart hold increase decrease weight height medicaid medicare insurance class stage grade type`)

// streetHeads end a street, so what follows is the city.
var streetHeads = words(`street road rd avenue ave drive dr lane ln boulevard blvd court ct place pl terrace way parkway pkwy suite apt unit row steps box floor building`)

func monthOrDay(s string) bool { return calendar[s] }

var calendar = words(`monday tuesday wednesday thursday friday saturday sunday mon tue tues wed weds thu thur thurs fri sat sun january february march april may june july
	august september october november december jan feb mar apr jun jul aug sep sept oct nov dec spring summer autumn fall winter today tomorrow yesterday`)

// checkStateZIP wants a postcode of the state's country.
func checkStateZIP(text string, c *candidate) bool {
	s, code := c.text(text), text[c.end:c.to]
	digits := code[strings.LastIndexAny(code, " \t")+1:]
	if s == "ID" {
		if w := prevWord(text, c.from, " ,("); w == "" || noState[w] {
			return false
		}
	}
	if strings.HasSuffix(digits, "000") || unitAfter(text, c.to) || numberGoesOn(text, c.to) {
		return false
	}
	if len(digits) == 4 && countDigits(digits) == 4 {
		firsts := map[string]string{"NSW": "12", "VIC": "38", "QLD": "49", "SA": "5", "WA": "6", "TAS": "7", "ACT": "2", "NT": "0", "N.S.W.": "12",
			"NEW SOUTH WALES": "12", "QUEENSLAND": "49", "TASMANIA": "7"}[strings.ToUpper(s)]
		return firsts != "" && strings.IndexByte(firsts, digits[0]) >= 0
	}
	return true
}

// cityBack returns c with the city before it as its span: up to three words
// with capitals, then a comma, which comma demands.
func cityBack(text string, c *candidate, comma bool) (city candidate, ok bool) {
	end := backBlanks(text, c.from)
	if c.from-end > 3 {
		return city, false
	}
	if byteAt(text, end-1) == ',' {
		end--
	} else if comma || end == c.from {
		return city, false
	}
	start, link := end, end
	for n := 0; n < 3; {
		w, ok := wordBack(text, link, 1)
		if !ok || w.end == end && w.end != backBlanks(text, end) {
			break
		}
		s := w.in(text)
		b := bare(s)
		if n > 0 && (b == "of" || b == "on" || b == "upon" || b == "del" || b == "de" || b == "la" || b == "le") {
			link = w.start
			continue
		}
		if !capital(s) || countDigits(s) > 0 || endsSentence(s) || strings.ContainsAny(s, "/&") || len(s) == 1 {
			break
		}
		start, link = w.start, w.start
		n++
	}
	if start == end {
		return city, false
	}
	city = *c
	city.from, city.start, city.end = start, start, end
	return city, true
}

// checkCityBack is checkCity for the city before a state and its postcode.
func checkCityBack(text string, c *candidate) bool { return cityOf(text, c, false, false) }

// checkCityComma is checkCity for the city before a comma and a state.
func checkCityComma(text string, c *candidate) bool { return cityOf(text, c, true, false) }

func cityOf(text string, c *candidate, comma, placed bool) bool {
	city, ok := cityBack(text, c, comma)
	if !ok || !checkCity(text, &city) {
		return false
	}
	if w := prevWord(text, city.start, " "); placed && w != "in" && w != "from" && w != "near" {
		return false
	}
	c.start, c.end = city.start, city.end
	return true
}

// roomUnits follow a number behind "bed" or "chair" that counts something.
var roomUnits = words(`times x time person people assist pillow pillows rails degrees deg more consecutive separate of alarm exercise exercises sets reps flights hr hrs night nights`)

// checkRoom tells the number of a room from a measure, a time or a count.
func checkRoom(text string, c *candidate) bool {
	s := c.text(text)
	label := strings.ToLower(text[c.from:c.start])
	next := nextWord(text, c.end)
	k := kindOf(s)
	near := byteAt(text, c.end+1) != ' ' // a unit stands close to its number
	if inNumber(text, c.start, c.end) || near && (unitAfter(text, c.end) || roomUnits[next]) || byteAt(text, c.end) == '%' {
		return false
	}
	if len(s) == 3 && (s[1] == '-') && k.digits == 2 {
		return false // bed 1-2 nights
	}
	if k.digits == 0 {
		// "bay C": a letter needs the place before it and no word behind it.
		switch b := byteAt(text, c.end); {
		case b == '.' && isWord(rune(byteAt(text, c.end+1))), b == '\'', b == '-', b == '/', b == '+':
			return false
		}
		return k.uppers == 1 && (strings.HasPrefix(label, "bay") || strings.HasPrefix(label, "bed") && s != "A" || strings.HasPrefix(label, "theatre") || strings.HasPrefix(label, "suite"))
	}
	if k.lowers > 0 && (s[len(s)-1] == 'x' || s[0] == 'x') || k.lowers > 1 {
		return false
	}
	if strings.HasPrefix(label, "station") && (next == "node" || next == "nodes" || byteAt(text, c.end) == ',' && digit(byteAt(text, c.end+2))) {
		return false // a station of lymph nodes
	}
	if strings.HasPrefix(label, "ste") && (strings.HasSuffix(s, "MM") || strings.HasSuffix(s, "mm")) {
		return false // ST elevation
	}
	if strings.HasPrefix(label, "suite") && k.digits == 4 && s[0] == '0' {
		return false // suite 0800
	}
	if k.uppers+k.lowers == 0 && k.digits == 4 && clockTime(atoi(s)) && !strings.HasPrefix(label, "r") && !strings.HasPrefix(label, "s") {
		return false // in bed 2230
	}
	if k.uppers+k.lowers == 0 && k.digits == 4 && year(atoi(s)) {
		return false
	}
	if strings.HasPrefix(label, "lab") {
		return k.uppers > 0 && k.digits > 1
	}
	switch prev := prevWord(text, c.from, " "); {
	case strings.HasPrefix(label, "chair"):
		if prev == "to" || prev == "oob" || prev == "into" || prev == "a" {
			return false
		}
	}
	return true
}

// checkWard tells a ward from a count of days or units.
func checkWard(text string, c *candidate) bool {
	k := kindOf(c.text(text))
	return !inNumber(text, c.start, c.end) && !unitAfter(text, c.end) && !roomUnits[nextWord(text, c.end)] &&
		strings.IndexByte("%(-+", byteAt(text, c.end)) < 0 && (k.uppers > 0 || k.digits < 3)
}
