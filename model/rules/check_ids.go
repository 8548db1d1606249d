package rules

import (
	"strings"
)

// idKind counts what an identifier is made of.
type idKind struct{ digits, uppers, lowers, marks int }

func kindOf(s string) (k idKind) {
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case digit(b):
			k.digits++
		case b >= 'A' && b <= 'Z':
			k.uppers++
		case b >= 'a' && b <= 'z':
			k.lowers++
		case b != ' ':
			k.marks++
		}
	}
	return k
}

// measure reports whether the value is followed by a unit, or is itself a
// number glued to one ("1000mg", "100000 cfu").
func measure(text string, c *candidate) bool {
	s := c.text(text)
	w := nextWord(text, c.end)
	if kindOf(s).uppers == 0 && (unitAfter(text, c.end) || w == "cfu" || w == "copies") {
		return true
	}
	i := 0
	for i < len(s) && (digit(s[i]) || s[i] == '.') {
		i++
	}
	return i > 0 && i < len(s) && !strings.Contains(s, "-") && units[strings.ToLower(s[i:])]
}

// datelike reports whether s is a date, a year or a range of years rather
// than an identifier.
func datelike(s string) bool {
	v, l, n := numbers(s)
	k := kindOf(s)
	if k.uppers+k.lowers > 0 {
		return false
	}
	switch n {
	case 1:
		return k.marks == 0 && l[0] == 4 && year(v[0])
	case 2:
		return k.marks == 1 && (year(v[0]) && l[0] == 4 && (year(v[1]) || l[1] == 2) || l[1] == 4 && year(v[1]) && l[0] <= 2 && v[0] <= 12)
	case 3:
		return validDate(v[0], v[1], v[2], l[0], l[1], l[2])
	}
	return false
}

// goodID wants at least digits digits, or one fewer beside a capital, and
// rejects dates, measures, fractions and decimals.
func goodID(text string, c *candidate, digits int) bool {
	s := c.text(text)
	k := kindOf(s)
	need := digits
	if k.uppers > 0 && k.uppers+k.digits > digits {
		need--
	}
	if k.digits < need || datelike(s) || measure(text, c) {
		return false
	}
	if clinicalCode(s) || k.uppers+k.lowers == 0 && k.digits <= 8 && strings.IndexByte(s, '.') >= 0 {
		return false // T12-L1, 0.6-1.2
	}
	if k.uppers == 0 && k.lowers > 0 && k.lowers == strings.Count(s, "x") {
		return false // 10x10x12
	}
	// Many lower-case letters are a word with a number: "5-minute", "visit2".
	if k.lowers > 3 && k.lowers > k.digits {
		return false
	}
	if k.digits == 10 && k.marks == 2 && len(s) == 12 && s[3] == s[7] && (s[3] == '-' || s[3] == '.') {
		return false // a telephone number in brackets behind a word
	}
	if k.marks > 0 && k.uppers == 0 && k.lowers == 0 {
		if strings.IndexByte(s, '/') >= 0 {
			return false // 20/8, 128/74
		}
		if i := strings.IndexByte(s, '.'); i >= 0 && len(s)-i <= 4 && k.digits <= 6 {
			return false // 98.6
		}
		if strings.Count(s, "-") == 1 && k.digits <= 6 && k.marks == 1 && len(s)-strings.IndexByte(s, '-') <= 3 {
			return false // 40-60
		}
	}
	a := byteAt(text, c.end)
	return !((a == '/' || a == '.' || a == ':' || a == ',') && digit(byteAt(text, c.end+1)) && k.uppers == 0)
}

// clinicalCode reports whether s is a level of the spine ("T12-L1"), a stage
// of a tumour ("T1N0M0") or a history of births ("G2P1001"): letters of one
// such set, each with a digit.
func clinicalCode(s string) bool {
	for _, set := range [...]string{"CTLSctls-/", "TNMtnmprcyabisx", "GPTALgptalo"} {
		ok := len(s) <= 9 && !digit(s[0])
		for i := 0; i < len(s) && ok; i++ {
			ok = digit(s[i]) || strings.IndexByte(set, s[i]) >= 0
		}
		if !ok {
			continue
		}
		switch longest := longestDigits(s); {
		case set[0] == 'C' && longest <= 2, set[0] == 'T' && longest <= 1, set[0] == 'G' && longest <= 4 && (s[0] == 'G' || s[0] == 'g') && strings.ContainsAny(s, "Pp"):
			return true
		}
	}
	return false
}

