package surrogate

import (
	"strings"
	"unicode"
)

func ordinal(s string) bool {
	switch strings.ToLower(s) {
	case "st", "nd", "rd", "th":
		return true
	}
	return false
}

// lastDigits returns the number that s ends with, modulo 100.
func lastDigits(s string) int {
	n := 0
	for _, r := range s[max(0, len(s)-2):] {
		if n *= 10; unicode.IsDigit(r) && r < 128 {
			n += int(r - '0')
		} else {
			n = 0
		}
	}
	return n
}
