// Package review is the domain of a review of released notes: which notes are
// drawn, what a reviewer may say of them, where two reviewers differ, and what
// follows from it for gold annotations and for package estimate.
//
// Offsets are Unicode code points, ends exclusive. It is plain Go, without Beam,
// Parquet, clock or random source.
package review
