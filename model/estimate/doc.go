// Package estimate says how much a job has left in the notes that it released,
// from a reviewed sample of them: the share of identifiers that it found
// (recall), and the identifiers left per 1,000 notes, each with a 95 % interval.
//
// The sample is weighted (notes are drawn with unequal chances) and clustered
// (notes of one patient are alike), and its reviewers miss things too. So
//
//   - proportions have the interval of Korn and Graubard: that of Clopper and
//     Pearson on the effective sample size, which the design effect of weights
//     and patients gives (see proportion);
//   - counts have the gamma interval of Fay and Feuer, with a variance that is
//     robust to clusters (see rate);
//   - what reviewers find unaided is a proportion of its own, from notes that
//     were shown without marks, and enters both by the method of variance
//     estimates recovery (see over).
//
// What it takes for granted: reviewers find what the job missed as often as what
// the job found. Where both overlook the same things, more is left than the
// intervals say.
//
// It is plain Go, without Beam, Parquet, clock or random source.
package estimate
