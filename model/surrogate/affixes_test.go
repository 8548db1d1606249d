package surrogate

import (
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// TestAffixes: a number has one surrogate with letters beside it and without, and with
// these joined to it and apart, each in its own form.
func TestAffixes(t *testing.T) {
	p := patient(t, "k", "p", Options{})
	for _, forms := range [][]string{
		{"8031447206", "8031 447 206 QD", "8031-447-206-qd", "8031447206QD"},
		{"T5170288", "KV/mmb/T5170288", "kv/mmb/T-517-0288", "5170288"},
		{"BPC-220771", "BPC220771", "bpc 220 771", "220771"},
	} {
		whole := ""
		for _, s := range forms {
			if len(alnum(s)) > len(whole) {
				whole = alnum(replace(p, phi.HealthPlan, s))
			}
		}
		for _, s := range forms {
			got := replace(p, phi.HealthPlan, s)
			if !strings.Contains(whole, alnum(got)) || len(got) != len(s) {
				t.Errorf("%s: %s, which is no part of %s", s, got, whole)
			}
			for i := range len(s) {
				if isLetter(rune(s[i])) && got[i] == s[i] || !isLetter(rune(s[i])) && (s[i] < '0' || s[i] > '9') && got[i] != s[i] {
					t.Errorf("%s: %s", s, got)
				}
			}
		}
	}
}

// TestAffixesStayApart: codes that differ in letters alone have surrogates that do.
func TestAffixesStayApart(t *testing.T) {
	p := patient(t, "k", "p", Options{})
	seen := map[string]string{}
	for c := 'A'; c <= 'Z'; c++ {
		for _, s := range []string{"8031447206-" + string(c), string(c) + "8031447206", string(c) + "R8031447206"} {
			got := replace(p, phi.IDNum, s)
			if old, ok := seen[got]; ok {
				t.Errorf("%s and %s are both %s", old, s, got)
			}
			seen[got] = s
		}
	}
}

// TestSSNOfAnyType: a social security number has one surrogate, also as the number of an
// insurance with its letter.
func TestSSNOfAnyType(t *testing.T) {
	p := patient(t, "k", "p", Options{})
	want := replace(p, phi.SSN, "219-09-9321")
	for _, s := range []string{"219-09-9321", "219-09-9321-A"} {
		if got := replace(p, phi.HealthPlan, s); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", s, got, want)
		}
	}
}
