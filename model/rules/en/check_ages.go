package en

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

// checkAge wants an age of at most 120 that is no part of a longer number.
func checkAge(text string, c *pattern.Candidate) bool {
	b := pattern.ByteAt(text, c.Start-1)
	if (b == '/' || b == '.' || b == '-' || b == ',') && pattern.Digit(pattern.ByteAt(text, c.Start-2)) {
		return false
	}
	a := pattern.ByteAt(text, c.To)
	if (a == '/' || a == '.') && pattern.Digit(pattern.ByteAt(text, c.To+1)) || thousands(text, c.To) {
		return false
	}
	return pattern.Atoi(c.Text(text)) <= 120 && (c.End < c.To || !pattern.UnitAfter(text, c.End))
}

// checkGestation rejects gestational and bone ages.
func checkGestation(text string, c *pattern.Candidate) bool {
	switch pattern.PrevWord(text, c.From, "- ") {
	case "gestational", "gest", "bone", "mental", "corrected", "fetal", "foetal", "postmenstrual", "menstrual", "developmental",
		"conceptional", "ventricular", "vascular":
		return false
	}
	switch w := pattern.NextWord(text, c.End); w {
	case "week", "weeks", "wk", "wks":
		return false
	}
	a := pattern.ByteAt(text, c.End)
	return a != '-' || !pattern.ASCIIWordByte(pattern.ByteAt(text, c.End+1))
}

// checkAgeLabel rejects gestational ages and other numbers after "age".
func checkAgeLabel(text string, c *pattern.Candidate) bool {
	v := pattern.Atoi(c.Text(text))
	a := pattern.ByteAt(text, c.End)
	if (a == '+' || a == '%') || ((a == '/' || a == '.') && pattern.Digit(pattern.ByteAt(text, c.End+1))) {
		return false
	}
	return v > 0 && v <= 120 && checkGestation(text, c)
}

// leads are words before "67M" and follows words after it, where a sex stands
// rather than metres, molar, or the French gauge of a catheter.
var (
	leads = pattern.Words(`a an this the pt patient is reported indication clinical hx history summary id cc hpi s re`)
	// gauges are instruments measured in French, distances and temperatures.
	gauges = pattern.Words(`foley fr french sheath catheter cath dilator tube drain stent size chest pigtail temp t temperature tmax
		febrile fever walked walk ambulated distance no coude sheaths needle at radial femoral access brachial sheathed solution kcl
		nacl hcl pneumatic introducer trocar feeding`)
	follows = pattern.Words(`with w who h hx pmh known s p c presents presented presenting admitted here from found status post
		complaining bib brought referred seen smoker diabetic has is was in for known htn dm t2dm cad copd esrd mother father
		dnr full lives married single retired born dob mrn sent sp b f ex nonsmoker driver poag involved restrained unrestrained`)
)

// checkAgeSex judges "67M" and "67 F", which may as well be a length, a
// temperature, a molarity or the gauge of a catheter.
func checkAgeSex(text string, c *pattern.Candidate) bool {
	v := pattern.Atoi(c.Text(text))
	s := text[c.Start:c.To]
	letter := s[len(s)-1]
	lower := letter == 'm' || letter == 'f'
	blank := len(s) > c.End-c.Start+1
	if v == 0 || v > 110 || lower && blank || c.Text(text)[0] == '0' {
		return false
	}
	b := pattern.ByteAt(text, c.Start-1)
	if b != ' ' && b != '\n' && b != '\t' && b != '(' && b != '|' && b != '/' {
		return false
	}
	next := pattern.NextWord(text, c.To)
	prev := pattern.PrevWord(text, c.Start, " (,:-|/")
	if next == "guide" || next == "sheath" || next == "wire" || gauges[next] || gauges[prev] || pattern.UnitAfter(text, c.To) ||
		next == "ago" || next == "walk" || next == "follow" {
		return false
	}
	switch pattern.ByteAt(text, c.To) {
	case '-', '+', '=', '^', '%', '\'':
		return false
	case '/':
		if n := pattern.NextWord(text, c.To+1); n != "" {
			return false // 8 f/u, 5 m/s
		}
	}
	start := pattern.LineStart(text, c.Start)
	gap := strings.HasSuffix(text[:c.Start], "  ") || strings.HasSuffix(text[:c.Start], "| ") ||
		strings.HasSuffix(text[:c.Start], ", ") && v >= 13
	if lower && gap && pattern.ByteAt(text, c.To) == '\n' {
		return v >= 14
	}
	if letter == 'F' && v >= 95 && v <= 108 || lower && letter == 'm' && (next == "" && pattern.ByteAt(text, c.To) != ',') {
		return false // 101 F; 30 m.
	}
	if a := pattern.ByteAt(text, c.To); a == ',' || a == '.' || a == ';' {
		next = pattern.NextWord(text, c.To+1)
	}
	switch {
	case leads[prev] && v >= 1:
		return true
	case start:
		return !lower || v >= 14
	case gap:
		return !lower && v >= 1
	}
	return follows[next] && v >= 12 && !lower
}

