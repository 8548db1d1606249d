package robot

import (
	"slices"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/review"
)

// Identifiers that share a replacement are one mark, so that no replacement beside it
// stays unmarked.
func TestIdentifiersThatShareAReplacementAreOneMark(t *testing.T) {
	original := []rune("Ann Lee Bow")
	n := &review.Note{Document: "d", Spans: []review.Span{
		{Start: 0, End: 5, OutStart: 0, OutEnd: 5, Type: "PATIENT"}, {Start: 6, End: 11, OutStart: 6, OutEnd: 11, Type: "PATIENT"}}}
	g := Gold{"d": {{"d", 0, 3, "PATIENT"}, {"d", 4, 11, "DOCTOR"}}}
	if _, _, all := g.Knows(n, original); !slices.Equal(all, []review.Mark{{Start: 0, End: 11, Type: "PATIENT"}}) {
		t.Errorf("marks %+v", all)
	}
}
