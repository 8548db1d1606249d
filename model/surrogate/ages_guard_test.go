package surrogate

import (
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// What a tagger takes for an age may be a date, a phone or an id: only what
// reads as one age, or a range, is kept.
func TestOnlyAgesAreKept(t *testing.T) {
	k, err := NewKeyring([]byte(strings.Repeat("k", 32)), 0)
	if err != nil {
		t.Fatal(err)
	}
	p := NewPatient(k, "p", Options{})
	for surface, want := range map[string]Outcome{
		"67": Kept, "three": Kept, "60s": Kept, "60-65": Kept, "3 years 4 months": Kept, "3 1/2": Kept, "3y4m": Kept,
		"12/03/56": Masked, "4/12": Masked, "12-34-56": Masked, "(61) 55": Masked, "55 12 34": Masked, "1956": Masked, "84432119": Masked,
		"95": Replaced,
	} {
		if out, got := p.Replace(Mention{Type: phi.Age, Surface: surface}); got != want {
			t.Errorf("%q becomes %q, %v; want it %v", surface, out, got, want)
		}
	}
}
