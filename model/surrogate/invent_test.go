package surrogate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// spelt reports whether a word that is in no list is one that the model of one
// of the classes spells.
func spelt(word string, classes ...string) bool {
	l := load()
	f := strings.ToLower(word)
	return madeUp(word) && slices.ContainsFunc(classes, func(c string) bool {
		m := l.nameModel(c)
		return m != nil && m.chance(f) > 0 && l.ofSex(c, f)
	})
}

// madeUp reports whether a word is in none of the lists of names and places.
func madeUp(word string) bool {
	l := load()
	f := fold(word)
	return l.givenOf[f] == "" && l.familyOf[f] == "" && !l.family[f] && !l.isTown(f) && !l.ordinary[f]
}

// TestInvented: about half of the surrogates of common classes of names are in no
// list, none is an ordinary word or a name of another class, and one draw is
// always the same.
func TestInvented(t *testing.T) {
	l := load()
	for _, class := range []string{"given f en", "given m en", "family en", "either en", "family sl", "family es", "given m es",
		"given f es", "either es", "either es-f"} {
		words := map[string]bool{}
		for i := range 2000 {
			p := patient(t, "k", fmt.Sprint("p", i), Options{})
			d := p.drawer(scope{})
			w := l.inventName(class, d, 0, "zzz")
			if w != l.inventName(class, d, 0, "zzz") {
				t.Fatal("a draw gives two words")
			}
			if w == "" {
				continue
			}
			f := fold(w)
			if n := runes(w); n < shortestInvented || n > longestInvented {
				t.Errorf("%s: %q has %d letters", class, w, n)
			}
			if l.isWord(f, isSpanish(class)) || l.ofOther(class, f) {
				t.Errorf("%s: %q", class, w)
			}
			words[w] = true
		}
		if len(words) < 250 {
			t.Errorf("%s: %d words of 2000 draws", class, len(words))
		}
	}
	listed := 0
	for i := range 1000 {
		out := replace(patient(t, "k", fmt.Sprint("p", i), Options{}), phi.Doctor, "Marge Tolliver")
		if NamesOf("en").Drawn(strings.Fields(out)[1]) {
			listed++
		}
	}
	if listed < 500 || listed > 750 {
		t.Errorf("%d of 1000 surrogates of a family name are in the lists, want somewhat more than half", listed)
	}
}

// TestInventedIsNobodys: no invented surrogate is, or holds, a name known of the
// patient, and the forms of one name agree.
func TestInventedIsNobodys(t *testing.T) {
	for i := range 300 {
		p := patient(t, "k", fmt.Sprint("p", i), Options{})
		p.Know([]string{"Marge Tolliver", "Hal Tolliver", "Sander Brell"})
		out := strings.Fields(replace(p, phi.Patient, "Marge Tolliver"))
		for _, w := range out {
			for _, known := range []string{"marge", "tolliver", "hal", "sander", "brell"} {
				if strings.Contains(fold(w), known) {
					t.Errorf("%v holds %s", out, known)
				}
			}
		}
		if got := replace(p, phi.Patient, "Tolliver, M."); got != out[1]+", "+out[0][:1]+"." {
			t.Errorf("Tolliver, M. became %s beside %v", got, out)
		}
		if got := replace(p, phi.Patient, "Hal Tolliver"); strings.Fields(got)[1] != out[1] {
			t.Errorf("a relative became %s beside %v", got, out)
		}
	}
}

// TestOrdinaryWords: the list of words that no name may be holds the drugs and
// common words that letters of names spell.
func TestOrdinaryWords(t *testing.T) {
	for _, w := range strings.Fields("home castle hunter marble warden keppra losartan") {
		if l := load(); !l.ordinary[w] && l.nameModel("family en").chance(w) > 1e-8 {
			t.Errorf("%q may be invented", w)
		}
	}
}
