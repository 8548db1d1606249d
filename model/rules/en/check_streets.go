package en

import (
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

// strongStreets are heads that name a street by themselves, without a number.
var strongStreets = pattern.Words(`street road rd avenue ave drive lane boulevard blvd crescent terrace highway hwy parkway pkwy wynd
	mews esplanade turnpike rise crossing`)

// weakStreets are heads that name a street where a preposition stands before.
var weakStreets = pattern.Words(`st dr ct pl ln way court place hollow trail loop circle row steps knoll bend`)

// streetPractice reports whether the street behind i names an institution:
// "Chandlery Lane Health Centre".
func streetPractice(text string, i int) bool {
	if i >= len(text) || text[i] != ' ' || !pattern.Capital(text[i+1:]) {
		return false
	}
	return practices[pattern.NextWord(text, i)]
}

var practices = pattern.Words(`health hospital medical surgery clinic pharmacy pediatrics paediatrics vision optical urgent school
	practice dental primary maternity drug elementary family community care hospice church police dialysis rehab rehabilitation imaging
	nursing eye women college physicians orthopedics`)

// noStreet are words that stand between a number and a head that is no street
// there: "6 Minute Walk", "2 View", "a Right Drive".
var noStreet = pattern.Words(`minute minutes min hour hours hr day days week weeks month months year years step steps flight flights
	lead view views person people man hole vessel unit units tab tabs tablet tablets mg ml cm mm block blocks foot feet mile miles level
	degree degrees pound stage grade type class fold part phase the a an in on at to of or and for with was is no not per by from right
	left upper lower same different own low high blood sugar main side lateral frontal second third first one two three four five six
	seven eight nine large small stones standing seated wide long short each every other another this that nursing group halfway half
	open full day-to-day home patient pt he she they it his her clear easy rocky wrong cross fell walked walks climbed ran down up
	around electrolyte glucose iv test treatment care exercise walking bed x po bid tid qid prn daily`)

// checkStreet looks back from the head word of a street for its name and
// number. Without a number, the name needs a capital and the head must be one
// that nothing else has.
func checkStreet(text string, c *pattern.Candidate) bool {
	i := c.Start
	for i < c.End && (pattern.ASCIIWordByte(text[i])) {
		i++
	}
	head := text[c.Start:i]
	low := strings.ToLower(head)
	if pattern.Header(text, c.Start, c.End) || streetPractice(text, i) {
		return false
	}
	start, names, lowers := c.Start, 0, 0
	number := false
	for n := 0; n < 5; n++ {
		w, ok := pattern.WordBack(text, start, 1)
		if !ok {
			break
		}
		s := w.In(text)
		b := pattern.Bare(s)
		if strings.Contains(s, "/") && !strongStreets[low] {
			break // a date
		}
		if houseNumber(s) {
			if names == 0 && !ordinal(s) {
				return false // "14 steps"
			}
			start = w.Start
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
		if pattern.EndsSentence(s) || noStreet[b] && !(pattern.Capital(s) && names > 0 && (b == "upper" || b == "lower" || b == "high" ||
			b == "low")) {
			break
		}
		if !pattern.Capital(s) && !pattern.Particle(b) {
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
		start = w.Start
	}
	if names == 0 {
		return false
	}
	if !number {
		if placed := weakStreets[low] && prepositions[pattern.PrevWord(text, start, " ")]; lowers > 0 || !strongStreets[low] && !placed ||
			!pattern.Capital(head) && low != "ave" && low != "rd" && low != "blvd" ||
			pattern.AllCapital(head) && len(head) > 2 && pattern.AllCapital(text[start:c.Start]) ||
			low == "dr" && c.Start-start <= 5 && pattern.AllCapital(strings.TrimSpace(text[start:c.Start])) &&
				pattern.Capital(strings.TrimLeft(text[c.End:], ". ")) {
			return false // "to PCP Dr. Adeleke"
		}
		for {
			w, rest := pattern.FirstWord(text[start:c.Start])
			if b := pattern.Bare(w); w != "" && (noNames[b] || pattern.Particle(b)) && !ordinal(w) {
				start += rest
				continue
			}
			break
		}
		if start >= c.Start {
			return false
		}
		c.Start = start
		return true
	}
	if lowers > 0 && (!strongStreets[low] || low == "drive" || low == "rise" || low == "crossing") {
		return false
	}
	if pattern.ByteAt(text, start-1) == '#' || pattern.ByteAt(text, start-1) == '.' && pattern.Digit(pattern.ByteAt(text, start-2)) {
		return false
	}
	c.Start = unitBefore(text, start)
	c.Score = 0.95
	return true
}

// houseNumber reports whether s may number a house: "14", "8B", "3/26",
// "12-14", "N4471", "128th".
func houseNumber(s string) bool {
	if n := pattern.CountDigits(s); n == 0 || n > 6 || strings.Count(s, "/") > 1 || len(s) > 8 || strings.IndexByte(s, '.') >= 0 {
		return false
	}
	if k := pattern.KindOf(s); k.Uppers+k.Lowers > 2 {
		return false
	}
	return pattern.Digit(s[0]) || pattern.Digit(s[len(s)-1])
}

// ordinal reports whether s is a number with its ending: "128th".
func ordinal(s string) bool {
	if len(s) < 3 || !pattern.Digit(s[0]) {
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
	i := pattern.BackBlanks(text, start)
	if pattern.ByteAt(text, i-1) == ',' {
		i--
	}
	number, ok := pattern.WordBack(text, i, 0)
	if !ok || !houseNumber(number.In(text)) && len(number.In(text)) != 1 {
		return start
	}
	label, ok := pattern.WordBack(text, number.Start, 1)
	if !ok {
		return start
	}
	switch pattern.Bare(label.In(text)) {
	case "flat", "unit", "apt", "apartment", "suite", "ste", "room", "level", "lot", "villa", "shop":
		return label.Start
	}
	return start
}

// checkRue wants a number, or a word that only streets have, and a name with a
// capital.
func checkRue(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	if pattern.Digit(s[0]) {
		return true
	}
	low := strings.ToLower(s)
	return (strings.HasPrefix(low, "rue ") || strings.HasPrefix(low, "chemin ") || strings.HasPrefix(low, "boulevard ")) &&
		strings.ContainsAny(s, "'’ -")
}
