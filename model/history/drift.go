package history

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// NightCounts is what is remembered of a night to compare others with: numbers alone.
type NightCounts struct {
	Night       string
	Rows        int64            // that were processed
	Quarantined int64            // of these
	Tokens      int64            // of released texts
	Spans       map[string]int64 // in them, by type
	Languages   map[string]int64 // words of a sample, by language
}

// MostNights is how many nights are remembered.
const MostNights = 30

// Bounds say when a night has drifted.
type Bounds struct {
	Nights      int     // fewest nights to compare with
	Tokens      int64   // fewest tokens of a night, and of those before it together
	Times       float64 // how many times more or fewer spans per token
	Deviations  float64 // and how many standard deviations of such a count
	Quarantined float64 // how much larger the share of rows in quarantine, from 0 to 1
	Languages   float64 // how much the share of a language differs, from 0 to 1
}

// DefaultBounds returns bounds that a night like those before it does not meet: half
// as many or twice as many spans of a type, by more than chance gives.
func DefaultBounds() Bounds {
	return Bounds{Nights: 3, Tokens: 10_000, Times: 2, Deviations: 5, Quarantined: 0.01, Languages: 0.1}
}

// Shift is one measure in which a night differs from those before it.
type Shift struct {
	Measure string  `json:"measure"` // "spans DOCTOR", "quarantine" or "language en"
	Before  float64 `json:"before"`  // in the nights before: spans per 1,000 tokens, or a share from 0 to 1
	Tonight float64 `json:"tonight"`
}

func (s Shift) String() string {
	return fmt.Sprintf("%s: %.3g tonight, %.3g in the nights before", s.Measure, s.Tonight, s.Before)
}

// Drift returns in what a night differs from those before it by more than the bounds
// allow, in order of the measure. Too few nights or tokens tell nothing.
func Drift(before []NightCounts, tonight NightCounts, b Bounds) []Shift {
	if len(before) < b.Nights {
		return nil
	}
	past := NightCounts{Spans: map[string]int64{}, Languages: map[string]int64{}}
	for _, n := range before {
		past.Rows += n.Rows
		past.Quarantined += n.Quarantined
		past.Tokens += n.Tokens
		for t, k := range n.Spans {
			past.Spans[t] += k
		}
		for l, k := range n.Languages {
			past.Languages[l] += k
		}
	}
	var all []Shift
	if past.Tokens >= b.Tokens && tonight.Tokens >= b.Tokens {
		for _, t := range keysOf(past.Spans, tonight.Spans) {
			was, is := per(past.Spans[t], past.Tokens), per(tonight.Spans[t], tonight.Tokens)
			expected := was * float64(tonight.Tokens)
			beyond := math.Abs(float64(tonight.Spans[t])-expected) > b.Deviations*math.Sqrt(max(expected, 1))
			if beyond && (is > b.Times*was || is*b.Times < was) {
				all = append(all, Shift{"spans " + t, 1000 * was, 1000 * is})
			}
		}
	}
	if was, is := per(past.Quarantined, past.Rows), per(tonight.Quarantined, tonight.Rows); is > was+b.Quarantined {
		all = append(all, Shift{"quarantine", was, is})
	}
	words, wordsNow := total(past.Languages), total(tonight.Languages)
	for _, l := range keysOf(past.Languages, tonight.Languages) {
		was, is := per(past.Languages[l], words), per(tonight.Languages[l], wordsNow)
		if words > 0 && wordsNow > 0 && math.Abs(is-was) > b.Languages {
			all = append(all, Shift{"language " + l, was, is})
		}
	}
	slices.SortFunc(all, func(a, b Shift) int {
		if a.Measure < b.Measure {
			return -1
		}
		return 1
	})
	return all
}

func keysOf(a, b map[string]int64) []string {
	all := maps.Clone(a)
	if all == nil {
		all = map[string]int64{}
	}
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}

func total(m map[string]int64) (n int64) {
	for _, k := range m {
		n += k
	}
	return n
}

func per(part, of int64) float64 {
	if of == 0 {
		return 0
	}
	return float64(part) / float64(of)
}
