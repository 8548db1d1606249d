package view

import (
	"encoding/json"
	"html"
	"regexp"
	"strings"

	"golang.org/x/net/html/atom"
)

// tags are those of HTML that stand in notes again and again.
var tags = regexp.MustCompile(`(?i)</?(a|abbr|address|article|audio|b|big|blockquote|body|br|button|caption|center|` +
	`cite|code|dd|del|div|dl|dt|` +
	`em|embed|fieldset|font|footer|form|h[1-6]|head|header|hr|html|i|iframe|image|img|input|ins|label|legend|li|mark|meta|nav|nobr|` +
	`noscript|o:p|object|ol|option|p|pre|s|script|section|select|small|source|span|strike|strong|style|sub|sup|svg|table|tbody|td|` +
	`textarea|tfoot|th|thead|title|tr|tt|u|ul|video|wbr)(\s[^<>]*)?/?>`)

// entities are references to characters, with their semicolon; without it, those of
// letters.
var entities = regexp.MustCompile(`&(?:#[0-9]{1,7};|#[xX][0-9a-fA-F]{1,6};|[A-Za-z][A-Za-z0-9]{1,30};|` +
	`#[0-9]{3,7}|#[xX][0-9a-fA-F]{2,6}|nbsp|` +
	`[AEIOUYaeiouy]acute|[AEIOUaeiou](?:grave|circ|uml)|yuml|[ANOano]tilde|[Cc]cedil|[Aa]ring|[Oo]slash|szlig|AElig|aelig)`)

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
	case holdsRTF(text):
		return Mixed
	case holdsBase64(text), isBase64(head), isHex(head), isEncoded(text, false):
		return Base64
	case escapesLetters(text):
		return JSON
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
	case RTF, XML, Base64, JSON, Mixed:
		return true
	case HTML:
		return holdsBase64(value) || len(tags.FindAllStringIndex(value, 3)) == 3
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

// twice are letters of UTF-8 that was read as Windows-1252 and written as UTF-8
// again: "Ã©" for "é", "â€™" for an apostrophe.
var twice = regexp.MustCompile("Ã[\u0080-\u00bf]|Ã[\u0152-\u0192‚-™]|â€[\u0080-\u00bf˜™šœ“”¢¦]|Â[\u00a0-\u00bf]")

// Mojibake tells whether a text has letters that were decoded wrongly.
func Mojibake(text string) bool { return twice.MatchString(text) }
