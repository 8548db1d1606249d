package view

import (
	"encoding/base64"
	"encoding/json"
	"html"
	"regexp"
	"strings"

	"golang.org/x/net/html/atom"
)

// tags are those of HTML that stand in notes again and again.
var tags = regexp.MustCompile(`(?i)</?(a|audio|b|big|blockquote|body|br|center|div|em|embed|font|h[1-6]|head|hr|html|i|iframe|image|img|` +
	`li|meta|o:p|object|ol|p|pre|s|small|source|span|strong|style|sub|sup|svg|table|tbody|td|th|thead|title|tr|tt|u|ul|video)` +
	`(\s[^<>]*)?/?>`)

// entities are references to characters, with their semicolon.
var entities = regexp.MustCompile(`&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});`)

// Of tells a text's format by its first bytes or, of parts of HTML, by a tag or
// an entity anywhere in it: that costs a plain text nothing, as what is no HTML in
// it stays text.
func Of(text string) Format {
	head := strings.TrimLeft(strings.TrimPrefix(text, "\uFEFF"), " \t\r\n")
	body := afterProlog(head)
	lower, first := strings.ToLower(head[:min(len(head), 200)]), strings.ToLower(body[:min(len(body), 200)])
	switch {
	case strings.HasPrefix(lower, `{\rtf`):
		return RTF
	case strings.HasPrefix(first, "<!doctype html"), strings.HasPrefix(first, "<html"), strings.HasPrefix(lower, "<?xml") && xhtml(head):
		return HTML
	case strings.HasPrefix(lower, "<?xml"), strings.HasPrefix(first, "<clinicaldocument"), strings.HasPrefix(first, "<!doctype "):
		return XML
	case isXML(body):
		return XML
	case isJSON(head): // which may hold HTML
		return JSON
	case strings.IndexByte(text, '<') >= 0 && tags.MatchString(text):
		return HTML
	case strings.Contains(text, inBase64), isBase64(head), isHex(head):
		return Base64
	}
	if strings.IndexByte(text, '&') >= 0 {
		for _, e := range entities.FindAllString(text, -1) {
			if html.UnescapeString(e) != e {
				return HTML
			}
		}
	}
	return Plain
}

// Opaque tells whether a value is a document of its own, or encoded, so that to
// search it as if it were plain would overlook what it holds.
func Opaque(value string) bool {
	switch Of(value) {
	case RTF, XML, Base64, JSON:
		return true
	case HTML:
		return strings.Contains(value, inBase64) || len(tags.FindAllStringIndex(value, 3)) == 3
	}
	return Wide(value)
}

// Wide tells whether a text has letters with bytes of zero around them, as UTF-16 without
// a mark at its beginning has: no word of it can be read. A stray zero, and those
// that fill a text up, are none.
func Wide(text string) bool {
	for i := strings.IndexByte(text, 0); i >= 0 && i+2 < len(text); {
		if text[i+1] != 0 && text[i+2] == 0 {
			return true
		}
		next := strings.IndexByte(text[i+1:], 0)
		if next < 0 {
			return false
		}
		i += 1 + next
	}
	return false
}

// xhtml tells whether an XML declaration stands before HTML.
func xhtml(head string) bool {
	lower := strings.ToLower(head[:min(len(head), 1000)])
	return strings.Contains(lower, "<html") || strings.Contains(lower, "<!doctype html")
}

// afterProlog returns what stands behind the comments, declarations and words to other
// programs that XML begins with.
func afterProlog(head string) string {
	for {
		end := "-->"
		if strings.HasPrefix(head, "<?") {
			end = "?>"
		} else if !strings.HasPrefix(head, "<!--") {
			return head
		}
		_, after, ok := strings.Cut(head, end)
		if !ok {
			return head
		}
		head = strings.TrimLeft(after, " \t\r\n")
	}
}

// root is the first tag of a text.
var root = regexp.MustCompile(`^<([A-Za-z_][\w:.-]*)(\s[^<>]*|/?>)`)

// ofNamespace is the vocabulary that a tag is of, where it says so.
var ofNamespace = regexp.MustCompile(`\sxmlns\s*=\s*["']([^"']*)["']`)

