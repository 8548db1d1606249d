package names

import (
	"reflect"
	"testing"
)

func TestIsDegree(t *testing.T) {
	for word, want := range map[string]bool{
		"md": true, "m.d.": true, "ph.d": true, "jr": true, "iii": true, "pharmd": true, "bao": false, "rose": false, "": false,
	} {
		if got := IsDegree(word); got != want {
			t.Errorf("%q: %v", word, got)
		}
	}
}

func TestParseName(t *testing.T) {
	for name, want := range map[string]PersonName{
		"Ana María de la Cruz-Hale": {[]string{"Ana", "María"}, []string{"de", "la", "Cruz-Hale"}},
		"Cruz-Hale, Ana":            {[]string{"Ana"}, []string{"Cruz-Hale"}},
		"Dr. J. Fox, MD":            {[]string{"J"}, []string{"Fox"}},
		"Capt. Hale, Jr.":           {[]string{"Capt"}, []string{"Hale"}},
		"Madam Ng":                  {nil, []string{"Ng"}},
	} {
		got := ParseName(name)
		if len(got.Given) != len(want.Given) || len(got.Given) > 0 && !reflect.DeepEqual(got.Given, want.Given) ||
			!reflect.DeepEqual(got.Family, want.Family) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// Whatever joins the words of a name tells nothing alone.
func TestParticlesAreIdle(t *testing.T) {
	for w := range Particles {
		if !Idle[w] {
			t.Errorf("%q is not idle", w)
		}
	}
}
