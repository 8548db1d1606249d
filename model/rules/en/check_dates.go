package en

import (
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

func CheckNumericDate(text string, c *pattern.Candidate) bool {
	date, _, stamp := strings.Cut(strings.ToUpper(c.Text(text)), "T")
	if stamp && date != "" && pattern.Digit(date[0]) { // not the T of Tuesday
		v, l, n := pattern.Numbers(date)
		return n == 3 && pattern.ValidDate(v[0], v[1], v[2], l[0], l[1], l[2])
	}
	v, l, n := pattern.Numbers(c.Text(text))
	if n != 3 || !pattern.ValidDate(v[0], v[1], v[2], l[0], l[1], l[2]) {
		return false
	}
	b, a := pattern.ByteAt(text, c.Start-1), pattern.ByteAt(text, c.End)
	if a == 'T' && l[0] == 4 {
		return true
	}
	if (b == '.' || b == '-') && pattern.ASCIIWordByte(pattern.ByteAt(text, c.Start-2)) ||
		b == '/' && pattern.Digit(pattern.ByteAt(text, c.Start-2)) {
		return false
	}
	return !((a == '/' || a == '.' || a == '-') && pattern.ASCIIWordByte(pattern.ByteAt(text, c.End+1)) && l[2] != 4)
}

// checkCompactDate reads YYYYMMDD.
func checkCompactDate(text string, c *pattern.Candidate) bool {
	v := pattern.Atoi(c.Text(text))
	return !pattern.InNumber(text, c.Start, c.End) && v/10000 <= 2059 && v/100%100 >= 1 && v/100%100 <= 12 && v%100 >= 1 && v%100 <= 31
}

// checkStamp reads the date and the hour of YYYYMMDDHHMM[SS].
func checkStamp(text string, c *pattern.Candidate) bool {
	s := strings.ToUpper(c.Text(text))
	v := pattern.Atoi(s[:8])
	clock := strings.TrimPrefix(s[8:], "T")
	return !pattern.InNumber(text, c.Start, c.End) && v/10000 <= 2059 && pattern.DayMonth(v%100, v/100%100) && v/100%100 <= 12 &&
		pattern.Atoi(clock[:2]) < 24 && clock[2] < '6'
}

// checkScannedDate wants a date with letters for digits: as many digits as
// letters, and valid once they are digits.
func checkScannedDate(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	fixed := strings.NewReplacer("O", "0", "o", "0", "l", "1", "I", "1").Replace(s)
	v, l, n := pattern.Numbers(fixed)
	return fixed != s && pattern.CountDigits(s) >= 2 && 2*pattern.CountDigits(s) >= pattern.CountDigits(fixed) && n == 3 &&
		pattern.ValidDate(v[0], v[1], v[2], l[0], l[1], l[2]) && !pattern.InNumber(text, c.Start, c.End)
}

// checkYearWords rejects counts: "two thousand mL", "nineteen ninety minutes".
func checkYearWords(text string, c *pattern.Candidate) bool {
	w := pattern.NextWord(text, c.End)
	return !pattern.UnitAfter(text, c.End) && w != "steps" && w != "calories" && w != "kcal" && w != "units" && w != "times"
}

// checkBirth rejects what a birth has besides its date.
func checkBirth(text string, c *pattern.Candidate) bool {
	v, l, n := pattern.Numbers(c.Text(text))
	if n == 1 && l[0] == 4 && !pattern.Year(v[0]) {
		return false
	}
	return !pattern.UnitAfter(text, c.End)
}

// checkDateRange wants days and months on both sides: a/b-d/y, a/b-c/d/y or
// a/b/y-c/d/y.
func checkDateRange(text string, c *pattern.Candidate) bool {
	v, l, n := pattern.Numbers(c.Text(text))
	if n < 4 || !pattern.DayMonth(v[0], v[1]) || pattern.InNumber(text, c.Start, c.End) || l[n-1] == 4 && !pattern.Year(v[n-1]) {
		return false
	}
	switch n {
	case 4:
		return v[2] >= 1 && v[2] <= 31 && l[3] == 4 || v[2] > v[1] && v[2] <= 31 && v[3] > 12
	case 5:
		return pattern.DayMonth(v[2], v[3]) || v[3] <= 31
	}
	return pattern.DayMonth(v[3], v[4])
}

// checkMonthYear rejects measures and dilutions.
func checkMonthYear(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	v, l, _ := pattern.Numbers(s)
	if l[0] == 4 {
		v[0], v[1] = v[1], v[0]
	}
	if pattern.InNumber(text, c.Start, c.End) || pattern.UnitAfter(text, c.End) {
		return false
	}
	return pattern.Year(v[1]) && !(v[0] == 1 && v[1] == 2000)
}

// scores are words before a fraction that make it a score, and after makes it
// a share of something.
var (
	scores = pattern.Words(`gcs moca mmse mse phq gad score scores scored apgar pain strength power motor murmur grade graded
		nihss
		reflex reflexes braden morse aldrete sats spo va od os ou ph edss barthel bp sbp map dtr dtrs rated scale level levels centor
		epworth norton flacc bang bpp mallampati severity sem hsm ratio stage gleason asa rass borg audit ciwa cows mrc mds pulses
		visual acuity vision iop positive neg hr o ph hama hamd hads bdi epds ess ipss aims fim ham k a gds fog-q fogq fga tug mmt ace
		minibest cage womac koos oswestry ndi pcl ybocs phq9 gad7 eat audit-c
		bipap cpap niv ipap epap beighton`)
	shares = pattern.Words(`lymph nodes node cores core positive strength power murmur pain tab tabs tablet pack packs ppd cup cups
		bottle hx ago old of wk wks ams dilution score points sem bilat bilaterally throughout ue le ues les scale intensity strips plus
		flexion extension acuity hrs hours days weeks months segments vessels lobes electrodes sites bottles wars meals views view`)
)

// scored reports whether a word for a score stands before i, at most one small
// word between: "GCS of 12/15", "GAD-7 12/21".
func scored(text string, i int) bool {
	w, start := pattern.PrevWordAt(text, i, ":=-(~97")
	if scores[w] {
		return true
	}
	switch w {
	case "blind": // MoCA-Blind
		return strings.HasSuffix(strings.ToLower(text[max(0, start-5):start]), "moca-")
	case "of", "is", "was", "at", "to", "with", "scored", "from", "total", "r", "l", "re", "le", "rt", "lt", "right", "left":
		if start > 0 && text[start-1] == ' ' {
			return scores[pattern.PrevWord(text, start-1, ":=-(~97")]
		}
	}
	return false
}

// fraction reports whether a/b at c is more likely a score, a share, a visual
// acuity or a duration than a date. context tells that a word for a date
// stands before it.
func fraction(text string, c *pattern.Candidate, a, b int, context bool) bool {
	if scored(text, c.Start) || a <= b && pattern.NodeStage(text, c.Start) || share(text, c.End) || pattern.ByteAt(text, c.End) == '%' {
		return true
	}
	switch next := pattern.NextWord(text, c.End); next {
	case "mg", "ml", "cm", "mm", "in", "x", "mcg", "g", "units", "l", "cc":
		return next != "in" || pattern.ByteAt(text, c.End) != ' '
	case "vs", "ph":
		return true // "heel raise 7/25 vs 24", "VA 6/18 ph 6/12"
	}
	if a == 20 && b > 9 || a == 6 && (b == 6 || b == 9 || b == 12 || b == 5) && !context {
		return true // Snellen
	}
	if a == 2 && b == 2 {
		return true // "2/2": secondary to
	}
	if b == 52 || a == 24 && b == 7 || b == 7 && a <= 7 && !context {
		return true // weeks of a year, days of a week
	}
	if !context {
		switch b {
		case 15: // Glasgow coma scale
			return a >= 3
		case 20, 30: // out of so many
			return a >= 10
		case 10, 12:
			return a <= b || b == 12 && a != 31
		}
	}
	return false
}

// counted are things of which a share is told: "4/15 axillary nodes".
var counted = pattern.Words(`nodes cores biopsies eye eyes joints quadrants bottles limbs samples specimens slides margins ribs fields
	visits sessions cycles fractions teeth digits toes fingers lesions levels segments pinhole unaided aided glasses correction acuity
	tenderness items criteria symptoms questions answers inattentive hyperactive impulsive correct recall`)

// share reports whether what follows end makes a fraction before it a share of
// things: the next word, or one of the next three with nothing but blanks between.
func share(text string, end int) bool {
	if shares[pattern.NextWord(text, end)] {
		return true
	}
	for range 3 {
		if pattern.ByteAt(text, end) != ' ' {
			return false
		}
		i := pattern.SkipBlanks(text, end)
		w := pattern.NextWord(text, i)
		if w == "" {
			return false
		}
		if counted[w] {
			return true
		}
		end = i + len(w)
	}
	return false
}

// dropYear takes two last digits off a date that were read as its year and
// belong to what follows: "31 Oct 19:41", "17 March 31 mm".
func dropYear(text string, c *pattern.Candidate) {
	s := c.Text(text)
	n := len(s)
	if n < 6 || !pattern.Digit(s[n-1]) || !pattern.Digit(s[n-2]) || s[n-3] != ' ' {
		return
	}
	a := pattern.ByteAt(text, c.End)
	glued := (a == ':' || a == '/' || a == '.') && pattern.Digit(pattern.ByteAt(text, c.End+1)) || a == '%'
	if (glued || pattern.UnitAfter(text, c.End)) && pattern.CountDigits(s[:n-2]) > 0 {
		_, c.End = pattern.Trim(text, c.Start, c.End-2)
	}
}

// checkNamedDate looks at a date with a month in letters. The month may be a
// verb ("may", "march") or an abbreviation of something else ("MAR", "dec").
func checkNamedDate(text string, c *pattern.Candidate) bool {
	dropYear(text, c)
	s := c.Text(text)
	if w := pattern.NextWord(text, c.End); pattern.UnitAfter(text, c.End) && w != "c" && w != "am" && w != "pm" && w != "h" && w != "f" &&
		w != "in" || pattern.ByteAt(text, c.End) == '%' {
		return false
	}
	a := pattern.ByteAt(text, c.End)
	if (a == '.' || a == '/' || a == ',') && pattern.Digit(pattern.ByteAt(text, c.End+1)) && pattern.ByteAt(text, c.End-1) != '.' &&
		!strings.ContainsAny(s, "/") {
		if a != ',' {
			return false // "Oct 12 20/40", "may 2.5"
		}
	}
	lower := strings.ToLower(s)
	_, l, n := pattern.Numbers(s)
	four := n > 0 && l[n-1] == 4
	if n > 0 && pattern.Digit(s[0]) && strings.HasSuffix(lower, "may") || strings.HasSuffix(lower, "march") ||
		strings.HasSuffix(lower, "mar") {
		// "2 may be", "1 mar"
		if verbs[pattern.NextWord(text, c.End)] {
			return false
		}
	}
	if pattern.Digit(pattern.ByteAt(text, c.Start-1)) || pattern.ByteAt(text, c.Start-1) == '.' && pattern.Digit(pattern.ByteAt(text,
		c.Start-2)) {
		return false
	}
	if strings.HasPrefix(lower, "may ") && !four && strings.HasPrefix(s, "may") {
		// "may 2-3", "may 10 times"
		w := pattern.NextWord(text, c.End)
		return w == "" || !shares[w] && w != "times" && w != "percent"
	}
	return true
}

// checkNamedWords rejects the verb: "may first try".
func checkNamedWords(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	w := pattern.NextWord(text, c.End)
	return s[0] < 'a' || !strings.HasPrefix(s, "may ") && !strings.HasPrefix(s, "march ") || w == "" || dayFollowers[w]
}

// verbs follow "may" and "march" where they are no months.
var verbs = pattern.Words(`be have need help also not require repeat take use benefit past consider want cause increase walk return
	continue start get go on in place up around`)

func checkMonthContext(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	if s == "OCT" || s == "MAR" || s == "DEC" || s == "SEP" || s == "APR" {
		return false
	}
	lower := strings.ToLower(s)
	next := pattern.NextWord(text, c.End)
	if lower == "may" || lower == "march" {
		// "this may help": only a preposition makes it a month, and no verb follows.
		switch pattern.PrevWord(text, c.Start, " -") {
		case "this", "next", "last", "it", "around", "about", "every", "start", "end":
			return next == "" || dayFollowers[next] && s != lower
		}
		return !verbs[next] || next == "in" || next == "on"
	}
	return pattern.ByteAt(text, c.End) != '\'' && pattern.ByteAt(text, c.End) != '-'
}
