// Package nearest tells what a misspelt name was probably meant for.
package nearest

import (
	"fmt"
	"strings"
)

// mostEdits is how far a name may be from what was meant.
const mostEdits = 3

// Name returns the name that a misspelt one was probably meant for, "" if
// there is none: one of at most three edits, or else the shortest that it is the
// beginning of. Of equals it is the first.
func Name(name string, names []string) string {
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

// DidYouMean returns the end of a message about a misspelt name: what it was probably
// meant for, written by a format such as %q, or else what to do instead.
func DidYouMean(format, name string, names []string, instead string) string {
	if best := Name(name, names); best != "" {
		return "; did you mean " + fmt.Sprintf(format, best) + "?"
	}
	return "; " + instead
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
