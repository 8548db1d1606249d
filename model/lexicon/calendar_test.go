package lexicon

import (
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// TestCalendarNames: a name that is a month, a day or a season is none where one speaks
// of time.
func TestCalendarNames(t *testing.T) {
	var e Evidence
	e.AddKnown(phi.Doctor, "August Vesterhus")
	e.AddKnown(phi.Patient, "Sunday Okeke")
	l := NewLexicon(e.Surfaces())
	for _, c := range []struct{ text, want string }{
		{"asked August to lower it", "August"},
		{"the keys are in August's car", "August"},
		{"Nurse Sunday rang", "Sunday"},
		{"left after Sunday asked", "Sunday"},
		{"no driving through August, then", ""},
		{"it was in August", ""},
		{"falls, always on a Sunday", ""},
		{"clinic on Sunday or so", ""},
		{"seen this Sunday with August Vesterhus", "August Vesterhus"},
	} {
		got := ""
		for _, s := range l.Sweep(nil, c.text, token.Tokenize(nil, c.text)) {
			got += c.text[s.Start:s.End]
		}
		if got != c.want {
			t.Errorf("%q: found %q, want %q", c.text, got, c.want)
		}
	}
}
