package pipeline

import (
	"fmt"
	"strconv"
)

// Thousands writes a number as 10,000,000.
func Thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// number prints as Thousands does under %d.
type number int64

// Format implements fmt.Formatter.
func (n number) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(Thousands(int64(n)))) }

// grouped returns what is to be printed with its whole numbers as people read them.
func grouped(args []any) []any {
	out := make([]any, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case int:
			out[i] = number(a)
		case int64:
			out[i] = number(a)
		default:
			out[i] = a
		}
	}
	return out
}

// count writes a number of things.
func count(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Thousands(n) + " " + thing + "s"
}
