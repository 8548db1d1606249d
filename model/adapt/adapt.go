// Package adapt decides what adapting a model to a site's notes needs decided:
// which patients are trained on and which judge, and whether a model is better.
package adapt

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/score"
)

// Part is what the notes of a patient are used for.
type Part string

// The parts. No patient is in two.
const (
	Train Part = "train"
	Stop  Part = "stop" // tell training when to stop
	Held  Part = "held" // judge what came of it, and are used for nothing else
)

// LeastJudges is the number of patients below which nothing is judged: with
// fewer, an interval has hardly a meaning.
const LeastJudges = 5

// stopShare is the share of stop among the patients that do not judge.
const stopShare = 0.2

// Split draws parts by patient. held is the share of Held, 0 where others judge.
// Equal patients and an equal seed give equal parts, whatever the order.
func Split(patients []string, held float64, seed uint64) (map[string]Part, error) {
	sorted := slices.Compact(slices.Sorted(slices.Values(patients)))
	judges := 0
	if held > 0 {
		judges = max(LeastJudges, int(math.Round(held*float64(len(sorted)))))
	}
	rest := len(sorted) - judges
	if rest < 4 {
		return nil, fmt.Errorf("the notes are of %d patients; adapting takes %d at least, of whom %d judge", len(sorted), judges+4, judges)
	}
	stop := max(1, int(math.Round(stopShare*float64(rest))))
	parts := map[string]Part{}
	for i, k := range rand.New(rand.NewPCG(seed, 0)).Perm(len(sorted)) {
		switch {
		case i < judges:
			parts[sorted[k]] = Held
		case i < judges+stop:
			parts[sorted[k]] = Stop
		default:
			parts[sorted[k]] = Train
		}
	}
	return parts, nil
}

// Better tells whether the first of two models is better than the second: F2 of
// tokens of PHI (recall counts twice) is higher by more than chance, and recall
// is not lower, as a miss is a leak.
func Better(p *score.Paired) bool { return p.F2.Low > 0 && p.Recall.Difference >= 0 }

// power is the chance that More gives to see a difference that is there, as the
// quantile of the normal distribution (80 %).
const power = 0.8416212335729143

// More returns how many further patients would tell, with a chance of four in
// five, that a difference as large as the one seen is none of chance. ok is
// false where the first model was not better at all, which more patients that
// judge do not change.
func More(p *score.Paired) (patients int, ok bool) {
	d := p.F2
	if d.Difference <= 0 || p.Recall.Difference < 0 {
		return 0, false
	}
	const normal975 = 1.959963984540054
	times := math.Pow((normal975+power)*d.Error/d.Difference, 2)
	return max(1, int(math.Ceil(times*float64(p.Clusters)))-p.Clusters), true
}
