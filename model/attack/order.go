// Package attack does to a release what somebody would who wants the true
// dates back, with nothing but what is released and what an outsider may know.
// The job is tested with it, and palimpsest attack runs it on a site's own release.
package attack

import (
	"math"
	"slices"
)

// Row is a released row: who it is of, when it says it was written, and where it
// stands.
type Row struct {
	Patient     int // numbered from 0, without gaps
	Day         int // released, in days since 1970-01-01
	File, Group int // of the released table; groups are numbered through all files
}

// OrderGuess is what the order of rows tells of offsets.
type OrderGuess struct {
	Model   string    // what the order was taken to be
	Offsets []float64 // of each patient in days, up to one number that is the same for all
	Spread  float64   // median distance in days of rows from what the model says of them
}

// Models of what the order of rows says.
const (
	Rising     = "days rise over all rows"
	Falling    = "days fall over all rows"
	PerFile    = "a file's rows are of about one time"
	PerGroup   = "a row group's rows are of about one time"
	WithinFile = "days rise within each file"
	WithinRows = "days rise within each row group"
)

// Order guesses offsets from the order of rows, under each model that the table
// has room for: a released day is a function of the row, which the model bounds,
// and the patient's offset. Both are found in turns, as in the review that
// found this: the function by isotonic regression or as a mean, the offset as the
// median of what remains.
func Order(rows []Row) []OrderGuess {
	if len(rows) == 0 {
		return nil
	}
	files := boundaries(rows, func(r Row) int { return r.File })
	groups := boundaries(rows, func(r Row) int { return r.Group })
	whole := []int{0, len(rows)}
	guesses := []OrderGuess{
		guess(Rising, rows, whole, isotonic),
		guess(Falling, rows, whole, func(x []float64) { slices.Reverse(x); isotonic(x); slices.Reverse(x) }),
	}
	if len(files) > 2 {
		guesses = append(guesses, guess(PerFile, rows, files, flat), guess(WithinFile, rows, files, isotonic))
	}
	if len(groups) > len(files) {
		guesses = append(guesses, guess(PerGroup, rows, groups, flat), guess(WithinRows, rows, groups, isotonic))
	}
	return guesses
}

// boundaries returns where runs of rows with one number begin, and the end.
func boundaries(rows []Row, of func(Row) int) []int {
	var at []int
	for i := range rows {
		if i == 0 || of(rows[i]) != of(rows[i-1]) {
			at = append(at, i)
		}
	}
	return append(at, len(rows))
}

const (
	rounds  = 200
	settled = 0.05 // days: a round that moves no offset further is the last
)

// guess fits one model. fit puts into each segment of rows what it lets the
// function be that is closest to the values there.
func guess(model string, rows []Row, segments []int, fit func([]float64)) OrderGuess {
	n := 0
	for _, r := range rows {
		n = max(n, r.Patient+1)
	}
	of := make([][]int, n) // rows by patient
	for i, r := range rows {
		of[r.Patient] = append(of[r.Patient], i)
	}
	offsets, f := make([]float64, n), make([]float64, len(rows))
	rest := make([]float64, 0, 64)
	for range rounds {
		for i, r := range rows {
			f[i] = float64(r.Day) - offsets[r.Patient]
		}
		for s := 1; s < len(segments); s++ {
			fit(f[segments[s-1]:segments[s]])
		}
		moved := 0.0
		for p, own := range of {
			rest = rest[:0]
			for _, i := range own {
				rest = append(rest, float64(rows[i].Day)-f[i])
			}
			o := median(rest)
			moved = max(moved, math.Abs(o-offsets[p]))
			offsets[p] = o
		}
		if moved < settled {
			break
		}
	}
	distances := make([]float64, len(rows))
	for i, r := range rows {
		distances[i] = math.Abs(float64(r.Day) - offsets[r.Patient] - f[i])
	}
	return OrderGuess{Model: model, Offsets: offsets, Spread: median(distances)}
}

// flat replaces the values by their mean.
func flat(x []float64) {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	for i := range x {
		x[i] = sum / float64(len(x))
	}
}

// isotonic replaces the values by the closest that do not fall, by pooling
// adjacent violators (Ayer et al. 1955).
func isotonic(x []float64) {
	type block struct {
		mean float64
		n    int
	}
	blocks := make([]block, 0, len(x))
	for _, v := range x {
		b := block{v, 1}
		for len(blocks) > 0 && blocks[len(blocks)-1].mean > b.mean {
			a := blocks[len(blocks)-1]
			blocks = blocks[:len(blocks)-1]
			b = block{(a.mean*float64(a.n) + b.mean*float64(b.n)) / float64(a.n+b.n), a.n + b.n}
		}
		blocks = append(blocks, b)
	}
	at := 0
	for _, b := range blocks {
		for range b.n {
			x[at] = b.mean
			at++
		}
	}
}

// median returns the middle value, of an even number the mean of the two; 0 of
// none. It sorts x.
func median(x []float64) float64 {
	n := len(x)
	if n == 0 {
		return 0
	}
	slices.Sort(x)
	return (x[(n-1)/2] + x[n/2]) / 2
}

// Errors returns by how many days guesses miss the true offsets, once one number
// is taken off all of them: who knows one true date has it.
func Errors(guessed []float64, offsets []int) []float64 {
	miss := make([]float64, len(guessed))
	for i, g := range guessed {
		miss[i] = g - float64(offsets[i])
	}
	constant := median(slices.Clone(miss))
	for i := range miss {
		miss[i] = math.Abs(miss[i] - constant)
	}
	return miss
}

// Median is the median of values, which stay as they are.
func Median(x []float64) float64 { return median(slices.Clone(x)) }
