package surrogate

import (
	"strconv"
	"strings"
	"unicode"
)

// phone replaces the digits of a phone number, in its form. Numbers of the
// North American plan, the United Kingdom and Australia get ones that these
// plans reserve for fiction; others get other digits. An extension is replaced
// apart, so that the number agrees with and without it.
func (d drawer) phone(s string) string {
	from := labelEnd(s)
	number, mark, extension := cutExtension(s[from:])
	out := s[:from]
	if number != "" {
		out += d.number(number)
	}
	if extension != "" {
		out += mark + d.class("extension", extension)
	}
	return out
}

// cutExtension cuts "ext. 12", "x12" or "#12" off a number, which may be empty.
func cutExtension(s string) (number, mark, extension string) {
	lower := strings.ToLower(s)
	if len(lower) != len(s) {
		return s, "", ""
	}
	for _, m := range []string{"extension", "ext", "x", "#"} {
		i := strings.Index(lower, m)
		if i < 0 || i > 0 && alnum(s[:i]) == "" {
			continue
		}
		if digits, ok := onlyDigits(s[i+len(m):]); ok && digits != "" {
			return s[:i], s[i : i+len(m)], s[i+len(m):]
		}
	}
	return s, "", ""
}

func (d drawer) number(s string) string {
	digits, ok := onlyDigits(s)
	if !ok || digits == "" {
		return d.class("phone", s)
	}
	// Prefixes of the country do not tell numbers apart.
	prefix, national := "", digits
	switch {
	case strings.HasPrefix(strings.TrimSpace(s), "+") && (strings.HasPrefix(digits, "44") || strings.HasPrefix(digits, "61")):
		national = strings.TrimPrefix(digits[2:], "0")
		prefix = digits[:len(digits)-len(national)]
	case len(digits) == 11 && digits[0] == '1':
		prefix, national = "1", digits[1:]
	case len(digits) > 9 && digits[0] == '0' && digits[1] != '0':
		prefix, national = "0", digits[1:]
	}
	for try := uint64(0); ; try++ {
		out := prefix + d.national(try, prefix, national)
		if len(out) != len(digits) { // not a plan that is known
			rest := strings.TrimLeft(digits, "0")
			if rest == "" {
				rest = digits
			}
			out = digits[:len(digits)-len(rest)] + string(d.substitute("phone", rest))
		}
		if out != digits {
			return spread(s, []byte(out))
		}
	}
}

// national returns a reserved number for the digits after the prefix, or "".
func (d drawer) national(try uint64, prefix, n string) string {
	sum := d.prf.sum(try, d.scope, "phone", n)
	digit := func(i, lo, hi int) string { return strconv.Itoa(lo + int(sum[i])%(hi-lo+1)) }
	local := ""
	if len(n) >= 7 { // 555-0100 to 555-0199, the same with and without the area code
		own := d.prf.sum(try, d.scope, "phone local", n[len(n)-7:])
		local = "01" + strconv.Itoa(int(own[0])%10) + strconv.Itoa(int(own[1])%10)
	}
	foreign := prefix != "" && prefix != "1"
	switch {
	case !foreign && len(n) == 10 && n[0] >= '2':
		return digit(0, 2, 9) + digit(1, 0, 8) + digit(2, 2, 9) + "555" + local
	case prefix == "" && len(n) == 7:
		return "555" + local
	case !foreign:
		return ""
	case len(n) == 10 && n[0] == '7': // UK mobile: 07700 900000-900999
		return "7700900" + digit(0, 0, 9) + digit(1, 0, 9) + digit(2, 0, 9)
	case len(n) == 10 && n[0] <= '3': // UK: 01632 960000-960999
		return "1632960" + digit(0, 0, 9) + digit(1, 0, 9) + digit(2, 0, 9)
	case len(n) == 9 && n[0] == '4': // Australian mobile: 0491 570 xxx
		return "491570" + digit(0, 0, 9) + digit(1, 0, 9) + digit(2, 0, 9)
	case len(n) == 9 && strings.HasPrefix(prefix, "61"), len(n) == 9 && (n[0] == '2' || n[0] == '3' || n[0] == '7' || n[0] == '8'):
		return n[:1] + "5550" + digit(0, 0, 9) + digit(1, 0, 9) + digit(2, 0, 9) + digit(3, 0, 9)
	}
	return ""
}

