package surrogate

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// naiveExpand looks at every person.
func naiveExpand(persons []person, initial rune, family bool, others []string) string {
	of := func(p person) (mine, theirs []string) {
		if family {
			return p.families, p.givens
		}
		return p.givens, p.families
	}
	fits := func(names []string) bool {
		for _, n := range names {
			for _, o := range others {
				if n != "" && (n == o || runes(o) == 1 && startsWith(n, firstRune(o))) {
					return true
				}
			}
		}
		return false
	}
	for _, beside := range []bool{true, false} {
		for _, p := range persons {
			mine, theirs := of(p)
			if beside && !fits(theirs) {
				continue
			}
			for _, w := range mine {
				if startsWith(w, initial) {
					return w
				}
			}
		}
	}
	return ""
}

// naiveJoined looks at every person for names that are run together.
func naiveJoined(persons []person, word string) joinedName {
	for _, p := range persons {
		for _, f := range p.families {
			for _, g := range p.givens {
				if f == "" || g == "" {
					continue
				}
				switch word {
				case string(firstRune(g)) + f:
					return joinedName{given: g, family: f, shortGiven: true}
				case g + string(firstRune(f)):
					return joinedName{given: g, family: f, shortFamily: true}
				case f + string(firstRune(g)):
					return joinedName{given: g, family: f, shortGiven: true, familyFirst: true}
				case g + f:
					return joinedName{given: g, family: f}
				}
			}
		}
	}
	return joinedName{}
}

func randomPersons(r *rand.Rand, n int) []person {
	name := func() string {
		if r.Intn(6) == 0 {
			return "" // an initial
		}
		b := []rune{[]rune("abñ")[r.Intn(3)]}
		for range r.Intn(3) {
			b = append(b, []rune("abñ")[r.Intn(3)])
		}
		return string(b)
	}
	persons := make([]person, n)
	for i := range persons {
		for range 1 + r.Intn(3) {
			persons[i].givens = append(persons[i].givens, name())
		}
		for range 1 + r.Intn(2) {
			persons[i].families = append(persons[i].families, name())
		}
	}
	return persons
}

func TestShortFormsAreThoseOfALookAtAll(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	for range 3000 {
		persons := randomPersons(r, r.Intn(6))
		x := newShortForms(persons)
		for range 20 {
			p := randomPersons(r, 1)[0]
			initial, family := []rune("abñc")[r.Intn(4)], r.Intn(2) == 0
			if got, want := x.expand(initial, family, p.givens), naiveExpand(persons, initial, family, p.givens); got != want {
				t.Fatalf("%c beside %q of %q: %q, want %q", initial, p.givens, persons, got, want)
			}
			word := p.givens[0] + p.families[0]
			if got, want := x.joined[word], naiveJoined(persons, word); got != want {
				t.Fatalf("%q of %q: %v, want %v", word, persons, got, want)
			}
		}
	}
}

// Eight times the names, each with an initial and a user name, take eight times
// the looks.
func TestManyInitialsTakeFewLooks(t *testing.T) {
	looks := func(n int) int {
		p := NewPatient(keyring(t, "k"), "p", Options{})
		for i := range n {
			p.Know([]string{fmt.Sprintf("%cda %s", 'A'+i%26, letters(i))})
		}
		for i := range n {
			replace(p, phi.Patient, fmt.Sprintf("%c. %s", 'A'+i%26, letters(i)))
		}
		return p.known().shortForms().looks
	}
	small, large := looks(100), looks(800)
	if small == 0 || large > 9*small {
		t.Errorf("100 names take %d looks, 800 take %d", small, large)
	}
}

// letters writes a number in capitals and small letters.
func letters(i int) string {
	s := "Qu"
	for range 4 {
		s += string(rune('a' + i%26))
		i /= 26
	}
	return s
}
