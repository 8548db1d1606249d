package review

import (
	"errors"
	"fmt"
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// What a reviewer says of a span.
const (
	Right     = "right"
	WrongType = "wrong_type"
	Needless  = "needless"
	Undecided = "undecided"
)

// What an event is.
const (
	Judge  = "judge"  // of Span: Verdict and, for WrongType, Type
	Missed = "missed" // Start, End, Type: an identifier that was not replaced
	Reject = "reject" // Start, End: an adjudicator's word on a mark of one reviewer
	Clear  = "clear"  // Start, End: the mark is taken back
	Reveal = "reveal" // the marks of a note are shown that was without them
	Finish = "finish" // the note
	Undo   = "undo"   // the note's last event that is not undone
)

// Event is one thing that a reviewer did to a note.
type Event struct {
	Kind    string `json:"kind"`
	Span    int    `json:"span,omitempty"`
	Verdict string `json:"verdict,omitempty"`
	Type    string `json:"type,omitempty"`
	Start   int    `json:"start,omitempty"` // in what was released
	End     int    `json:"end,omitempty"`
}

// Verdict is what a reviewer says of a span, and the type that it has by him.
type Verdict struct {
	What string `json:"what"`
	Type string `json:"type"`
}

// State is what a reviewer has said of one note.
type State struct {
	Version  int             `json:"version"` // the number of events, undone ones included
	Shown    bool            `json:"shown"`   // the job's marks
	Finished bool            `json:"finished"`
	Verdicts map[int]Verdict `json:"verdicts"`
	Marks    []Mark          `json:"marks"`    // in order of place
	Rejected [][2]int        `json:"rejected"` // marks that an adjudicator does not take
	Unaided  []Mark          `json:"-"`        // those that were made before the job's marks were shown

	live []Event // events that are not undone
}

// NewState returns the state of a note of which nothing was said.
func NewState(n *Note, adjudicates bool) *State {
	s := &State{Shown: !n.Blind || adjudicates, Verdicts: map[int]Verdict{}}
	return s
}

// Apply does an event to a state. open tells whether all has been said that a
// finished note needs. An error says in words for the reviewer why the event is
// refused; the state is then as it was.
func (s *State) Apply(n *Note, released []rune, e Event, complete func(*State) error) error {
	if e.Kind == Undo {
		return s.undo(n, released)
	}
	if err := s.do(n, released, e, complete); err != nil {
		return err
	}
	s.Finished = e.Kind == Finish // saying more opens it again
	s.live = append(s.live, e)
	s.Version++
	return nil
}

func (s *State) undo(n *Note, released []rune) error {
	if len(s.live) == 0 {
		return errors.New("there is nothing to undo in this note")
	}
	if s.live[len(s.live)-1].Kind == Reveal {
		return errors.New("the marks were shown; that cannot be undone")
	}
	again := &State{Shown: !n.Blind || s.Shown && !s.revealed(), Verdicts: map[int]Verdict{}}
	for _, e := range s.live[:len(s.live)-1] {
		if err := again.Apply(n, released, e, nil); err != nil {
			return err
		}
	}
	again.Version = s.Version + 1
	*s = *again
	return nil
}

func (s *State) revealed() bool {
	return slices.ContainsFunc(s.live, func(e Event) bool { return e.Kind == Reveal })
}

func (s *State) do(n *Note, released []rune, e Event, complete func(*State) error) error {
	switch e.Kind {
	case Judge:
		return s.judge(n, e)
	case Missed:
		return s.mark(n, released, Mark{e.Start, e.End, e.Type})
	case Reject:
		if !slices.Contains(s.Rejected, [2]int{e.Start, e.End}) {
			s.Rejected = append(s.Rejected, [2]int{e.Start, e.End})
		}
		s.Marks = slices.DeleteFunc(s.Marks, func(m Mark) bool { return m.at() == [2]int{e.Start, e.End} })
	case Clear:
		i := slices.IndexFunc(s.Marks, func(m Mark) bool { return m.at() == [2]int{e.Start, e.End} })
		if i < 0 {
			return errors.New("there is no such mark")
		}
		s.Marks = slices.Delete(s.Marks, i, i+1)
	case Reveal:
		if s.Shown {
			return errors.New("the marks are shown already")
		}
		s.Shown, s.Unaided = true, slices.Clone(s.Marks)
		s.Marks = slices.DeleteFunc(s.Marks, func(m Mark) bool { return !n.news(released, m) })
	case Finish:
		if !s.Shown {
			return errors.New("this note is without marks: show them before you finish it")
		}
		if complete != nil {
			if err := complete(s); err != nil {
				return err
			}
		}
	default:
		return fmt.Errorf("there is no event %q", e.Kind)
	}
	return nil
}

func (s *State) judge(n *Note, e Event) error {
	switch {
	case e.Span < 0 || e.Span >= len(n.Spans):
		return errors.New("there is no such span")
	case !s.Shown:
		return errors.New("this note is without marks: show them first")
	case !slices.Contains([]string{Right, WrongType, Needless, Undecided}, e.Verdict):
		return fmt.Errorf("there is no verdict %q", e.Verdict)
	}
	v := Verdict{e.Verdict, n.Spans[e.Span].Type}
	if e.Verdict == WrongType {
		t, err := phi.ParseType(e.Type)
		if err != nil {
			return errors.New("choose one of the types")
		}
		if v.Type = t.String(); v.Type == n.Spans[e.Span].Type {
			v.What = Right
		}
	}
	s.Verdicts[e.Span] = v
	return nil
}

func (s *State) mark(n *Note, released []rune, m Mark) error {
	if err := n.checkMark(m, released); err != nil {
		return err
	}
	t, err := phi.ParseType(m.Type)
	if err != nil {
		return errors.New("choose one of the types")
	}
	m.Type = t.String()
	if s.Shown && !n.rest(released, m) {
		return errors.New("all of this was replaced already; judge the span itself")
	}
	s.Marks = slices.DeleteFunc(s.Marks, func(o Mark) bool { return o.at() == m.at() })
	for _, o := range s.Marks {
		if o.Start < m.End && m.Start < o.End {
			return errors.New("this overlaps a mark of yours; take that one back first")
		}
	}
	s.Rejected = slices.DeleteFunc(s.Rejected, func(at [2]int) bool { return at == m.at() })
	s.Marks = append(s.Marks, m)
	slices.SortFunc(s.Marks, func(a, b Mark) int { return a.Start - b.Start })
	return nil
}

// Complete fails until every span has a verdict.
func Complete(n *Note) func(*State) error {
	return func(s *State) error {
		if open := len(n.Spans) - len(s.Verdicts); open > 0 {
			return fmt.Errorf("%d of %d replacements have no verdict yet", open, len(n.Spans))
		}
		return nil
	}
}
