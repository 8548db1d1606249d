package deid

import (
	"errors"
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/model/view"
)

// view returns how a text is read, or the reason why it is not.
func (s Settings) view(text string) (v *view.Text, failure string) {
	v, err := view.New(text, s.Format)
	switch {
	case errors.Is(err, view.ErrEmbedded):
		return nil, ReasonEmbedded
	case err != nil:
		return nil, ReasonNotPlain
	}
	return v, ""
}

// outsideCode returns what the network found in what people read: it knows
// nothing of styles and scripts, where rules and lists look alone.
func (t *Tagged) outsideCode() []phi.Span {
	if t.Code == len(t.Input.Text) {
		return t.Network
	}
	return slices.DeleteFunc(slices.Clone(t.Network), func(s phi.Span) bool { return s.Start >= t.Code })
}

// source turns what was done to the view of a text into what is done to the text
// itself: a replacement for each piece of it that is replaced, as it is written there.
func source(text string, v *view.Text, made []surrogate.Replacement) (string, []surrogate.Replacement, bool) {
	all := make([]view.Replacement, len(made))
	for i, r := range made {
		all[i] = view.Replacement{Start: r.Start, End: r.End, New: r.New}
	}
	var pieces []surrogate.Replacement
	for _, e := range v.Edits(all) {
		r := made[e.Of]
		if r.New == v.Text[r.Start:r.End] { // kept on purpose, and as it is written
			e.New = text[e.Start:e.End]
		}
		r.Start, r.End, r.New = e.Start, e.End, e.New
		pieces = append(pieces, r)
	}
	released := Apply(text, pieces)
	return released, pieces, v.Holds(released, all)
}
