package en

import (
	"math/big"
	"regexp"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/rules/pattern"
)

// digitsOf returns the ASCII digits of s, at most 32.
func digitsOf(s string) []byte {
	var d []byte
	for i := 0; i < len(s) && len(d) < 32; i++ {
		if pattern.Digit(s[i]) {
			d = append(d, s[i])
		}
	}
	return d
}

// luhn checks the last of a number's digits (ISO/IEC 7812-1).
func luhn(d []byte) bool {
	sum := 0
	for i := range d {
		v := int(d[len(d)-1-i] - '0')
		if i%2 == 1 {
			if v *= 2; v > 9 {
				v -= 9
			}
		}
		sum += v
	}
	return len(d) > 1 && sum%10 == 0
}

func checkLuhn(text string, c *pattern.Candidate) bool {
	return !pattern.InNumber(text, c.Start, c.End) && luhn(digitsOf(c.Text(text)))
}

// checkSIN checks a Canadian social insurance number.
func checkSIN(text string, c *pattern.Candidate) bool { return luhn(digitsOf(c.Text(text))) }

// checkSSNSpaced wants an area and group that are given out, and the word
// before: three numbers with blanks between are mostly measures.
func checkSSNSpaced(text string, c *pattern.Candidate) bool {
	v, _, _ := pattern.Numbers(c.Text(text))
	if v[0] == 0 || v[0] == 666 || v[1] == 0 || v[2] == 0 || pattern.InNumber(text, c.Start, c.End) || pattern.UnitAfter(text, c.End) {
		return false
	}
	before := strings.ToLower(text[max(0, c.Start-24):c.Start])
	return strings.Contains(before, "social") || strings.Contains(before, "ssn") || strings.Contains(before, "ss#")
}

// checkNINO rejects prefixes that are not given out.
func checkNINO(text string, c *pattern.Candidate) bool {
	switch c.Text(text)[:2] {
	case "BG", "GB", "KN", "NK", "NT", "TN", "ZZ":
		return false
	}
	return true
}

// checkMedicareAU checks the ninth digit of an Australian Medicare number.
func checkMedicareAU(text string, c *pattern.Candidate) bool {
	d := digitsOf(c.Text(text))
	if len(d) < 10 || pattern.UnitAfter(text, c.End) {
		return false
	}
	sum := 0
	for i, w := range [8]int{1, 3, 7, 9, 1, 3, 7, 9} {
		sum += w * int(d[i]-'0')
	}
	return sum%10 == int(d[8]-'0')
}

// checkRAMQ wants a date of birth in the number of Québec: month 1 to 12 or 51
// to 62, day 1 to 31.
func checkRAMQ(text string, c *pattern.Candidate) bool {
	d := digitsOf(c.Text(text))
	if len(d) != 8 {
		return false
	}
	month, day := int(d[2]-'0')*10+int(d[3]-'0'), int(d[4]-'0')*10+int(d[5]-'0')
	if month > 50 {
		month -= 50
	}
	return month >= 1 && month <= 12 && day >= 1 && day <= 31
}

// checkGroups wants seven digits, so that a dose behind letters is none.
func checkGroups(text string, c *pattern.Candidate) bool {
	return pattern.CountDigits(c.Text(text)) >= 7 && !pattern.UnitAfter(text, c.End) && !pattern.InNumber(text, c.Start, c.End)
}

// checkCard checks the number of a payment card.
func checkCard(text string, c *pattern.Candidate) bool {
	return !pattern.InNumber(text, c.Start, c.End) && luhn(digitsOf(c.Text(text)))
}

// checkIBAN checks the two digits of an international bank account number
// (ISO 13616: the number with its first four characters at the end, letters as
// 10 to 35, is 1 modulo 97).
func checkIBAN(text string, c *pattern.Candidate) bool {
	s := strings.ReplaceAll(strings.ReplaceAll(c.Text(text), " ", ""), "\u00a0", "")
	if len(s) < 15 || len(s) > 34 {
		return false
	}
	var b strings.Builder
	for _, r := range s[4:] + s[:4] {
		switch {
		case r >= '0' && r <= '9':
			b.WriteRune(r)
		case r >= 'A' && r <= 'Z':
			b.WriteByte('0' + byte(r-'A'+10)/10)
			b.WriteByte('0' + byte(r-'A'+10)%10)
		default:
			return false
		}
	}
	n, ok := new(big.Int).SetString(b.String(), 10)
	return ok && new(big.Int).Mod(n, big.NewInt(97)).Int64() == 1
}

// checkNPIBare wants the right check digit.
func checkNPIBare(text string, c *pattern.Candidate) bool {
	return !pattern.InNumber(text, c.Start, c.End) && validNPI(c.Text(text))
}

// checkMAC wants a letter or colons: a taper of doses has neither.
func checkMAC(text string, c *pattern.Candidate) bool {
	k := pattern.KindOf(c.Text(text))
	return k.Uppers+k.Lowers > 0 || strings.IndexByte(c.Text(text), ':') > 0
}

// checkMACDots wants a letter, or it is a number.
func checkMACDots(text string, c *pattern.Candidate) bool {
	k := pattern.KindOf(c.Text(text))
	return k.Uppers+k.Lowers > 0 && k.Digits > 0 && !pattern.InNumber(text, c.Start, c.End)
}

