package rules

import (
	"strings"
)

// units are words after a number that make it a measure.
var units = words(`% ° mg mcg ug g gm gms gram grams kg lb lbs oz ml mls cc l litre liter litres liters unit units u iu mu
	mmol mol mosm meq mmhg mm cm m inch inches ft feet hz khz mhz bpm rpm hr hrs hour hours min mins minute minutes
	sec secs second seconds day days wk wks week weeks month months mo mos x fold percent tab tabs tablet tablets cap caps
	capsule capsules puff puffs drop drops gtt gtts spray sprays vial vials dose doses cells copies kcal cal calories
	steps pack packs ppd french fr gauge beats times ng pg fl dl thou million am pm h`)

// unitAfter reports whether a unit follows i. A single capital is a sex or an
// initial, not metres or hours, but for litres and units.
func unitAfter(text string, i int) bool {
	at := skipBlanks(text, i)
	if at-i > 2 {
		return false // another column
	}
	w := nextWord(text, at)
	if len(w) == 1 && w != "%" && w != "l" && w != "u" {
		if b := text[at]; b >= 'A' && b <= 'Z' {
			return false
		}
	}
	if w == "cc" { // copies, not cubic centimetres
		if next := skipBlanks(text, at+2); byteAt(text, next) == ':' || at > i && capital(text[next:]) {
			return false
		}
	}
	return units[w]
}

// checkIPv4 wants four numbers of at most 255 that are no part of more.
func checkIPv4(text string, c *candidate) bool {
	if inNumber(text, c.start, c.end) {
		return false
	}
	v, _, n := numbers(c.text(text))
	for _, x := range v[:n] {
		if x < 0 || x > 255 {
			return false
		}
	}
	return n == 4 && v[0] > 0
}

// checkIPv6 tells an address from a time or a ratio by its hexadecimal
// letters, and wants eight groups or one "::".
func checkIPv6(text string, c *candidate) bool {
	s := c.text(text)
	groups := strings.Count(s, ":") + 1
	doubles := strings.Count(s, "::")
	return strings.ContainsAny(strings.ToLower(s), "abcdef") && countDigits(s) > 0 &&
		(groups == 8 && doubles == 0 || doubles == 1 && groups >= 4)
}

// inNumber reports whether a longer number goes on before start or after end.
func inNumber(text string, start, end int) bool {
	return digitBefore(text, start, "./-:,") || numberGoesOn(text, end)
}

// inCode is inNumber for what holds letters: a comma parts it from a number.
func inCode(text string, start, end int) bool {
	return digitBefore(text, start, "./-:") || digitAfter(text, end, "./-:")
}

// numberGoesOn reports whether the number that ends at end does not.
func numberGoesOn(text string, end int) bool { return digitAfter(text, end, "./-:,") }

// digitBefore reports whether a digit stands before start, with one of the marks
// between them or none.
func digitBefore(text string, start int, marks string) bool {
	b := byteAt(text, start-1)
	return digit(b) || strings.IndexByte(marks, b) >= 0 && digit(byteAt(text, start-2))
}

// digitAfter is digitBefore for what stands behind end.
func digitAfter(text string, end int, marks string) bool {
	a := byteAt(text, end)
	return digit(a) || strings.IndexByte(marks, a) >= 0 && digit(byteAt(text, end+1))
}

// telDigits returns the number of digits before an extension.
func telDigits(s string) int {
	if i := strings.IndexAny(s, "xXbB"); i >= 0 { // ext, x, bleep
		s = s[:i]
	}
	return countDigits(s)
}

// checkTel wants 7 to 15 digits that are neither a date with a time, a list of
// years, nor a measure.
func checkTel(text string, c *candidate) bool {
	s := c.text(text)
	n := telDigits(s)
	if n < 7 || n > 15 || inNumber(text, c.start, c.end) {
		return false
	}
	if unitAfter(text, c.end) && byteAt(text, c.end) == ' ' && n < 9 {
		return false
	}
	if len(s) >= 8 && (s[4] == '-' || s[4] == ' ') && n == 8 && (strings.HasPrefix(s, "19") || strings.HasPrefix(s, "20")) {
		return false // 2012-2019
	}
	// A real number has a long group: "07 03 58 12" has none.
	return longestDigits(s) >= 3 || n >= 10
}

// checkTel10 is checkTel for a label of one letter.
func checkTel10(text string, c *candidate) bool {
	return telDigits(c.text(text)) >= 9 && checkTel(text, c)
}

