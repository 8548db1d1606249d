package en

import (
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

// measure reports whether the value is followed by a unit, or is itself a
// number glued to one ("1000mg", "100000 cfu").
func measure(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	w := pattern.NextWord(text, c.End)
	if pattern.KindOf(s).Uppers == 0 && (pattern.UnitAfter(text, c.End) || w == "cfu" || w == "copies") {
		return true
	}
	i := 0
	for i < len(s) && (pattern.Digit(s[i]) || s[i] == '.') {
		i++
	}
	return i > 0 && i < len(s) && !strings.Contains(s, "-") && pattern.Units[strings.ToLower(s[i:])]
}

// goodID wants at least digits digits, or one fewer beside a capital, and
// rejects dates, measures, fractions and decimals.
func goodID(text string, c *pattern.Candidate, digits int) bool {
	s := c.Text(text)
	k := pattern.KindOf(s)
	need := digits
	if k.Uppers > 0 && k.Uppers+k.Digits > digits {
		need--
	}
	if k.Digits < need || pattern.Datelike(s) || measure(text, c) {
		return false
	}
	if clinicalCode(s) || k.Uppers+k.Lowers == 0 && k.Digits <= 8 && strings.IndexByte(s, '.') >= 0 {
		return false // T12-L1, 0.6-1.2
	}
	if k.Uppers == 0 && k.Lowers > 0 && k.Lowers == strings.Count(s, "x") {
		return false // 10x10x12
	}
	// Many lower-case letters are a word with a number: "5-minute", "visit2".
	if k.Lowers > 3 && k.Lowers > k.Digits {
		return false
	}
	if k.Digits == 10 && k.Marks == 2 && len(s) == 12 && s[3] == s[7] && (s[3] == '-' || s[3] == '.') {
		return false // a telephone number in brackets behind a word
	}
	if k.Marks > 0 && k.Uppers == 0 && k.Lowers == 0 {
		if strings.IndexByte(s, '/') >= 0 {
			return false // 20/8, 128/74
		}
		if i := strings.IndexByte(s, '.'); i >= 0 && len(s)-i <= 4 && k.Digits <= 6 {
			return false // 98.6
		}
		if strings.Count(s, "-") == 1 && k.Digits <= 6 && k.Marks == 1 && len(s)-strings.IndexByte(s, '-') <= 3 {
			return false // 40-60
		}
	}
	a := pattern.ByteAt(text, c.End)
	return !((a == '/' || a == '.' || a == ':' || a == ',') && pattern.Digit(pattern.ByteAt(text, c.End+1)) && k.Uppers == 0)
}

// clinicalCode reports whether s is a level of the spine ("T12-L1"), a stage
// of a tumour ("T1N0M0") or a history of births ("G2P1001"): letters of one
// such set, each with a digit.
func clinicalCode(s string) bool {
	for _, set := range [...]string{"CTLSctls-/", "TNMtnmprcyabisx", "GPTALgptalo"} {
		ok := len(s) <= 9 && !pattern.Digit(s[0])
		for i := 0; i < len(s) && ok; i++ {
			ok = pattern.Digit(s[i]) || strings.IndexByte(set, s[i]) >= 0
		}
		if !ok {
			continue
		}
		switch longest := longestDigits(s); {
		case set[0] == 'C' && longest <= 2, set[0] == 'T' && longest <= 1, set[0] == 'G' && longest <= 4 &&
			(s[0] == 'G' || s[0] == 'g') && strings.ContainsAny(s, "Pp"):
			return true
		}
	}
	return false
}

// longestDigits returns the length of the longest run of digits in s.
func longestDigits(s string) int {
	run, longest := 0, 0
	for i := 0; i < len(s); i++ {
		if run++; !pattern.Digit(s[i]) {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

func checkID3(text string, c *pattern.Candidate) bool { return goodID(text, c, 4) }

func checkID5(text string, c *pattern.Candidate) bool { return goodID(text, c, 5) }

// checkID4 is goodID for labels that are common words: four digits.
func checkID4(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	label := strings.ToLower(strings.TrimRight(text[c.From:c.Start], " "))
	if before := pattern.ByteAt(text, c.Start-1); !pattern.Digit(s[0]) && !pattern.Digit(before) && pattern.ASCIIWordByte(before) {
		return false // the label is the beginning of a word: DLPFC 120 %
	}
	if len(s) == 4 && pattern.CountDigits(s) == 4 && (pattern.Year(pattern.Atoi(s)) || s[2:] == "00" || clockTime(pattern.Atoi(s)) &&
		clockLabels[label]) {
		return false // "plan 2019", "phoned lab 1115"
	}
	if label == "form" || pattern.PrevWord(text, c.From, "") == "form" && pattern.ByteAt(text, c.Start-1) != ' ' {
		return false // "form INS5216" is everyone's
	}
	if i := strings.LastIndexByte(s, ' '); i >= 0 && len(s)-i == 5 && s[0] >= 'a' && s[0] <= 'z' && clockTime(pattern.Atoi(s[i+1:])) {
		return false // "certificate at 0900", "plan hv 2300"
	}
	if strings.HasSuffix(s, "h") && pattern.CountDigits(s) == len(s)-2 && strings.Contains(s, "-") {
		return false // plan 48-72h
	}
	if rest := s[strings.LastIndexByte(s, ' ')+1:]; strings.Count(rest, "/") == 2 && pattern.CountDigits(rest) == len(rest)-2 {
		return false // "plan. LOV 1/14/21"
	}
	return goodID(text, c, 4)
}

// clockLabels are things with numbers of which hours are told too.
var clockLabels = pattern.Words(`lab bloods event line donor interp interpreter culture sample exam core run report order msg message
	specimen path episode`)

// checkHash wants four digits: "#15" is a quantity, "#3" a list mark.
func checkHash(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	k := pattern.KindOf(s)
	if k.Uppers == 0 && k.Marks == 1 && k.Digits == 4 {
		return false // teeth 24-26
	}
	return k.Digits >= 4 && !pattern.Datelike(s) && !measure(text, c)
}

// checkDevice keeps "a lot 2019" and "serial 12-lead" out.
func checkDevice(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	k := pattern.KindOf(s)
	if k.Digits < 3 || len(s) < 5 || !goodID(text, c, 3) {
		return false
	}
	w := pattern.PrevWord(text, c.From, "")
	return w != "a" && w != "whole"
}

// checkDashes tells an identifier from a range and a date.
func checkDashes(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	if pattern.InNumber(text, c.Start, c.End) || pattern.Datelike(s) || pattern.UnitAfter(text, c.End) {
		return false
	}
	if pattern.ByteAt(text, c.End) == '^' && pattern.ByteAt(text, c.Start-1) == '|' {
		return false // the LOINC of an HL7 segment: "|30934-4^BNP^LN|"
	}
	v, l, n := pattern.Numbers(s)
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
func checkLettersDigits(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	for _, p := range [...]string{"BMS", "PF-", "PF0", "LY", "MK-", "GSK", "AZD", "ABT", "SAR", "RO", "AMG", "BAY", "SB", "UK", "CP",
		"CC-"} {
		if strings.HasPrefix(s, p) {
			return false
		}
	}
	if head := strings.TrimRight(s, "0123456789"); labelHeads[strings.ToLower(head)] {
		c.Start += len(head) // the label run together with its value is no part of it
	}
	return !inCode(text, c.Start, c.End)
}

// labelHeads are labels that run into numbers.
var labelHeads = pattern.Words(`mrn dob fx fax tel ph acc acct ssn npi dea nhs rx ref lot sn id no pin reg ext mob`)

// CheckLongDigits rejects counts: rounded, or with a unit.
func CheckLongDigits(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	return !strings.HasSuffix(s, "000") && !pattern.InNumber(text, c.Start, c.End) && !measure(text, c) &&
		!noCodes[pattern.PrevWord(text, c.Start, " :#-")]
}

// checkSSN rejects an area or group of zeros.
func checkSSN(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	return pattern.Apart(text, c.Start, c.End) && !strings.HasPrefix(s, "000")
}

// checkNHS raises the score where the check digit is right.
func checkNHS(text string, c *pattern.Candidate) bool {
	if pattern.InNumber(text, c.Start, c.End) {
		return false
	}
	if validNHS(c.Text(text)) {
		c.Score = 0.99
	}
	return true
}

// checkNHSBare wants a right check digit, and leaves numbers that are phones
// of the North American plan to that rule.
func checkNHSBare(text string, c *pattern.Candidate) bool {
	return !pattern.InNumber(text, c.Start, c.End) && validNHS(c.Text(text))
}

// validNHS checks the modulus 11 digit of a ten-digit NHS number.
func validNHS(s string) bool {
	sum, n, last := 0, 0, 0
	for i := 0; i < len(s); i++ {
		if !pattern.Digit(s[i]) {
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
func checkDEA(text string, c *pattern.Candidate) bool {
	if validDEA(c.Text(text)) {
		c.Score = 0.99
	}
	return true
}

func checkDEABare(text string, c *pattern.Candidate) bool { return validDEA(c.Text(text)) }

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
func checkNPI(text string, c *pattern.Candidate) bool {
	if validNPI(c.Text(text)) {
		c.Score = 0.99
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

func checkVINLabel(text string, c *pattern.Candidate) bool {
	return pattern.CountDigits(c.Text(text)) >= 3
}

// checkVIN checks the ninth character of a vehicle identification number
// (ISO 3779, as North America uses it).
func checkVIN(text string, c *pattern.Candidate) bool {
	const letters = "12345678.12345.7.923456789" // values of A to Z
	weights := [17]int{8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2}
	s := c.Text(text)
	if len(s) != 17 || pattern.CountDigits(s) == 17 {
		return false
	}
	sum := 0
	for i, w := range weights {
		v := s[i]
		if !pattern.Digit(v) {
			v = letters[v-'A']
		}
		sum += w * int(v-'0')
	}
	check := "0123456789X"[sum%11]
	return s[8] == check
}

// checkPlate wants a plate of five characters and more, and no measure.
func checkPlate(text string, c *pattern.Candidate) bool {
	k := pattern.KindOf(c.Text(text))
	return k.Digits+k.Uppers >= 5 && (k.Digits >= 3 || k.Digits+k.Uppers > 5 || k.Digits == 0) && !pattern.UnitAfter(text, c.End) &&
		!pattern.InNumber(text, c.Start, c.End)
}