// checkAgeEvent looks at a bare number after a word: it must end its phrase or
// go on with a small word.
func checkAgeEvent(text string, c *pattern.Candidate) bool {
	v := pattern.Atoi(c.Text(text))
	s := c.Text(text)
	if v == 0 || v > 115 || s[0] == '0' && len(s) > 1 {
		return false
	}
	a := pattern.ByteAt(text, c.End)
	if a == ':' || a == '/' || a == '-' || a == '%' || a == '+' || a == '.' && pattern.Digit(pattern.ByteAt(text, c.End+1)) {
		return false
	}
	if b := pattern.ByteAt(text, c.Start-1); b != ' ' && b != '(' {
		return false
	}
	if i := pattern.SkipBlanks(text, c.End); pattern.Digit(pattern.ByteAt(text, i)) && pattern.ByteAt(text, i+1) == '/' {
		return false // 15 1/7 weeks
	}
	w := pattern.NextWord(text, c.End)
	return !pattern.UnitAfter(text, c.End) && w != "atm" && w != "degrees" && w != "cigs" && w != "o" && w != "hourly" && w != "alive" &&
		w != "joules"
}

// thousands reports whether a number that ends at i goes on behind a comma: "2,510 g".
func thousands(text string, i int) bool {
	return pattern.ByteAt(text, i) == ',' && pattern.Digit(pattern.ByteAt(text, i+1)) && pattern.Digit(pattern.ByteAt(text, i+2))
}

// checkAgeRelative is checkAgeEvent where a small number behind a plural counts
// the relatives.
func checkAgeRelative(text string, c *pattern.Candidate) bool {
	if thousands(text, c.End) {
		return false
	}
	if w := pattern.PrevWord(text, c.Start, " "); pattern.Atoi(c.Text(text)) <= 4 && (strings.HasSuffix(w, "s") || w == "children") {
		return false
	}
	if label := strings.ToLower(text[c.From:c.Start]); pattern.Atoi(c.Text(text)) < 15 {
		for _, elder := range [...]string{"mum", "mom", "dad", "mother", "father", "wife", "husband", "nok", "spouse", "uncle", "aunt"} {
			if strings.HasPrefix(label, elder) {
				return false // "can teach mum 10 & dad 2"
			}
		}
	}
	return checkAgeEvent(text, c)
}

// checkApposition wants a name before ", 39,": a word with one capital that
// is neither a test nor a month.
func checkApposition(text string, c *pattern.Candidate) bool {
	w := pattern.PrevWord(text, c.From, "")
	v := pattern.Atoi(c.Text(text))
	if v == 0 || len(w) < 3 || noApposition[w] || pattern.Units[pattern.NextWord(text, c.End+1)] {
		return false
	}
	// Its first two letters in the text itself: lower case may have other lengths.
	i := c.From
	var first, second rune
	for {
		r, size := utf8.DecodeLastRuneInString(text[:i])
		if !unicode.IsLetter(r) || c.From-i > pattern.WordLimit {
			break
		}
		i -= size
		first, second = r, first
	}
	return unicode.IsUpper(first) && unicode.IsLower(second)
}

// noApposition are capitalised words before a number between commas that name
// no person.
var noApposition = pattern.Words(`glucose grade albumin sodium potassium chloride creatinine bun hemoglobin haemoglobin hgb hct plt
	platelets wbc lipase amylase alt ast ldh ferritin calcium phosphate magnesium lactate urea stage score pulse temp resp
	level room bed day visit page item jan feb mar apr may jun jul aug sep sept oct nov dec january february march april
	june july august september october november december monday tuesday wednesday thursday friday saturday sunday type
	phase class chapter unit ward number cycle week month year gleason apgar braden morse weight height`)

// checkAgeTable wants a field of its own: two blanks, a bar, or a unit of age
// behind the number.
func checkAgeTable(text string, c *pattern.Candidate) bool {
	v := pattern.Atoi(c.Text(text))
	if b := pattern.ByteAt(text, c.From-1); v == 0 || v > 115 || b != ' ' && b != '\n' && b != '\t' && b != '|' {
		return false
	}
	rest := text[c.End:]
	switch w := pattern.NextWord(text, c.End); {
	case w == "yrs" || w == "yr" || w == "years" || w == "dob" || w == "y":
		return true
	}
	if strings.HasPrefix(rest, "  ") || strings.HasPrefix(rest, " |") || strings.HasPrefix(rest, "\n") {
		return !pattern.Digit(pattern.ByteAt(text, pattern.BackBlanks(text, c.From)-1))
	}
	return false
}
