package surrogate

import (
	"strconv"
	"strings"
)

// phone replaces the digits of a phone number, in its form. Numbers of the
// North American plan, the United Kingdom, Ireland and Australia get ones that
// these plans reserve for fiction; others get other digits behind their country's
// calling code. An area code gets one of the state or region that stands for its
// own, the same for every number of the patient's. An extension is replaced
// apart, so that the number agrees with and without it.
func (p *Patient) phone(d drawer, s string) string {
	from := labelEnd(s)
	number, mark, extension := cutExtension(s[from:])
	out := s[:from]
	if number != "" {
		out += p.number(d, number)
	}
	if extension != "" {
		out += mark + d.class("extension", extension)
	}
	return out
}

// cutExtension cuts "ext. 12", "extn 12", "x12" or "#12" off a number, which may be empty.
func cutExtension(s string) (number, mark, extension string) {
	lower := strings.ToLower(s)
	if len(lower) != len(s) {
		return s, "", ""
	}
	for _, m := range []string{"extension", "extn", "ext", "x", "#"} {
		i := strings.Index(lower, m)
		if i < 0 || i > 0 && alnum(s[:i]) == "" {
			continue
		}
		if digits, ok := onlyDigits(s[i+len(m):]); ok && digits != "" && (i > 0 || len(digits) <= 6) {
			return s[:i], s[i : i+len(m)], s[i+len(m):]
		}
	}
	return s, "", ""
}

func (p *Patient) number(d drawer, s string) string {
	digits, ok := onlyDigits(s)
	if !ok || digits == "" {
		return d.class("phone", s)
	}
	if len(digits) > 11 && s[0] != '+' { // "555-0109 0921": something stands behind the number
		for i := len(s) - 1; i > 0; i-- {
			if n := len(alnum(s[:i])); s[i] == ' ' && n >= 7 && n <= 11 && n < len(digits) {
				if tail := alnum(s[i+1:]); len(tail) >= 7 {
					return p.number(d, s[:i]) + " " + p.number(d, s[i+1:]) // another number
				}
				return p.number(d, s[:i]) + " " + d.class("phone tail", s[i+1:])
			}
		}
	}
	prefix, country, national := p.plan(s, digits)
	if national == "" {
		prefix, national = "", digits
	}
	for try := uint64(0); ; try++ {
		out := prefix + p.national(d, try, country, national)
		if len(out) != len(digits) { // not a plan that is known
			out = prefix + string(d.substitute("phone", national))
			if country == "nz" && len(national) > 6 { // the area, or that of mobiles
				out = prefix + national[:2] + string(d.substitute("phone", national[2:]))
			}
		}
		if out == digits {
			continue
		}
		if country == "uk" && len(national) == 10 && (national[0] == '1' || national[0] == '2') && strings.Contains(s, " ") &&
			!strings.Contains(s, "(") {
			return british(s, prefix, out[len(prefix):])
		}
		return spread(s, []byte(out))
	}
}

// british writes a number of a British town with the blanks that its dialling
// code calls for, behind the prefix as it was.
func british(s, prefix, national string) string {
	lead := s
	for i, n := 0, len(prefix); i < len(s); i++ {
		if s[i] >= '0' && s[i] <= '9' {
			if n == 0 {
				lead = s[:i]
				break
			}
			n--
		}
	}
	cuts := [2]int{4, 4} // 01632 960123
	switch {
	case national[0] == '2':
		cuts = [2]int{2, 6} // 020 7946 0123
	case national[:4] != "1632":
		cuts = [2]int{3, 6} // 0113 496 0123
	}
	out := lead + national[:cuts[0]] + " " + national[cuts[0]:cuts[1]]
	if cuts[0] < cuts[1] {
		out += " "
	}
	return out + national[cuts[1]:] + s[len(strings.TrimRight(s, " ")):]
}

// plan cuts a number into what does not tell numbers apart, the codes of the
// country and of calls within it, and the rest; and says whose plan it is of.
func (p *Patient) plan(s, digits string) (prefix, country, national string) {
	home := p.at().country
	if strings.HasPrefix(strings.TrimSpace(s), "+") || strings.HasPrefix(digits, "00") && len(digits) > 10 {
		code := callingCode(strings.TrimPrefix(digits, "00"))
		at := len(digits) - len(strings.TrimPrefix(digits, "00")) + len(code)
		if national = strings.TrimPrefix(digits[at:], "0"); code == "1" {
			return digits[:at], "us", digits[at:]
		}
		return digits[:len(digits)-len(national)], callingOf[code], national
	}
	if home == "es" {
		if len(digits) == 11 && digits[:2] == "34" {
			return "34", "es", digits[2:]
		}
		return "", "es", digits
	}
	trunk := digits[0] == '0' && len(digits) > 1 && digits[1] != '0'
	switch {
	case len(digits) == 11 && digits[0] == '1':
		return "1", "us", digits[1:]
	case trunk && home == "ie" && len(digits) >= 9:
		return "0", "ie", digits[1:]
	case trunk && len(digits) == 11:
		return "0", "uk", digits[1:]
	case trunk && len(digits) == 10 && home != "uk" && home != "nz" && home != "za" && home != "in":
		return "0", "au", digits[1:]
	case trunk && len(digits) > 9:
		return "0", home, digits[1:]
	case trunk || digits[0] == '0':
		rest := strings.TrimLeft(digits, "0")
		return digits[:len(digits)-len(rest)], "", rest
	}
	return "", "us", digits
}

