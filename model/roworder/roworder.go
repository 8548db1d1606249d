// Package roworder measures what the order of a table's rows tells of the days
// on which they were written, and says where rows go when it tells too much.
//
// Who has a table in the order of its true days gets every patient's offset
// back from the released days: each is the true day, which rises with the rows,
// and a number that is the same for all rows of a patient. Files of a month
// each tell it as well, whatever the order of rows in them, and so do row groups
// that are each sorted by themselves.
package roworder

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Run is one patient's consecutive rows: the first and the last of their days,
// in days since 1970-01-01. A table that has its rows by patient has one run
// for each; its rows rise within a patient, which tells nothing of offsets.
type Run struct {
	First, Last int
}

// Part is the runs of a part of a file, in order. It begins with the rows of
// the patient From and ends with those of To, by any numbers that tell
// patients apart, so that runs that were cut can be joined.
type Part struct {
	File     int // parts of one file have one number, and files rise by name
	From, To [16]byte
	Runs     []Run
}

// Trend tells how far days follow the order of rows.
type Trend struct {
	Runs int `json:"runs"` // that were compared

	// RankCorrelation is Spearman's, of position and day: 1 where days rise with
	// rows, -1 where they fall, about 0 where the order says nothing.
	RankCorrelation float64 `json:"rank_correlation"`

	// Neighbours is by how much the ranks of neighbours' days lie closer together
	// than those of any two: 1 where they are the same, 0 where the order says
	// nothing. It finds what rises for a while only, such as months in any order.
	Neighbours float64 `json:"closeness_of_neighbours"`

	strength float64 // standard deviations from what a random order gives, the larger of both
}

// Measurement tells what the order of a job's rows says of days.
type Measurement struct {
	All    Trend  `json:"over_all_rows"`           // files in the order of their names
	InFile *Trend `json:"within_a_file,omitempty"` // of several files, the one where it is strongest
	Rises  bool   `json:"rises"`
}

// A trend counts when both hold. A random order has correlations around 0 with
// a standard deviation that is known; six of them are exceeded once in a
// thousand million, so that not even one of a million files is taken for sorted
// by chance. On the other side, a table sorted in months or row groups has
// values near 1, which are beyond six deviations from some twenty runs on (one in
// order throughout, from twelve). What is weaker than a tenth gives an attack
// nothing to go by: see the test of package attack.
const (
	leastTrend    = 0.1
	leastStrength = 6
	fewestRuns    = 12 // of fewer, even a perfect order is too likely by chance
)

// String says in words how strong the measurement is.
func (m Measurement) String() string {
	t, where := m.All, "over all rows"
	if m.InFile != nil && !t.rises() {
		t, where = *m.InFile, "within a file"
	}
	return fmt.Sprintf("%s, rank correlation %.2f, days of neighbouring rows %.0f %% closer than in a random order", where, t.RankCorrelation,
		100*t.Neighbours)
}

func (t Trend) rises() bool {
	return t.Runs >= fewestRuns && t.strength >= leastStrength && max(math.Abs(t.RankCorrelation), t.Neighbours) >= leastTrend
}

// Measure measures the parts of all files, in the order of files and rows.
func Measure(parts []Part) Measurement {
	var all joined
	var files []joined
	for i, p := range parts {
		if i == 0 || parts[i-1].File != p.File {
			files = append(files, joined{})
		}
		files[len(files)-1].add(p)
		all.add(p)
	}
	m := Measurement{All: trend(all.runs)}
	m.Rises = m.All.rises()
	for _, f := range files {
		if len(files) == 1 {
			break
		}
		t := trend(f.runs)
		m.Rises = m.Rises || t.rises()
		if t.Runs >= fewestRuns && (m.InFile == nil || t.strength > m.InFile.strength) {
			m.InFile = &t
		}
	}
	return m
}

// joined is the runs of parts that follow one another.
type joined struct {
	runs []Run
	to   [16]byte
}

func (j *joined) add(p Part) {
	runs := p.Runs
	if len(runs) == 0 {
		return
	}
	if n := len(j.runs); n > 0 && j.to == p.From {
		last := &j.runs[n-1]
		last.First, last.Last = min(last.First, runs[0].First), max(last.Last, runs[0].Last)
		runs = runs[1:]
	}
	j.runs, j.to = append(j.runs, runs...), p.To
}

// trend measures a sequence of runs by their first days and by their last, and
// returns what is stronger: patients may stand in the order of their first note
// or of their last.
func trend(runs []Run) Trend {
	days := make([]int, len(runs))
	for i, r := range runs {
		days[i] = r.First
	}
	first := trendOf(days)
	for i, r := range runs {
		days[i] = r.Last
	}
	if last := trendOf(days); last.strength > first.strength {
		return last
	}
	return first
}

func trendOf(days []int) Trend {
	n := len(days)
	t := Trend{Runs: n}
	if n < 4 {
		return t
	}
	r := ranks(days)
	rho := spearman(r)
	near, deviations := neighbours(r)
	t.RankCorrelation, t.Neighbours = thousandths(rho), thousandths(near)
	// Fisher's transform, with the variance for ranks of Fieller, Hartley and Pearson (1957).
	t.strength = math.Atanh(min(math.Abs(rho), 1)) * math.Sqrt(float64(n-3)/1.06)
	t.strength = max(t.strength, deviations)
	return t
}

// thousandths rounds, so that the last bits of processors are in no manifest.
func thousandths(x float64) float64 { return math.Round(x*1000) / 1000 }

// ranks returns the rank of each day, equal days sharing the middle one, about
// their mean.
func ranks(days []int) []float64 {
	n := len(days)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(days[a], days[b]) })
	r := make([]float64, n)
	for i := 0; i < n; {
		j := i
		for j < n && days[order[j]] == days[order[i]] {
			j++
		}
		for k := i; k < j; k++ {
			r[order[k]] = float64(i+j-1)/2 - float64(n-1)/2
		}
		i = j
	}
	return r
}

// spearman correlates ranks with their positions.
func spearman(r []float64) float64 {
	var both, squares, positions float64
	for i, x := range r {
		p := float64(i) - float64(len(r)-1)/2
		both += x * p
		squares += x * x
		positions += p * p
	}
	if squares == 0 {
		return 0 // all of one day
	}
	return both / math.Sqrt(squares*positions)
}

// neighbours compares the distances of neighbours with those of all pairs, and
// returns by which share they are smaller, and by how many standard deviations
// under a random order. Mean and variance are those over all permutations of these very
// ranks, ties and all.
func neighbours(r []float64) (closer, deviations float64) {
	n := float64(len(r))
	sorted := slices.Clone(r)
	slices.Sort(sorted)
	var sum, pairs, squares, triples float64
	for i, x := range sorted { // its distances to all others: those below, then those above
		below := x*float64(i) - sum
		sum += x
		above := -sum - x*(n-1-float64(i)) // the ranks add up to 0
		d := below + above
		pairs += d
		triples += d * d
		squares += 2 * n * x * x
	}
	if pairs == 0 {
		return 0, 0
	}
	triples -= squares
	quadruples := pairs*pairs - 2*squares - 4*triples
	mean := pairs / (n * (n - 1))
	var total float64
	for i := 1; i < len(r); i++ {
		total += math.Abs(r[i] - r[i-1])
	}
	variance := squares/n + 2*triples/(n*(n-1)) + quadruples/(n*(n-1)) - (n-1)*(n-1)*mean*mean
	closer = 1 - total/((n-1)*mean)
	if variance > 0 {
		deviations = ((n-1)*mean - total) / math.Sqrt(variance)
	}
	return closer, deviations
}
