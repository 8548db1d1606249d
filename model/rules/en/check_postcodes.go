package en

import (
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

// checkZIP rejects a measure after what looks like a state ("PA 12000 units").
func checkZIP(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	if strings.HasPrefix(text[c.From:], "ID") {
		if w := pattern.PrevWord(text, c.From, " ,("); w == "" || noState[w] {
			return false // "interpreter ID 30855"
		}
	}
	return !strings.HasSuffix(s, "000") && !pattern.InNumber(text, c.Start, c.End) && !pattern.UnitAfter(text, c.End)
}

// noState are words before "ID" that make it no Idaho.
var noState = pattern.Words(`interp interpreter phone line patient pt donor user badge employee staff video telephone the photo
	card member new language call order case subject study device client provider unit`)

// checkZIPPlace wants a whole number after a place: no measure, no sum.
func checkZIPPlace(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	if noCodes[pattern.PrevWord(text, c.Start, " ")] {
		return false
	}
	return !strings.HasSuffix(s, "00") && !pattern.InNumber(text, c.Start, c.End) && !pattern.UnitAfter(text, c.End)
}

// checkPostcode rejects ordinals ("L1 2ND rib").
func checkPostcode(text string, c *pattern.Candidate) bool {
	switch s := c.Text(text); s[len(s)-3:] {
	case "1ST", "2ND", "3RD", "4TH", "5TH", "6TH", "7TH", "8TH", "9TH":
		return false
	}
	return true
}

// checkEircode wants letters and digits in the second part, and no levels of
// the spine ("T12 L1L2").
func checkEircode(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	s = s[len(s)-4:]
	n := pattern.CountDigits(s)
	return n > 0 && n < 4 && s != "SPO2" && !(strings.IndexByte("CTLS", s[0]) >= 0 && pattern.Digit(s[1]) && strings.IndexByte("CTLS",
		s[2]) >= 0)
}

// checkCanadian rejects tumour stages, vertebral levels and the coma scale
// ("E3V4M6").
func checkCanadian(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	if len(s) > 6 {
		return true
	}
	if s[0] == 'E' && s[2] == 'V' && s[4] == 'M' {
		return false
	}
	return !(s[2] == 'N' && s[4] == 'M' && s[0] == 'T') && !(s[0] == s[2] && s[2] == s[4])
}