// isXML tells whether a text begins with a tag of another vocabulary than HTML, by the
// tag's own word, or is one element, all of it, that HTML does not have. CDA has words
// in common with HTML, such as section and title, and pages that were made of CDA name
// its vocabulary without being of it.
func isXML(head string) bool {
	m := root.FindStringSubmatch(head[:min(len(head), 2000)])
	if m == nil {
		return false
	}
	if n := ofNamespace.FindStringSubmatch(m[2]); n != nil && n[1] != "" && !strings.Contains(strings.ToLower(n[1]), "html") {
		return true
	}
	early := head[:min(len(head), 1000)]
	for _, n := range ofNamespace.FindAllStringSubmatch(early, -1) {
		if strings.HasPrefix(n[1], hl7) {
			return true
		}
	}
	return atom.Lookup([]byte(strings.ToLower(m[1]))) == 0 &&
		(strings.Contains(early, hl7) || strings.HasSuffix(strings.TrimSpace(head), "</"+m[1]+">"))
}

// hl7 begins the names of the vocabularies of CDA.
const hl7 = "urn:hl7-org"

// isJSON tells whether a text is JSON that escapes some of its characters: read as it
// stands, "\u00ed" and "\n" would be letters of words.
func isJSON(head string) bool {
	return (strings.HasPrefix(head, "{") || strings.HasPrefix(head, "[")) && strings.IndexByte(head, '\\') >= 0 && json.Valid([]byte(head))
}

// leastBase64 is how long a text of base64 is: forty bytes and more. What is
// shorter may be an id.
const leastBase64 = 56

// The two alphabets of base64.
const (
	alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	standard     = alphanumeric + "+/"
	forAddresses = alphanumeric + "-_"
)

// isBase64 tells whether a text is nothing but base64. Digests in hexadecimal
// digits are not.
func isBase64(text string) bool {
	if len(text) < leastBase64 || strings.IndexByte(text[:leastBase64], ' ') >= 0 {
		return false
	}
	joined := strings.NewReplacer("\n", "", "\r", "").Replace(strings.TrimSpace(text))
	if len(joined) < leastBase64 || !strings.ContainsAny(joined, "0123456789+/=") || strings.Trim(joined, "0123456789abcdefABCDEF") == "" {
		return false
	}
	if _, err := base64.StdEncoding.DecodeString(joined); err == nil {
		return true
	}
	bare := strings.TrimRight(joined, "=") // without padding, or cut off
	return len(bare) >= leastBase64-2 && (strings.Trim(bare, standard) == "" || strings.Trim(bare, forAddresses) == "") && mixed(bare)
}

// mixed tells whether capitals, small letters, digits and signs change as often as they do
// in base64. In names of files, which have letters and digits as well, most letters
// stand beside others of their kind.
func mixed(text string) bool {
	changes, before := 0, kindOf(text[0])
	met := before
	for i := 1; i < len(text); i++ {
		k := kindOf(text[i])
		met |= k
		if k != before {
			changes++
		}
		before = k
	}
	const letters = isCapital | isSmall
	return met&letters == letters && met != letters && float64(changes) > 0.45*float64(len(text))
}

const (
	isCapital = 1 << iota
	isSmall
	isOther
)

func kindOf(c byte) int {
	switch {
	case c >= 'A' && c <= 'Z':
		return isCapital
	case c >= 'a' && c <= 'z':
		return isSmall
	}
	return isOther
}

// mostDigest is how many hexadecimal digits the longest digest has.
const mostDigest = 128

// isHex tells whether a text is nothing but hexadecimal digits, and more than digests
// have. A number, and a column of them, has no letters.
func isHex(text string) bool {
	for _, mark := range []string{"0x", "0X", `\x`, "X'"} {
		text = strings.TrimPrefix(text, mark)
	}
	if len(text) <= mostDigest || strings.Trim(text[:mostDigest], "0123456789abcdefABCDEF\r\n") != "" {
		return false
	}
	joined := strings.NewReplacer("\n", "", "\r", "").Replace(strings.TrimRight(text, " \t\r\n'"))
	return len(joined) > mostDigest && strings.Trim(joined, "0123456789abcdefABCDEF") == "" && strings.ContainsAny(joined, "abcdefABCDEF")
}

// twice are letters of UTF-8 that was read as Windows-1252 and written as UTF-8
// again: "Ã©" for "é", "â€™" for an apostrophe.
var twice = regexp.MustCompile("Ã[\u0080-\u00bf]|Ã[\u0152-\u0192‚-™]|â€[\u0080-\u00bf˜™šœ“”¢¦]|Â[\u00a0-\u00bf]")

// Mojibake tells whether a text has letters that were decoded wrongly.
func Mojibake(text string) bool { return twice.MatchString(text) }