// reservedDomains are set aside by RFC 2606.
var reservedDomains = []string{"example.org", "example.com", "example.net"}

// domain returns a host name under a reserved domain.
func (p *Patient) domain(d drawer, host string) string {
	host = strings.ToLower(host)
	return d.pick(p.lists.places["place"], "domain", host, func(s string) bool {
		return !strings.Contains(host, strings.ToLower(s)) && p.known().free(s)
	}) + "." + reservedDomains[d.index(len(reservedDomains), 0, "top domain", host)]
}

// email replaces the words of the local part by words, and the domain by a
// reserved one. Case does not tell addresses apart.
func (p *Patient) email(d drawer, s string) string {
	at := strings.LastIndexByte(s, '@')
	if at < 0 || alnum(s[:at]) == "" {
		return d.class("email", s)
	}
	ps := p.known()
	local := strings.ToLower(s[:at])
	var b strings.Builder
	for _, piece := range cut(local) {
		switch {
		case piece.kind == wordPiece && runes(piece.text) > 2:
			word := fold(piece.text)
			b.WriteString(fold(d.pick(p.lists.names, "email", word, func(n string) bool { return ps.mayBe(n, word) })))
		case piece.kind == gapPiece:
			b.WriteString(piece.text)
		default:
			b.WriteString(strings.ToLower(d.class("email", piece.text)))
		}
	}
	out := b.String() + "@" + strings.ToLower(p.domain(d, s[at+1:]))
	if s == strings.ToUpper(s) {
		out = strings.ToUpper(out)
	}
	return out
}

// url keeps the scheme and "www", replaces the host by one under a reserved
// domain and the rest character by character.
func (p *Patient) url(d drawer, s string) string {
	scheme := ""
	if i := strings.Index(s, "://"); i >= 0 {
		scheme, s = s[:i+3], s[i+3:]
	}
	if i := strings.IndexByte(s, '@'); i >= 0 && !strings.ContainsAny(s[:i], "/?#") {
		s = s[i+1:] // user and password go
	}
	host, rest := s, ""
	if i := strings.IndexAny(s, "/?#"); i >= 0 {
		host, rest = s[:i], s[i:]
	}
	if alnum(host) == "" {
		return scheme + d.class("url", s)
	}
	www := ""
	if len(host) > 4 && strings.EqualFold(host[:4], "www.") {
		www, host = host[:4], host[4:]
	}
	out := scheme + www + strings.ToLower(p.domain(d, host))
	if alnum(rest) != "" {
		rest = spread(rest, d.substitute("url", alnum(rest)))
	}
	return out + rest
}

// ip replaces an address by one of the documentation ranges of RFC 5737 and
// RFC 3849.
func (d drawer) ip(s string) string {
	key := strings.ToLower(s)
	for try := uint64(0); try < maxTries; try++ {
		var out string
		if strings.ContainsRune(s, ':') && strings.Count(s, ".") < 3 {
			sum := d.prf.sum(try, d.scope, "ip", key)
			out = "2001:db8::" + strconv.FormatUint(uint64(sum[0])<<8|uint64(sum[1])|0x1000, 16)
		} else {
			out = "192.0.2." + strconv.Itoa(1+d.index(254, try, "ip", key))
		}
		if out != key {
			return out
		}
	}
	return ""
}

func isUpperWord(s string) bool {
	for _, r := range s {
		if !unicode.IsUpper(r) {
			return false
		}
	}
	return s != ""
}