// checkFaxTo is checkTel10 where no other kind of number is named between the
// fax and the number.
func checkFaxTo(text string, c *candidate) bool {
	if c.start-c.from > 64 {
		return false
	}
	between := strings.ToLower(text[c.from:c.start])
	for _, w := range [...]string{"call", "phone", "tel", "cell", "mob", "ring", "page"} {
		if strings.Contains(between, w) {
			return false
		}
	}
	return checkTel10(text, c)
}

// checkPager rejects a time of day and a measure.
func checkPager(text string, c *candidate) bool {
	s := c.text(text)
	if label := strings.ToLower(text[c.from:c.start]); len(s) == 4 && clockTime(atoi(s)) &&
		(strings.HasPrefix(label, "paged") || strings.TrimSpace(label) == "ext" && s[0] == '0') {
		return false // "paged 1030", "ext 0355", extubated
	}
	return !inNumber(text, c.start, c.end) && !unitAfter(text, c.end)
}

// checkExtension rejects a factor.
func checkExtension(text string, c *candidate) bool {
	s := c.text(text)
	return !digit(byteAt(text, c.start-1)) && !strings.HasSuffix(s, "00") && !unitAfter(text, c.end)
}

// checkNANP wants a number of the North American plan: area code and exchange
// do not begin with 0 or 1.
func checkNANP(text string, c *candidate) bool {
	s := c.text(text)
	if inNumber(text, c.start, c.end) {
		return false
	}
	var d []byte
	var buf [16]byte
	d = buf[:0]
	for i := 0; i < len(s) && len(d) < 12; i++ {
		if digit(s[i]) {
			d = append(d, s[i])
		}
	}
	if len(d) > 10 && d[0] == '1' {
		d = d[1:]
	}
	if len(d) < 10 {
		return false
	}
	return d[0] >= '2' && d[3] >= '2' && !strings.HasSuffix(string(d[:10]), "0000")
}

// checkLocal tells a seven-digit number from a range of doses or values.
func checkLocal(text string, c *candidate) bool {
	s := c.text(text)
	return !inNumber(text, c.start, c.end) && !strings.HasSuffix(s, "000") && !strings.HasSuffix(s, "500") &&
		!unitAfter(text, c.end) && byteAt(text, c.end) != '/' && !(s[4] == '1' && strings.HasSuffix(s, "00"))
}

// checkTrunk wants the 9 to 11 digits of a national number that begins with
// its trunk prefix 0, in groups that are not those of a date.
func checkTrunk(text string, c *candidate) bool {
	s := c.text(text)
	n := telDigits(s)
	if strings.Contains(s, "   ") {
		return false // columns of a table
	}
	if n < 9 || n > 12 || n == 12 && (strings.Count(s, " ") != 2 || strings.IndexByte(s, ' ') != 5) || inNumber(text, c.start, c.end) || s[1] == '0' && s[0] != '(' {
		return false
	}
	return n > 9 || s[0] != '0' || strings.IndexAny(s, " -.") <= 3
}

// checkSpokenEmail looks back from the mark for the name before it, and wants
// the mark in brackets, or the word dot behind "at".
func checkSpokenEmail(text string, c *candidate) bool {
	s := strings.ToLower(c.text(text))
	if s[0] == '(' || s[0] == '[' {
		if !strings.ContainsRune(s, '.') && !strings.Contains(s, " dot ") {
			return false
		}
	} else {
		i := strings.LastIndex(s, " dot ")
		if i < 0 || !tops[strings.Fields(s[i+5:])[0]] {
			return false
		}
	}
	// The name: a word, and what is joined to it.
	w, ok := wordBack(text, c.start, 1)
	if !ok {
		return false
	}
	c.start = w.start
	for n := range 4 {
		if w, ok = wordBack(text, c.start, 1); !ok {
			return true
		}
		switch bare(w.in(text)) {
		case "dot", "dash", "underscore", "hyphen":
			c.start = w.start
			if w, ok = wordBack(text, c.start, 1); !ok {
				return true
			}
			c.start = w.start
		default:
			if n == 0 && digit(text[c.start]) { // "bmuise 47 at"
				c.start = w.start
			}
			return true
		}
	}
	return true
}

// tops are the ends of addresses as they are said.
var tops = words(`com net org edu gov ca uk ie au nz za in sg ke co c i a n o us info example`)
