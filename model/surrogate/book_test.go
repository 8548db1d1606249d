package surrogate

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// Under an id that very many people share (a stand-in such as "0") more names
// are known than any list has, and every short one a tongue can say. Each still
// gets a surrogate of its own, and the search for it ends.
func TestMoreNamesThanTheListsHave(t *testing.T) {
	const consonants, vowels = "bcdfghjklmnprstvwz", "aeiou"
	var names []string
	for _, a := range consonants {
		for _, b := range vowels {
			for _, c := range consonants {
				for _, d := range vowels {
					if n := string([]rune{a, b, c, d}); len(load().pet[n]) == 0 { // pet forms of one name may agree
						names = append(names, strings.ToUpper(n[:1])+n[1:])
					}
				}
			}
		}
	}
	p, shuffled := patient(t, "k", "0", Options{}), patient(t, "k", "0", Options{})
	for _, n := range names {
		p.Observe(phi.Patient, n)
	}
	for _, i := range rand.New(rand.NewSource(1)).Perm(len(names)) {
		shuffled.Observe(phi.Patient, names[i])
	}
	known, of := map[string]bool{}, map[string]string{}
	for _, n := range names {
		known[fold(n)] = true
	}
	for _, n := range names {
		s, outcome := p.Replace(Mention{Type: phi.Patient, Surface: n})
		if other, _ := shuffled.Replace(Mention{Type: phi.Patient, Surface: n}); s != other {
			t.Fatalf("%s is %s, or %s where the names came in another order", n, s, other)
		}
		if outcome != Replaced || known[fold(s)] {
			t.Fatalf("%s became %s, which is somebody's name: %v", n, s, outcome)
		}
		if of[fold(s)] != "" {
			t.Fatalf("%s and %s both became %s", n, of[fold(s)], s)
		}
		of[fold(s)] = n
	}
}

// Where every name that can be pronounced holds somebody's, each further word tried all of
// them before it took another: a million names took hours.
func TestNamesThatAreAllGoneAreNotTriedForEachWord(t *testing.T) {
	p := patient(t, "k", "0", Options{})
	words := 0
	for _, a := range "bdfgklmnprstv" {
		for _, b := range "aeiou" {
			for _, c := range "bdfgklmnprstv" {
				for _, d := range "aeiou" {
					p.Observe(phi.Patient, string([]rune{a + 'A' - 'a', b, c, d}))
					words++
				}
			}
		}
	}
	if _, outcome := p.Replace(Mention{Type: phi.Patient, Surface: "Baba"}); outcome != Replaced {
		t.Fatal(outcome)
	}
	for _, b := range p.books {
		if b.tried > hopeless*(syllables+8)+8*words {
			t.Errorf("%d names were made up for %d words", b.tried, words)
		}
	}
	if len(p.books) == 0 {
		t.Error("there is no book")
	}
}

// A walk meets every name that fits, in order and round, however many are gone.
func TestWalk(t *testing.T) {
	pool := strings.Split("abcdefghij", "")
	r := rand.New(rand.NewSource(3))
	for range 200 {
		b := &book{walks: map[*string]*walk{}}
		dead := map[string]bool{}
		for range 30 {
			first, not := r.Intn(len(pool)), pool[r.Intn(len(pool))]
			want := ""
			for i := range pool {
				if s := pool[(first+i)%len(pool)]; want == "" && !dead[s] && s != not {
					want = s
				}
			}
			got := b.walkOf(pool).from(first, func(s string) bool { return !dead[s] && s != not }, func(s string) bool { return dead[s] })
			if got != want {
				t.Fatalf("from %s without %s and %v: %q, want %q", pool[first], not, dead, got, want)
			}
			if r.Intn(2) == 0 && got != "" {
				dead[got] = true
			}
		}
	}
}
