package cli

import (
	"fmt"
	"strings"
)

// mostEdits is how far a name may be from what was meant.
const mostEdits = 3

// Nearest returns the name that a misspelt one was probably meant for, "" if
// there is none: one of at most three edits, or else the shortest that it is the
// beginning of. Of equals it is the first.
func Nearest(name string, names []string) string {
	name = strings.ReplaceAll(name, "-", "_")
	best, distance := "", mostEdits+1
	for _, n := range names {
		if d := editDistance(name, n); d < distance && d < min(len(n), len(name)) {
			best, distance = n, d
		}
	}
	if best != "" || len(name) < mostEdits {
		return best
	}
	for _, n := range names {
		if strings.HasPrefix(n, name) && (best == "" || len(n) < len(best)) {
			best = n
		}
	}
	return best
}

// suggestion is Nearest as the end of a message.
func suggestion(prefix, name string, names []string) string {
	if best := Nearest(name, names); best != "" {
		return fmt.Sprintf("; did you mean %s%s?", prefix, best)
	}
	return "; --help all lists what there is"
}

// editDistance is Levenshtein's, in bytes.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
