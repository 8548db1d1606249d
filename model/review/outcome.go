package review

import (
	"fmt"
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/estimate"
)

// Disputed is where two reviewers of a note differ.
type Disputed struct {
	Spans []int  // by index, in order
	Marks []Mark // that one of them has and the other has not, in order; two types of one place are two
}

// Compare returns where two reviewers differ. A span is disputed if their
// verdicts or types differ, or if one is undecided.
func Compare(n *Note, released []rune, a, b *State) (d Disputed) {
	for i := range n.Spans {
		if a.Verdicts[i] != b.Verdicts[i] || a.Verdicts[i].What == Undecided {
			d.Spans = append(d.Spans, i)
		}
	}
	left, right := a.missed(n, released), b.missed(n, released)
	has := func(marks []Mark, m Mark) bool {
		return slices.ContainsFunc(marks, func(o Mark) bool { return o.at() == m.at() && o.Type == m.Type })
	}
	for _, m := range left {
		if !has(right, m) {
			d.Marks = append(d.Marks, m)
		}
	}
	for _, m := range right {
		if !has(left, m) {
			d.Marks = append(d.Marks, m)
		}
	}
	slices.SortStableFunc(d.Marks, func(a, b Mark) int { return a.Start - b.Start })
	return d
}

// missed returns the marks that hold something that the job left.
func (s *State) missed(n *Note, released []rune) (marks []Mark) {
	for _, m := range s.Marks {
		if n.rest(released, m.Start, m.End) {
			marks = append(marks, m)
		}
	}
	return marks
}

// Settled fails until an adjudicator has said something of all that is disputed.
func (d Disputed) Settled() func(*State) error {
	return func(s *State) error {
		if open := d.open(s); open > 0 {
			return fmt.Errorf("%d of %d disagreements are open", open, len(d.Spans)+len(d.Marks))
		}
		return nil
	}
}

func (d Disputed) open(s *State) (open int) {
	for _, i := range d.Spans {
		if _, ok := s.Verdicts[i]; !ok {
			open++
		}
	}
	for _, m := range d.Marks {
		taken := slices.ContainsFunc(s.Marks, func(o Mark) bool { return o.Start < m.End && m.Start < o.End })
		if !taken && !slices.Contains(s.Rejected, m.at()) {
			open++
		}
	}
	return open
}

// Outcome is what a review of a note comes to.
type Outcome struct {
	Note     *Note
	Verdicts []Verdict // of each span
	Missed   []Mark
	Seen     []bool // of each span of a blind note: somebody marked it unaided
}

// Settle returns what one reviewer, or two and an adjudicator, make of a note.
// Reviewers who have not finished it are left out by the caller. ok is false if
// two reviewers differ and nobody has decided between them.
func Settle(n *Note, released []rune, reviewers []*State, adjudicator *State) (o Outcome, ok bool) {
	o = Outcome{Note: n, Verdicts: make([]Verdict, len(n.Spans)), Seen: make([]bool, len(n.Spans))}
	first := reviewers[0]
	o.Missed = first.missed(n, released)
	for i := range n.Spans {
		o.Verdicts[i] = first.Verdicts[i]
	}
	if len(reviewers) > 1 {
		d := Compare(n, released, first, reviewers[1])
		if len(d.Spans)+len(d.Marks) > 0 {
			if adjudicator == nil || !adjudicator.Finished || d.open(adjudicator) > 0 {
				return o, false
			}
			for _, i := range d.Spans {
				o.Verdicts[i] = adjudicator.Verdicts[i]
			}
			disputed := func(m Mark) bool {
				return slices.ContainsFunc(d.Marks, func(x Mark) bool { return x.Start < m.End && m.Start < x.End })
			}
			o.Missed = slices.DeleteFunc(o.Missed, disputed)
			o.Missed = append(o.Missed, adjudicator.missed(n, released)...)
			slices.SortFunc(o.Missed, func(a, b Mark) int { return a.Start - b.Start })
		}
	}
	for _, r := range reviewers {
		for _, m := range r.Unaided {
			for _, i := range n.touched(m.Start, m.End) {
				o.Seen[i] = true
			}
		}
	}
	return o, true
}

// Estimable returns the outcome as package estimate takes it. Replacements that
// are needless are no identifiers; those that nobody could decide about count as
// neither found nor missed.
func (o *Outcome) Estimable() estimate.Note {
	n := estimate.Note{Patient: o.Note.Patient, Weight: 1 / o.Note.Probability, Blind: o.Note.Blind,
		Found: map[string]int{}, Missed: map[string]int{}}
	for i, v := range o.Verdicts {
		if v.What != Right && v.What != WrongType {
			continue
		}
		n.Found[v.Type]++
		if n.Blind {
			n.Shown++
			if o.Seen[i] {
				n.Seen++
			}
		}
	}
	for _, m := range o.Missed {
		n.Missed[m.Type]++
	}
	return n
}

// Gold is an annotation of the original text.
type Gold struct {
	Start, End int
	Type       string
}

// Gold returns the annotations that a note should have: its identifiers,
// replaced or left. What nobody could decide about is left out. A mark that
// takes in replaced text beside what was left stands for both.
func (o *Outcome) Gold() (gold []Gold) {
	within := map[int]bool{}
	for _, m := range o.Missed {
		for _, i := range o.Note.touched(m.Start, m.End) {
			within[i] = true
		}
		start, end := o.Note.original(m.Start, m.End)
		gold = append(gold, Gold{start, end, m.Type})
	}
	for i, v := range o.Verdicts {
		if s := o.Note.Spans[i]; !within[i] && (v.What == Right || v.What == WrongType) {
			gold = append(gold, Gold{s.Start, s.End, v.Type})
		}
	}
	slices.SortFunc(gold, func(a, b Gold) int { return a.Start - b.Start })
	return gold
}
