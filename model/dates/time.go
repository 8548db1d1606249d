package dates

import "regexp"

// Times of day are no part of a date here: they are found so that the date
// beside them can be read, and printed as they are.
var (
	clock = `(?:\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s?[ap]\.?\s?m\b\.?)?|\d{1,2}\s?[ap]\.?\s?m\b\.?|\d{3,4}\s?(?:hrs?|hours|h)\b\.?)`
	zone  = `(?:\s?(?:Z|UTC|GMT|[ECMP][SD]?T|BST|hrs?\.?|hours|h|\(?(?:UTC|GMT)?[+-]\d{2}:?\d{2}\)?))?`

	timeAfter  = regexp.MustCompile(`(?i)(?:(?:\s*[T,@;:-]?\s*|\s+at\s+|\s*,?\s*around\s+)` + clock + `|\s*(?:@|\bat\b)\s*\d{3,4})` + zone + `\s*$`)
	timeBefore = regexp.MustCompile(`(?i)^\s*` + clock + `\s*(?:,|-|on\b|\bof\b)?\s+`)
	// runTime is what follows the eight digits of an HL7 or basic ISO 8601 timestamp.
	runTime = regexp.MustCompile(`^[Tt ]?\d{2,6}(?:[.,]\d{1,9})?\s?(?:Z|[+-]\d{2}:?\d{2})?$`)
)

// trimTime returns the bytes of s that hold the date.
func trimTime(s string) (from, until int) {
	until = len(s)
	n := 0
	for digitAt(s, n) {
		n++
	}
	if (n == 8 || n == 10 || n == 12 || n == 14) && plausibleRun(s) && runTime.MatchString(s[8:]) {
		return 0, 8
	}
	if !mayHoldTime(s) {
		return 0, until
	}
	if m := timeAfter.FindStringIndex(s); m != nil && m[0] > 0 {
		until = m[0]
	} else if m := timeBefore.FindStringIndex(s); m != nil && m[1] < len(s) {
		from = m[1]
	}
	return from, until
}

// plausibleRun reports whether s begins with yyyymmdd.
func plausibleRun(s string) bool {
	y, m, d := number(s[:4]), number(s[4:6]), number(s[6:8])
	return y >= plausibleFirst && y <= 2299 && m <= 12 && d <= 31
}

// mayHoldTime looks for a sign of a time of day: the expressions are slow
// beside the rest.
func mayHoldTime(s string) bool {
	for i := range len(s) {
		switch c := s[i] | 0x20; {
		case s[i] == ':' || s[i] == '@':
			return true
		case c == 't' && i > 0 && s[i-1]|0x20 == 'a' && (i+1 == len(s) || !letterAt(s, i+1)): // at
			return true
		case (c == 'a' || c == 'p' || c == 'h') && i > 0 && (digitAt(s, i-1) || i > 1 && s[i-1] == ' ' && digitAt(s, i-2)): // 3pm, 10 hrs
			return true
		}
	}
	return false
}
