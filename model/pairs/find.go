// Package pairs tells two numbers that are a date (3/4, 3-4) from two that are a score, a
// fraction, a dose or a range. What stands around them decides: what the network thinks of them,
// how near their day lies to the note's and to other dates of the note, what is thought of the pairs
// beside them, and their own digits. A logistic regression weighs that (weights.go); tools/pairs
// fits it on annotated notes.
package pairs

import (
	"slices"
	"strings"
)

// Group is a pair of numbers or a run of digits in a text, in bytes.
type Group struct {
	Start, End int
	Run        bool // six, eight, twelve or fourteen digits
	Separator  byte // '/' or '-' of a pair, 0 of a run
	A, B       int  // of a pair
	Touching   bool // another pair: 4/1-4/2
}

// Pair reports whether a group is a pair.
func (g Group) Pair() bool { return g.Separator != 0 }

// Find returns the pairs and runs of a text that stand by themselves, in order.
func Find(text string) []Group {
	var all []Group
	for i := 0; i < len(text); {
		if !isDigit(text, i) {
			i++
			continue
		}
		start := i
		for isDigit(text, i) {
			i++
		}
		n := i - start
		g := Group{Start: start, End: i, Run: n == 6 || n == 8 || n == 12 || n == 14}
		if n <= 2 && i < len(text) && (text[i] == '/' || text[i] == '-') && isDigit(text, i+1) {
			from := i + 1
			for i = from; isDigit(text, i); i++ {
			}
			if i-from <= 2 {
				g = Group{Start: start, End: i, Separator: text[from-1], A: number(text[start : from-1]), B: number(text[from:i])}
			}
		}
		if n := len(all); g.Separator == '/' && n > 0 && all[n-1].Separator == '/' && all[n-1].End+1 == g.Start && text[g.Start-1] == '-' {
			all[n-1].Touching, g.Touching = true, true
		}
		if g.Run || g.Pair() {
			all = append(all, g)
		}
		if g.Separator == '/' && i+1 < len(text) && text[i] == '-' && isDigit(text, i+1) {
			i++
			continue
		}
		for i < len(text) && strings.IndexByte("/-.,:", text[i]) >= 0 && isDigit(text, i+1) {
			for i++; isDigit(text, i); i++ { // the rest of a longer number
			}
		}
	}
	return slices.DeleteFunc(all, func(g Group) bool { return !g.Touching && !alone(text, g.Start, g.End) })
}

// Is returns the pair that a surface is, where it is one and no more.
func Is(surface string) (g Group, ok bool) {
	groups := Find(surface)
	if len(groups) != 1 || !groups[0].Pair() || groups[0].End-groups[0].Start != len(surface) {
		return g, false
	}
	return groups[0], true
}

// alone reports whether no letter, digit or mark of a number touches text[start:end].
func alone(text string, start, end int) bool {
	if start > 0 && (text[start-1] >= 0x80 || isLetter(text[start-1]) || strings.IndexByte("#$+-./:<=>_~^*", text[start-1]) >= 0) {
		return false
	}
	if end == len(text) {
		return true
	}
	c := text[end]
	if strings.IndexByte("-.,:", c) >= 0 && !isDigit(text, end+1) {
		return c != '-' || end+1 == len(text) || !isLetter(text[end+1])
	}
	return c < 0x80 && !isLetter(c) && strings.IndexByte("#%*+-./:<=>_^", c) < 0
}

func isDigit(s string, i int) bool { return i >= 0 && i < len(s) && s[i] >= '0' && s[i] <= '9' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func number(s string) int {
	n := 0
	for _, c := range []byte(s) {
		n = 10*n + int(c-'0')
	}
	return n
}
