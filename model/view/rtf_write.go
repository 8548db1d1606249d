package view

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// escapeRTF writes a text in RTF, whatever \uc says there.
func escapeRTF(text string) string {
	var b strings.Builder
	for _, c := range text {
		switch {
		case c == '\\' || c == '{' || c == '}':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString("\\line ")
		case c == '\r':
		case c < utf8.RuneSelf:
			b.WriteRune(c)
		default:
			for _, u := range utf16.AppendRune(nil, c) {
				fmt.Fprintf(&b, "{\\uc1\\u%d?}", int16(u))
			}
		}
	}
	return b.String()
}

// rtfDate writes a day as \yr, \mo and \dy; what is none, such as a tag, as text, of
// which readers take no notice there.
func rtfDate(text string) string {
	var y, m, d int
	if n, _ := fmt.Sscanf(text, "%4d-%2d-%2d", &y, &m, &d); n != 3 || y < 1 || fmt.Sprintf("%04d-%02d-%02d", y, m, d) != text {
		return escapeRTF(text)
	}
	return fmt.Sprintf("\\yr%d\\mo%d\\dy%d", y, m, d)
}