// callingCode returns the country's code that the digits of an international
// number begin with.
func callingCode(digits string) string {
	n := 3
	if digits != "" && (digits[0] == '1' || digits[0] == '7') {
		n = 1
	} else if len(digits) > 1 && strings.Contains(" 20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 "+
		"63 64 65 66 81 82 84 86 90 91 92 93 94 95 98 ", " "+digits[:2]+" ") {
		n = 2
	}
	return digits[:min(n, len(digits))]
}

// national returns a reserved number for the digits after the prefix, or "".
func (p *Patient) national(d drawer, try uint64, country, n string) string {
	sum := d.prf.sum(try, d.scope, "phone", n)
	last := func(n int) string {
		var out string
		for i := range n {
			out += strconv.Itoa(int(sum[i]) % 10)
		}
		return out
	}
	local := ""
	if len(n) >= 7 { // 555-0100 to 555-0199, the same with and without the area code
		own := d.prf.sum(try, d.scope, "phone local", n[len(n)-7:])
		local = "01" + strconv.Itoa(int(own[0])%10) + strconv.Itoa(int(own[1])%10)
	}
	switch {
	case country == "es" && len(n) == 9 && n[0] >= '6':
		return p.spanishNumber(d, try, n)
	case country == "us" && len(n) == 10 && n[0] >= '2':
		return p.area(d, n[:3]) + "555" + local
	case country == "us" && len(n) == 7:
		return "555" + local
	case country == "au" && len(n) == 9 && n[0] == '4':
		return australianMobiles[int(sum[0])%len(australianMobiles)]
	case country == "au" && len(n) == 9 && strings.IndexByte("2378", n[0]) >= 0:
		return p.australianArea(d, n[:1]) + "5550" + last(4)
	case country == "ie" && len(n) == 9 && n[0] != '8':
		return "2091" + last(5) // kept for plays and films, whatever the town
	case country == "uk" && len(n) == 10:
		if n[0] == '1' || n[0] == '2' {
			drama := p.dialling(d, n)
			return drama + last(10-len(drama))
		}
		for _, r := range ofcom {
			if strings.HasPrefix(n, r.like) {
				return r.drama + last(10-len(r.drama))
			}
		}
	}
	return ""
}

// tollFree are the area codes of the North American plan that are nowhere.
const tollFree = " 800 833 844 855 866 877 888 "

// area returns the area code that stands for one of the North American plan: of
// the state or province that stands for its own, and of any state for one that the
// lists have not. One that is nowhere stays.
func (p *Patient) area(d drawer, old string) string {
	state := p.lists.areaOf[old]
	province, canadian := strings.CutPrefix(state, "ca ")
	switch {
	case canadian:
		state = "ca " + p.regionFor(d, "ca", province)
	case strings.Contains(tollFree, " "+old+" "):
		return old
	case state == "":
		state = p.lists.us.codes[d.index(len(p.lists.us.codes), 0, "area's state", old)]
	default:
		state = p.stateFor(d, state)
	}
	codes := p.lists.areas[state]
	at := d.index(len(codes), 0, "area code", old)
	if codes[at] == old {
		at = (at + 1) % len(codes)
	}
	return codes[at]
}

// dialling returns the range for drama of the region that stands for a British
// number's own: that of its city, else the patient's. Regions without a range of
// their own share one.
func (p *Patient) dialling(d drawer, n string) string {
	const none = "1632960"
	region := ""
	if at := p.at(); at.country == "uk" {
		region = at.region
	}
	for _, r := range ofcom {
		if r.region != "" && strings.HasPrefix(n, r.like) {
			region = r.region
		}
	}
	if region == "" {
		return none
	}
	to := p.regionFor(d, "uk", region)
	for _, r := range ofcom {
		if r.region == to {
			return r.drama
		}
	}
	return none
}

// ofcom has the ranges that the United Kingdom's regulator sets aside for drama,
// by the form of number that each stands in for, and the postcode area where one
// is of one city.
var ofcom = []struct{ like, drama, region string }{
	{"7", "7700900", ""}, {"20", "2079460", "N"}, {"113", "1134960", "LS"}, {"114", "1144960", "S"}, {"115", "1154960", "NG"},
	{"116", "1164960", "LE"}, {"117", "1174960", "BS"}, {"118", "1184960", "RG"}, {"121", "1214960", "B"}, {"131", "1314960", "EH"},
	{"141", "1414960", "G"}, {"151", "1514960", "L"}, {"161", "1614960", "M"}, {"191", "1914980", "NE"}, {"28", "2896496", "BT"},
	{"29", "2920180", "CF"}, {"3", "3069990", ""}, {"80", "8081570", ""}, {"9", "9098790", ""},
}

// australianMobiles are the numbers that Australia's regulator sets aside for
// fiction.
var australianMobiles = strings.Fields(`491570006 491570156 491570157 491570158 491570159 491570110 491570313 491570737 491571266 491571491
	` +
	"491571804 491572549 491572665 491572983 491573770 491573087 491574118 491574632 491575254 491575789 491576398 491576801 491577426 " +
	"491577644 491578957 491578148 491578888 491579212 491579760 491579455")
