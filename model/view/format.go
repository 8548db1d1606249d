package view

import (
	"encoding/base64"
	"html"
	"regexp"
	"strings"

	"golang.org/x/net/html/atom"
)

// tags are those of HTML that stand in notes again and again.
var tags = regexp.MustCompile(`(?i)</?(a|b|big|blockquote|body|br|center|div|em|font|h[1-6]|head|hr|html|i|img|li|meta|o:p|ol|p|pre|s|` +
	`small|span|strong|style|sub|sup|table|tbody|td|th|thead|title|tr|tt|u|ul)(\s[^<>]*)?/?>`)

// entities are references to characters, with their semicolon.
var entities = regexp.MustCompile(`&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});`)

// Of tells a text's format by its first bytes or, of parts of HTML, by a tag or
// an entity anywhere in it: that costs a plain text nothing, as what is no HTML in
// it stays text.
func Of(text string) Format {
	head := strings.TrimLeft(strings.TrimPrefix(text, "\uFEFF"), " \t\r\n")
	lower := strings.ToLower(head[:min(len(head), 200)])
	switch {
	case strings.HasPrefix(lower, `{\rtf`):
		return RTF
	case strings.HasPrefix(lower, "<!doctype html"), strings.HasPrefix(lower, "<html"), strings.HasPrefix(lower, "<?xml") && xhtml(head):
		return HTML
	case strings.HasPrefix(lower, "<?xml"), strings.HasPrefix(lower, "<clinicaldocument"), strings.HasPrefix(lower, "<!doctype "):
		return XML
	case isXML(head):
		return XML
	case strings.IndexByte(text, '<') >= 0 && tags.MatchString(text):
		return HTML
	case isBase64(head):
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
	case RTF, XML, Base64:
		return true
	case HTML:
		return len(tags.FindAllStringIndex(value, 3)) == 3
	}
	return false
}

// xhtml tells whether an XML declaration stands before HTML.
func xhtml(head string) bool {
	lower := strings.ToLower(head[:min(len(head), 1000)])
	return strings.Contains(lower, "<html") || strings.Contains(lower, "<!doctype html")
}

// root is the first tag of a text.
var root = regexp.MustCompile(`^<([A-Za-z_][\w:.-]*)[\s>]`)

// isXML tells whether one element that HTML does not have is all of a text.
func isXML(head string) bool {
	m := root.FindStringSubmatch(head[:min(len(head), 200)])
	return m != nil && atom.Lookup([]byte(strings.ToLower(m[1]))) == 0 && strings.HasSuffix(strings.TrimSpace(head), "</"+m[1]+">")
}

// leastBase64 is how long a text of base64 is: forty bytes and more. What is
// shorter may be an id.
const leastBase64 = 56

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
	_, err := base64.StdEncoding.DecodeString(joined)
	return err == nil
}

// twice are letters of UTF-8 that was read as Windows-1252 and written as UTF-8
// again: "Ã©" for "é", "â€™" for an apostrophe.
var twice = regexp.MustCompile("Ã[\u0080-\u00bf]|Ã[\u0152-\u0192‚-™]|â€[\u0080-\u00bf˜™šœ“”¢¦]|Â[\u00a0-\u00bf]")

// Mojibake tells whether a text has letters that were decoded wrongly.
func Mojibake(text string) bool { return twice.MatchString(text) }
