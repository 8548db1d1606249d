package en

import (
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/names"
	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

// checkRegister wants a number that is no year and no dose.
func checkRegister(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	if midWord(text, c.Start) {
		return false // the N of MCRN
	}
	return pattern.CountDigits(s) >= 4 && !year4(s) && !pattern.UnitAfter(text, c.End) && !pattern.InNumber(text, c.Start, c.End) ||
		pattern.CountDigits(s) == 3 && strings.ContainsAny(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
}

// midWord reports whether i stands between two letters.
func midWord(text string, i int) bool {
	return i > 0 && pattern.IsWord(pattern.LastRune(text[:i])) && !pattern.Digit(text[i]) && !pattern.Digit(text[i-1])
}

// year4 reports whether s is a year in four digits.
func year4(s string) bool {
	return len(s) == 4 && pattern.CountDigits(s) == 4 && pattern.Year(pattern.Atoi(s))
}

// trials are the first words of the names of trials, antibodies, genes and
// scales, which are written like numbers of things.
var trials = pattern.Words(`keynote checkmate impower flaura aura solo paola nova prima declare dapa emperor credence topcat paradigm
	adaura pacific destiny cleopatra katherine aphinity monarch paloma monaleesa folfox folfiri folfirinox capox xelox chop rchop abvd
	beacopp hla cyp brca tp kras nras braf egfr alk ros met ret her cd il tnf ifn tgf vegf pd ctla mlh msh pms col fgfr jak npm flt runx
	bcr abl covid sars hiv hbv hcv htlv hsv cmv ebv vzv hpv rsv moca mmse phq gad audit dast cage scid caps madrs hamd ymrs panss wisc
	wais abas ados vineland bayley peds nihss mrs gcs apache sofa icd dsm cpt loinc snomed iso en ccda nyha acc aha esc nice tnm figo
	ajcc who ecog kps icu ct mri pet us xr vit vitamin omega type grade stage class phase t c l s n m p q x b h g f i a d r v w`)

// pastLabel moves the span past a label that is run together with its value, and
// returns the capitals before it moved, in lower case, and the span's text.
func pastLabel(text string, c *pattern.Candidate) (head, s string, labelled bool) {
	s = c.Text(text)
	head, rest := pattern.CapitalHead(s)
	if labelled = labelHeads[head]; labelled {
		c.Start += len(head)
		s = rest
	}
	return head, s, labelled
}

// checkCodeMixed wants four digits, a letter, and no name of a trial, a gene,
// a vertebra or a stage.
func checkCodeMixed(text string, c *pattern.Candidate) bool {
	head, s, labelled := pastLabel(text, c)
	k := pattern.KindOf(s)
	if k.Uppers == 0 && !labelled || k.Digits < 5 || longestDigits(s) < 3 || trials[head] && k.Digits < 8 || noCodes[head] ||
		pattern.UnitAfter(text, c.End) || inCode(text, c.Start, c.End) {
		return false
	}
	return !clinicalCode(s) && goodID(text, c, 5)
}

// plateNouns are words in capitals between a vehicle and a number that are no
// plate.
var plateNouns = pattern.Words(`ct mri ivc svc lcp dcp hr bp rr sat gcs iv im po mg ml kg cm mm hrs hr min pt ems ed er icu or mva mvc
	mph km`)

// checkPlateShape rejects letters that are a measure or an examination.
func checkPlateShape(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	head, _ := pattern.CapitalHead(s)
	return !plateNouns[head] && pattern.CountDigits(s)+pattern.KindOf(s).Uppers >= 5 && !pattern.UnitAfter(text, c.End) &&
		!pattern.InNumber(text, c.Start, c.End)
}

// flights are words that stand near an aircraft.
var flights = []string{"tail", "air", "flight", "rfds", "helo", "heli", "hems", "medevac", "pilot", "cessna", " rw ", "strip", "lands",
	"aircraft", "jet", "hangar"}

// checkAircraft wants a word of flying near by.
func checkAircraft(text string, c *pattern.Candidate) bool {
	near := strings.ToLower(text[max(0, c.Start-60):min(len(text), c.End+24)])
	for _, w := range flights {
		if strings.Contains(near, w) {
			return true
		}
	}
	return false
}

// checkLotShort wants capitals and digits mixed: a word has no digit, a number
// no letter.
func checkLotShort(text string, c *pattern.Candidate) bool {
	k := pattern.KindOf(c.Text(text))
	return k.Digits > 0 && k.Uppers > 1 && !pattern.UnitAfter(text, c.End)
}

// checkInsurer wants six digits, or five and a letter, and no telephone number.
func checkInsurer(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	k := pattern.KindOf(s)
	if k.Digits < 6 && (k.Digits < 5 || k.Uppers == 0) || strings.Contains(s, "555-") || strings.Contains(s, "555 0") {
		return false
	}
	return !pattern.UnitAfter(text, c.End) && !pattern.InNumber(text, c.Start, c.End) && goodID(text, c, 5)
}

// checkGroups6 wants six digits and no date.
func checkGroups6(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	return pattern.CountDigits(s) >= 6 && !midWord(text, c.Start) && !pattern.Datelike(s) && !pattern.UnitAfter(text, c.End) &&
		!pattern.InNumber(text, c.Start, c.End)
}

// checkUserLabelled wants a log-in behind a word that often stands before
// something else: a digit or an underscore in it, or a name before it that it
// is made of.
func checkUserLabelled(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	low := strings.ToLower(s)
	if noUsers[low] || noNames[low] || names.IsDegree(low) || pattern.Units[low] || len(s) < 4 {
		return false
	}
	label := strings.ToLower(text[c.From:c.Start])
	sure := !strings.HasPrefix(label, "by") && !strings.HasPrefix(label, "from") && !strings.HasPrefix(label, "sent")
	k := pattern.KindOf(s)
	switch {
	case pattern.ByteAt(text, c.End) == '@' || strings.Contains(s, ".."):
		return false
	case k.Digits > 0 && k.Uppers == 0 && k.Digits < 5:
		return sure || strings.ContainsAny(s, "_.") || k.Lowers > 4
	case strings.IndexByte(s, '_') > 0 && k.Lowers > 3:
		return true
	}
	return sure && k.Uppers == 0 && checkUserDerived(text, c)
}

// checkCodeSolid wants five digits, or four of seven signs, and no drug, gene,
// stage, time or measure.
func checkCodeSolid(text string, c *pattern.Candidate) bool {
	head, s, _ := pastLabel(text, c)
	k := pattern.KindOf(s)
	if k.Digits < 5 && (k.Digits < 4 || len(s) < 7) || noCodes[head] || trials[head] && k.Digits < 7 || pattern.UnitAfter(text, c.End) ||
		inCode(text, c.Start, c.End) || clinicalCode(s) {
		return false
	}
	if strings.HasSuffix(s[:len(s)-1], "00") && k.Uppers == 1 && pattern.Digit(s[0]) {
		return false // 120000U
	}
	if t := strings.IndexByte(s, 'T'); t == 8 && k.Uppers == 1 && datelikeCompact(s[:8]) {
		return false // a time stamp
	}
	return !measure(text, c)
}

// checkAfterDegree wants a number behind a degree that is no year, date or
// count.
func checkAfterDegree(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	return !pattern.Datelike(s) && !strings.HasSuffix(s, "000") && !pattern.UnitAfter(text, c.End) &&
		!pattern.InNumber(text, c.Start, c.End) && pattern.NextWord(text, c.End) != "steps"
}

// checkVINShape wants letters and digits in the places of a vehicle
// identification number, whatever its check digit: notes mistype them.
func checkVINShape(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	k := pattern.KindOf(s)
	return k.Uppers >= 4 && k.Uppers <= 10 && pattern.CountDigits(s[13:]) == 4 && pattern.KindOf(s[1:8]).Uppers >= 2
}

// checkUserCapitals looks back from a number for four to nine capitals, and
// wants a name before them that makes them.
func checkUserCapitals(text string, c *pattern.Candidate) bool {
	n := lettersBack(text, c, 'A', 'Z', 9)
	if n < 5 {
		return false
	}
	u := strings.ToLower(text[c.Start : c.Start+n])
	return !trials[u] && madeOfNames(u, text[max(0, c.Start-120):c.Start])
}

// checkDashFour is checkLettersDash for four digits, which a year must not be.
func checkDashFour(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	i := strings.IndexAny(s, "0123456789")
	return !pattern.Year(pattern.Atoi(s[i:min(len(s), i+4)])) && !trials[strings.ToLower(s[:2])] &&
		!trials[strings.ToLower(strings.TrimRight(s[:i], "-‐‑–"))] && checkLettersDash(text, c)
}

// checkWorkstation wants a digit, and no level of the spine.
func checkWorkstation(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	return pattern.HasDigit(s) && !clinicalCode(s) && !pattern.UnitAfter(text, c.End)
}

// checkWholeCode rejects the beginning of a longer number and a measure.
func checkWholeCode(text string, c *pattern.Candidate) bool {
	return !inCode(text, c.Start, c.End) && !pattern.UnitAfter(text, c.End)
}

// columns end the names of columns of a table, which are written like log-ins.
var columns = pattern.Words(`id ids claims name names date time code type no num number status flag key value last4 count total rate`)

// checkUnderscore looks back from the mark for four letters or more.
func checkUnderscore(text string, c *pattern.Candidate) bool {
	if columns[text[c.Start+1:c.End]] || jsonKey(text, c.End) {
		return false
	}
	return lettersBack(text, c, 'a', 'z', 14) >= 4
}

// checkApart wants digits that neither count up nor are all the same.
func checkApart(text string, c *pattern.Candidate) bool {
	d := digitsOf(c.Text(text))
	up, same := 0, 0
	for i := 1; i < len(d); i++ {
		if d[i] == d[i-1]+1 {
			up++
		}
		if d[i] == d[i-1] {
			same++
		}
	}
	return up < len(d)-2 && same < len(d)-1 && !pattern.InNumber(text, c.Start, c.End)
}
