package main

import (
	"cmp"
	"slices"
)

// scored is a span's score, and whether people call it right.
type scored struct {
	score float64
	right bool
}

// step is a stretch of scores from one up to the next step's, of which the share right
// is right, of N spans.
type step struct {
	from, right float64
	N           int
}

// isotonic fits the share that is right to the score, as steps that never fall (pool
// adjacent violators), in ascending order.
func isotonic(spans []scored) []step {
	spans = slices.SortedFunc(slices.Values(spans), func(a, b scored) int { return cmp.Compare(a.score, b.score) })
	var steps []step
	for i := 0; i < len(spans); {
		s := step{from: spans[i].score}
		right := 0
		for ; i < len(spans) && spans[i].score == s.from; i++ { // equal scores are one
			s.N++
			if spans[i].right {
				right++
			}
		}
		s.right = float64(right) / float64(s.N)
		for len(steps) > 0 && steps[len(steps)-1].right >= s.right {
			last := steps[len(steps)-1]
			n := last.N + s.N
			s = step{last.from, (last.right*float64(last.N) + s.right*float64(s.N)) / float64(n), n}
			steps = steps[:len(steps)-1]
		}
		steps = append(steps, s)
	}
	return steps
}

// threshold is the lowest score from which so large a share is right; 2, which no score
// reaches, where there is none.
func threshold(steps []step, share float64) float64 {
	for _, s := range steps {
		if s.right >= share {
			return s.from
		}
	}
	return 2
}
