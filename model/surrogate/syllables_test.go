package surrogate

import (
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

func TestSyllables(t *testing.T) {
	l := (*Lists)(nil).orOwn()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"jin", "woo", true}, {"mei", "ling", true}, {"seung", "hyeok", true}, {"xiao", "yan", true}, {"myung", "ok", true},
		{"jean", "paul", false}, {"anne", "marie", false}, {"mary", "lou", false}, {"lee", "ann", false}, {"smith", "jones", false},
		{"a", "b", false}, {"o", "ok", false},
	} {
		if got := l.syllables(c.a, c.b); got != c.want {
			t.Errorf("%s-%s: %v", c.a, c.b, got)
		}
	}
}

// TestNamesInSyllables: one name stands for both syllables, in all forms of the name.
func TestNamesInSyllables(t *testing.T) {
	p := patient(t, "k", "p", Options{})
	p.Observe(phi.Patient, "Hae-won Jang")
	p.Observe(phi.Patient, "JANG, HAE-WON")
	p.Observe(phi.Patient, "Jang, Hae Won")
	full := replace(p, phi.Patient, "Hae-won Jang")
	given, family, _ := strings.Cut(full, " ")
	if strings.Contains(given, "-") || family == "" {
		t.Fatalf("drew %q", full)
	}
	for surface, want := range map[string]string{
		"Hae-won":       given,
		"Hae-Won":       given,
		"Hae":           given,
		"Jang, Hae-won": family + ", " + given,
		"JANG, HAE-WON": strings.ToUpper(family + ", " + given),
		"H. Jang":       given[:1] + ". " + family,
		"Hae Jang":      full,
		"Haewon":        given,
		"Hae Won Jang":  full,
		"Jang, Hae Won": family + ", " + given,
		"jang hae won":  strings.ToLower(family + " " + given),
	} {
		if got := replace(p, phi.Patient, surface); got != want {
			t.Errorf("%s: %s, want %s", surface, got, want)
		}
	}
	if got := replace(p, phi.Patient, "Anne-Marie Jang"); !strings.Contains(got, "-") {
		t.Errorf("two names became %q", got)
	}
	if got := replace(p, phi.Patient, "Ansel Lee-Wong"); !strings.Contains(got, "-") {
		t.Errorf("two family names became %q", got)
	}
}
