package main

import (
	"slices"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/score"
	"github.com/palimpsest-deid/palimpsest/model/tagger"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

func TestLabels(t *testing.T) {
	const text = "Seen by Al Fox on 3 May"
	n := note{text: tagger.Text{Text: text, Tokens: token.Tokenize(nil, text)}}
	got := labels(n, []score.Annotation{{Start: 8, End: 14, Label: "DOCTOR"}, {Start: 18, End: 23, Label: "DATE"}})
	if want := []string{"", "", "DOCTOR", "DOCTOR", "", "DATE", "DATE"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestPartsKeepTestNotesForTheEnd(t *testing.T) {
	for _, p := range (settings{}).parts("en") {
		for _, s := range p.sets {
			if s.part != "dev" {
				t.Errorf("%s: %q is opened by default", s.folder, s.part)
			}
		}
	}
}
