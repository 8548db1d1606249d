package rules

import (
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// digitValues are the words of single digits.
var digitValues = map[string]int{"oh": 0, "zero": 0, "nought": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "niner": 9}

// checkDictated wants three digits in words, or two doubled, that do not count
// up, and cuts what follows the last of them unless it is spelt. Behind a word
// for a line it is a telephone number.
func checkDictated(text string, c *candidate) bool {
	digits, runs, last, end := 0, 0, -1, c.start
	for i := c.start; i < c.end; {
		for i < c.end && strings.IndexByte(" ,-", text[i]) >= 0 {
			i++
		}
		j := i
		for j < c.end && strings.IndexByte(" ,-", text[j]) < 0 {
			j++
		}
		w := strings.ToLower(text[i:j])
		v, digit := digitValues[w]
		switch {
		case digit:
			digits++
			if v == last+1 {
				runs++
			}
			last, end = v, j
		case w == "double":
			digits++
			end = j
		case w == "triple" || w == "treble":
			digits += 2
			end = j
		case w == "a" || w == "i" || w == "o":
			i = c.end
			continue
		case len(w) > 1:
			end = j // a word of the spelling alphabet, or a joint
		}
		i = j
	}
	for _, w := range []string{" dash", " hyphen", " stroke", " slash", " point", " dot"} {
		if strings.HasSuffix(strings.ToLower(text[c.start:end]), w) {
			end -= len(w)
		}
	}
	c.end = end
	switch prevWord(text, c.start, " ,:") {
	case "extension", "ext", "bleep", "pager", "fax", "phone", "line", "cell", "mobile", "five":
		c.typ = phi.Phone
	}
	return digits >= 3 && runs < digits-1 && (digits > 3 || c.typ == phi.Phone)
}

// checkSpokenEmail looks back from the mark for the name before it, and wants
// the mark in brackets, or the word dot behind "at".
func checkSpokenEmail(text string, c *candidate) bool {
	s := strings.ToLower(c.text(text))
	if s[0] == '(' || s[0] == '[' {
		if !strings.ContainsRune(s, '.') && !strings.Contains(s, " dot ") {
			return false
		}
	} else {
		i := strings.LastIndex(s, " dot ")
		if i < 0 || !tops[strings.Fields(s[i+5:])[0]] {
			return false
		}
	}
	// The name: a word, and what is joined to it.
	w, ok := wordBack(text, c.start, 1)
	if !ok {
		return false
	}
	c.start = w.start
	for n := range 4 {
		if w, ok = wordBack(text, c.start, 1); !ok {
			return true
		}
		switch bare(w.in(text)) {
		case "dot", "dash", "underscore", "hyphen":
			c.start = w.start
			if w, ok = wordBack(text, c.start, 1); !ok {
				return true
			}
			c.start = w.start
		default:
			if n == 0 && digit(text[c.start]) { // "bmuise 47 at"
				c.start = w.start
			}
			return true
		}
	}
	return true
}

// tops are the ends of addresses as they are said.
var tops = words(`com net org edu gov ca uk ie au nz za in sg ke co c i a n o us info example`)

// checkBoxed wants three digits that differ and five boxes: a row of answers
// has few.
func checkBoxed(text string, c *candidate) bool {
	s := c.text(text)
	seen := map[byte]bool{}
	for i := range len(s) {
		if digit(s[i]) {
			seen[s[i]] = true
		}
	}
	return len(seen) >= 3
}

// checkApart wants digits that neither count up nor are all the same.
func checkApart(text string, c *candidate) bool {
	d := digitsOf(c.text(text))
	up, same := 0, 0
	for i := 1; i < len(d); i++ {
		if d[i] == d[i-1]+1 {
			up++
		}
		if d[i] == d[i-1] {
			same++
		}
	}
	return up < len(d)-2 && same < len(d)-1 && !inNumber(text, c.start, c.end)
}
