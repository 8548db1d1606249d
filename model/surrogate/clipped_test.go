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
