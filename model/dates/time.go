package dates

// Times of day are no part of a date here: the lexer steps over them as over
// blanks, and they are printed byte for byte.

// clockEnd returns where the time of day that begins at s[i] ends, with its
// zone, or i where there is none. at says that "at" or "@" stands before it,
// which makes plain digits a time ("@ 1015").
func clockEnd(s string, i int, at bool) int {
	j := i
	for digitAt(s, j) {
		j++
	}
	n := j - i
	if n == 0 || n > 4 {
		return i
	}
	end := i
	switch {
	case n <= 2 && j+2 < len(s) && s[j] == ':' && digitAt(s, j+1) && digitAt(s, j+2):
		if number(s[i:j]) > 24 || s[j+1] > '5' {
			return i
		}
		end = j + 3
		if end+2 < len(s) && s[end] == ':' && digitAt(s, end+1) && digitAt(s, end+2) && s[end+1] <= '6' {
			end = fractionEnd(s, end+3)
		}
		if e := meridiemEnd(s, end); e > end {
			end = e
		}
	case n <= 2 && number(s[i:j]) <= 12 && meridiemEnd(s, j) > j:
		end = meridiemEnd(s, j)
	case n <= 2 && number(s[i:j]) <= 24 && j+2 < len(s) && s[j]|0x20 == 'h' && digitAt(s, j+1) && digitAt(s, j+2): // 14h30
		end = j + 3
	case n >= 3 && number(s[i:j])%100 < 60 && number(s[i:j]) <= 2400 && (at || hoursEnd(s, j) > j):
		end = j
	default:
		return i
	}
	end = zoneEnd(s, end)
	if digitAt(s, end) || letterAt(s, end) || end < len(s) && s[end] == ':' {
		return i
	}
	return end
}

// fractionEnd steps over ".123" or ",123".
func fractionEnd(s string, i int) int {
	if i+1 < len(s) && (s[i] == '.' || s[i] == ',') && digitAt(s, i+1) {
		for i++; digitAt(s, i); i++ {
		}
	}
	return i
}

// meridiemEnd steps over "pm", " a.m." and the like.
func meridiemEnd(s string, i int) int {
	j := skipBlank(s, i)
	if j >= len(s) || s[j]|0x20 != 'a' && s[j]|0x20 != 'p' {
		return i
	}
	j++
	if j < len(s) && s[j] == '.' {
		j = skipBlank(s, j+1)
	}
	if j >= len(s) || s[j]|0x20 != 'm' || letterAt(s, j+1) || digitAt(s, j+1) {
		return i
	}
	if j++; j < len(s) && s[j] == '.' {
		j++
	}
	return j
}

// hoursEnd steps over "h", " hrs" or "hours".
func hoursEnd(s string, i int) int {
	j := skipBlank(s, i)
	for _, w := range [...]string{"hours", "horas", "hrs", "hr", "hs", "h"} {
		if e := j + len(w); e <= len(s) && equalFold(s[j:e], w) && !letterAt(s, e) && !digitAt(s, e) {
			return e
		}
	}
	return i
}

// zoneEnd steps over a zone or "hrs" behind a time.
func zoneEnd(s string, i int) int {
	if e := hoursEnd(s, i); e > i {
		return e
	}
	j := skipBlank(s, i)
	bracket := j < len(s) && s[j] == '('
	if bracket {
		j++
	}
	k := j
	for _, z := range [...]string{"Z", "UTC", "GMT", "EST", "EDT", "ET", "CST", "CDT", "CT", "MST", "MDT", "MT", "PST", "PDT", "PT", "BST",
		"CET", "CEST", "AEST", "AEDT"} {
		if e := j + len(z); e <= len(s) && equalFold(s[j:e], z) && !letterAt(s, e) {
			k = e
			break
		}
	}
	if e := offsetEnd(s, k); e > k {
		k = e
	}
	if k == j {
		return i
	}
	if bracket {
		if k >= len(s) || s[k] != ')' {
			return i
		}
		k++
	}
	return k
}

// offsetEnd steps over +05:00, -0500 or +05.
func offsetEnd(s string, i int) int {
	if i+2 >= len(s) || s[i] != '+' && s[i] != '-' || !digitAt(s, i+1) || !digitAt(s, i+2) {
		return i
	}
	j := i + 3
	switch {
	case j+2 < len(s) && s[j] == ':' && digitAt(s, j+1) && digitAt(s, j+2):
		j += 3
	case digitAt(s, j) && digitAt(s, j+1):
		j += 2
	}
	if digitAt(s, j) || letterAt(s, j) {
		return i
	}
	return j
}

// runTimeEnd steps over what may follow the eight digits of a timestamp of HL7
// or basic ISO 8601: T101500Z, 101500.123-0500, or 1015 after a blank.
func runTimeEnd(s string, i int) int {
	j := i
	marked := j < len(s) && (s[j]|0x20 == 't' || s[j] == ' ')
	blank := marked && s[j] == ' '
	if marked {
		j++
	}
	k := j
	for digitAt(s, k) {
		k++
	}
	switch n := k - j; {
	case n == 4 || n == 6 || n == 2 && !blank:
	default:
		return i
	}
	if number(s[j:j+2]) > 24 || k-j > 2 && s[j+2] > '5' {
		return i
	}
	k = zoneEnd(s, fractionEnd(s, k))
	if digitAt(s, k) || letterAt(s, k) || k < len(s) && (s[k] == ':' || s[k] == '/' || s[k] == '.') {
		return i
	}
	return k
}

func skipBlank(s string, i int) int {
	if i < len(s) && s[i] == ' ' {
		i++
	}
	return i
}

// equalFold compares ASCII without case; b may hold letters only.
func equalFold(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if a[i]|0x20 != b[i]|0x20 {
			return false
		}
	}
	return true
}
