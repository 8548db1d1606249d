package estimate

import (
	"math"
	"slices"
)

// Note is what reviewers say of one note of the sample.
type Note struct {
	Patient string
	Weight  float64 // how many notes of the release it stands for: 1 / chance of being drawn

	Found  map[string]int // identifiers that the job replaced, by type
	Missed map[string]int // identifiers that it left, by type

	// Of a note that was first shown without marks: what the job had replaced
	// and is an identifier, and how much of that reviewers marked unaided.
	Blind       bool
	Shown, Seen int
}

// ByType is what is said of one type of identifiers.
type ByType struct {
	Type   string   `json:"type"`
	Found  int      `json:"found"`  // in the sample
	Missed int      `json:"missed"` // in the sample, as reviewers saw it
	Recall Interval `json:"recall"`
	Left   Interval `json:"left_per_1000_notes"`
}

// Result is what a reviewed sample says of the release that it was drawn from.
type Result struct {
	Notes    int `json:"notes"` // reviewed
	Patients int `json:"patients"`

	All    ByType   `json:"all"`
	ByType []ByType `json:"by_type"` // in order of type

	// The reviewers' own recall, by which misses are divided. Nil if no note was
	// shown without marks: then misses count as if reviewers found all.
	Reviewer      *Interval `json:"reviewer_recall"`
	ReviewerNotes int       `json:"reviewer_notes"` // that were shown without marks
	ReviewerShown int       `json:"reviewer_shown"` // identifiers in them
	ReviewerSeen  int       `json:"reviewer_seen"`  // of these, those marked unaided

	RecallEffect float64 `json:"design_effect_recall"` // of the sample as drawn, against single identifiers drawn at random
	LeftEffect   float64 `json:"design_effect_left"`   // against misses that come one by one
}

// perNotes is how many notes a count of what is left is told for.
const perNotes = 1000

// Of estimates from a sample, in any order.
func Of(notes []Note) Result {
	notes = sorted(notes)
	r := Result{Notes: len(notes), ByType: []ByType{}}
	patients, types := map[string]bool{}, map[string]bool{}
	for _, n := range notes {
		patients[n.Patient] = true
		for t := range n.Found {
			types[t] = true
		}
		for t := range n.Missed {
			types[t] = true
		}
		if n.Blind {
			r.ReviewerNotes++
			r.ReviewerShown += n.Shown
			r.ReviewerSeen += n.Seen
		}
	}
	r.Patients = len(patients)
	r.Reviewer = reviewer(notes)
	r.All, r.RecallEffect, r.LeftEffect = of(notes, "", r.Reviewer)
	for t := range types {
		one, _, _ := of(notes, t, r.Reviewer)
		r.ByType = append(r.ByType, one)
	}
	slices.SortFunc(r.ByType, func(a, b ByType) int {
		if a.Type < b.Type {
			return -1
		}
		return 1
	})
	return r
}

// sorted returns the notes in an order that does not depend on that in which
// they are given, as sums of floating-point numbers do.
func sorted(notes []Note) []Note {
	notes = slices.Clone(notes)
	slices.SortStableFunc(notes, func(a, b Note) int {
		switch {
		case a.Patient != b.Patient && a.Patient < b.Patient, a.Patient == b.Patient && a.Weight < b.Weight:
			return -1
		case a.Patient == b.Patient && a.Weight == b.Weight:
			return sum(a.Missed, "") - sum(b.Missed, "")
		}
		return 1
	})
	return notes
}

// reviewer estimates what reviewers find unaided.
func reviewer(notes []Note) *Interval {
	var all []observed
	for _, n := range notes {
		if n.Blind {
			all = append(all, observed{n.Patient, n.Weight, n.Seen, n.Shown})
		}
	}
	p, _, ok := proportion(all)
	if !ok {
		return nil
	}
	return &p
}

// of estimates one type; "" is all.
func of(notes []Note, kind string, reviewer *Interval) (r ByType, recallEffect, leftEffect float64) {
	r.Type = kind
	found, missed := make([]observed, len(notes)), make([]observed, len(notes))
	for i, n := range notes {
		f, m := sum(n.Found, kind), sum(n.Missed, kind)
		found[i], missed[i] = observed{n.Patient, n.Weight, f, f + m}, observed{n.Patient, n.Weight, m, 1}
		r.Found += f
		r.Missed += m
	}
	r.Recall, recallEffect, _ = proportion(found)
	r.Left, leftEffect, _ = rate(missed)
	if reviewer != nil {
		r.Left = over(r.Left, *reviewer)
		r.Recall = unseen(r.Recall, *reviewer)
	}
	r.Left = times(r.Left, perNotes)
	return r, recallEffect, leftEffect
}

// unseen lowers a recall by what reviewers did not see: the odds of a miss are
// divided by the share that reviewers find.
func unseen(recall, reviewer Interval) Interval {
	odds := func(p float64) float64 { return (1 - p) / p } // infinite for 0
	o := over(Interval{odds(recall.Point), odds(recall.High), odds(recall.Low)}, reviewer)
	back := func(odds float64) float64 { return 1 / (1 + odds) }
	return Interval{back(o.Point), back(o.High), back(o.Low)}
}

func times(i Interval, by float64) Interval { return Interval{i.Point * by, i.Low * by, i.High * by} }

func sum(by map[string]int, kind string) int {
	if kind != "" {
		return by[kind]
	}
	n := 0
	for _, v := range by {
		n += v
	}
	return n
}

// More returns how many more notes of the same kind are needed until the upper
// end of what is left per 1,000 notes comes down to bound, if the next notes are
// like those reviewed: 0 if it is there. ok is false if no number of notes will
// do, as the estimate itself lies above the bound.
func More(notes []Note, bound float64) (more int, ok bool) {
	notes = sorted(notes)
	missed, blind := make([]observed, len(notes)), []observed{}
	for i, n := range notes {
		missed[i] = observed{n.Patient, n.Weight, sum(n.Missed, ""), 1}
		if n.Blind {
			blind = append(blind, observed{n.Patient, n.Weight, n.Seen, n.Shown})
		}
	}
	seen, _, reviewed := proportion(blind)
	high := func(by float64) float64 {
		r, _, _ := ifMore(missed, by)
		if reviewed {
			// The reviewers' interval narrows with the root of the notes.
			root := math.Sqrt(by)
			r = over(r, Interval{seen.Point, seen.Point - (seen.Point-seen.Low)/root, seen.Point + (seen.High-seen.Point)/root})
		}
		return r.High * perNotes
	}
	const most = 1e6 // times the sample
	switch {
	case len(notes) == 0 || !(high(most) <= bound):
		return 0, false
	case high(1) <= bound:
		return 0, true
	}
	by := bisect(1, most, func(by float64) float64 { return bound - high(by) })
	return int(math.Ceil((by - 1) * float64(len(notes)))), true
}