// noPrefixes are capitals before a number that are no part of an identifier.
var noPrefixes = pattern.Words(`po iv im sc sl pr ng ct mr us id no nr rx tx hx dx sx t p f m h w c tel ph fax cell call hr bp rr cd hla
	il ft bmi wt ht wbc rbc plt cfu pcr vl cap sn exp lot ref acc acct mrn ssn dob npi dea lic reg q x bs bg ca na k mg fx at on in to
	by of or and is was pt ur urn hn pid nh`)

// checkPrefixed rejects a route, a label or a unit for the prefix.
func checkPrefixed(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	low, _ := pattern.CapitalHead(s)
	d := digitsOf(s)
	if low == "rx" && len(d) == 6 {
		return !pattern.UnitAfter(text, c.End)
	}
	return !noPrefixes[low] && !pattern.InNumber(text, c.Start, c.End) && !pattern.UnitAfter(text, c.End) &&
		!strings.HasSuffix(s, "000") && !(len(d) == 8 && datelikeCompact(string(d)))
}

// datelikeCompact reports whether eight digits are a date, year first.
func datelikeCompact(d string) bool {
	y, m, day := pattern.Atoi(d[:4]), pattern.Atoi(d[4:6]), pattern.Atoi(d[6:])
	return pattern.Year(y) && m >= 1 && m <= 12 && day >= 1 && day <= 31
}

// noCodes are prefixes of compounds, standards and codes of medicine.
var noCodes = pattern.Words(`snomed cdt revenue pmid omim orphanet cas nsc cpt icd nct iso en ndc dsm hcpcs loinc rx uk sb pf mk bms gsk
	azd abt sar amg bay cp cc ly ro md hz usp fda icf drg cas ec ich gtin upc nice who sars cov hpv hsv hiv mrsa cd il tnf`)

func checkLettersDash(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	head, rest := pattern.CapitalHead(s)
	if (head == "fy" || head == "cy") && pattern.Year(pattern.Atoi(rest)) {
		return false // a fiscal year
	}
	return !noCodes[head] && !strings.HasSuffix(s, "000") && !inCode(text, c.Start, c.End) && !pattern.UnitAfter(text, c.End)
}

// checkLabelledShort rejects years, rounded amounts and levels of the spine.
func checkLabelledShort(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	if k := pattern.KindOf(s); k.Uppers == 0 {
		return !pattern.Year(pattern.Atoi(s)) && !strings.HasSuffix(s, "00") && !pattern.UnitAfter(text, c.End) &&
			!pattern.InNumber(text, c.Start, c.End)
	}
	return !clinicalCode(s) && !pattern.UnitAfter(text, c.End) && !pattern.InNumber(text, c.Start, c.End)
}

// plateWords are words of three letters that end no plate in a note.
var plateWords = pattern.Words(`the and for not sob pos neg was has her his him she who pts but are with abd hx`)

func checkPlateUK(text string, c *pattern.Candidate) bool {
	s := c.Text(text)
	switch s[:2] {
	case "CT", "MR", "CD", "IL", "PO", "HR", "BP", "RR", "PT", "ER", "ED", "SP", "FE", "PE", "PG", "PH", "EF", "LA", "LV", "RV", "MG",
		"ML", "CM", "HB":
		return false
	}
	return !plateWords[strings.ToLower(s[len(s)-3:])] && !pattern.InNumber(text, c.Start, c.End)
}

// spokenDigits are the words of single digits.
var spokenDigits = pattern.Words(`oh o zero nought one two three four five six seven eight nine`)

// pairs are numbers told of the items of a list: "1-2, 2-1, 3-2".
var pairs = regexp.MustCompile(`^\d-\d(?:, \d-\d)+$`)

// checkSpoken wants 7 to 11 digits, most of them as words, or ten single ones
// that make a number of the North American plan.
func checkSpoken(text string, c *pattern.Candidate) bool {
	if pairs.MatchString(c.Text(text)) {
		return false
	}
	total, spoken, groups, singles, high := 0, 0, 0, 0, 0
	repeat := 1
	last := ""
	runs := 0 // ascending steps, as in a list
	for _, w := range strings.FieldsFunc(c.Text(text), func(r rune) bool { return strings.ContainsRune(" ,.-", r) }) {
		low := strings.ToLower(w)
		switch {
		case low == "double":
			repeat = 2
			continue
		case low == "triple":
			repeat = 3
			continue
		case spokenDigits[low]:
			total += repeat
			spoken++
		default:
			total += len(w)
			groups++
			if len(w) == 1 {
				singles++
				if w[0] > '5' {
					high++
				}
				if last != "" && w[0] == last[0]+1 {
					runs++
				}
				last = w
			}
		}
		repeat = 1
	}
	if total < 7 || total > 12 || pattern.InNumber(text, c.Start, c.End) {
		return false
	}
	if spoken >= 3 {
		return spoken >= 6 || groups <= 3
	}
	d := digitsOf(c.Text(text))
	if s := c.Text(text); strings.ContainsAny(s, ", ") && decimal.MatchString(s) {
		return false // "6.1, 3.8, 2.4, 1.9, 1.6", a series of values
	}
	return singles == 10 && groups == 10 && high > 0 && runs < 4 && d[0] >= '2' && d[3] >= '2'
}

// decimal finds a decimal point.
var decimal = regexp.MustCompile(`\d\.\d`)

// checkScanned wants a letter that a scanner takes for a digit, and not more
// than three.
func checkScanned(text string, c *pattern.Candidate) bool {
	k := pattern.KindOf(c.Text(text))
	return k.Uppers+k.Lowers > 0 && k.Uppers+k.Lowers <= 3 && k.Digits >= 7 && !pattern.InNumber(text, c.Start, c.End)
}
