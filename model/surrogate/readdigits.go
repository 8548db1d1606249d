package surrogate

import (
	"strings"
	"unicode"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// readDigits replaces the letters of a number that a scanner read for digits ("5O8-555-OlO6",
// "662O193") by these, so that it gets the surrogate of the number. Of types whose numbers
// have no letters, all that look like digits count; else only O, I and small l, where the
// digits around them tell. Other types stay.
func readDigits(t phi.Type, s string) string {
	like := narrowDigits
	switch {
	case t == phi.Phone || t == phi.Fax:
		like = wideDigits
	case t == phi.Street || t == phi.ZIP || t == phi.Room:
	case t.Category() != "ID" || t == phi.URL || t == phi.Email || t == phi.IPAddress:
		return s
	}
	if !strings.ContainsFunc(s, func(r rune) bool { return like[r] != 0 }) || !strings.ContainsAny(s, "0123456789") {
		return s
	}
	out := []rune(s)
	for i := 0; i < len(out); {
		end := i
		for end < len(out) && (isLetter(out[end]) || unicode.IsDigit(out[end])) {
			end++
		}
		readRun(out[i:end], like)
		i = max(end, i+1)
	}
	return string(out)
}

// What scanners read for digits.
var (
	narrowDigits = map[rune]rune{'O': '0', 'o': '0', 'l': '1', 'I': '1'}
	wideDigits   = map[rune]rune{'O': '0', 'o': '0', 'l': '1', 'I': '1', 'Z': '2', 'z': '2', 'S': '5', 'G': '6', 'B': '8'}
)

// readRun replaces the letters of a run of letters and digits: all of them, where all look
// like digits and there is a digit or there are two; else small l's beside a digit and O's
// between digits.
func readRun(run []rune, like map[rune]rune) {
	alike, digits := 0, 0
	for _, r := range run {
		if unicode.IsDigit(r) {
			digits++
		} else if like[r] != 0 {
			alike++
		}
	}
	whole := alike+digits == len(run) && (digits > 0 || alike > 1 && narrow(run))
	for i, r := range run {
		switch {
		case whole && like[r] != 0:
			run[i] = like[r]
		case r == 'l' && (digitIn(run, i-1) || digitIn(run, i+1)):
			run[i] = '1'
		case (r == 'O' || r == 'o') && digitIn(run, i-1) && digitIn(run, behindOs(run, i)):
			run[i] = '0'
		}
	}
}

// narrow reports whether all of a run looks like the digits 0 and 1.
func narrow(run []rune) bool {
	for _, r := range run {
		if narrowDigits[r] == 0 {
			return false
		}
	}
	return true
}

// behindOs returns the index behind the O's that run has from i on.
func behindOs(run []rune, i int) int {
	for i < len(run) && (run[i] == 'O' || run[i] == 'o') {
		i++
	}
	return i
}

func digitIn(run []rune, i int) bool { return i >= 0 && i < len(run) && unicode.IsDigit(run[i]) }
