package rules

import "strings"

// year reports whether v may be a year of a patient's history.
func year(v int) bool { return v >= 1880 && v <= 2059 }

// clock are words before four digits that make them a time of day.
var clock = words(`at back called paged arrived arr returned until till by reported wrote rn md do np pa hrs time from to
	on x rang seen checked repeat repeated
	 given voided held bolus signed resumed around ca about reviewed`)

// yearly tells a year from a measure or a time after it.
func yearly(text string, c *candidate) bool {
	if inNumber(text, c.start, c.end) || unitAfter(text, c.end) {
		return false
	}
	b, a := byteAt(text, c.start-1), byteAt(text, c.end)
	if b == '$' || b == '£' || b == '@' || b == '-' || b == '+' || b == '<' || b == '=' || b == '~' {
		return false
	}
	return a != ':' && a != '%' && a != '+' && a != '-' && a != '\'' || a == '\'' && byteAt(text, c.end+1) == 's'
}

// checkYear judges a year after a word that may also come before a time or an
// amount: "to 2000 mL", "by 1930".
func checkYear(text string, c *candidate) bool {
	if !yearly(text, c) {
		return false
	}
	v := atoi(c.text(text))
	switch prevWord(text, c.start, " ") {
	case "arrived":
		if w := nextWord(text, c.end); v%100 < 60 && (w == "by" || w == "via" || w == "with" || w == "from") {
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

// checkYearBare judges 1940 to 1999 without context.
func checkYearBare(text string, c *candidate) bool {
	w := prevWord(text, c.start, " (,")
	v := atoi(c.text(text))
	if !yearly(text, c) || v%100 < 60 && (clock[w] || w == "") {
		return false
	}
	next := nextWord(text, c.end)
	if next == "cells" || next == "steps" || next == "copies" {
		return false
	}
	return true
}

// checkYearNow judges 2000 to 2039, which are times of day as well: a word must
// stand before it that reports no time, and the phrase must end behind it.
func checkYearNow(text string, c *candidate) bool {
	w := prevWord(text, c.start, " (,")
	v := atoi(c.text(text))
	if !yearly(text, c) || w == "" || clock[w] || v%100 > 29 || v == 2000 {
		return false
	}
	switch byteAt(text, c.end) {
	case ',', ';', ')', '\n', '.':
		return !digit(byteAt(text, c.end+1))
	}
	switch nextWord(text, c.end) {
	case "in", "with", "w", "at", "after", "for", "when", "and", "due":
		return true
	}
	return c.end == len(text)
}

// checkDecade rejects what a measurement lies in: "SBP in the 90s".
func checkDecade(text string, c *candidate) bool {
	if b := byteAt(text, c.end); b == '%' || b == '/' || digit(byteAt(text, skipBlanks(text, c.end))) {
		return false
	}
	at := c.from
	for range 5 {
		w := prevWord(text, at, " ,-(")
		if w == "" {
			return true
		}
		if scores[w] || vitals[w] {
			return false
		}
		if at = strings.LastIndex(strings.ToLower(text[:at]), w); at <= 0 {
			return true
		}
	}
	return true
}

// vitals are what is measured besides scores and lies in tens.
var vitals = words(`hr rate pulse sat sats spo2 saturation saturations systolic systolics diastolic diastolics pressure pressures glucose sugars sugar fsbs bgs
	temp temperature temperatures egfr ef weight hematocrit map rr oxygen`)

func checkYearRange(text string, c *candidate) bool {
	v, l, _ := numbers(c.text(text))
	if inNumber(text, c.start, c.end) || unitAfter(text, c.end) || !year(v[0]) {
		return false
	}
	if l[1] == 2 {
		return v[0]%100 < v[1] && !(v[1] <= 12 && v[0]%100 == 0)
	}
	// Both could be times of day where no minute is over 59.
	clocks := v[0]%100 < 60 && v[1]%100 < 60 && (v[0] < 2000 || v[1] > 2029)
	return year(v[1]) && v[0] < v[1] && !clocks && v[0] != 2000
}
