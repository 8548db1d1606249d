package en

import (
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

// checkDayMonth looks at a/b after a word for a date. Fractions below 1 with a
// small denominator stay a matter of the context, so only what the word
// cannot outweigh is rejected.
func checkDayMonth(text string, c *pattern.Candidate) bool {
	v, _, n := pattern.Numbers(c.Text(text))
	if n != 2 || !pattern.DayMonth(v[0], v[1]) || pattern.InNumber(text, c.Start, c.End) {
		return false
	}
	if fraction(text, c, v[0], v[1], true) {
		return false
	}
	label := pattern.PrevWord(text, c.Start, ":(. ")
	strong := label != "of" && label != "from" && label != "for" && label != "d" && label != "t" && label != "to"
	// Before a score's number stands "on" or "of": "pain on 5/5".
	small := v[0] <= v[1] && (v[1] == 2 || v[1] == 3 || v[1] == 4 || v[1] == 5 || v[1] == 6 || v[1] == 8 || v[1] == 10)
	if small {
		before := strings.TrimRight(text[max(0, c.From-pattern.WordLimit):c.From], " ")
		if !strong || scores[pattern.PrevWord(before, len(before), "")] {
			return false
		}
	}
	if !strong && v[0] <= 12 && v[1] <= 12 && v[0] < v[1] && v[1] != 11 && v[1] != 9 {
		return false
	}
	return true
}

// checkDayMonthBare wants a day over 12, so that a/b is no small fraction, and
// no sign of a score.
func checkDayMonthBare(text string, c *pattern.Candidate) bool {
	v, _, n := pattern.Numbers(c.Text(text))
	if n != 2 || !pattern.DayMonth(v[0], v[1]) || v[0] <= 12 && v[1] <= 12 || pattern.InNumber(text, c.Start, c.End) {
		return false
	}
	b, a := pattern.ByteAt(text, c.Start-1), pattern.ByteAt(text, c.End)
	if b == '-' || b == '+' || b == '=' || b == '>' || b == '<' || b == '/' || b == '~' || a == '/' || a == '+' || a == 'x' {
		return false
	}
	return !fraction(text, c, v[0], v[1], false)
}

// checkDayLine takes any a/b at the start of a line that is no fraction below 1
// with a common denominator: lists of events and flow sheets begin so.
func checkDayLine(text string, c *pattern.Candidate) bool {
	if !pattern.LineStart(text, c.Start) {
		return false // most of a/b
	}
	v, _, n := pattern.Numbers(c.Text(text))
	if n != 2 || !pattern.DayMonth(v[0], v[1]) || pattern.InNumber(text, c.Start, c.End) {
		return false
	}
	if a := pattern.ByteAt(text, c.End); a != ' ' && a != ':' && a != ')' && a != '\n' && a != '\t' {
		return false
	}
	if w := pattern.NextWord(text, c.End); v[1] == 7 && (w == "history" || w == "hx" || w == "of") {
		return false // three days, as the British write them
	}
	if v[0] <= v[1] && (v[1] <= 6 || v[1] == 8 || v[1] == 10) && (v[1] != 7 || v[0] > 7) {
		// Only a time of day behind it tells a date from a score.
		i := pattern.SkipBlanks(text, c.End)
		return pattern.Digit(pattern.ByteAt(text, i)) && pattern.Digit(pattern.ByteAt(text, i+3)) && v[0] != v[1]
	}
	return !fraction(text, c, v[0], v[1], true) && !(v[0] == 6 && (v[1] == 9 || v[1] == 12))
}

// checkRangeShort wants days over 12 on one side at least, in order.
func checkRangeShort(text string, c *pattern.Candidate) bool {
	v, _, n := pattern.Numbers(c.Text(text))
	if pattern.InNumber(text, c.Start, c.End) || !pattern.DayMonth(v[0], v[1]) || fraction(text, c, v[0], v[1], true) {
		return false
	}
	if n == 3 {
		return v[0] <= 12 && v[1] > 12 && v[2] > v[1] && v[2] <= 31 && v[1] != 15
	}
	if n != 4 || !pattern.DayMonth(v[2], v[3]) {
		return false
	}
	return v[1] > 12 && v[0] <= 12 && v[2] >= v[0] && v[2] <= 12 || v[0] > 12 && v[1] <= 12 && v[3] <= 12 && v[3] >= v[1] ||
		v[0] <= 12 && v[3] > 12 && v[2] >= v[0] && v[2] <= 12
}

// checkNight wants two days that follow one another and a month.
func checkNight(text string, c *pattern.Candidate) bool {
	v, _, n := pattern.Numbers(c.Text(text))
	return n >= 3 && v[1] <= 31 && v[2] >= 1 && v[2] <= 12 && (v[1] == v[0]+1 || v[1] == 1 && v[0] >= 28) && (v[1] > 6 || n == 4)
}

func checkDayTime(text string, c *pattern.Candidate) bool {
	v, _, n := pattern.Numbers(c.Text(text))
	if n != 2 || !pattern.DayMonth(v[0], v[1]) || pattern.InNumber(text, c.Start, c.End) {
		return false
	}
	return !fraction(text, c, v[0], v[1], false) || v[0] > v[1] && v[1] <= 12
}

// checkWeekdayDay wants a day, or a day and a month, after the weekday, and a
// date rather than a saturation after "sat".
func checkWeekdayDay(text string, c *pattern.Candidate) bool {
	v, _, n := pattern.Numbers(c.Text(text))
	if n == 2 && !pattern.DayMonth(v[0], v[1]) {
		return false
	}
	if n == 2 && v[0] == 20 && v[1] >= 10 {
		return false
	}
	return n > 0 && n < 3 && pattern.ByteAt(text, c.End) != '%' && !(strings.Contains(c.Text(text), ".") && pattern.UnitAfter(text, c.End))
}

// checkWeekdayNumber rejects times of day and measures.
func checkWeekdayNumber(text string, c *pattern.Candidate) bool {
	if pattern.InNumber(text, c.Start, c.End) || pattern.UnitAfter(text, c.End) {
		return false
	}
	switch b := pattern.ByteAt(text, c.End); b {
	case '-', '/', ':', '%', '+', '.':
		return b == '.' && !pattern.Digit(pattern.ByteAt(text, c.End+1))
	}
	return true
}

// dayFollowers are words that may follow "the 5th" where it is a day.
var dayFollowers = pattern.Words(`and to for with at by in from of or but she he they we i if when then pt per as via`)

// checkOrdinalDay wants the phrase to end after "the 5th", or to go on with a
// small word: "the 5th digit" counts fingers.
func checkOrdinalDay(text string, c *pattern.Candidate) bool {
	w := pattern.NextWord(text, c.End)
	if w == "and" || w == "to" || w == "or" {
		i := pattern.SkipBlanks(text, c.End) + len(w)
		if i = pattern.SkipBlanks(text, i); pattern.Digit(pattern.ByteAt(text, i)) {
			return false // "the 1st and 2nd toes"
		}
	}
	return w == "" || dayFollowers[w]
}

// checkWeekdayShort rejects other words of three letters.
func checkWeekdayShort(text string, c *pattern.Candidate) bool {
	s := strings.ToLower(c.Text(text))
	if a := pattern.ByteAt(text, c.End); a == '\'' || a == '-' && pattern.Digit(pattern.ByteAt(text, c.End+1)) && s == "mon" {
		return false
	}
	prev, next := pattern.PrevWord(text, c.Start, " "), pattern.NextWord(text, c.End)
	switch s {
	case "wed":
		return prev != "they" && prev != "be" && prev != "were" && prev != "newly" && prev != "to" && prev != "was"
	case "mon":
		return next != "cheri" && next != "ami"
	}
	return true
}

// checkWeekendShort rejects a saturation and sunlight.
func checkWeekendShort(text string, c *pattern.Candidate) bool {
	next := pattern.NextWord(text, c.End)
	if pattern.Digit(pattern.ByteAt(text, pattern.SkipBlanks(text, c.End))) {
		return false
	}
	switch next {
	case "exposure", "damage", "burn", "screen", "probe", "monitor", "was", "is", "of", "in", "%", "protection", "up", "down", "goal":
		return false
	}
	return true
}

// checkWeekendTitle wants "Sat" or "Sun" within a sentence, where the capital
// makes it a name, and no oxygen before it.
func checkWeekendTitle(text string, c *pattern.Candidate) bool {
	if w := pattern.NextWord(text, c.End); w == "exposure" || w == "damage" || w == "protection" || w == "screen" || w == "burn" {
		return false
	}
	i := pattern.BackBlanks(text, c.Start)
	b := pattern.ByteAt(text, i-1)
	if i == 0 || b == '\n' || b == '.' || b == ':' || b == '-' || b == '?' || b == '!' || b == '2' || b == '"' ||
		i >= 3 && text[i-3:i] == "”" {
		return false
	}
	switch pattern.PrevWord(text, c.Start, " ") {
	case "o", "oxygen", "pulse", "ox", "spo", "venous", "ra", "art", "room", "air", "tsat", "transferrin", "iron":
		return false
	}
	a := pattern.ByteAt(text, c.End)
	return a != ':' && a != '%' && a != 's' && !pattern.Digit(pattern.ByteAt(text, pattern.SkipBlanks(text, c.End)))
}

// checkHoliday rejects haemophilia B, alias Christmas disease.
func checkHoliday(text string, c *pattern.Candidate) bool {
	if pattern.ByteAt(text, c.End) == '-' && pattern.NextWord(text, c.End+1) == "old" {
		return false
	}
	switch pattern.NextWord(text, c.End) {
	case "disease", "factor", "tree":
		return false
	}
	return true
}

// checkSeason rejects compounds such as "spring water".
func checkSeason(text string, c *pattern.Candidate) bool {
	if pattern.ByteAt(text, c.End) == '-' {
		return false
	}
	switch pattern.NextWord(text, c.End) {
	case "water", "coat", "loaded", "ligament", "mattress", "onions", "onion", "squash", "boots", "clothes":
		return false
	}
	return true
}
