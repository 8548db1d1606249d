package review

import (
	"fmt"
	"slices"
	"sync"
	"unicode/utf16"

	"github.com/palimpsest-deid/palimpsest/cmd/review/store"
	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/review"
)

// page is what the browser shows: the notes of a sample and what one reviewer
// says of them. Towards the browser, offsets are UTF-16 units of the released
// text, as JavaScript counts.
type page struct {
	mu        sync.Mutex
	r         *store.Review
	log       *store.Log
	reviewer  string
	judge     bool
	originals [][]rune
	order     []int                   // the notes that are shown, by index in the sample
	disputed  map[int]review.Disputed // of an adjudicator
	agreed    map[int][]review.Mark   // in these notes
	names     []string                // of the reviewers whom he decides between
	said      [][]*review.State       // by them
	units     map[int]units           // of notes, as they are needed
	complete  map[int]func(*review.State) error
}

func newPage(r *store.Review, log *store.Log, reviewer string, judge bool, originals [][]rune) (*page, error) {
	p := &page{r: r, log: log, reviewer: reviewer, judge: judge, originals: originals, disputed: map[int]review.Disputed{},
		agreed: map[int][]review.Mark{}, units: map[int]units{}, complete: map[int]func(*review.State) error{}}
	if !judge {
		for i := range r.Sample.Notes {
			p.order = append(p.order, i)
			p.complete[i] = review.Complete(&r.Sample.Notes[i])
		}
		return p, nil
	}
	var err error
	if p.names, p.said, _, err = r.Reviewers(); err != nil {
		return nil, err
	}
	if len(p.said) < 2 { // one has left meanwhile, without a decision
		return nil, fault.Mark(fault.Settings, store.ErrNoTwo)
	}
	for i := range r.Sample.Notes {
		if a, b := p.said[0][i], p.said[1][i]; a.Finished && b.Finished {
			n := &r.Sample.Notes[i]
			if d := review.Compare(n, r.Released[i], a, b); len(d.Spans)+len(d.Marks) > 0 {
				p.order = append(p.order, i)
				p.disputed[i], p.complete[i], p.agreed[i] = d, d.Settled(), d.Agreed(n, r.Released[i], a)
			}
		}
	}
	if len(p.order) == 0 {
		return nil, fault.Mark(fault.Settings, fmt.Errorf("--adjudicate: %s and %s do not differ in any note that both have finished", p.names[0],
			p.names[1]))
	}
	return p, nil
}

// finished counts notes.
func (p *page) finished() (n int) {
	for _, i := range p.order {
		if p.log.States[i].Finished {
			n++
		}
	}
	return n
}

// overview is the whole review, but for the notes' text.
type overview struct {
	Reviewer    string `json:"reviewer"`
	Adjudicates bool   `json:"adjudicates"`
	Types       []kind `json:"types"`
	Finished    []bool `json:"finished"` // of each note
}

type kind struct {
	Name     string `json:"name"`
	Category string `json:"category"`
}

func (p *page) overview() overview {
	o := overview{Reviewer: p.reviewer, Adjudicates: p.judge}
	for _, t := range phi.Types() {
		o.Types = append(o.Types, kind{t.String(), t.Category()})
	}
	for _, i := range p.order {
		o.Finished = append(o.Finished, p.log.States[i].Finished)
	}
	return o
}

// shown is one note as the browser gets it. Of a note without marks, Items hold
// nothing but the reviewer's own.
type shown struct {
	Note     int    `json:"note"` // place in the order
	Version  int    `json:"version"`
	Stratum  string `json:"stratum"`
	Marked   bool   `json:"marked"`
	Finished bool   `json:"finished"`
	Text     string `json:"text"`
	Items    []item `json:"items"` // in order of place
}

// item is a stretch of the text that something can be said of.
type item struct {
	Span   int      `json:"span"` // index, or -1 for a mark of a reviewer
	Start  int      `json:"start"`
	End    int      `json:"end"`
	Type   string   `json:"type"`
	Source string   `json:"source,omitempty"` // which part of the job found it
	Kept   bool     `json:"kept,omitempty"`   // it was found, and released as it was
	What   string   `json:"what,omitempty"`   // the verdict; "missed" for a mark of one's own, "rejected" for one not taken, "agreed"
	As     string   `json:"as,omitempty"`     // the type that it has by the verdict
	Ask    bool     `json:"ask"`              // something is to be said of it
	Says   []string `json:"says,omitempty"`   // what the two reviewers say
}

