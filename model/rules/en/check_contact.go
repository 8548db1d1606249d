package en

import (
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

// checkIPv4 wants four numbers of at most 255 that are no part of more.
func checkIPv4(text string, c *pattern.Candidate) bool {
	if pattern.DigitBefore(text, c.Start, "./-:") || pattern.DigitAfter(text, c.To, "./-:") {
		return false
	}
	v, _, n := pattern.Numbers(c.Text(text))
	for _, x := range v[:n] {
		if x < 0 || x > 255 {
			return false
		}
	}
	return n == 4 && v[0] > 0
}

// checkIPv6 tells an address from a time or a ratio by its hexadecimal
// letters, and wants eight groups or one "::".
func checkIPv6(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	groups := strings.Count(s, ":") + 1
	doubles := strings.Count(s, "::")
	return strings.ContainsAny(strings.ToLower(s), "abcdef") && pattern.CountDigits(s) > 0 &&
		(groups == 8 && doubles == 0 || doubles == 1 && groups >= 4)
}

// inCode is inNumber for what holds letters: a comma parts it from a number.
func inCode(text string, start, end int) bool {
	return pattern.DigitBefore(text, start, "./-:") || pattern.DigitAfter(text, end, "./-:")
}

// telDigits returns the number of digits before an extension.
func telDigits(s string) int {
	if i := strings.IndexAny(s, "xXbB"); i >= 0 { // ext, x, bleep
		s = s[:i]
	}
	return pattern.CountDigits(s)
}

// checkTel wants 7 to 15 digits that are neither a date with a time, a list of
// years, nor a measure.
func checkTel(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	if i := strings.LastIndexAny(s, " \u00a0"); i > 0 && pattern.NumberGoesOn(text, c.End) {
		c.End = c.Start + i // "+353 20 915 4467 12/03/2019": a date stands behind it
		s = c.Text(text)
	}
	n := telDigits(s)
	if n < 7 || n > 15 || pattern.InNumber(text, c.Start, c.End) {
		return false
	}
	if pattern.UnitAfter(text, c.End) && pattern.ByteAt(text, c.End) == ' ' && n < 9 {
		return false
	}
	if len(s) >= 8 && (s[4] == '-' || s[4] == ' ') && n == 8 && (strings.HasPrefix(s, "19") || strings.HasPrefix(s, "20")) {
		return false // 2012-2019
	}
	// A real number has a long group: "07 03 58 12" has none.
	return longestDigits(s) >= 3 || n >= 10
}

// checkTel10 is checkTel for a label of one letter.
func checkTel10(text string, c *pattern.Candidate) bool {
	return telDigits(c.Text(text)) >= 9 && checkTel(text, c)
}

// checkFaxTo is checkTel10 where no other kind of number is named between the
// fax and the number.
func checkFaxTo(text string, c *pattern.Candidate) bool {
	if c.Start-c.From > 64 {
		return false
	}
	between := strings.ToLower(text[c.From:c.Start])
	for _, w := range [...]string{"call", "phone", "tel", "cell", "mob", "ring", "page"} {
		if strings.Contains(between, w) {
			return false
		}
	}
	return checkTel10(text, c)
}

// checkPager rejects a time of day and a measure.
func checkPager(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	if label := strings.ToLower(text[c.From:c.Start]); len(s) == 4 && clockTime(pattern.Atoi(s)) &&
		(strings.HasPrefix(label, "paged") || strings.TrimSpace(label) == "ext" && s[0] == '0') {
		return false // "paged 1030", "ext 0355", extubated
	}
	return !pattern.InNumber(text, c.Start, c.End) && !pattern.UnitAfter(text, c.End)
}

// checkExtension rejects a factor.
func checkExtension(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	return !pattern.Digit(pattern.ByteAt(text, c.Start-1)) && !strings.HasSuffix(s, "00") && !pattern.UnitAfter(text, c.End)
}

// checkNANP wants a number of the North American plan: area code and exchange
// do not begin with 0 or 1.
func checkNANP(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	if !pattern.Apart(text, c.Start, c.End) {
		return false
	}
	var d []byte
	var buf [16]byte
	d = buf[:0]
	for i := 0; i < len(s) && len(d) < 12; i++ {
		if pattern.Digit(s[i]) {
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
func checkLocal(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	return !pattern.InNumber(text, c.Start, c.End) && !strings.HasSuffix(s, "000") && !strings.HasSuffix(s, "500") &&
		!pattern.UnitAfter(text, c.End) && pattern.ByteAt(text, c.End) != '/' && !(s[4] == '1' && strings.HasSuffix(s, "00"))
}

// checkTrunk wants the 9 to 11 digits of a national number that begins with
// its trunk prefix 0, in groups that are not those of a date.
func checkTrunk(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	n := telDigits(s)
	if strings.Contains(s, "   ") {
		return false // columns of a table
	}
	if n < 9 || n > 12 || n == 12 && (strings.Count(s, " ") != 2 || strings.IndexByte(s, ' ') != 5) ||
		pattern.InNumber(text, c.Start, c.End) || s[1] == '0' && s[0] != '(' {
		return false
	}
	return n > 9 || s[0] != '0' || strings.IndexAny(s, " -.") <= 3
}

// checkSpokenEmail looks back from the mark for the name before it, and wants
// the mark in brackets, or the word dot behind "at".
func checkSpokenEmail(text string, c *pattern.Candidate) bool {
	s := strings.ToLower(c.Text(text))
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
	w, ok := pattern.WordBack(text, c.Start, 1)
	if !ok {
		return false
	}
	c.Start = w.Start
	for n := range 4 {
		if w, ok = pattern.WordBack(text, c.Start, 1); !ok {
			return true
		}
		switch pattern.Bare(w.In(text)) {
		case "dot", "dash", "underscore", "hyphen":
			c.Start = w.Start
			if w, ok = pattern.WordBack(text, c.Start, 1); !ok {
				return true
			}
			c.Start = w.Start
		default:
			if n == 0 && pattern.Digit(text[c.Start]) { // "bmuise 47 at"
				c.Start = w.Start
			}
			return true
		}
	}
	return true
}

// tops are the ends of addresses as they are said.
var tops = pattern.Words(`com net org edu gov ca uk ie au nz za in sg ke co c i a n o us info example`)
