package surrogate

import (
	"strings"
	"unicode"

	"github.com/palimpsest-deid/palimpsest/model/names"
)

// labels are words before a number that are no part of it.
var labels = names.Set(`zip postcode mrn mr no num number nr id ssn acct account nhs npi dea gmc lot sn serial ref case room rm bed ward
	unit study accession policy medicare medicaid license licence plate vin model pin tel phone fax pager cell`)

// code replaces the letters and digits of a code by others of their class,
// case and place kept, and so its punctuation. Codes that differ in case and
// punctuation alone ("0081-22", "008122") get the same characters. Labels in
// front ("MRN 0081") stay, and letters apart from a number are drawn apart from it
// (affixes.go).
//
// Numbers that a check digit guards, or that a register keeps, are drawn as
// check.go says.
func (d drawer) code(s string) string {
	if len(s) > maxSurface {
		return d.class("code", s)
	}
	from := labelEnd(s)
	if macForm.MatchString(s[from:]) {
		return s[:from] + d.mac(s[from:])
	}
	if plain := alnum(s[from:]); plain != "" {
		if chars, ok := d.checked(plain); ok {
			return s[:from] + spread(s[from:], chars)
		}
	}
	if ssnForm.MatchString(s[from:]) {
		return d.ssn(s)
	}
	if out := d.affixed(s[from:]); out != "" {
		return s[:from] + out
	}
	return d.class("code", s)
}

func (d drawer) class(domain, s string) string {
	from := labelEnd(s)
	plain := alnum(s[from:])
	if plain == "" {
		from = 0
		if plain = alnum(s); plain == "" {
			return ""
		}
	}
	return s[:from] + spread(s[from:], d.substitute(domain, plain))
}

// labelEnd returns the bytes of the label words that s begins with, and of the
// blanks and colons after them: "MRN: ", "ID 5", but nothing of "ID5", which is
// one code.
func labelEnd(s string) int {
	end, at := 0, 0
	for _, p := range cut(s) {
		if p.kind == digitPiece || p.kind == wordPiece && !labels[fold(p.text)] {
			break
		}
		at += len(p.text)
		if p.kind == gapPiece && at > len(p.text) {
			rest := strings.TrimLeft(p.text, " \t:.#")
			if rest != p.text {
				end = at - len(rest)
			}
			if rest != "" {
				break
			}
		}
	}
	if end == len(s) {
		return 0
	}
	return end
}

// alnum returns the letters and digits of s, folded, as ASCII classes allow.
func alnum(s string) string {
	var b strings.Builder
	for _, r := range s {
		if isLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(unicode.ToUpper(r))
		}
	}
	return b.String()
}

// substitute returns keyed characters for those of a normalised code: digits
// for digits, capitals for letters, and not the code itself. A first digit
// other than 0 stays so.
func (d drawer) substitute(domain, plain string) []byte {
	for try := uint64(0); ; try++ {
		out := d.stream(try, domain, plain)
		if string(out) != plain {
			return out
		}
	}
}

func (d drawer) stream(try uint64, domain, plain string) []byte {
	out := make([]byte, 0, len(plain))
	seed := d.prf.sum(try, d.scope, domain, plain)
	sum := seed
	i, block := 0, uint64(0)
	for _, r := range plain {
		if i+2 > len(sum) { // more from the seed: the value itself may be long
			block++
			sum = d.prf.sum(block, d.scope, domain+" more", string(seed[:]))
			i = 0
		}
		v := int(sum[i])<<8 | int(sum[i+1])
		i += 2
		switch {
		case !unicode.IsDigit(r):
			out = append(out, "ABCDEFGHJKLMNPQRSTUVWXYZ"[v%24])
		case len(out) == 0 && r != '0':
			out = append(out, byte('1'+v%9))
		default:
			out = append(out, byte('0'+v%10))
		}
	}
	return out
}

// spread writes characters over the letters and digits of s, in its case.
func spread(s string, chars []byte) string {
	var b strings.Builder
	b.Grow(len(s))
	i := 0
	for _, r := range s {
		switch {
		case !isLetter(r) && !unicode.IsDigit(r):
			b.WriteRune(r)
			continue
		case i >= len(chars):
			return b.String()
		case unicode.IsLower(r):
			b.WriteByte(chars[i] | 0x20)
		default:
			b.WriteByte(chars[i])
		}
		i++
	}
	return b.String()
}

// onlyDigits returns the ASCII digits of s, and whether s holds no other
// letter or digit.
func onlyDigits(s string) (digits string, ok bool) {
	var b strings.Builder
	ok = true
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9':
			b.WriteByte(byte(r))
		case isLetter(r) || unicode.IsDigit(r):
			ok = false
		}
	}
	return b.String(), ok
}

// ssn replaces a social security number by one that can never be issued: its
// area begins with 9, and its group is none of those used for taxpayer numbers
// (50-99). The last four digits depend on the last four alone, which notes
// often give by themselves.
func (d drawer) ssn(s string) string {
	from := labelEnd(s)
	digits, ok := onlyDigits(s[from:])
	if !ok || len(digits) != 9 && len(digits) != 4 {
		return d.code(s) // another country's
	}
	last := d.substitute("ssn last", digits[len(digits)-4:])
	if last[0] == '0' && last[1] == '0' && last[2] == '0' && last[3] == '0' {
		last[3] = '1'
	}
	if len(digits) == 4 {
		return s[:from] + spread(s[from:], last)
	}
	for try := uint64(0); ; try++ {
		sum := d.prf.sum(try, d.scope, "ssn", digits)
		out := []byte{'9', '0' + sum[0]%10, '0' + sum[1]%10, '0' + sum[2]%5, '1' + sum[3]%9}
		out = append(out, last...)
		if threes(s) && luhnOf(string(out)) == out[8] {
			continue // a Canadian's, who may be here for a time
		}
		if string(out) != digits {
			return s[:from] + spread(s[from:], out)
		}
	}
}