// show returns a note, by place in the order.
func (p *page) show(at int) (shown, error) {
	if at < 0 || at >= len(p.order) {
		return shown{}, fmt.Errorf("there is no note %d", at+1)
	}
	i := p.order[at]
	n, s, u := &p.r.Sample.Notes[i], p.log.States[i], p.unitsOf(i)
	out := shown{Note: at, Version: s.Version, Stratum: n.Stratum, Marked: s.Shown, Finished: s.Finished,
		Text: string(p.r.Released[i]), Items: []item{}}
	d, own := p.disputed[i], map[[2]int]bool{}
	for _, m := range s.Marks {
		own[[2]int{m.Start, m.End}] = true
		out.Items = append(out.Items, item{Span: -1, Start: u.of(m.Start), End: u.of(m.End), Type: m.Type, What: review.Missed})
	}
	if s.Shown {
		for k, x := range n.Spans {
			v := s.Verdicts[k]
			t := item{Span: k, Start: u.of(x.OutStart), End: u.of(x.OutEnd), Type: x.Type, Source: x.Source, Kept: x.Kept, What: v.What,
				As: v.Type, Ask: true}
			if p.judge {
				if t.Ask = slices.Contains(d.Spans, k); t.Ask {
					for r, name := range p.names {
						t.Says = append(t.Says, name+": "+words(p.said[r][i].Verdicts[k]))
					}
				} else {
					v = p.said[0][i].Verdicts[k]
					t.What, t.As = v.What, v.Type
				}
			}
			out.Items = append(out.Items, t)
		}
	}
	for _, m := range d.Marks {
		if at := [2]int{m.Start, m.End}; !own[at] {
			t := item{Span: -1, Start: u.of(m.Start), End: u.of(m.End), Type: m.Type, Ask: true,
				Says: []string{p.whose(i, m) + ": missed, " + m.Type}}
			instead := slices.ContainsFunc(s.Marks, func(o review.Mark) bool { return o.Start < m.End && m.Start < o.End })
			if instead || slices.Contains(s.Rejected, at) {
				t.What = "rejected"
			}
			out.Items = append(out.Items, t)
		}
	}
	for _, m := range p.agreed[i] {
		if at := [2]int{m.Start, m.End}; !own[at] {
			out.Items = append(out.Items, item{Span: -1, Start: u.of(m.Start), End: u.of(m.End), Type: m.Type, What: "agreed"})
		}
	}
	slices.SortStableFunc(out.Items, func(a, b item) int { return a.Start - b.Start })
	return out, nil
}

// whose returns who has made a disputed mark.
func (p *page) whose(note int, m review.Mark) string {
	if slices.Contains(p.said[0][note].Marks, m) {
		return p.names[0]
	}
	return p.names[1]
}

// words says a verdict as people do.
func words(v review.Verdict) string {
	switch v.What {
	case review.WrongType:
		return "is " + v.Type
	case "":
		return "nothing"
	}
	return v.What
}

// originalsOf returns what stood in the place of each span of a note. A note that
// is still without marks has none to show.
func (p *page) originalsOf(at int) ([]string, error) {
	if at < 0 || at >= len(p.order) {
		return nil, fmt.Errorf("there is no note %d", at+1)
	}
	i := p.order[at]
	if !p.log.States[i].Shown {
		return nil, fmt.Errorf("this note is without marks: show them first")
	}
	texts := []string{}
	for _, s := range p.r.Sample.Notes[i].Spans {
		texts = append(texts, string(p.originals[i][s.Start:s.End]))
	}
	return texts, nil
}

// do does an event to a note.
func (p *page) do(at int, e review.Event) error {
	i := p.order[at]
	if e.Kind == review.Missed || e.Kind == review.Clear || e.Kind == review.Reject {
		u := p.unitsOf(i)
		e.Start, e.End = u.codePoint(e.Start, false), u.codePoint(e.End, true)
	}
	if p.judge && e.Kind == review.Judge && !slices.Contains(p.disputed[i].Spans, e.Span) {
		return store.Refuse("the reviewers agree on this one")
	}
	over := func(m review.Mark) bool { return m.Start < e.End && e.Start < m.End }
	if e.Kind == review.Missed && slices.ContainsFunc(p.agreed[i], over) && !slices.ContainsFunc(p.disputed[i].Marks, over) {
		return store.Refuse("both reviewers have marked this as missed; mark only what they have not")
	}
	return p.log.Add(i, e, p.complete[i])
}

// units are where the code points of a text begin in UTF-16, and its length; nil
// if the text has none beyond the basic plane, so that both counts agree.
type units []int

func (p *page) unitsOf(note int) units {
	u, ok := p.units[note]
	if !ok {
		at, text := 0, p.r.Released[note]
		starts := make([]int, 0, len(text)+1)
		for _, r := range text {
			starts = append(starts, at)
			at += max(utf16.RuneLen(r), 1)
		}
		if u = append(starts, at); at == len(text) {
			u = nil
		}
		p.units[note] = u
	}
	return u
}

// of returns the UTF-16 unit at which a code point begins.
func (u units) of(codePoint int) int {
	if u == nil {
		return codePoint
	}
	return u[codePoint]
}

// codePoint returns the code point that begins at a UTF-16 unit. Within one, it
// is that one for a start, and the next for an end. Outside of the text it is
// outside too.
func (u units) codePoint(unit int, end bool) int {
	if u == nil || unit < 0 {
		return unit
	}
	i, exact := slices.BinarySearch(u, unit)
	if !exact && !end {
		i--
	}
	return i
}
