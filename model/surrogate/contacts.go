package surrogate

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// reservedDomains are set aside by RFC 2606.
var reservedDomains = []string{"example.org", "example.com", "example.net"}

// domain returns a host name under a reserved domain.
func (p *Patient) domain(d drawer, host string) string {
	host = strings.ToLower(host)
	return unaccent(d.pick(p.lists.places[p.listed("place")], "domain", host, func(s string) bool {
		return !strings.Contains(host, strings.ToLower(s)) && p.known().free(s)
	})) + "." + reservedDomains[d.index(len(reservedDomains), 0, "top domain", host)]
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
var macForm = regexp.MustCompile(`^(?i)(?:[0-9a-f]{2}(?::[0-9a-f]{2}){5}|[0-9a-f]{2}(?:-[0-9a-f]{2}){5}|` +
	`[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4})$`)

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
