package check

import (
	"strings"
	"unicode/utf8"

	"github.com/palimpsest-deid/palimpsest/model/view"
)

// form is what a text is in that is not plain, in words that follow "3 notes".
type form string

const (
	rtf      form = "look like RTF"
	cda      form = "look like XML, such as CDA"
	html     form = "look like HTML"
	encoded  form = "look like base64"
	escaped  form = "look like JSON with escapes"
	mixed    form = "hold RTF after other text"
	wide     form = "hold bytes of zero, as UTF-16 does"
	windows  form = "hold bytes that are not UTF-8 and look like Windows-1252"
	invalid  form = "hold bytes that are not UTF-8"
	mojibake form = "hold letters that were decoded wrongly, such as Ã© for é"
	replaced form = "hold U+FFFD: characters were lost when the text was converted"
)

// allForms are in the order in which they are told.
var allForms = []form{rtf, cda, html, encoded, escaped, mixed, wide, windows, invalid, mojibake, replaced}

// forms are the formats that are told.
var forms = map[view.Format]form{
	view.RTF: rtf, view.XML: cda, view.HTML: html, view.Base64: encoded, view.JSON: escaped, view.Mixed: mixed,
}

// becomes says what the job does to texts of a form, unless --text_format says
// otherwise.
var becomes = map[form]string{rtf: "read as RTF", html: "read as HTML", cda: "go to quarantine", encoded: "go to quarantine",
	escaped: "go to quarantine", mixed: "go to quarantine", wide: "go to quarantine", windows: "go to quarantine", invalid: "go to quarantine",
	mojibake: "read as they are, and names with such letters are often missed"}

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

// formOf returns the forms of a text, none for one that is plain.
func formOf(text string) (all []form) {
	if f, ok := forms[view.Of(text)]; ok {
		all = append(all, f)
	}
	switch {
	case utf8.ValidString(text) && view.Wide(text):
		all = append(all, wide)
	case utf8.ValidString(text):
	case isWindows(text):
		all = append(all, windows)
	default:
		all = append(all, invalid)
	}
	if view.Mojibake(text) {
		all = append(all, mojibake)
	}
	if strings.Contains(text, "\uFFFD") {
		all = append(all, replaced)
	}
	return all
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
