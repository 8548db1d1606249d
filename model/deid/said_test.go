package deid

import (
	"slices"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// The years of a sentence are those that its ages may be of; other sentences have
// their own.
func TestSaid(t *testing.T) {
	note := dates.DaysFromCivil(2019, 6, 1)
	ref := dates.Reference{NoteDay: note, HasNoteDay: true}
	for text, want := range map[string][]int{
		"At age 89, in 2013, he fell.":        {dates.DaysFromCivil(2013, 1, 1) + 182},
		"Six years ago he was 89.":            {note - 6*1461/4},
		"He is 89. In 2013 he fell.":          nil,
		"He is 89; fell on 3/4 and in March.": nil,
	} {
		i := strings.Index(text, "89")
		spans := []phi.Span{{Start: i, End: i + 2, Type: phi.Age}}
		for _, d := range []string{"2013", "3/4", "March"} {
			if k := strings.Index(text, d); k >= 0 {
				spans = append(spans, phi.Span{Start: k, End: k + len(d), Type: phi.Date})
			}
		}
		if got := said(text, spans, 0, ref); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}
