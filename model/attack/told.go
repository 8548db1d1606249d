package attack

import (
	"math"
	"math/rand"
)

// Told is what the order of rows tells, in the judgement of somebody who does not
// know the truth.
type Told struct {
	Step     int // of many patients every so many-th was looked at: Offsets and Apart are theirs
	Model    string
	Believed bool // rows follow the model far more closely than in a random order
	Offsets  []float64
	// Apart has, for each patient, by how many days two guesses differ that are
	// made from one half of the rows each: about how wrong the guess is. It is
	// infinite for patients of one row.
	Apart []float64
}

// closer is by how much more closely rows must follow a model than the same rows in
// a random order, for the model to be believed. A patient's days lie together whatever
// the order, so a model that says nothing is followed too, after a fashion.
const closer = 0.5

// randomOrders is how many of them a model is compared with.
const randomOrders = 3

// mostRows bounds the rows that the attack looks at: those of some of the patients.
const mostRows = 200_000

// OrderTells runs the attack by the order of rows as its author would: under each
// model, and under the same for random orders and for two halves of the rows.
func OrderTells(rows []Row) Told {
	rows, step := some(rows)
	if len(rows) == 0 {
		return Told{}
	}
	by := Order(rows)
	without := make([]float64, len(by)) // the least spread in a random order
	r := rand.New(rand.NewSource(1))    // the same guess each time
	for i := range randomOrders {
		for m, g := range Order(reordered(r, rows)) {
			if i == 0 || g.Spread < without[m] {
				without[m] = g.Spread
			}
		}
	}
	best, least := 0, math.Inf(1)
	for i := range by {
		if share := by[i].Spread / without[i]; without[i] > 0 && share < least {
			best, least = i, share
		}
	}
	t := Told{Step: step, Model: by[best].Model, Believed: least < closer, Offsets: by[best].Offsets}
	t.Apart = make([]float64, len(t.Offsets))
	var halves [2][]Row
	met := make([]int, len(t.Offsets))
	for _, row := range rows {
		half := met[row.Patient] % 2
		met[row.Patient]++
		halves[half] = append(halves[half], row)
	}
	var guesses [2][]float64
	for h, half := range halves {
		guesses[h] = make([]float64, len(t.Offsets))
		for _, g := range Order(half) {
			if g.Model == t.Model {
				copy(guesses[h], g.Offsets)
			}
		}
	}
	var apart []float64
	for p, n := range met {
		if n > 1 {
			apart = append(apart, guesses[0][p]-guesses[1][p])
		}
	}
	constant := median(apart)
	for p, n := range met {
		t.Apart[p] = math.Inf(1)
		if n > 1 {
			t.Apart[p] = math.Abs(guesses[0][p] - guesses[1][p] - constant)
		}
	}
	return t
}

// some returns the rows of as many patients as mostRows allows, by their numbers.
func some(rows []Row) (out []Row, step int) {
	step = (len(rows) + mostRows - 1) / mostRows
	if step <= 1 {
		return rows, 1
	}
	for _, row := range rows {
		if row.Patient%step == 0 {
			row.Patient /= step
			out = append(out, row)
		}
	}
	return out, step
}

// reordered puts runs of rows of one patient into a random order, while files and
// row groups stay as large as they are. Rows by patient are by patient still.
func reordered(r *rand.Rand, rows []Row) []Row {
	at := boundaries(rows, func(r Row) int { return r.Patient })
	out := make([]Row, 0, len(rows))
	for _, run := range r.Perm(len(at) - 1) {
		out = append(out, rows[at[run]:at[run+1]]...)
	}
	for i := range out {
		out[i].File, out[i].Group = rows[i].File, rows[i].Group
	}
	return out
}
