package merge

import (
	"slices"
	"sort"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/policy"
)

// Mode is how spans that overlap become disjoint.
type Mode string

// The modes.
const (
	// Union covers every byte of every span: for recall. The default.
	Union Mode = "union"
	// Priority keeps the most trusted spans whole and drops those that overlap
	// them, as Lee et al. 2017 drop the CRF's where a rule speaks.
	Priority Mode = "priority"
	// Vote covers what the taggers' weights together say is PHI.
	Vote Mode = "vote"
)

// Weights say how far a tagger is believed about a type, from 0 to 1. The type
// of overlapping spans is that of the greatest weight.
type Weights [phi.NumTaggers][phi.NumTypes]float32

// DefaultWeights believe a pattern about what has one, the known identifiers about names,
// and the network about the rest.
func DefaultWeights() *Weights {
	var w Weights
	for _, t := range phi.Types() {
		w[phi.Network][t] = 0.6
		w[phi.Rules][t] = 0.4
		if patterned(t) {
			w[phi.Rules][t] = 1
		}
		w[phi.Known][t] = 0.8
		w[phi.Sweep][t] = 0.2
	}
	return &w
}

var defaults = DefaultWeights()

func (w *Weights) of(s phi.Span) float32 {
	if s.Tagger == phi.Rules && s.Score < policy.SurePattern && patterned(s.Type) {
		return min(w[s.Tagger][s.Type], 0.4)
	}
	return w[s.Tagger][s.Type]
}

// patterned reports whether a type is told by its form.
func patterned(t phi.Type) bool {
	switch t.Category() {
	case "CONTACT", "ID", "DATE", "AGE":
		return true
	}
	return t == phi.ZIP
}

// Merge resolves the spans of one text into disjoint ones, in order, by Union
// and the default weights: spans that share a byte become one that covers them
// all, so that no byte of any of them survives; its type, tagger and score are
// those of the span that is trusted most. Spans that only touch stay apart:
// "Smith" and "4/12" in "Smith4/12" are two. The input is sorted in place;
// empty spans are dropped.
func Merge(spans []phi.Span) []phi.Span { return merge(spans, Union, defaults, nil) }

// merge is Merge with all its choices; see Options.
func merge(spans []phi.Span, mode Mode, w *Weights, trace func(phi.Event)) []phi.Span {
	phi.Sort(spans)
	if mode == Priority {
		return priority(spans, w, trace)
	}
	merged := spans[:0]
	for lo := 0; lo < len(spans); {
		if spans[lo].End <= spans[lo].Start {
			lo++
			continue
		}
		hi, end := lo+1, spans[lo].End
		for hi < len(spans) && spans[hi].Start < end {
			end = max(end, spans[hi].End)
			hi++
		}
		cluster := spans[lo:hi]
		best := cluster[0]
		for _, s := range cluster[1:] {
			if s.End > s.Start && w.outranks(s, best) {
				best = s
			}
		}
		out := phi.Span{Start: spans[lo].Start, End: end, Type: best.Type, Tagger: best.Tagger, Score: best.Score}
		accepted := mode != Vote || w.votes(cluster) >= policy.Majority
		if trace != nil {
			for _, s := range cluster {
				if s == best && accepted {
					continue
				}
				e := phi.Event{Step: "merge", Before: s, After: out, Why: "the " + best.Tagger.String() + " is trusted more about " +
					best.Type.String()}
				if !accepted {
					e.After, e.Why = phi.Span{}, "outvoted"
				}
				trace(e)
			}
		}
		if accepted {
			merged = append(merged, out) // never overtakes lo
		}
		lo = hi
	}
	return merged
}

// votes sums, over the taggers that speak, the greatest weight times score.
func (w *Weights) votes(cluster []phi.Span) float32 {
	var by [phi.NumTaggers]float32
	for _, s := range cluster {
		by[s.Tagger] = max(by[s.Tagger], w.of(s)*s.Score)
	}
	var sum float32
	for _, v := range by {
		sum += v
	}
	return sum
}

// priority takes spans by trust and drops what overlaps one taken before.
// spans are sorted; each stretch of them that hangs together is settled alone.
func priority(spans []phi.Span, w *Weights, trace func(phi.Event)) []phi.Span {
	taken := make([]phi.Span, 0, len(spans))
	left := slices.DeleteFunc(slices.Clone(spans), func(s phi.Span) bool { return s.End <= s.Start })
	for lo := 0; lo < len(left); {
		hi, end := lo+1, left[lo].End
		for hi < len(left) && left[hi].Start < end {
			end = max(end, left[hi].End)
			hi++
		}
		taken = w.settle(taken, left[lo:hi], trace)
		lo = hi
	}
	return taken
}

// settle appends what priority takes of a cluster, which it sorts, to taken,
// whose spans lie before it.
func (w *Weights) settle(taken, cluster []phi.Span, trace func(phi.Event)) []phi.Span {
	slices.SortFunc(cluster, func(a, b phi.Span) int {
		switch {
		case w.outranks(a, b):
			return -1
		case w.outranks(b, a):
			return 1
		}
		return 0
	})
	for _, s := range slices.Compact(cluster) {
		at := sort.Search(len(taken), func(k int) bool { return taken[k].End > s.Start })
		if at == len(taken) || s.End <= taken[at].Start {
			taken = slices.Insert(taken, at, s)
		} else if trace != nil {
			trace(phi.Event{Step: "merge", Before: s, Why: "it overlaps a span that is trusted more"})
		}
	}
	return taken
}

// outranks reports whether a decides the type rather than b.
func (w *Weights) outranks(a, b phi.Span) bool {
	if x, y := w.of(a), w.of(b); x != y {
		return x > y
	}
	if x, y := a.End-a.Start, b.End-b.Start; x != y {
		return x > y
	}
	if a.Score != b.Score {
		return a.Score > b.Score
	}
	if a.Type != b.Type {
		return a.Type < b.Type
	}
	if a.Tagger != b.Tagger {
		return a.Tagger < b.Tagger
	}
	return a.Start < b.Start
}
