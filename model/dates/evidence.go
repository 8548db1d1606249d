package dates

// Evidence returns what the dates of one note, given by their surfaces, say of
// the order of day and month in all of them: in 23/4/2014 the day stands
// first, so it does in 3/4/2014 too. Without such a date, or where two
// contradict each other, it is Unknown.
func Evidence(surfaces []string) DayFirst {
	found := Unknown
	for _, s := range surfaces {
		order := evidenceOf(s)
		if order == Unknown {
			continue
		}
		if found != Unknown && found != order {
			return Unknown
		}
		found = order
	}
	return found
}

// evidenceOf looks at one date of the form number, separator, number,
// separator, number.
func evidenceOf(s string) DayFirst {
	first, rest := leadingNumber(s)
	if first == 0 || len(rest) == 0 || !isSeparator(rest[0]) {
		return Unknown
	}
	separator := rest[0]
	second, rest := leadingNumber(rest[1:])
	if second == 0 || len(rest) < 2 || rest[0] != separator {
		return Unknown
	}
	if third, _ := leadingNumber(rest[1:]); third == 0 && rest[1] != '0' {
		return Unknown
	}
	switch {
	case first > 12 && first <= 31 && second <= 12:
		return Yes
	case second > 12 && second <= 31 && first <= 12:
		return No
	}
	return Unknown
}

func isSeparator(c byte) bool { return c == '/' || c == '-' || c == '.' }

// leadingNumber reads a number of up to four digits and returns 0 for none.
func leadingNumber(s string) (n int, rest string) {
	i := 0
	for i < len(s) && i < 4 && s[i] >= '0' && s[i] <= '9' {
		n = 10*n + int(s[i]-'0')
		i++
	}
	return n, s[i:]
}
