package surrogate

import (
	"regexp"
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
	if len(digits) > 11 && s[0] != '+' { // "555-0109 0921": something stands behind the number
		for i := len(s) - 1; i > 0; i-- {
			if n := len(alnum(s[:i])); s[i] == ' ' && n >= 7 && n <= 11 && n < len(digits) {
				return d.number(s[:i]) + " " + d.class("phone tail", s[i+1:])
			}
		}
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
	last := func(n int) string {
		var out string
		for i := range n {
			out += digit(i, 0, 9)
		}
		return out
	}
	australian := strings.HasPrefix(prefix, "61") || prefix == "0" && len(n) == 9
	switch {
	case !foreign && len(n) == 10 && n[0] >= '2':
		return digit(0, 2, 9) + digit(1, 0, 8) + digit(2, 2, 9) + "555" + local
	case prefix == "" && len(n) == 7:
		return "555" + local
	case !foreign:
		return ""
	case australian && len(n) == 9 && n[0] == '4':
		return australianMobiles[int(sum[0])%len(australianMobiles)]
	case australian && len(n) == 9 && strings.IndexByte("2378", n[0]) >= 0:
		return n[:1] + "5550" + last(4)
	case australian && len(n) == 9:
		return ""
	case len(n) == 10:
		for _, r := range ofcom {
			if strings.HasPrefix(n, r.like) {
				return r.drama + last(10-len(r.drama))
			}
		}
	}
	return ""
}

// ofcom has the ranges that the United Kingdom's regulator sets aside for drama,
// by the form of number that each stands in for.
var ofcom = []struct{ like, drama string }{
	{"7", "7700900"}, {"20", "2079460"}, {"113", "1134960"}, {"114", "1144960"}, {"115", "1154960"}, {"116", "1164960"}, {"117", "1174960"},
	{"118", "1184960"}, {"121", "1214960"}, {"131", "1314960"}, {"141", "1414960"}, {"151", "1514960"}, {"161", "1614960"}, {"191", "1914980"},
	{"28", "2896496"}, {"29", "2920180"}, {"3", "3069990"}, {"80", "8081570"}, {"9", "9098790"}, {"1", "1632960"}, {"2", "1632960"},
}

// australianMobiles are the numbers that Australia's regulator sets aside for
// fiction.
var australianMobiles = strings.Fields("491570006 491570156 491570157 491570158 491570159 491570110 491570313 491570737 491571266 491571491 " +
	"491571804 491572549 491572665 491572983 491573770 491573087 491574118 491574632 491575254 491575789 491576398 491576801 491577426 " +
	"491577644 491578957 491578148 491578888 491579212 491579760 491579455")

// reservedDomains are set aside by RFC 2606.
var reservedDomains = []string{"example.org", "example.com", "example.net"}

// domain returns a host name under a reserved domain.
func (p *Patient) domain(d drawer, host string) string {
	host = strings.ToLower(host)
	return d.pick(p.lists.places["place"], "domain", host, func(s string) bool {
		return !strings.Contains(host, strings.ToLower(s)) && p.known().free(s)
	}) + "." + reservedDomains[d.index(len(reservedDomains), 0, "top domain", host)]
}

// email replaces the words of the local part, names as they are replaced
// elsewhere, and the domain by a reserved one. Case does not tell addresses
// apart.
func (p *Patient) email(sc scope, d drawer, s string) string {
	at := strings.LastIndexByte(s, '@')
	if at < 0 || alnum(s[:at]) == "" {
		return d.class("email", s)
	}
	out := p.handle(sc, d, strings.ToLower(s[:at])) + "@" + strings.ToLower(p.domain(d, s[at+1:]))
	if s == strings.ToUpper(s) {
		out = strings.ToUpper(out)
	}
	return out
}

// url keeps a known scheme and "www", replaces the host by one under a reserved
// domain and the rest character by character.
func (p *Patient) url(d drawer, s string) string {
	scheme := ""
	if i := strings.Index(s, "://"); i >= 0 {
		// What stands before the scheme goes, be it an address merged with the
		// URL or a name glued to it.
		if n := schemeEnding(s[:i]); n > 0 {
			scheme = s[i-n : i+3]
		}
		s = s[i+3:]
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

// schemes are what a URL may begin with; of two that end alike the longer comes first.
var schemes = []string{"https", "http", "sftp", "ftps", "ftp", "wss", "ws", "ssh", "file"}

// schemeEnding returns the length of the scheme that s ends in, 0 for none.
func schemeEnding(s string) int {
	for _, x := range schemes {
		if n := len(s) - len(x); n >= 0 && strings.EqualFold(s[n:], x) {
			return len(x)
		}
	}
	return 0
}

// ip replaces an address by one of the documentation ranges of RFC 5737 and
// RFC 3849, and keeps a port or the length of a prefix behind it. An Ethernet
// address gets one of RFC 7042.
func (d drawer) ip(s string) string {
	if macForm.MatchString(s) {
		return d.mac(s)
	}
	tail := ""
	if i := strings.IndexByte(s, '/'); i > 0 {
		s, tail = s[:i], s[i:]
	} else if i := strings.LastIndexByte(s, ':'); i > 0 && strings.Count(s, ".") == 3 && strings.Count(s, ":") == 1 {
		s, tail = s[:i], s[i:]
	}
	key := strings.ToLower(s)
	for try := uint64(0); try < maxTries; try++ {
		var out string
		if strings.ContainsRune(s, ':') && strings.Count(s, ".") < 3 {
			sum := d.prf.sum(try, d.scope, "ip", key)
			group := func(i int) string {
				return strconv.FormatUint(uint64(sum[2*i])<<8|uint64(sum[2*i+1])|0x1000, 16)
			}
			out = "2001:db8::" + group(0)
			if !strings.Contains(s, "::") && strings.Count(s, ":") == 7 {
				out = "2001:db8:" + group(0) + ":" + group(1) + ":" + group(2) + ":" + group(3) + ":" + group(4) + ":" + group(5)
			}
		} else {
			n := d.index(3*254, try, "ip", key)
			out = [3]string{"192.0.2.", "198.51.100.", "203.0.113."}[n/254] + strconv.Itoa(1+n%254)
		}
		if out != key {
			return out + tail
		}
	}
	return ""
}

// macForm is an Ethernet address: six pairs with one kind of mark between.
var macForm = regexp.MustCompile(`^(?i)(?:[0-9a-f]{2}(?::[0-9a-f]{2}){5}|[0-9a-f]{2}(?:-[0-9a-f]{2}){5}|[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4})$`)

// mac returns an address of those set aside for documentation, 00-00-5E-00-53-00
// to -FF (RFC 7042).
func (d drawer) mac(s string) string {
	plain := alnum(s)
	for try := uint64(0); ; try++ {
		out := "00005E0053" + strings.ToUpper(strconv.FormatUint(0x100+uint64(d.index(256, try, "mac", plain)), 16)[1:])
		if out == plain {
			continue
		}
		chars := []byte(out)
		if s == strings.ToLower(s) {
			chars = []byte(strings.ToLower(out))
		}
		var b strings.Builder
		i := 0
		for _, r := range s {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				b.WriteByte(chars[i])
				i++
			} else {
				b.WriteRune(r)
			}
		}
		return b.String()
	}
}

func isUpperWord(s string) bool {
	for _, r := range s {
		if !unicode.IsUpper(r) {
			return false
		}
	}
	return s != ""
}
