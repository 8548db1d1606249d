package main

import (
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/score"
)

// group is some types of PHI, whose recall is told apart.
type group struct {
	name  string
	holds func(a score.Annotation) bool
}

// The groups, by the harm that a miss does. Direct identifiers are the first two.
var groups = []group{
	{"names", isName},
	{"numbers", isNumber},
	{"dates", func(a score.Annotation) bool { return a.Category == "DATE" }},
	{"places", func(a score.Annotation) bool { return a.Category == "LOCATION" }},
	{"rest", func(a score.Annotation) bool {
		return !isName(a) && !isNumber(a) && a.Category != "DATE" && a.Category != "LOCATION"
	}},
	{"direct", func(a score.Annotation) bool { return isName(a) || isNumber(a) }},
}

func isName(a score.Annotation) bool   { return a.Label == "PATIENT" || a.Label == "DOCTOR" }
func isNumber(a score.Annotation) bool { return a.Category == "CONTACT" || a.Category == "ID" }

const direct = 5 // index into groups

// harm is the measure of a group's recall: a token that any span touches is
// found. Unlike in the script's token measure, one that two spans share is too.
const harm = score.Blind

// tally scores documents: as a whole, and each group's gold against all that was
// found, of which recall alone means something.
type tally struct {
	all    *score.Scorer
	groups []*score.Scorer
	spans  map[string][]score.Annotation // that were found, by document
}

func newTally() *tally {
	t := &tally{all: score.New(score.Options{}), spans: map[string][]score.Annotation{}}
	for range groups {
		t.groups = append(t.groups, score.New(score.Options{}))
	}
	return t
}

func (t *tally) add(d score.Document) error {
	if _, err := t.all.Add(d); err != nil {
		return err
	}
	t.spans[d.ID] = d.System
	for k, g := range groups {
		of := d
		of.Gold = slices.DeleteFunc(slices.Clone(d.Gold), func(a score.Annotation) bool { return !g.holds(a) })
		if _, err := t.groups[k].Add(of); err != nil {
			return err
		}
	}
	return nil
}

// differ returns in how many documents the spans of two tallies differ, scores
// aside.
func differ(a, b *tally) (n int) {
	for id, spans := range a.spans {
		if !slices.EqualFunc(spans, b.spans[id], func(x, y score.Annotation) bool {
			return x.Start == y.Start && x.End == y.End && x.Label == y.Label
		}) {
			n++
		}
	}
	return n
}

// shuffles and significant are how differences are tested.
const (
	shuffles    = score.Shuffles
	significant = 0.05
)

// change is a difference of rates in percentage points, and its p-value.
type change struct{ points, p float64 }

func (c change) up() bool   { return c.points > 0 && c.p < significant }
func (c change) down() bool { return c.points < 0 && c.p < significant }

// changes are what a row brings about, against the job as it is.
type changes struct {
	notes              int      // in which a span differs
	recall             []change // by group
	tokenR, tokenP, f1 change
	clean, needless    int
}

// compare returns what is different in b.
func compare(a, b *tally) (c changes, err error) {
	if c.notes = differ(a, b); c.notes == 0 {
		c.recall = slices.Repeat([]change{{0, 1}}, len(groups))
		c.tokenR, c.tokenP, c.f1 = change{0, 1}, change{0, 1}, change{0, 1}
		return c, nil
	}
	for k := range groups {
		m, err := measures(a.groups[k], b.groups[k])
		if err != nil {
			return c, err
		}
		x := m[harm]
		c.recall = append(c.recall, change{100 * x.Difference.Recall, x.P.Recall})
	}
	m, err := measures(a.all, b.all)
	if err != nil {
		return c, err
	}
	x := m[score.BinaryToken]
	c.tokenR, c.tokenP = change{100 * x.Difference.Recall, x.P.Recall}, change{100 * x.Difference.Precision, x.P.Precision}
	x = m[score.Strict]
	c.f1 = change{100 * x.Difference.F1, x.P.F1}
	p, q := a.all.Result(), b.all.Result()
	c.clean = q.DocumentRecall.Covered - p.DocumentRecall.Covered
	c.needless = q.OverRedaction.Spans - p.OverRedaction.Spans
	return c, nil
}

func measures(a, b *score.Scorer) (map[score.Measure]score.MeasureComparison, error) {
	c, err := score.Compare(b, a, shuffles, 1)
	if err != nil {
		return nil, err
	}
	m := map[score.Measure]score.MeasureComparison{}
	for _, x := range c.Measures {
		if x.Subset == score.All {
			m[x.Measure] = x
		}
	}
	return m, nil
}

// direction says whether the changed job is better.
type direction int

const (
	same      direction = iota // no span differs
	level                      // nothing that differs is significant
	better                     // something rose, nothing fell, and no direct identifier more is missed
	worse                      // something fell, nothing rose
	undecided                  // something rose and something fell, or direct identifiers are missed
)

// direction judges by recall of direct identifiers, recall and precision of
// tokens, and strict F1.
func (c changes) direction() direction {
	judged := []change{c.recall[direct], c.tokenR, c.tokenP, c.f1}
	up, down := slices.ContainsFunc(judged, change.up), slices.ContainsFunc(judged, change.down)
	switch {
	case c.notes == 0:
		return same
	case up && (down || c.recall[direct].points < 0):
		return undecided
	case up:
		return better
	case down:
		return worse
	}
	return level
}

// verdict puts it into words, for a row that leaves something out and for one
// that switches something on.
func (c changes) verdict(on bool) string {
	if on {
		return [...]string{"does nothing here", "no difference", "would pay", "would cost", "trade"}[c.direction()]
	}
	return [...]string{"does nothing here", "no difference", "costs", "pays", "trade"}[c.direction()]
}
