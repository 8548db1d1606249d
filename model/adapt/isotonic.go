package adapt

import (
	"cmp"
	"slices"
)

// Scored is a span's score, and whether people call it right.
type Scored struct {
	Score float64
	Right bool
}

// Step is a stretch of scores from From up to the next step's, of which the share Right
// is right, by N spans.
type Step struct {
	From, Right float64
	N           int
}

// Isotonic fits the share that is right to the score, as steps that never fall (pool
// adjacent violators), in ascending order.
func Isotonic(spans []Scored) []Step {
	spans = slices.SortedFunc(slices.Values(spans), func(a, b Scored) int { return cmp.Compare(a.Score, b.Score) })
	var steps []Step
	for i := 0; i < len(spans); {
		s := Step{From: spans[i].Score}
		right := 0
		for ; i < len(spans) && spans[i].Score == s.From; i++ { // equal scores are one
			s.N++
			if spans[i].Right {
				right++
			}
		}
		s.Right = float64(right) / float64(s.N)
		for len(steps) > 0 && steps[len(steps)-1].Right >= s.Right {
			last := steps[len(steps)-1]
			n := last.N + s.N
			s = Step{last.From, (last.Right*float64(last.N) + s.Right*float64(s.N)) / float64(n), n}
			steps = steps[:len(steps)-1]
		}
		steps = append(steps, s)
	}
	return steps
}

// Threshold is the lowest score from which so large a share is right; 2, which no score
// reaches, where there is none.
func Threshold(steps []Step, share float64) float64 {
	for _, s := range steps {
		if s.Right >= share {
			return s.From
		}
	}
	return 2
}
