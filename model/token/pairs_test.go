package token

import (
	"slices"
	"testing"
)

func TestPairs(t *testing.T) {
	for text, want := range map[string][]string{
		"seen 3/4, again 12-31.":        {"3/4", "12-31"},
		"(5/6) and 7/8":                 {"5/6", "7/8"},
		"on 3/4/19 and 2019-03-04":      nil,
		"BP 120/80, 4/5.5, 1.2/3, 5/6%": nil,
		"3 / 4, 3/ 4, T3/4":             nil,
		"4/1-4/2":                       nil,
		"9/10\n1/2":                     {"9/10", "1/2"},
		"on 3/4.":                       {"3/4"},
		"1/2":                           {"1/2"},
	} {
		tokens := Tokenize(nil, text)
		var got []string
		for _, k := range Pairs(nil, tokens, func(k int) string { return tokens[k].Text(text) }) {
			got = append(got, text[tokens[k].Start:tokens[k+2].End])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
