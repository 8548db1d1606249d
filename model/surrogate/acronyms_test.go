package surrogate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// An acronym within an institution may be the initials of that institution, or of
// another one whose acronym is within the first. Nothing is looked up without end, and
// an acronym alone is what it is within.
func TestAcronymsWithinWhatTheyStandFor(t *testing.T) {
	for _, known := range [][]string{{"BC Clinic"}, {"BC Central"}, {"QR Bellamy Castle", "BC Quarry Road"}, {"BC of Clay", "BC Clinic"}} {
		p := patient(t, "k", "p1", Options{})
		for _, s := range known {
			p.Observe(phi.Hospital, s)
		}
		for _, s := range append(known, "BC", "QR") {
			if out := replace(p, phi.Hospital, s); out == "" || out == s {
				t.Errorf("%q of %q became %q", s, known, out)
			}
		}
	}
	// The surrogate may have another number of words, and so of initials.
	for i := range 20 {
		p := patient(t, "k", fmt.Sprint("p", i), Options{})
		p.Observe(phi.Hospital, "Cape Norrie Heart Institute")
		whole, short := replace(p, phi.Hospital, "Cape Norrie Heart Institute"), replace(p, phi.Hospital, "CNHI")
		if short != initials(whole, false) && short != initials(whole, true) {
			t.Errorf("CNHI became %q beside %q", short, whole)
		}
	}
	p := patient(t, "k", "p1", Options{})
	p.Observe(phi.Hospital, "BC Clinic")
	if whole, alone := replace(p, phi.Hospital, "BC Clinic"), replace(p, phi.Hospital, "BC"); whole != alone+" Clinic" ||
		!strings.HasSuffix(alone, "C") {
		t.Errorf("BC Clinic became %q and BC %q", whole, alone)
	}
}
