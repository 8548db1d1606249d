package surrogate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// mayBeGiven reports whether a released word reads as a given name.
func mayBeGiven(word string) bool {
	l := load()
	return l.givenOf[fold(word)] != "" || slices.Contains(l.pools["either en"], word) || spelt(word, "given f en", "given m en", "either en",
		"given u sa")
}

// TestGivenNamesFirst: whatever the lists know of a word, in the place of a
// given name it gets one, and the same when it stands alone.
func TestGivenNamesFirst(t *testing.T) {
	for _, given := range strings.Fields(`Niamh Bronwyn Rhian Eithne Colm Shanelle Siran Zqorb Ottoline Peniamina Hobart Castellanos Wrenfield
		Pacheco Gurdeep`) {
		for i := range 40 {
			full, family := given+" Scallan", "Scallan, "+given
			p := night(t, fmt.Sprint("p", i), Options{}, nil, full, family)
			out := strings.Fields(replace(p, phi.Patient, full))
			if !mayBeGiven(out[0]) {
				t.Errorf("%s became %s", full, strings.Join(out, " "))
			}
			if got := replace(p, phi.Doctor, family); got != out[1]+", "+out[0] {
				t.Errorf("%s became %s beside %s", family, got, strings.Join(out, " "))
			}
			if got := replace(p, phi.Patient, given); got != out[0] {
				t.Errorf("%s alone became %s, in full %s", given, got, out[0])
			}
		}
	}
}

// TestSexStays: a given name whose sex the lists know gets one of that sex, or
// one that either has.
func TestSexStays(t *testing.T) {
	l := load()
	for word, sex := range map[string]byte{"Niamh": 'f', "Callum": 'm', "Beatrix": 'f', "Saoirse": 'f', "William": 'm'} {
		for i := range 40 {
			out := replace(night(t, fmt.Sprint("p", i), Options{}, nil, word+" Scallan"), phi.Patient, word)
			if of := l.givenOf[fold(out)]; (of == "" || of[0] != sex) && !spelt(out, "given "+string(sex)+" "+l.givenOf[fold(word)][2:]) {
				t.Errorf("%s became %s (%s)", word, out, of)
			}
		}
	}
}

// TestTitlesStay: ranks, titles and letters of many services within a name are
// no part of it, unless they are somebody's name.
func TestTitlesStay(t *testing.T) {
	p := patient(t, "k", "p1", Options{})
	for _, s := range []string{"MAJ %s", "COL. %s", "Sgt %s", "%s FRACS", "%s, MRCPsych", "Mr %s FRCOphth", "LCDR %s", "Imam %s", "%s RD",
		"%s, MRCPsych, FRACS", "Cpl %s"} {
		in := fmt.Sprintf(s, "Noreen Hartmann")
		out := replace(p, phi.Doctor, in)
		for i, w := range strings.Fields(in) {
			kept := strings.Fields(out)[i] == w
			if isName := w == "Noreen" || strings.HasPrefix(w, "Hartmann"); kept == isName {
				t.Errorf("%s became %s", in, out)
			}
		}
	}
	if out := replace(p, phi.Patient, "MOUA, PA NHIA"); strings.Contains(out, "PA ") {
		t.Errorf("a given name stays as a degree: %s", out)
	}
	p.Know([]string{"Noreen Bishop"})
	if out := replace(p, phi.Patient, "Bishop Noreen"); strings.Contains(out, "Bishop") {
		t.Errorf("a family name stays as a title: %s", out)
	}
}

// TestShortForms: diminutives, initials and signatures agree with the full name.
func TestShortForms(t *testing.T) {
	for i := range 40 {
		p := night(t, fmt.Sprint("p", i), Options{}, []string{"William Roberts"}, "Bill Roberts", "W. Roberts", "WR")
		out := strings.Fields(replace(p, phi.Patient, "William Roberts"))
		initials := out[0][:1] + out[1][:1]
		if got := replace(p, phi.Patient, "W. Roberts"); got != out[0][:1]+". "+out[1] {
			t.Errorf("W. Roberts became %s beside %v", got, out)
		}
		if got := replace(p, phi.Doctor, "WR"); got != initials {
			t.Errorf("WR became %s beside %v", got, out)
		}
		short := strings.Fields(replace(p, phi.Patient, "Bill Roberts"))
		if short[1] != out[1] || short[0] != out[0] && !slices.Contains(load().short[fold(out[0])], short[0]) {
			t.Errorf("Bill Roberts became %v beside %v", short, out)
		}
		q := night(t, fmt.Sprint("p", i), Options{}, []string{"John Roberts"})
		full := strings.Fields(replace(q, phi.Doctor, "John Roberts"))
		if got := replace(q, phi.Doctor, "JR"); got != full[0][:1]+full[1][:1] {
			t.Errorf("JR became %s beside %v", got, full)
		}
	}
}

