package surrogate

import (
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// TestPlurals: all who bear a name get the plural of its surrogate.
func TestPlurals(t *testing.T) {
	p := patient(t, "k", "p", Options{})
	for _, s := range []string{"Ansel Vesterhu", "Tessa Brax", "Odile Brook", "Moira Brooks"} {
		p.Observe(phi.Patient, s)
	}
	p.Observe(phi.Patient, "Vesterhus")
	family := func(name string) string { return strings.Fields(replace(p, phi.Patient, name))[1] }
	for _, c := range []struct{ surface, want string }{
		{"Vesterhus", plural(family("Ansel Vesterhu"))},
		{"VESTERHUS", strings.ToUpper(plural(family("Ansel Vesterhu")))},
		{"Braxes", plural(family("Tessa Brax"))},
		{"Brooks", family("Moira Brooks")},
	} {
		if got := replace(p, phi.Patient, c.surface); got != c.want {
			t.Errorf("%s: %s, want %s", c.surface, got, c.want)
		}
	}
	if got := plural("Marsh"); got != "Marshes" {
		t.Errorf("plural of Marsh: %s", got)
	}
}

// TestNamesBrokenAtLineEnds: a name over a line's end gets its surrogate over it.
func TestNamesBrokenAtLineEnds(t *testing.T) {
	p := patient(t, "k", "p", Options{})
	p.Observe(phi.Patient, "Ansel Vesterhus")
	p.Observe(phi.Patient, "Ansel Vester-\n    hus")
	whole := replace(p, phi.Patient, "Ansel Vesterhus")
	for _, surface := range []string{"Ansel Vester-\n    hus", "Ansel Vesterh-\r\nus", "An-\nsel Vesterhus"} {
		got := replace(p, phi.Patient, surface)
		gap := lineEnd.FindString(got)
		if mend, _ := mended(got); mend != whole || gap == "" {
			t.Errorf("%q: %q, want %q over the line's end", surface, got, whole)
		}
	}
	if got := replace(p, phi.Patient, "Ansel Vesterhus-\nBrandt"); !strings.Contains(got, "-\n") || !strings.HasPrefix(got, whole) {
		t.Errorf("double name: %q of %q", got, whole)
	}
}
