package dates

import (
	"strconv"
	"strings"
)

var monthNames = [13]string{"", "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}

var weekdayNames = [7]string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}

var seasonNames = [4]string{"winter", "spring", "summer", "fall"}

// ordinalWords holds the words for days of the month, from 1.
var ordinalWords = func() (words [32]string) {
	ones := []string{"", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
		"eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth"}
	copy(words[:], ones)
	words[20], words[30], words[31] = "twentieth", "thirtieth", "thirty-first"
	for i := 1; i < 10; i++ {
		words[20+i] = "twenty-" + ones[i]
	}
	return words
}()

// decadeNames holds the words for decades, by their tens.
var decadeNames = [10]string{2: "twenties", 3: "thirties", 4: "forties", 5: "fifties", 6: "sixties", 7: "seventies", 8: "eighties", 9: "nineties"}

type word struct {
	kind atomKind
	val  int
}

// words maps lower-case words to what they name.
var words = func() map[string]word {
	m := map[string]word{}
	for i := 1; i <= 12; i++ {
		m[monthNames[i]] = word{atomMonth, i}
		m[monthNames[i][:3]] = word{atomMonth, i}
	}
	m["sept"] = word{atomMonth, 9}
	m["febr"] = word{atomMonth, 2}
	for i, n := range weekdayNames {
		m[n], m[n+"s"], m[n[:3]] = word{atomWeekday, i}, word{atomWeekday, i}, word{atomWeekday, i}
		m[n[:2]] = word{atomWeekday, i}
	}
	for n, i := range map[string]int{"tues": 2, "weds": 3, "thur": 4, "thurs": 4} {
		m[n] = word{atomWeekday, i}
	}
	for i, n := range seasonNames {
		m[n] = word{atomSeason, i}
	}
	m["autumn"] = word{atomSeason, 3}
	for i := 2; i < 10; i++ {
		m[decadeNames[i]] = word{atomDecade, 10 * i}
	}
	for i := 1; i <= 31; i++ {
		m[ordinalWords[i]] = word{atomOrdinalWord, i}
	}
	return m
}()

// soft words may stand around and between the parts of a date and are printed
// as they are.
var soft = map[string]bool{
	"the": true, "of": true, "in": true, "on": true, "at": true, "early": true, "late": true, "mid": true,
	"about": true, "around": true, "circa": true, "ca": true, "approx": true, "approximately": true, "since": true,
	"from": true, "by": true, "before": true, "after": true, "between": true, "week": true, "month": true, "year": true,
	"beginning": true, "start": true, "middle": true, "end": true, "dob": true, "date": true, "born": true,
	"weekend": true, "season": true, "holiday": true, "holidays": true, "break": true, "last": true, "next": true,
	"this": true, "past": true, "previous": true, "day": true, "night": true, "morning": true, "evening": true, "afternoon": true,
}

// joins are words between the ends of a range ('R') or the items of a list ('L').
var joins = map[string]byte{
	"to": 'R', "thru": 'R', "through": 'R', "until": 'R', "till": 'R', "til": 'R', "and": 'L', "or": 'L',
}

// letterCase is how a word is written.
type letterCase uint8

const (
	titleCase letterCase = iota
	lowerCase
	upperCase
)

func caseOf(s string) letterCase {
	switch {
	case s == strings.ToLower(s):
		return lowerCase
	case len(s) > 1 && s == strings.ToUpper(s):
		return upperCase
	}
	return titleCase
}

// in writes a lower-case ASCII word in a case.
func (c letterCase) in(w string) string {
	switch {
	case c == upperCase:
		return strings.ToUpper(w)
	case c == titleCase && w != "":
		return strings.ToUpper(w[:1]) + w[1:]
	}
	return w
}

// ordinalSuffix returns "st", "nd", "rd" or "th".
func ordinalSuffix(n int) string {
	if n%100 >= 11 && n%100 <= 13 {
		return "th"
	}
	switch n % 10 {
	case 1:
		return "st"
	case 2:
		return "nd"
	case 3:
		return "rd"
	}
	return "th"
}

// pad writes n with at least width digits.
func pad(n, width int) string {
	s := strconv.Itoa(n)
	if len(s) < width {
		s = strings.Repeat("0", width-len(s)) + s
	}
	return s
}
