package score

import "github.com/palimpsest-deid/palimpsest/model/phi/schemes"

// Options say how to score. The zero value compares labels as they are
// written and computes no intervals.
type Options struct {
	// Gold and System translate labels before anything is counted, say
	// MEDDOCAN's gold and our findings both to i2b2 types. A label that the
	// mapping does not know is an error of Add; one that it drops is as if it
	// had not been annotated. nil leaves labels and categories as they are.
	Gold, System *schemes.Mapping

	// Resamples is the number of bootstrap resamples over documents for the
	// intervals, 1,000 as a rule; 0 computes none.
	Resamples int

	// Seed seeds the bootstrap. Equal documents in equal order and an equal
	// seed give equal intervals.
	Seed uint64

	// Common reports whether a word, given in lower case, is a word of common
	// language; it tells that cause of a mistake. nil knows no words.
	Common func(word string) bool
}
