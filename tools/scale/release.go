package main

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"math/rand"
	"os"
	"sort"

	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/tools/bench/invent"
	"github.com/palimpsest-deid/palimpsest/tools/copies/charts"
)

// kind is one kind of note of a release. Lengths are lognormal.
type kind struct {
	name     string
	notes    int     // in the whole release
	patients int     // that have one or more of them
	bytes    float64 // of a note, on average
	spread   float64 // of the lengths' logarithms, a standard deviation
}

// mimic are the notes of MIMIC-IV-Note 2.2. Published: numbers of notes and patients
// (physionet.org/content/mimic-iv-note/2.2), and 2,267 +- 914 tokens of a discharge summary
// (MIMIC-IV-Ext-BHC), which are some 10,500 characters. Assumed: the length of radiology
// reports, and that every patient with a summary has reports as well.
var mimic = []kind{
	{"radiology", 2_321_355, 237_427, 1200, 0.6},
	{"discharge", 331_794, 145_915, 10_500, 0.39},
}

// share of copied text: 50 % of 33 billion words (Steinkamp 2022).
const (
	mimicSeed  = 4
	mimicShare = 0.5
	// mimicDensity is the PHI of MIMIC's discharge summaries, in spans for each token (Lee et
	// al. 2017); what is invented around it makes it more.
	mimicDensity = 0.021
	// weightSpread is the spread of how many notes patients have: 11 on average, hundreds at most.
	weightSpread = 1.2
)

// made counts what a generated part holds.
type made struct {
	Patients, Notes, Discharge int64
	Text, Tokens, Copied       int64 // bytes; tokens as the generator counts them
}

// quota returns how many of n belong to part i of so many.
func quota(n, i, parts int) int { return n*(i+1)/parts - n*i/parts }

// patientsOf returns the kinds of each patient's notes in a part, in the order of its chart.
func patientsOf(kinds []kind, part, parts int, r *rand.Rand) [][]int {
	charts := make([][]int, quota(kinds[0].patients, part, parts))
	for k, of := range kinds {
		patients, notes := quota(of.patients, part, parts), quota(of.notes, part, parts)
		sums := make([]float64, patients)
		total := 0.0
		for p := range sums {
			charts[p] = append(charts[p], k)
			total += math.Exp(weightSpread * r.NormFloat64())
			sums[p] = total
		}
		for range notes - patients {
			p := sort.SearchFloat64s(sums, r.Float64()*total)
			charts[p] = append(charts[p], k)
		}
	}
	for _, c := range charts {
		r.Shuffle(len(c), func(i, j int) { c[i], c[j] = c[j], c[i] })
	}
	r.Shuffle(len(charts), func(i, j int) { charts[i], charts[j] = charts[j], charts[i] })
	return charts
}

// writePart writes one part of a release, whole patients, to a file, patient by patient,
// sorted by them as such tables are. The same seed, part and parts give the same bytes.
func writePart(ctx context.Context, source, name string, kinds []kind, part, parts int) (made, error) {
	sources, err := invent.Marked(source, mimicDensity)
	if err != nil {
		return made{}, err
	}
	f, err := os.Create(name)
	if err != nil {
		return made{}, err
	}
	defer f.Close()
	buffered := bufio.NewWriterSize(f, 1<<20)
	w := parquet.NewGenericWriter[note](buffered, parquet.MaxRowsPerRowGroup(1000))
	seed := int64(mimicSeed*1_000_000 + part)
	shape := charts.Usual
	shape.Share = mimicShare
	chart := charts.NewWriter(mimicSeed, seed, sources.Notes, shape)
	r := rand.New(rand.NewSource(-seed))
	var m made
	first, number := int64(0), int64(0)
	for i := range part {
		for _, k := range kinds {
			number += int64(quota(k.notes, i, parts))
		}
		first += int64(quota(kinds[0].patients, i, parts))
	}
	for p, of := range patientsOf(kinds, part, parts, r) {
		if ctx.Err() != nil {
			return made{}, ctx.Err()
		}
		patient := int(first) + p
		lengths := make([]int, len(of))
		for i, k := range of {
			// The mean of a lognormal is above its median by half of its variance.
			lengths[i] = int(kinds[k].bytes * math.Exp(kinds[k].spread*r.NormFloat64()-kinds[k].spread*kinds[k].spread/2))
			if k > 0 {
				m.Discharge++
			}
		}
		m.Patients++
		for _, n := range chart.Chart(patient, lengths) {
			number++
			m.Notes++
			m.Text += int64(len(n.Text))
			m.Tokens += int64(n.Tokens)
			m.Copied += int64(n.Copied)
			// Days of patients overlap, or they would tell the order of rows.
			row := note{number, fmt.Sprintf("p%07d", patient), int32(14_000 + patient*7919%1500 + 11*n.Number), n.Text}
			if _, err := w.Write([]note{row}); err != nil {
				return made{}, err
			}
		}
	}
	if err := w.Close(); err != nil {
		return made{}, err
	}
	if err := buffered.Flush(); err != nil {
		return made{}, err
	}
	return m, f.Close()
}
