package review

import (
	"errors"
	"fmt"
	"slices"
	"unicode"
)

// Span is a stretch of a note that the job found, and replaced unless it is Kept.
type Span struct {
	Start    int     `json:"start"` // in the original
	End      int     `json:"end"`
	OutStart int     `json:"output_start"` // in what was released
	OutEnd   int     `json:"output_end"`
	Type     string  `json:"type"`
	Source   string  `json:"source"`
	Score    float32 `json:"score"`

	// Kept says that it went out as it was: the policy keeps its type, or what it says
	// stays true. Samples that were drawn before there was such a field do not tell.
	Kept bool `json:"kept,omitempty"`
}

// Note is a note of the sample, without its text.
type Note struct {
	Document    string  `json:"document_id"` // in the input
	Released    string  `json:"released_id"` // in the output
	Patient     string  `json:"patient_id"`
	Probability float64 `json:"probability"` // of being drawn
	Stratum     string  `json:"stratum"`
	Blind       bool    `json:"blind"`
	Spans       []Span  `json:"spans"` // in order; they do not overlap
}

// Check fails if the spans do not turn the original into what was released: if
// the two differ anywhere else, one of them is not what the job read or wrote.
func (n *Note) Check(original, released []rune) error {
	at, out := 0, 0
	same := func(end, outEnd int) bool {
		return at <= end && out <= outEnd && end <= len(original) && outEnd <= len(released) &&
			slices.Equal(original[at:end], released[out:outEnd])
	}
	for _, s := range n.Spans {
		if !same(s.Start, s.OutStart) || s.End < s.Start || s.OutEnd < s.OutStart {
			return errors.New("a note of the input, its findings and what was released do not belong together; was one of them changed?")
		}
		at, out = s.End, s.OutEnd
	}
	if !same(len(original), len(released)) {
		return errors.New("a note of the input, its findings and what was released do not belong together; was one of them changed?")
	}
	return nil
}

// MarkKept marks the spans that went out as they were; Check must have passed.
func (n *Note) MarkKept(original, released []rune) {
	for i := range n.Spans {
		s := &n.Spans[i]
		s.Kept = s.Kept || slices.Equal(original[s.Start:s.End], released[s.OutStart:s.OutEnd])
	}
}

// touched returns the spans that a stretch of the released text overlaps.
func (n *Note) touched(start, end int) (spans []int) {
	for i, s := range n.Spans {
		if s.OutStart < end && start < s.OutEnd {
			spans = append(spans, i)
		}
	}
	return spans
}

// rest tells whether a mark holds letters or digits that the job did not replace. What
// it found and kept was not replaced.
func (n *Note) rest(released []rune, m Mark) bool {
	return n.holds(released, m, func(s *Span) bool { return !s.Kept })
}

// news tells whether a mark that was made unaided says something that is not said by a
// verdict on the spans: of what was kept, another type.
func (n *Note) news(released []rune, m Mark) bool {
	return n.holds(released, m, func(s *Span) bool { return !s.Kept || s.Type == m.Type })
}

// holds tells whether a mark holds letters or digits outside of the spans that are
// done with.
func (n *Note) holds(released []rune, m Mark, done func(*Span) bool) bool {
	spans := slices.DeleteFunc(n.touched(m.Start, m.End), func(i int) bool { return !done(&n.Spans[i]) })
	for at := m.Start; at < m.End; at++ {
		in := slices.ContainsFunc(spans, func(i int) bool { return n.Spans[i].OutStart <= at && at < n.Spans[i].OutEnd })
		if !in && (unicode.IsLetter(released[at]) || unicode.IsDigit(released[at])) {
			return true
		}
	}
	return false
}

// original returns where a stretch of the released text stands in the original,
// with the whole of what was replaced at its ends.
func (n *Note) original(start, end int) (int, int) {
	for _, i := range n.touched(start, end) {
		if n.Spans[i].Kept {
			continue // its characters are those of the original
		}
		start, end = min(start, n.Spans[i].OutStart), max(end, n.Spans[i].OutEnd)
	}
	shift := func(at int, isEnd bool) int {
		by := 0
		for _, s := range n.Spans {
			if s.OutEnd < at || s.OutEnd == at && (isEnd || s.OutStart < at) {
				by = s.End - s.OutEnd
			}
		}
		return at + by
	}
	return shift(start, false), shift(end, true)
}

// Mark is a stretch of the released text that a reviewer holds to be an
// identifier.
type Mark struct {
	Start int    `json:"start"` // in what was released
	End   int    `json:"end"`
	Type  string `json:"type"`
}

// at names a mark by where it is.
func (m Mark) at() [2]int { return [2]int{m.Start, m.End} }

func (n *Note) checkMark(m Mark, released []rune) error {
	switch {
	case m.Start < 0 || m.End > len(released) || m.Start >= m.End:
		return fmt.Errorf("select text of the note: it has %d characters", len(released))
	case !slices.ContainsFunc(released[m.Start:m.End], func(r rune) bool { return !unicode.IsSpace(r) }):
		return errors.New("select more than blanks")
	}
	return nil
}
