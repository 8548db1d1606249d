package surrogate

import (
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// What is too much for an age is none: it is masked, and not called old.
func TestNoAge(t *testing.T) {
	p := patient(t, "k", "p1", Options{})
	for in, want := range map[string]Outcome{"310": Masked, "688 years": Masked, "fifteen hundred": Masked, "125": Replaced,
		"one hundred and two": Replaced, "126 days": Kept} {
		if out, what := p.Replace(Mention{Type: phi.Age, Surface: in}); what != want {
			t.Errorf("%q became %q, %v, want %v", in, out, what, want)
		}
	}
}

// Initials in small letters stay initials, with a vowel among them too, and the names
// of two or three letters that the lists have stay names.
func TestInitialsInSmallLetters(t *testing.T) {
	p := patient(t, "k", "p1", Options{})
	for _, in := range []string{"eb", "dw", "ksu", "aw"} {
		if out := replace(p, phi.Doctor, in); len(out) != len(in) || out == in || out != strings.ToLower(out) {
			t.Errorf("%q became %q", in, out)
		}
	}
	for _, in := range []string{"amy", "ed", "lee"} {
		if out := replace(p, phi.Doctor, in); load().givenOf[out] == "" && load().familyOf[out] == "" && load().pet[out] == nil {
			t.Errorf("%q became %q", in, out)
		}
	}
}