// TestMailboxes: what names a desk stays, and the host changes.
func TestMailboxes(t *testing.T) {
	p := patient(t, "k", "p1", Options{})
	for in, want := range map[string]string{"admin@clinic.org": "admin@", "Reception@clinic.org": "reception@",
		"billing-info@clinic.org": "billing-info@"} {
		if got := replace(p, phi.Email, in); !strings.HasPrefix(got, want) || strings.Contains(got, "clinic") {
			t.Errorf("%s became %s", in, got)
		}
	}
	p.Know([]string{"Ann Nurse"})
	if got := replace(p, phi.Email, "nurse@clinic.org"); strings.Contains(got, "nurse") {
		t.Errorf("a name stays: %s", got)
	}
}

// TestInitialsOfShortForms: whatever a name becomes, neither it nor its short forms
// keep their first letters.
func TestInitialsOfShortForms(t *testing.T) {
	for i := range 300 {
		p := night(t, fmt.Sprint("p", i), Options{}, []string{"William Roberts"}, "Bill Roberts")
		if out := replace(p, phi.Patient, "Bill Roberts"); strings.HasPrefix(out, "B") {
			t.Errorf("Bill Roberts became %s", out)
		}
	}
}

// TestNumbersWithinNames: the digits of a user name that is a known name are replaced.
func TestNumbersWithinNames(t *testing.T) {
	p := night(t, "p", Options{}, []string{"Ada Okonkwo"})
	for _, in := range []string{"okonkwo_1982", "okonkwo82", "OKONKWO-4417702", "Okonkwo 4417702"} {
		out := replace(p, phi.Patient, in)
		digits := func(s string) string {
			return strings.Map(func(r rune) rune {
				if r < '0' || r > '9' {
					return -1
				}
				return r
			}, s)
		}
		if strings.Contains(out, digits(in)) {
			t.Errorf("%s became %s", in, out)
		}
	}
}

// TestParticlesInLowerCase: what may be a name of its own is replaced where no capital
// tells.
func TestParticlesInLowerCase(t *testing.T) {
	p := night(t, "p", Options{}, nil)
	for in, kept := range map[string]string{"al smith": "", "le thi hoa": "", "van tran": "",
		"van der Berg": "van der ", "de la cruz": "de la "} {
		out := replace(p, phi.Patient, in)
		if first, _, _ := strings.Cut(in, " "); strings.HasPrefix(out, first+" ") != (kept != "") || !strings.HasPrefix(out, kept) {
			t.Errorf("%s became %s", in, out)
		}
	}
}

// TestLettersWithTwoMarks: a Vietnamese name is one name with and without its marks.
func TestLettersWithTwoMarks(t *testing.T) {
	for _, in := range []string{"Nguyễn", "Nguye\u0302\u0303n", "NGUYỄN", "nguyen"} {
		if got := fold(in); got != "nguyen" {
			t.Errorf("%s folds to %s", in, got)
		}
	}
}

// TestUnseenWords: what a word becomes that was never made known does not depend on
// which such word came first.
func TestUnseenWords(t *testing.T) {
	words := []string{"karl", "peter", "quillon", "marisabel", "zbigniew", "oluwaseun", "tamsin", "brynja"}
	first := map[string]string{}
	for round := range 2 {
		p := night(t, "p", Options{}, []string{"Ada Okonkwo"})
		if round == 1 {
			slices.Reverse(words)
		}
		for _, w := range words {
			out := replace(p, phi.Username, w)
			if round == 0 {
				first[w] = out
			} else if first[w] != out {
				t.Errorf("%s became %s, and then %s", w, first[w], out)
			}
		}
	}
}
