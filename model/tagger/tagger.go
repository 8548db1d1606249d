// Package tagger says what every model that finds PHI has in common, whatever
// its kind: what it reads, what it returns, what names it, and how several of
// them work as one.
package tagger

import (
	"cmp"
	"slices"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// Text is one text and its tokens.
type Text struct {
	Text   string
	Tokens []token.Token
}

// Found is a span and its type in the model's own labels, which for a model of
// another annotation scheme are not those of package phi.
type Found struct {
	phi.Span
	Kind string
}

// Tagger finds PHI. Its spans are in text order and do not overlap, but for
// those of phi.Doubt, which lie beside the others. Safe for concurrent use.
type Tagger interface {
	// Tag returns the spans of each text.
	Tag(texts []Text) ([][]phi.Span, error)
	// TagKinds is Tag with the model's own types; it includes spans whose Type is
	// None, as they are no PHI by the i2b2 2014 guideline.
	TagKinds(texts []Text) ([][]Found, error)
}

// Spans returns the spans that are PHI by the i2b2 2014 guideline.
func Spans(found [][]Found) [][]phi.Span {
	spans := make([][]phi.Span, len(found))
	for i, of := range found {
		for _, f := range of {
			if f.Type != phi.None {
				spans[i] = append(spans[i], f.Span)
			}
		}
	}
	return spans
}

// OneByOne returns what tag finds in each text, or the first error.
func OneByOne(texts []Text, tag func(Text) ([]Found, error)) ([][]Found, error) {
	found := make([][]Found, len(texts))
	for i, text := range texts {
		var err error
		if found[i], err = tag(text); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// Sort orders the spans of one text.
func Sort(found []Found) {
	slices.SortStableFunc(found, func(a, b Found) int { return cmp.Or(a.Start-b.Start, b.End-a.End) })
}

// Beyond returns the stretches of spans, in whole tokens, that none of the
// earlier ones touches. Both are of one text and in order, and of each the spans
// do not overlap.
func Beyond(spans, earlier []Found, tokens []token.Token) []Found {
	var out []Found
	for _, s := range spans {
		open := false
		for _, t := range tokens[firstAt(tokens, s.Start):] {
			start, end := int(t.Start), int(t.End)
			if start >= s.End {
				break
			}
			for len(earlier) > 0 && earlier[0].End <= start {
				earlier = earlier[1:]
			}
			if len(earlier) > 0 && earlier[0].Start < end {
				open = false
				continue
			}
			if open {
				out[len(out)-1].End = end
				continue
			}
			piece := s
			piece.Start, piece.End = start, end
			out = append(out, piece)
			open = true
		}
	}
	return out
}