// longestDigits returns the length of the longest run of digits in s.
func longestDigits(s string) int {
	run, longest := 0, 0
	for i := 0; i < len(s); i++ {
		if run++; !digit(s[i]) {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

func checkID3(text string, c *candidate) bool { return goodID(text, c, 4) }
func checkID5(text string, c *candidate) bool { return goodID(text, c, 5) }

// checkID4 is goodID for labels that are common words: four digits.
func checkID4(text string, c *candidate) bool {
	s := c.text(text)
	label := strings.ToLower(strings.TrimRight(text[c.from:c.start], " "))
	if len(s) == 4 && countDigits(s) == 4 && (year(atoi(s)) || s[2:] == "00" || clockTime(atoi(s)) && clockLabels[label]) {
		return false // "plan 2019", "phoned lab 1115"
	}
	if label == "form" || prevWord(text, c.from, "") == "form" && byteAt(text, c.start-1) != ' ' {
		return false // "form INS5216" is everyone's
	}
	if i := strings.LastIndexByte(s, ' '); i >= 0 && len(s)-i == 5 && s[0] >= 'a' && s[0] <= 'z' && clockTime(atoi(s[i+1:])) {
		return false // "certificate at 0900", "plan hv 2300"
	}
	if strings.HasSuffix(s, "h") && countDigits(s) == len(s)-2 && strings.Contains(s, "-") {
		return false // plan 48-72h
	}
	return goodID(text, c, 4)
}

// clockLabels are things with numbers of which hours are told too.
var clockLabels = words(`lab bloods event line donor interp interpreter culture sample exam core run report order msg message specimen path episode`)

func atoi(s string) int {
	v, _, _ := numbers(s)
	return v[0]
}

// checkHash wants four digits: "#15" is a quantity, "#3" a list mark.
func checkHash(text string, c *candidate) bool {
	s := c.text(text)
	k := kindOf(s)
	if k.uppers == 0 && k.marks == 1 && k.digits == 4 {
		return false // teeth 24-26
	}
	return k.digits >= 4 && !datelike(s) && !measure(text, c)
}

// checkDevice keeps "a lot 2019" and "serial 12-lead" out.
func checkDevice(text string, c *candidate) bool {
	s := c.text(text)
	k := kindOf(s)
	if k.digits < 3 || len(s) < 5 || !goodID(text, c, 3) {
		return false
	}
	w := prevWord(text, c.from, "")
	return w != "a" && w != "whole"
}

// checkDashes tells an identifier from a range and a date.
func checkDashes(text string, c *candidate) bool {
	s := c.text(text)
	if inNumber(text, c.start, c.end) || datelike(s) || unitAfter(text, c.end) {
		return false
	}
	if byteAt(text, c.end) == '^' && byteAt(text, c.start-1) == '|' {
		return false // the LOINC of an HL7 segment: "|30934-4^BNP^LN|"
	}
	v, l, n := numbers(s)
	if n == 2 && l[0] == 4 && l[1] == 4 && clockTime(v[0]) && clockTime(v[1]) {
		return false // 1900-0730
	}
	if n == 2 && l[0] == l[1] && v[0] < v[1] && v[0]%10 == 0 && v[1]%10 == 0 {
		return false // 4000-6000
	}
	return !(n == 2 && strings.HasSuffix(s, "000"))
}

// clockTime reports whether v is a time of day in four digits.
func clockTime(v int) bool { return v >= 0 && v <= 2400 && v%100 < 60 }

// checkLettersDigits rejects names of compounds, which are shaped alike.
func checkLettersDigits(text string, c *candidate) bool {
	s := c.text(text)
	for _, p := range [...]string{"BMS", "PF-", "PF0", "LY", "MK-", "GSK", "AZD", "ABT", "SAR", "RO", "AMG", "BAY", "SB", "UK", "CP", "CC-"} {
		if strings.HasPrefix(s, p) {
			return false
		}
	}
	if head := strings.TrimRight(s, "0123456789"); labelHeads[strings.ToLower(head)] {
		c.start += len(head) // the label run together with its value is no part of it
	}
	return !inCode(text, c.start, c.end)
}

// labelHeads are labels that run into numbers.
var labelHeads = words(`mrn dob fx fax tel ph acc acct ssn npi dea nhs rx ref lot sn id no pin reg ext mob`)

// checkLongDigits rejects counts: rounded, or with a unit.
func checkLongDigits(text string, c *candidate) bool {
	s := c.text(text)
	return !strings.HasSuffix(s, "000") && !inNumber(text, c.start, c.end) && !measure(text, c) && !noCodes[prevWord(text, c.start, " :#-")]
}

// checkSSN rejects an area or group of zeros.
func checkSSN(text string, c *candidate) bool {
	s := c.text(text)
	return !inNumber(text, c.start, c.end) && !strings.HasPrefix(s, "000")
}

// checkNHS raises the score where the check digit is right.
func checkNHS(text string, c *candidate) bool {
	if inNumber(text, c.start, c.end) {
		return false
	}
	if validNHS(c.text(text)) {
		c.score = 0.99
	}
	return true
}

// checkNHSBare wants a right check digit, and leaves numbers that are phones
// of the North American plan to that rule.
func checkNHSBare(text string, c *candidate) bool {
	return !inNumber(text, c.start, c.end) && validNHS(c.text(text))
}

// validNHS checks the modulus 11 digit of a ten-digit NHS number.
func validNHS(s string) bool {
	sum, n, last := 0, 0, 0
	for i := 0; i < len(s); i++ {
		if !digit(s[i]) {
			continue
		}
		d := int(s[i] - '0')
		if n < 9 {
			sum += d * (10 - n)
		} else {
			last = d
		}
		n++
	}
	check := 11 - sum%11
	if check == 11 {
		check = 0
	}
	return n == 10 && check == last
}

// checkDEA raises the score where the check digit is right.
func checkDEA(text string, c *candidate) bool {
	if validDEA(c.text(text)) {
		c.score = 0.99
	}
	return true
}

func checkDEABare(text string, c *candidate) bool { return validDEA(c.text(text)) }

// validDEA checks the last digit of a DEA number: of the other six, the first,
// third and fifth plus twice the second, fourth and sixth, modulo 10.
func validDEA(s string) bool {
	if len(s) < 7 {
		return false
	}
	d := s[len(s)-7:]
	sum := 0
	for i := range 6 {
		sum += int(d[i]-'0') * (1 + i%2)
	}
	return sum%10 == int(d[6]-'0')
}

// checkNPI raises the score where the check digit is right.
func checkNPI(text string, c *candidate) bool {
	if validNPI(c.text(text)) {
		c.score = 0.99
	}
	return true
}

// validNPI checks the Luhn digit of a ten-digit NPI, over "80840" and the number.
func validNPI(s string) bool {
	if len(s) != 10 {
		return false
	}
	sum := 24 // of the prefix
	for i := range 10 {
		d := int(s[i] - '0')
		if i%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

func checkVINLabel(text string, c *candidate) bool { return countDigits(c.text(text)) >= 3 }

// checkVIN checks the ninth character of a vehicle identification number
// (ISO 3779, as North America uses it).
func checkVIN(text string, c *candidate) bool {
	const letters = "12345678.12345.7.923456789" // values of A to Z
	weights := [17]int{8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2}
	s := c.text(text)
	if len(s) != 17 || countDigits(s) == 17 {
		return false
	}
	sum := 0
	for i, w := range weights {
		v := s[i]
		if !digit(v) {
			v = letters[v-'A']
		}
		sum += w * int(v-'0')
	}
	check := "0123456789X"[sum%11]
	return s[8] == check
}

// checkPlate wants a plate of five characters and more, and no measure.
func checkPlate(text string, c *candidate) bool {
	k := kindOf(c.text(text))
	return k.digits+k.uppers >= 5 && (k.digits >= 3 || k.digits+k.uppers > 5 || k.digits == 0) && !unitAfter(text, c.end) && !inNumber(text, c.start, c.end)
}
