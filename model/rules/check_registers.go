package rules

import (
	"strings"
)

// checkRegister wants a number that is no year and no dose.
func checkRegister(text string, c *candidate) bool {
	s := c.text(text)
	if midWord(text, c.start) {
		return false // the N of MCRN
	}
	return countDigits(s) >= 4 && !year4(s) && !unitAfter(text, c.end) && !inNumber(text, c.start, c.end) || countDigits(s) == 3 && strings.ContainsAny(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
}

// midWord reports whether i stands between two letters.
func midWord(text string, i int) bool {
	return i > 0 && isWord(lastRune(text[:i])) && !digit(text[i]) && !digit(text[i-1])
}

// year4 reports whether s is a year in four digits.
func year4(s string) bool { return len(s) == 4 && countDigits(s) == 4 && year(atoi(s)) }

// trials are the first words of the names of trials, antibodies, genes and
// scales, which are written like numbers of things.
var trials = words(`keynote checkmate impower flaura aura solo paola nova prima declare dapa emperor credence topcat paradigm adaura pacific destiny cleopatra katherine aphinity monarch paloma monaleesa
	folfox folfiri folfirinox capox xelox chop rchop abvd beacopp hla cyp brca tp kras nras braf egfr alk ros met ret her cd il tnf ifn tgf vegf pd ctla mlh msh pms col fgfr jak npm flt runx bcr abl
	covid sars hiv hbv hcv htlv hsv cmv ebv vzv hpv rsv moca mmse phq gad audit dast cage scid caps madrs hamd ymrs panss wisc wais abas ados vineland bayley peds nihss mrs gcs apache sofa
	icd dsm cpt loinc snomed iso en ccda nyha acc aha esc nice tnm figo ajcc who ecog kps icu ct mri pet us xr vit vitamin omega type grade stage class phase t c l s n m p q x b h g f i a d r v w`)

// pastLabel moves the span past a label that is run together with its value, and
// returns the capitals before it moved, in lower case, and the span's text.
func pastLabel(text string, c *candidate) (head, s string, labelled bool) {
	s = c.text(text)
	head, rest := capitalHead(s)
	if labelled = labelHeads[head]; labelled {
		c.start += len(head)
		s = rest
	}
	return head, s, labelled
}

// checkCodeMixed wants four digits, a letter, and no name of a trial, a gene,
// a vertebra or a stage.
func checkCodeMixed(text string, c *candidate) bool {
	head, s, labelled := pastLabel(text, c)
	k := kindOf(s)
	if k.uppers == 0 && !labelled || k.digits < 5 || longestDigits(s) < 3 || trials[head] && k.digits < 8 || noCodes[head] || unitAfter(text, c.end) || inCode(text, c.start, c.end) {
		return false
	}
	return !clinicalCode(s) && goodID(text, c, 5)
}

// plateNouns are words in capitals between a vehicle and a number that are no
// plate.
var plateNouns = words(`ct mri ivc svc lcp dcp hr bp rr sat gcs iv im po mg ml kg cm mm hrs hr min pt ems ed er icu or mva mvc mph km`)

// checkPlateShape rejects letters that are a measure or an examination.
func checkPlateShape(text string, c *candidate) bool {
	s := c.text(text)
	head, _ := capitalHead(s)
	return !plateNouns[head] && countDigits(s)+kindOf(s).uppers >= 5 && !unitAfter(text, c.end) && !inNumber(text, c.start, c.end)
}

// flights are words that stand near an aircraft.
var flights = []string{"tail", "air", "flight", "rfds", "helo", "heli", "hems", "medevac", "pilot", "cessna", " rw ", "strip", "lands", "aircraft", "jet", "hangar"}

// checkAircraft wants a word of flying near by.
func checkAircraft(text string, c *candidate) bool {
	near := strings.ToLower(text[max(0, c.start-60):min(len(text), c.end+24)])
	for _, w := range flights {
		if strings.Contains(near, w) {
			return true
		}
	}
	return false
}

// checkLotShort wants capitals and digits mixed: a word has no digit, a number
// no letter.
func checkLotShort(text string, c *candidate) bool {
	k := kindOf(c.text(text))
	return k.digits > 0 && k.uppers > 1 && !unitAfter(text, c.end)
}

// checkInsurer wants six digits, or five and a letter, and no telephone number.
func checkInsurer(text string, c *candidate) bool {
	s := c.text(text)
	k := kindOf(s)
	if k.digits < 6 && (k.digits < 5 || k.uppers == 0) || strings.Contains(s, "555-") || strings.Contains(s, "555 0") {
		return false
	}
	return !unitAfter(text, c.end) && !inNumber(text, c.start, c.end) && goodID(text, c, 5)
}

// checkGroups6 wants six digits and no date.
func checkGroups6(text string, c *candidate) bool {
	s := c.text(text)
	return countDigits(s) >= 6 && !midWord(text, c.start) && !datelike(s) && !unitAfter(text, c.end) && !inNumber(text, c.start, c.end)
}

// checkUserLabelled wants a log-in behind a word that often stands before
// something else: a digit or an underscore in it, or a name before it that it
// is made of.
func checkUserLabelled(text string, c *candidate) bool {
	s := c.text(text)
	low := strings.ToLower(s)
	if noUsers[low] || noNames[low] || degrees[low] || units[low] || len(s) < 4 {
		return false
	}
	label := strings.ToLower(text[c.from:c.start])
	sure := !strings.HasPrefix(label, "by") && !strings.HasPrefix(label, "from") && !strings.HasPrefix(label, "sent")
	k := kindOf(s)
	switch {
	case byteAt(text, c.end) == '@' || strings.Contains(s, ".."):
		return false
	case k.digits > 0 && k.uppers == 0 && k.digits < 5:
		return sure || strings.ContainsAny(s, "_.") || k.lowers > 4
	case strings.IndexByte(s, '_') > 0 && k.lowers > 3:
		return true
	}
	return sure && k.uppers == 0 && checkUserDerived(text, c)
}

// checkCodeSolid wants five digits, or four of seven signs, and no drug, gene,
// stage, time or measure.
func checkCodeSolid(text string, c *candidate) bool {
	head, s, _ := pastLabel(text, c)
	k := kindOf(s)
	if k.digits < 5 && (k.digits < 4 || len(s) < 7) || noCodes[head] || trials[head] && k.digits < 7 || unitAfter(text, c.end) || inCode(text, c.start, c.end) || clinicalCode(s) {
		return false
	}
	if strings.HasSuffix(s[:len(s)-1], "00") && k.uppers == 1 && digit(s[0]) {
		return false // 120000U
	}
	if t := strings.IndexByte(s, 'T'); t == 8 && k.uppers == 1 && datelikeCompact(s[:8]) {
		return false // a time stamp
	}
	return !measure(text, c)
}

// checkAfterDegree wants a number behind a degree that is no year, date or
// count.
func checkAfterDegree(text string, c *candidate) bool {
	s := c.text(text)
	return !datelike(s) && !strings.HasSuffix(s, "000") && !unitAfter(text, c.end) && !inNumber(text, c.start, c.end) && nextWord(text, c.end) != "steps"
}

// checkVINShape wants letters and digits in the places of a vehicle
// identification number, whatever its check digit: notes mistype them.
func checkVINShape(text string, c *candidate) bool {
	s := c.text(text)
	k := kindOf(s)
	return k.uppers >= 4 && k.uppers <= 10 && countDigits(s[13:]) == 4 && kindOf(s[1:8]).uppers >= 2
}

// checkUserCapitals looks back from a number for four to nine capitals, and
// wants a name before them that makes them.
func checkUserCapitals(text string, c *candidate) bool {
	n := lettersBack(text, c, 'A', 'Z', 9)
	if n < 5 {
		return false
	}
	u := strings.ToLower(text[c.start : c.start+n])
	return !trials[u] && madeOfNames(u, text[max(0, c.start-120):c.start])
}

// checkDashFour is checkLettersDash for four digits, which a year must not be.
func checkDashFour(text string, c *candidate) bool {
	s := c.text(text)
	i := strings.IndexAny(s, "0123456789")
	return !year(atoi(s[i:min(len(s), i+4)])) && !trials[strings.ToLower(s[:2])] && !trials[strings.ToLower(strings.TrimRight(s[:i], "-‐‑–"))] && checkLettersDash(text, c)
}

// checkWorkstation wants a digit, and no level of the spine.
func checkWorkstation(text string, c *candidate) bool {
	s := c.text(text)
	return hasDigit(s) && !clinicalCode(s) && !unitAfter(text, c.end)
}

// checkWholeCode rejects the beginning of a longer number and a measure.
func checkWholeCode(text string, c *candidate) bool {
	return !inCode(text, c.start, c.end) && !unitAfter(text, c.end)
}

// columns end the names of columns of a table, which are written like log-ins.
var columns = words(`id ids claims name names date time code type no num number status flag key value last4 count total rate`)

// checkUnderscore looks back from the mark for four letters or more.
func checkUnderscore(text string, c *candidate) bool {
	if columns[text[c.start+1:c.end]] || jsonKey(text, c.end) {
		return false
	}
	return lettersBack(text, c, 'a', 'z', 14) >= 4
}

// checkApart wants digits that neither count up nor are all the same.
func checkApart(text string, c *candidate) bool {
	d := digitsOf(c.text(text))
	up, same := 0, 0
	for i := 1; i < len(d); i++ {
		if d[i] == d[i-1]+1 {
			up++
		}
		if d[i] == d[i-1] {
			same++
		}
	}
	return up < len(d)-2 && same < len(d)-1 && !inNumber(text, c.start, c.end)
}
