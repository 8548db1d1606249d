package en

import (
	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

// yearly tells a year from a measure or a time after it.
func yearly(text string, c *pattern.Candidate) bool {
	if pattern.InNumber(text, c.Start, c.End) || pattern.UnitAfter(text, c.End) {
		return false
	}
	b, a := pattern.ByteAt(text, c.Start-1), pattern.ByteAt(text, c.End)
	if b == '$' || b == '£' || b == '@' || b == '-' || b == '+' || b == '<' || b == '=' || b == '~' {
		return false
	}
	return a != ':' && a != '%' && a != '+' && a != '-' && a != '\'' || a == '\'' && pattern.ByteAt(text, c.End+1) == 's'
}

// checkYear judges a year after a word that may also come before a time or an
// amount: "to 2000 mL", "by 1930".
func checkYear(text string, c *pattern.Candidate) bool {
	if !yearly(text, c) {
		return false
	}
	v := pattern.Atoi(c.Text(text))
	switch pattern.PrevWord(text, c.Start, " ") {
	case "arrived":
		if w := pattern.NextWord(text, c.End); v%100 < 60 && (w == "by" || w == "via" || w == "with" || w == "from") {
			return false // at a time of day
		}
	case "by", "until", "till", "til", "to", "and", "from", "from about":
		// Minutes run to 59, so 1960 to 1999 is no time of day.
		if v%100 < 60 && (v < 2000 || v > 2029 || v == 2000 || v%5 == 0) {
			return false
		}
	}
	return v >= 1900
}

// checkDecade rejects what a measurement lies in: "SBP in the 90s".
func checkDecade(text string, c *pattern.Candidate) bool {
	if b := pattern.ByteAt(text, c.End); b == '%' || b == '/' || pattern.Digit(pattern.ByteAt(text, pattern.SkipBlanks(text, c.End))) {
		return false
	}
	at := c.From
	for range 5 {
		w, start := pattern.PrevWordAt(text, at, " ,-(")
		if w == "" {
			return true
		}
		if scores[w] || vitals[w] {
			return false
		}
		if at = start; at == 0 {
			return true
		}
	}
	return true
}

// vitals are what is measured besides scores and lies in tens.
var vitals = pattern.Words(`hr rate pulse sat sats spo2 saturation saturations systolic systolics diastolic diastolics pressure pressures
	glucose sugars sugar fsbs bgs
	temp temperature temperatures egfr ef weight hematocrit map rr oxygen`)

func checkYearRange(text string, c *pattern.Candidate) bool {
	v, l, _ := pattern.Numbers(c.Text(text))
	if pattern.InNumber(text, c.Start, c.End) || pattern.UnitAfter(text, c.End) || !pattern.Year(v[0]) {
		return false
	}
	if l[1] == 2 {
		return v[0]%100 < v[1] && !(v[1] <= 12 && v[0]%100 == 0)
	}
	// Both could be times of day where no minute is over 59.
	clocks := v[0]%100 < 60 && v[1]%100 < 60 && (v[0] < 2000 || v[1] > 2029)
	return pattern.Year(v[1]) && v[0] < v[1] && !clocks && v[0] != 2000
}
