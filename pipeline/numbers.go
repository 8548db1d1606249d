package pipeline

import (
	"fmt"

	"github.com/dustin/go-humanize"
)

// number prints as 10,000,000 under %d.
type number int64

// Format implements fmt.Formatter.
func (n number) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(humanize.Comma(int64(n)))) }

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

// Count writes a number of things: 1 note, 2,000 notes, 2 people.
func Count(n int64, thing string) string {
	switch {
	case n == 1:
		return "1 " + thing
	case thing == "person":
		return humanize.Comma(n) + " people"
	}
	return humanize.Comma(n) + " " + thing + "s"
}
