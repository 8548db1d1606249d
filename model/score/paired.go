package score

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/estimate"
)

// Paired compares two systems on the same documents by one measure over all
// types, with intervals of the differences.
type Paired struct {
	Measure   Measure          `json:"measure"`
	Clusters  int              `json:"clusters"` // patients, say
	Resamples int              `json:"resamples"`
	Seed      uint64           `json:"seed"`
	A         Counts           `json:"a"`
	B         Counts           `json:"b"`
	Precision PairedDifference `json:"precision"`
	Recall    PairedDifference `json:"recall"`
	F1        PairedDifference `json:"f1"`
	F2        PairedDifference `json:"f2"`
}

// PairedDifference is a rate of A less that of B.
type PairedDifference struct {
	A          float64 `json:"a"`
	B          float64 `json:"b"`
	Difference float64 `json:"difference"`
	Low        float64 `json:"low"` // ends of the 95 % interval
	High       float64 `json:"high"`
	Error      float64 `json:"standard_error"`
}

// F2 is the harmonic mean of precision and recall in which recall weighs twice
// as much (van Rijsbergen 1979: F with beta 2). 0 if nothing is annotated or
// found.
func (c Counts) F2() float64 {
	if c.TP == 0 {
		return 0
	}
	return 5 * float64(c.TP) / float64(5*c.TP+4*c.FN+c.FP)
}

// PairedByCluster draws clusters of documents with replacement, as many as there
// are, the same ones for both systems (Efron 1979), and gives the 95 % interval
// of each difference. cluster names what a document belongs to, such as its
// patient, as documents of one are alike. Percentiles are taken further out than
// 2.5 and 97.5 by what few clusters make them too narrow (Hesterberg 2015, "What
// teachers should know about the bootstrap", expanded percentiles).
//
// Both scorers must have seen the same documents, of two clusters at least.
func PairedByCluster(a, b *Scorer, measure Measure, cluster func(document string) string, resamples int, seed uint64) (*Paired, error) {
	column := slices.IndexFunc(columns[:], func(c column) bool { return c.measure == measure && c.subset == All })
	if column < 0 {
		return nil, fmt.Errorf("score: no measure %q over all types", measure)
	}
	if err := SameDocuments(a.ids, b.ids); err != nil {
		return nil, fmt.Errorf("score: the two systems were scored on different documents: %w", err)
	}
	of := map[string]int{} // number of each cluster
	var sums [][2]Counts
	for _, id := range slices.Sorted(slices.Values(a.ids)) {
		name := cluster(id)
		k, ok := of[name]
		if !ok {
			k = len(sums)
			of[name], sums = k, append(sums, [2]Counts{})
		}
		for side, s := range []*Scorer{a, b} {
			row := s.rows[s.index[id]*width+3*column:]
			sums[k][side].add(Counts{TP: int(row[0]), FP: int(row[1]), FN: int(row[2])})
		}
	}
	if len(sums) < 2 {
		return nil, fmt.Errorf("score: %d clusters of documents; an interval takes two at least", len(sums))
	}
	var all [2]Counts
	for _, s := range sums {
		all[0].add(s[0])
		all[1].add(s[1])
	}
	rates := func(c Counts) [4]float64 { return [4]float64{c.Precision(), c.Recall(), c.F1(), c.F2()} }
	drawn := [4][]float64{}
	for i := range resamples {
		random := rand.New(rand.NewPCG(seed, uint64(i)))
		var x [2]Counts
		for range sums {
			s := sums[random.IntN(len(sums))]
			x[0].add(s[0])
			x[1].add(s[1])
		}
		p, q := rates(x[0]), rates(x[1])
		for k := range drawn {
			drawn[k] = append(drawn[k], p[k]-q[k])
		}
	}
	out := &Paired{Measure: measure, Clusters: len(sums), Resamples: resamples, Seed: seed, A: all[0], B: all[1]}
	p, q := rates(all[0]), rates(all[1])
	n := float64(len(sums))
	tail := 0.5 * math.Erfc(estimate.T975(n-1)*math.Sqrt(n/(n-1))/math.Sqrt2)
	for k, d := range []*PairedDifference{&out.Precision, &out.Recall, &out.F1, &out.F2} {
		slices.Sort(drawn[k])
		*d = PairedDifference{A: p[k], B: q[k], Difference: p[k] - q[k], Low: quantile(drawn[k], tail), High: quantile(drawn[k], 1-tail),
			Error: deviation(drawn[k]) * math.Sqrt(n/(n-1))}
	}
	return out, nil
}

func (c *Counts) add(o Counts) {
	c.TP, c.FP, c.FN = c.TP+o.TP, c.FP+o.FP, c.FN+o.FN
}

// deviation is the standard deviation of a sample.
func deviation(values []float64) float64 {
	var sum, squares float64
	for _, v := range values {
		sum += v
	}
	mean := sum / float64(len(values))
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	return math.Sqrt(squares / float64(max(1, len(values)-1)))
}
