package phi

import (
	"iter"
	"sort"
)

// Overlaps tells which of some spans share a byte with a stretch of the text.
// A note may have tens of thousands of spans, so none of the questions looks
// at all of them.
type Overlaps struct {
	spans []Span // as phi.Sort orders them
	reach []int  // the greatest End of the spans up to each
	looks *int   // counts the spans that were looked at, where it is not nil
}

// NewOverlaps sorts spans in place and keeps them.
func NewOverlaps(spans []Span, looks *int) *Overlaps {
	Sort(spans)
	o := &Overlaps{spans, make([]int, len(spans)), looks}
	end := 0
	for k, s := range spans {
		end = max(end, s.End)
		o.reach[k] = end
	}
	return o
}

// any reports whether one of the spans overlaps s: begins before s ends and
// ends behind its start.
func (o *Overlaps) Any(s Span) bool {
	k := o.first(s.Start)
	return k < len(o.spans) && o.spans[k].Start < s.End
}

// of yields the spans that overlap s, in order. Of spans that do not overlap
// one another, those that disjoint stretches ask for are as many as both
// together, at most.
func (o *Overlaps) Of(s Span) iter.Seq[Span] {
	return func(yield func(Span) bool) {
		for k := o.first(s.Start); k < len(o.spans) && o.spans[k].Start < s.End; k++ {
			o.look()
			if o.spans[k].End > s.Start && !yield(o.spans[k]) {
				return
			}
		}
	}
}

// first returns the first span that ends behind start.
func (o *Overlaps) first(start int) int {
	return sort.Search(len(o.reach), func(k int) bool {
		o.look()
		return o.reach[k] > start
	})
}

func (o *Overlaps) look() {
	if o.looks != nil {
		*o.looks++
	}
}
