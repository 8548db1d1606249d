package token

import "strings"

// Pairs appends the indices of the tokens that begin two numbers of one or two digits with a
// slash or hyphen between them, which stand by themselves: 3/4, 12-31. form returns
// what token k is.
func Pairs(dst []int, tokens []Token, form func(k int) string) []int {
	for k := 0; k+2 < len(tokens); k++ {
		if !short(tokens[k]) || tokens[k+1].Class != Symbol || tokens[k+1].Space || !short(tokens[k+2]) || tokens[k+2].Space {
			continue
		}
		if s := form(k + 1); s != "/" && s != "-" {
			continue
		}
		if k > 0 && !tokens[k].Space && touches(tokens[k-1], form(k-1)) {
			continue
		}
		if k+3 < len(tokens) && !tokens[k+3].Space && touches(tokens[k+3], form(k+3)) &&
			(form(k+3) != "." || k+4 < len(tokens) && !tokens[k+4].Space && tokens[k+4].Class == Digits) {
			continue
		}
		dst = append(dst, k)
	}
	return dst
}

func short(t Token) bool { return t.Class == Digits && t.End-t.Start <= 2 }

// touches reports whether a token beside a number makes it a part of something longer.
func touches(t Token, form string) bool {
	return t.Class != Newline && (t.Class != Symbol || strings.Contains("/-.:+%#$=~^*_", form))
}
