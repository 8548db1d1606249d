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

// What was found and released as it was is left if it is of another type, and else
// neither found nor left.
func TestTruthOfKeptSpans(t *testing.T) {
	n := review.Note{Document: "d", Spans: []review.Span{{Start: 0, End: 7, OutStart: 0, OutEnd: 7, Type: "STATE", Kept: true},
		{Start: 8, End: 10, OutStart: 8, OutEnd: 10, Type: "AGE", Kept: true}, {Start: 11, End: 14, OutStart: 11, OutEnd: 14, Type: "DATE"}}}
	original := []rune("Georgia 61 May Ann")
	g := Gold{"d": {{"d", 0, 7, "PATIENT"}, {"d", 8, 10, "AGE"}, {"d", 11, 14, "DATE"}, {"d", 15, 18, "PATIENT"}}}
	if found, missed := g.Truth([]review.Note{n}, [][]rune{original}); found != 1 || missed != 2 {
		t.Errorf("%d found, %d missed; want 1 and 2", found, missed)
	}
}
