package rules

import (
	"math/big"
	"strings"
)

// digitsOf returns the ASCII digits of s, at most 32.
func digitsOf(s string) []byte {
	var d []byte
	for i := 0; i < len(s) && len(d) < 32; i++ {
		if digit(s[i]) {
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

func checkLuhn(text string, c *candidate) bool {
	return !inNumber(text, c.start, c.end) && luhn(digitsOf(c.text(text)))
}

// checkSIN checks a Canadian social insurance number.
func checkSIN(text string, c *candidate) bool { return luhn(digitsOf(c.text(text))) }

// checkSSNSpaced wants an area and group that are given out, and the word
// before: three numbers with blanks between are mostly measures.
func checkSSNSpaced(text string, c *candidate) bool {
	v, _, _ := numbers(c.text(text))
	if v[0] == 0 || v[0] == 666 || v[1] == 0 || v[2] == 0 || inNumber(text, c.start, c.end) || unitAfter(text, c.end) {
		return false
	}
	before := strings.ToLower(text[max(0, c.start-24):c.start])
	return strings.Contains(before, "social") || strings.Contains(before, "ssn") || strings.Contains(before, "ss#")
}

// checkNINO rejects prefixes that are not given out.
func checkNINO(text string, c *candidate) bool {
	switch c.text(text)[:2] {
	case "BG", "GB", "KN", "NK", "NT", "TN", "ZZ":
		return false
	}
	return true
}

// checkMedicareAU checks the ninth digit of an Australian Medicare number.
func checkMedicareAU(text string, c *candidate) bool {
	d := digitsOf(c.text(text))
	if len(d) < 10 || unitAfter(text, c.end) {
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
func checkRAMQ(text string, c *candidate) bool {
	d := digitsOf(c.text(text))
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
func checkGroups(text string, c *candidate) bool {
	return countDigits(c.text(text)) >= 7 && !unitAfter(text, c.end) && !inNumber(text, c.start, c.end)
}

// checkCard checks the number of a payment card.
func checkCard(text string, c *candidate) bool {
	return !inNumber(text, c.start, c.end) && luhn(digitsOf(c.text(text)))
}

// checkIBAN checks the two digits of an international bank account number
// (ISO 13616: the number with its first four characters at the end, letters as
// 10 to 35, is 1 modulo 97).
func checkIBAN(text string, c *candidate) bool {
	s := strings.ReplaceAll(strings.ReplaceAll(c.text(text), " ", ""), "\u00a0", "")
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
func checkNPIBare(text string, c *candidate) bool {
	return !inNumber(text, c.start, c.end) && validNPI(c.text(text))
}

// checkMAC wants a letter or colons: a taper of doses has neither.
func checkMAC(text string, c *candidate) bool {
	k := kindOf(c.text(text))
	return k.uppers+k.lowers > 0 || strings.IndexByte(c.text(text), ':') > 0
}

// checkMACDots wants a letter, or it is a number.
func checkMACDots(text string, c *candidate) bool {
	k := kindOf(c.text(text))
	return k.uppers+k.lowers > 0 && k.digits > 0 && !inNumber(text, c.start, c.end)
}

// noPrefixes are capitals before a number that are no part of an identifier.
var noPrefixes = words(`po iv im sc sl pr ng ct mr us id no nr rx tx hx dx sx t p f m h w c tel ph fax cell call hr bp rr cd hla il ft bmi wt ht wbc rbc plt cfu pcr vl cap sn
	exp lot ref acc acct mrn ssn dob npi dea lic reg q x bs bg ca na k mg fx at on in to by of or and is was pt ur urn hn pid nh`)

// checkPrefixed rejects a route, a label or a unit for the prefix.
func checkPrefixed(text string, c *candidate) bool {
	s := c.text(text)
	low, _ := capitalHead(s)
	d := digitsOf(s)
	if low == "rx" && len(d) == 6 {
		return !unitAfter(text, c.end)
	}
	return !noPrefixes[low] && !inNumber(text, c.start, c.end) && !unitAfter(text, c.end) && !strings.HasSuffix(s, "000") && !(len(d) == 8 && datelikeCompact(string(d)))
}

// datelikeCompact reports whether eight digits are a date, year first.
func datelikeCompact(d string) bool {
	y, m, day := atoi(d[:4]), atoi(d[4:6]), atoi(d[6:])
	return year(y) && m >= 1 && m <= 12 && day >= 1 && day <= 31
}

// noCodes are prefixes of compounds, standards and codes of medicine.
var noCodes = words(`snomed cdt revenue pmid omim orphanet cas nsc cpt icd nct iso en ndc dsm hcpcs loinc rx uk sb pf mk bms gsk azd abt sar amg bay cp cc ly ro md hz usp fda icf drg cas ec ich gtin upc nice who sars cov hpv hsv hiv mrsa cd il tnf`)

func checkLettersDash(text string, c *candidate) bool {
	s := c.text(text)
	head, rest := capitalHead(s)
	if (head == "fy" || head == "cy") && year(atoi(rest)) {
		return false // a fiscal year
	}
	return !noCodes[head] && !strings.HasSuffix(s, "000") && !inCode(text, c.start, c.end) && !unitAfter(text, c.end)
}

// checkLabelledShort rejects years, rounded amounts and levels of the spine.
func checkLabelledShort(text string, c *candidate) bool {
	s := c.text(text)
	if k := kindOf(s); k.uppers == 0 {
		return !year(atoi(s)) && !strings.HasSuffix(s, "00") && !unitAfter(text, c.end) && !inNumber(text, c.start, c.end)
	}
	return !clinicalCode(s) && !unitAfter(text, c.end) && !inNumber(text, c.start, c.end)
}

// plateWords are words of three letters that end no plate in a note.
var plateWords = words(`the and for not sob pos neg was has her his him she who pts but are with abd hx`)

func checkPlateUK(text string, c *candidate) bool {
	s := c.text(text)
	switch s[:2] {
	case "CT", "MR", "CD", "IL", "PO", "HR", "BP", "RR", "PT", "ER", "ED", "SP", "FE", "PE", "PG", "PH", "EF", "LA", "LV", "RV", "MG", "ML", "CM", "HB":
		return false
	}
	return !plateWords[strings.ToLower(s[len(s)-3:])] && !inNumber(text, c.start, c.end)
}

// spokenDigits are the words of single digits.
var spokenDigits = words(`oh o zero nought one two three four five six seven eight nine`)

// checkSpoken wants 7 to 11 digits, most of them as words, or ten single ones
// that make a number of the North American plan.
func checkSpoken(text string, c *candidate) bool {
	total, spoken, groups, singles, high := 0, 0, 0, 0, 0
	repeat := 1
	last := ""
	runs := 0 // ascending steps, as in a list
	for _, w := range strings.FieldsFunc(c.text(text), func(r rune) bool { return strings.ContainsRune(" ,.-", r) }) {
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
	if total < 7 || total > 12 || inNumber(text, c.start, c.end) {
		return false
	}
	if spoken >= 3 {
		return spoken >= 6 || groups <= 3
	}
	d := digitsOf(c.text(text))
	return singles == 10 && groups == 10 && high > 0 && runs < 4 && d[0] >= '2' && d[3] >= '2'
}

// checkScanned wants a letter that a scanner takes for a digit, and not more
// than three.
func checkScanned(text string, c *candidate) bool {
	k := kindOf(c.text(text))
	return k.uppers+k.lowers > 0 && k.uppers+k.lowers <= 3 && k.digits >= 7 && !inNumber(text, c.start, c.end)
}
