package surrogate

import (
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// What a name spells has the surrogate of the word, in the same manner.
func TestSpelledNames(t *testing.T) {
	p := patient(t, "k", "p1", Options{})
	p.Observe(phi.Patient, "John Abbot Marks")
	p.Observe(phi.Doctor, "Erik Kuhlmann")
	word, ann := replace(p, phi.Doctor, "Kuhlmann"), replace(p, phi.Patient, "Ann")
	upper, lower := strings.ToUpper(word), strings.ToLower(word)
	for surface, want := range map[string]string{
		"K U H L M A N N":     strings.Join(strings.Split(upper, ""), " "),
		"k-u-h-l-m-a-n-n":     strings.Join(strings.Split(lower, ""), "-"),
		"A N N":               strings.Join(strings.Split(strings.ToUpper(ann), ""), " "),
		"Ann K U H L M A N N": ann + " " + strings.Join(strings.Split(upper, ""), " "),
	} {
		if got := replace(p, phi.Doctor, surface); want != "" && got != want {
			t.Errorf("%s became %s, want %s", surface, got, want)
		}
	}
	if got := replace(p, phi.Patient, "J A M"); len(got) != len("J A M") {
		t.Errorf("initials became %s", got)
	}
}
