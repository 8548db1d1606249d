package check

import (
	"encoding/base64"
	"regexp"
	"strings"
	"unicode/utf8"
)

// form is what a text is in that is not plain, in words that follow "3 notes".
type form string

const (
	rtf      form = "look like RTF"
	cda      form = "look like XML, such as CDA"
	html     form = "look like HTML"
	encoded  form = "look like base64"
	windows  form = "hold bytes that are not UTF-8 and look like Windows-1252"
	invalid  form = "hold bytes that are not UTF-8"
	replaced form = "hold U+FFFD: characters were lost when the text was converted"
)

// allForms are in the order in which they are told.
var allForms = []form{rtf, cda, html, encoded, windows, invalid, replaced}

// formsOf counts notes by the form of their texts.
func formsOf(notes [][]string) map[form]int64 {
	counts := map[form]int64{}
	for _, texts := range notes {
		has := map[form]bool{}
		for _, t := range texts {
			for _, f := range formOf(t) {
				has[f] = true
			}
		}
		for f := range has {
			counts[f]++
		}
	}
	return counts
}

// tags are those of HTML that stand in notes again and again.
var tags = regexp.MustCompile(`(?i)</?(p|br|div|span|table|tr|td|th|b|i|u|ul|li|font|body|h[1-6])(\s[^<>]*)?/?>`)

// formOf returns the forms of a text, none for one that is plain.
func formOf(text string) (all []form) {
	head := strings.TrimLeft(strings.TrimPrefix(text, "\uFEFF"), " \t\r\n")
	lower := strings.ToLower(head[:min(len(head), 200)])
	switch {
	case strings.HasPrefix(head, `{\rtf`):
		all = append(all, rtf)
	case strings.HasPrefix(lower, "<!doctype html"), strings.HasPrefix(lower, "<html"):
		all = append(all, html)
	case strings.HasPrefix(lower, "<?xml"), strings.HasPrefix(lower, "<clinicaldocument"):
		all = append(all, cda)
	case len(tags.FindAllStringIndex(text, 3)) == 3:
		all = append(all, html)
	case isBase64(head):
		all = append(all, encoded)
	}
	if !utf8.ValidString(text) {
		if isWindows(text) {
			all = append(all, windows)
		} else {
			all = append(all, invalid)
		}
	}
	if strings.Contains(text, "\uFFFD") {
		all = append(all, replaced)
	}
	return all
}

// isBase64 tells whether a text is nothing but base64, of forty bytes and more.
func isBase64(text string) bool {
	joined := strings.NewReplacer("\n", "", "\r", "").Replace(strings.TrimSpace(text))
	if len(joined) < 56 || !strings.ContainsAny(joined, "0123456789+/=") {
		return false
	}
	_, err := base64.StdEncoding.DecodeString(joined)
	return err == nil
}

// isWindows tells whether the bytes that are no UTF-8 are all letters or signs in
// Windows-1252, and none stands where that has nothing.
func isWindows(text string) bool {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && n == 1 && strings.IndexByte("\x81\x8d\x8f\x90\x9d", text[i]) >= 0 {
			return false
		}
		if text[i] == 0 { // as in UTF-16
			return false
		}
		i += n
	}
	return true
}
