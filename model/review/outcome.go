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
		if n.rest(released, m) {
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

	// Keeps tells whether the policy of the release keeps a type; nil if it keeps none.
	Keeps func(typ string) bool
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
			o.Missed = d.decide(o.Missed, adjudicator.missed(n, released))
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

// decide returns what was missed by two reviewers and an adjudicator: the marks that
// they agree on and his own. He may have marked again what they agree on, which is not
// missed twice; where that mark decides on a disputed one too, it stands for both.
func (d Disputed) decide(first, his []Mark) []Mark {
	among := func(marks []Mark, m Mark) bool {
		return slices.ContainsFunc(marks, func(x Mark) bool { return x.Start < m.End && m.Start < x.End })
	}
	agreed := slices.DeleteFunc(first, func(m Mark) bool { return among(d.Marks, m) })
	his = slices.DeleteFunc(his, func(m Mark) bool { return among(agreed, m) && !among(d.Marks, m) })
	agreed = slices.DeleteFunc(agreed, func(m Mark) bool { return among(his, m) })
	all := append(agreed, his...)
	slices.SortFunc(all, func(a, b Mark) int { return a.Start - b.Start })
	return all
}

// Agreed returns the marks of two reviewers that are not disputed.
func (d Disputed) Agreed(n *Note, released []rune, first *State) []Mark {
	return d.decide(first.missed(n, released), nil)
}

// Estimable returns the outcome as package estimate takes it. Replacements that
// are needless are no identifiers; those that nobody could decide about count as
// neither found nor missed. So do identifiers of types that the policy keeps, and what
// was kept rightly. What was kept as another type than its own was missed.
func (o *Outcome) Estimable() estimate.Note {
	n := estimate.Note{Patient: o.Note.Patient, Weight: 1 / o.Note.Probability, Blind: o.Note.Blind,
		Found: map[string]int{}, Missed: map[string]int{}}
	keeps := func(typ string) bool { return o.Keeps != nil && o.Keeps(typ) }
	marked := map[int]bool{} // spans whose miss a mark counts
	for _, m := range o.Missed {
		if keeps(m.Type) {
			continue
		}
		n.Missed[m.Type]++
		for _, i := range o.Note.touched(m.Start, m.End) {
			marked[i] = true
		}
	}
	for i, v := range o.Verdicts {
		if v.What != Right && v.What != WrongType || keeps(v.Type) {
			continue
		}
		if o.Note.Spans[i].Kept {
			if !marked[i] && (v.What == WrongType || !StaysTrue(v.Type)) {
				n.Missed[v.Type]++
			}
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
	return n
}

// StaysTrue reports whether something of a type may go out as it was though the policy
// replaces the type: ages up to 89, weekdays, one's own country and a ZIP code that it
// generalises to itself. Anything else that is found and stays is left.
func StaysTrue(typ string) bool {
	return typ == "AGE" || typ == "DATE" || typ == "COUNTRY" || typ == "ZIP"
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
