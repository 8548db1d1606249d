package surrogate

import (
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// TestClippedUserNames: what is cut of a name is cut of its surrogate.
func TestClippedUserNames(t *testing.T) {
	p := patient(t, "k", "p", Options{})
	p.Observe(phi.Doctor, "Ansel Vesterhus")
	p.Observe(phi.Doctor, "Paxton Reyes-Hill")
	split := func(name string) (string, string) {
		given, family, _ := strings.Cut(strings.ToLower(replace(p, phi.Doctor, name)), " ")
		return given, strings.ReplaceAll(family, "-", "")
	}
	given, family := split("Ansel Vesterhus")
	other, double := split("Paxton Reyes-Hill")
	cut := func(s string, n int) string { return s[:min(n, len(s))] }
	for _, c := range []struct{ surface, want string }{
		{"avester", given[:1] + cut(family, 6)},
		{"vestera", cut(family, 6) + given[:1]},
		{"anselves", given + cut(family, 3)},
		{"preyeshill", other[:1] + double},
		{"paxtonreyeshill", other + double},
	} {
		if got := replace(p, phi.Username, c.surface); got != c.want {
			t.Errorf("%s: %s, want %s", c.surface, got, c.want)
		}
	}
}

// TestUserNamesTakenForNames: a name with an initial, run together, follows its owner
// though it was found as a name; a name of its own does not.
func TestUserNamesTakenForNames(t *testing.T) {
	p := patient(t, "k", "p", Options{})
	p.Observe(phi.Doctor, "Ansel Vesterhus")
	p.Observe(phi.Doctor, "avesterhus")
	given, family, _ := strings.Cut(strings.ToLower(replace(p, phi.Doctor, "Ansel Vesterhus")), " ")
	if got, want := replace(p, phi.Doctor, "avesterhus"), given[:1]+family; got != want {
		t.Errorf("avesterhus: %s, want %s", got, want)
	}
	if got := replace(p, phi.Doctor, "Avesterhus"); got == given[:1]+family {
		t.Errorf("a name with a capital became %s", got)
	}
	q := patient(t, "k", "p", Options{})
	q.Observe(phi.Doctor, "Sue Mith")
	want := strings.ToLower(replace(q, phi.Doctor, "Smith"))
	if got := replace(q, phi.Doctor, "smith"); got != want {
		t.Errorf("smith: %s, want %s", got, want)
	}
}
