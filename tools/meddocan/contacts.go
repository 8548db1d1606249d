package meddocan

import (
	"regexp"
	"strings"
)

var (
	mail      = regexp.MustCompile(`[\p{L}\d_.+\-]+@[\p{L}\d\-]+(?:\.[\p{L}\d\-]+)+`)
	mailLabel = regexp.MustCompile(`^(?i:e-?mail)[.\-:]+`)
	line      = regexp.MustCompile(`(?i)(tel[eéf]*(?:ono)?s?|tel[eé]fonos?|tfno|tlfno|tlf|tfn|telf|tf|m[oó]vil|fax)\b[\s.:]*(?:(?:/|y|` +
		`-)\s?(fax)\b[\s.:]*)?(?:n[º°o]\.?\s?)?((?:[(+]|\+ )*\d[\d ()./-]*\d(?:\s?ext\.?\s?\d+)?)`)
	between = regexp.MustCompile(`\s+[-/]\s+|\s*/\s+|\s*;\s*`)
)

// contacts finds e-mail addresses and labelled numbers.
func contacts(n *note) {
	for _, m := range mail.FindAllStringIndex(n.text, -1) {
		start, end := m[0], m[1]
		if p := mailLabel.FindString(n.text[start:end]); p != "" {
			start += len(p)
		}
		start += len(n.text[start:end]) - len(strings.TrimLeft(n.text[start:end], ".-"))
		n.put(start, end, email)
	}
	for _, m := range line.FindAllStringSubmatchIndex(n.text, -1) {
		label := phone
		if strings.EqualFold(n.text[m[2]:m[3]], "fax") && !phoneBefore(n.text, m[2]) {
			label = fax
		}
		at, end := m[6], m[7]
		for at < end {
			to := end
			next := end
			if c := between.FindStringIndex(n.text[at:end]); c != nil {
				to, next = at+c[0], at+c[1]
			}
			from := at + strings.IndexAny(n.text[at:to]+"0", "0123456789")
			number := strings.TrimRight(n.text[min(from, to):to], " .-(")
			if d := digits(number); d >= 7 && d <= 16 {
				n.put(from, from+len(number), label)
			}
			at = next
		}
	}
	for _, m := range mobile.FindAllStringSubmatchIndex(n.text, -1) {
		n.put(m[2], m[3], phone)
	}
}

// mobile is a number of nine digits that the words before it call one.
var mobile = regexp.MustCompile(`(?i)(?:m[oó]vil|tel[eé]fono)[^\n\d:]{1,40}?\b([679]\d\d[ .]?\d{3}[ .]?\d{3})\b`)

// phoneBefore reports whether "Tel. y " stands before the word at i.
func phoneBefore(text string, i int) bool {
	before := strings.ToLower(strings.TrimRight(text[max(0, i-16):i], " "))
	for _, sign := range [...]string{"tel/", "tel. y", "tel y", "tel./", "tfno/", "teléfono y", "teléfono/", "tlf/", "tlf y"} {
		if strings.HasSuffix(before, sign) {
			return true
		}
	}
	return false
}
