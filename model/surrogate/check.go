package surrogate

import "strings"

// Registered numbers and their check digits. The rule is one: a number that
// opens something or reaches somebody if it is real (a prescriber's DEA number,
// a provider's NPI, a payment or insurance card, an IMEI) gets a surrogate
// whose check digit is wrong on purpose, so that it can belong to nobody and
// every system refuses it; so do numbers of a national register, the NHS's and
// Scotland's CHI, Ireland's PPS, Canada's SIN and Spain's DNI, NIE and NASS. A number that
// only names a thing (a VIN) gets a right one, so that it passes where its form
// is checked. Social security numbers are in codes.go. What a number is, its own
// check digit tells: a wrong one makes it a code like any other.

// checked returns the surrogate of the characters of such a number, without
// punctuation. ok is false for any other.
func (d drawer) checked(plain string) (chars []byte, ok bool) {
	digits := strings.Trim(plain, "0123456789") == ""
	switch n := len(plain); {
	case n == 9 && dniCheck(plain) == plain[8]:
		return d.dni(plain), true
	case digits && n == 12 && nassCheck(plain):
		return d.nass(plain), true
	case n == 17 && vin(plain):
		return d.vin(plain), true
	case n == 9 && deaCheck(plain) == plain[8]:
		return d.spoilt(plain, deaCheck), true
	case digits && n == 10 && (plain[0] == '1' || plain[0] == '2') && luhnOf("80840"+plain) == plain[9]:
		return d.spoilt(plain, func(s string) byte { return luhnOf("80840" + s) }), true
	case digits && n == 10: // whether it is an NHS number or not, its surrogate is none
		return d.spoilt(plain, nhsCheck), true
	case n == 9 && ppsCheck(plain) == plain[7] || n == 8 && ppsCheck(plain+"W") == plain[7]:
		return d.register(plain, 7, func(s string) byte { return ppsCheck((s + "W")[:9]) }), true
	case digits && n == 9 && luhnOf(plain) == plain[8]:
		return d.spoilt(plain, luhnOf), true
	case digits && n >= 13 && n <= 19 && luhnOf(plain) == plain[n-1]:
		return d.spoilt(plain, luhnOf), true
	}
	return nil, false
}

// spoilt draws characters whose last one is not the check digit.
func (d drawer) spoilt(plain string, check func(string) byte) []byte {
	out := d.substitute("code", plain)
	if check(string(out)) == out[len(out)-1] {
		out[len(out)-1] = '0' + (out[len(out)-1]-'0'+1)%10
	}
	if string(out) == plain { // only its last digit had been drawn anew
		out[len(out)-2] = '0' + (out[len(out)-2]-'0'+1)%10
		if check(string(out)) == out[len(out)-1] {
			out[len(out)-1] = '0' + (out[len(out)-1]-'0'+1)%10
		}
	}
	return out
}

// luhnOf returns the check digit that the digits before the last one call for
// (ISO/IEC 7812).
func luhnOf(s string) byte {
	sum := 0
	for i := len(s) - 2; i >= 0; i-- {
		v := int(s[i] - '0')
		if (len(s)-2-i)%2 == 0 {
			if v *= 2; v > 9 {
				v -= 9
			}
		}
		sum += v
	}
	return byte('0' + (10-sum%10)%10)
}

// deaCheck returns the check digit of a registration of the US Drug Enforcement
// Administration, two letters and seven digits, or 0 for anything else.
func deaCheck(s string) byte {
	if len(s) != 9 || s[0] < 'A' || s[0] > 'Z' || s[1] < '0' || s[1] > '9' && s[1] < 'A' || s[1] > 'Z' {
		return 0
	}
	v := [6]int{}
	for i := range v {
		if s[2+i] < '0' || s[2+i] > '9' {
			return 0
		}
		v[i] = int(s[2+i] - '0')
	}
	return byte('0' + (v[0]+v[2]+v[4]+2*(v[1]+v[3]+v[5]))%10)
}

// nhsCheck returns the check digit of the nine digits before it, modulo 11, or
// 0 where none exists.
func nhsCheck(s string) byte {
	sum := 0
	for i := range 9 {
		sum += (10 - i) * int(s[i]-'0')
	}
	switch c := 11 - sum%11; c {
	case 11:
		return '0'
	case 10:
		return 0
	default:
		return byte('0' + c)
	}
}

// threes reports whether a number is written 3-3-3.
func threes(whole string) bool {
	runs := 0
	for _, p := range cut(whole) {
		if p.kind == digitPiece {
			if len(p.text) != 3 {
				return false
			}
			runs++
		}
	}
	return runs == 3
}

// ppsCheck returns the letter that the seven digits before it call for in an
// Irish personal public service number, modulo 23, with the letter behind it, W
// for none; 0 for anything else.
func ppsCheck(s string) byte {
	if len(s) != 9 || s[8] < 'A' || s[8] > 'Z' {
		return 0
	}
	sum := 0
	if s[8] != 'W' {
		sum = 9 * int(s[8]-'A'+1)
	}
	for i := range 7 {
		if s[i] < '0' || s[i] > '9' {
			return 0
		}
		sum += (8 - i) * int(s[i]-'0')
	}
	return "WABCDEFGHIJKLMNOPQRSTUV"[sum%23]
}

// register draws characters of which that at index i, a letter, is not the one
// that check calls for.
func (d drawer) register(plain string, i int, check func(string) byte) []byte {
	out := d.substitute("code", plain)
	for right := check(string(out)); out[i] == right || out[i] == plain[i]; {
		if out[i]++; out[i] > 'Z' {
			out[i] = 'A'
		}
	}
	return out
}

// vinValues are what letters count for in the check digit of a vehicle
// identification number (49 CFR 565.15); I, O and Q do not occur.
const (
	vinLetters = "ABCDEFGHJKLMNPRSTUVWXYZ"
	vinValues  = "12345678123457923456789"
)

var vinWeights = [17]int{8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2}

// vin reports whether plain is a VIN with the right check digit.
func vin(plain string) bool {
	c, ok := vinCheck(plain)
	return ok && c == plain[8]
}

func vinCheck(s string) (byte, bool) {
	sum, letters := 0, 0
	for i := range 17 {
		v := int(s[i]) - '0'
		if s[i] < '0' || s[i] > '9' {
			at := strings.IndexByte(vinLetters, s[i])
			if at < 0 {
				return 0, false
			}
			v = int(vinValues[at] - '0')
			letters++
		}
		sum += v * vinWeights[i]
	}
	if letters == 0 {
		return 0, false
	}
	if sum %= 11; sum == 10 {
		return 'X', true
	}
	return byte('0' + sum), true
}

func (d drawer) vin(plain string) []byte {
	for try := uint64(0); ; try++ {
		out := d.stream(try, "vin", plain)
		for i, c := range out {
			if c > '9' && strings.IndexByte(vinLetters, c) < 0 {
				out[i] = 'V'
			}
		}
		out[8] = '0'
		if c, ok := vinCheck(string(out)); ok {
			if out[8] = c; string(out) != plain {
				return out
			}
		}
	}
}
