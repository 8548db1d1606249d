package pattern

// InNumber reports whether a longer number goes on before start or after end.
func InNumber(text string, start, end int) bool {
	return DigitBefore(text, start, "./-:,") || NumberGoesOn(text, end)
}

// Apart is InNumber for identifiers that are whole by themselves: behind a slash, comma
// or colon another one may stand, which begins with three digits or more.
func Apart(text string, start, end int) bool {
	another := func(at, step int) bool {
		if b := ByteAt(text, at); b != '/' && b != ',' && b != ':' {
			return false
		}
		return Digit(ByteAt(text, at+step)) && Digit(ByteAt(text, at+2*step)) && Digit(ByteAt(text, at+3*step))
	}
	return (!DigitBefore(text, start, "./-:,") || another(start-1, -1)) && (!NumberGoesOn(text, end) || another(end, 1))
}

// ValidDate reports whether three numbers, of so many digits, are a date in
// any common order.
func ValidDate(a, b, c, la, lb, lc int) bool {
	if la == 4 {
		return Year(a) && lb <= 2 && lc <= 2 && DayMonth(b, c)
	}
	if la > 2 || lb > 2 || lc != 4 && lc != 2 {
		return false
	}
	return DayMonth(a, b) && (lc == 2 || Year(c))
}

// DayMonth reports whether a and b are a day and a month in either order.
func DayMonth(a, b int) bool {
	return a >= 1 && b >= 1 && a <= 31 && b <= 31 && (a <= 12 || b <= 12)
}

// Kind counts what an identifier is made of, blanks aside.
type Kind struct{ Digits, Uppers, Lowers, Marks int }

// KindOf counts the ASCII digits and letters of s, and what is neither.
func KindOf(s string) (k Kind) {
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case Digit(b):
			k.Digits++
		case b >= 'A' && b <= 'Z':
			k.Uppers++
		case b >= 'a' && b <= 'z':
			k.Lowers++
		case b != ' ':
			k.Marks++
		}
	}
	return k
}

// Datelike reports whether s is a date, a year or a range of years rather
// than an identifier.
func Datelike(s string) bool {
	v, l, n := Numbers(s)
	k := KindOf(s)
	if k.Uppers+k.Lowers > 0 {
		return false
	}
	switch n {
	case 1:
		return k.Marks == 0 && l[0] == 4 && Year(v[0])
	case 2:
		return k.Marks == 1 && (Year(v[0]) && l[0] == 4 && (Year(v[1]) || l[1] == 2) || l[1] == 4 && Year(v[1]) && l[0] <= 2 && v[0] <= 12)
	case 3:
		return ValidDate(v[0], v[1], v[2], l[0], l[1], l[2])
	}
	return false
}

// Atoi returns the first number in s, -1 where it has more than nine digits, 0
// where there is none.
func Atoi(s string) int {
	v, _, _ := Numbers(s)
	return v[0]
}

// Year reports whether v may be a year of a patient's history.
func Year(v int) bool { return v >= 1880 && v <= 2059 }

// Numbers returns the runs of digits of s as values, at most six of them, and
// their lengths. A run of more than nine digits has the value -1.
func Numbers(s string) (values, lengths [6]int, n int) {
	for i := 0; i < len(s) && n < len(values); {
		if !Digit(s[i]) {
			i++
			continue
		}
		j, v := i, 0
		for j < len(s) && Digit(s[j]) {
			if j-i < 9 {
				v = 10*v + int(s[j]-'0')
			} else {
				v = -1
			}
			j++
		}
		values[n], lengths[n] = v, j-i
		n++
		i = j
	}
	return values, lengths, n
}
