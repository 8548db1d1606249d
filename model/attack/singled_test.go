package attack

import (
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/surrogate"
)

// TestSingledOut: a missed name is singled out where surrogates with its trait
// are rarer than misses, and hides among surrogates where they are not.
func TestSingledOut(t *testing.T) {
	drawn, known := Trait{Drawn: true}, surrogate.NamesOf("en")
	if TraitOf("Garcia", known) != drawn {
		t.Fatalf("Garcia has the trait %+v", TraitOf("Garcia", known))
	}
	odd, invented := "Xqwvzj", ""
	for _, n := range []string{"Hemiley", "Tuberry", "Hullince", "Moliner", "Tollivan"} {
		if x := TraitOf(n, known); !x.Drawn && !x.Seldom && x.Invented != impossible {
			invented = n
			break
		}
	}
	if TraitOf(odd, known).Invented != impossible || invented == "" {
		t.Fatal("the names are not those that this test is about")
	}
	missed := []string{"Garcia", odd, invented, invented}
	listed := []string{"Garcia", "Garcia", "Garcia", "Garcia"}
	half := []string{"Garcia", "Garcia", invented, invented}
	for _, c := range []struct {
		surrogates []string
		want       float64
	}{{listed, 0.75}, {half, 0.25}} {
		if got := SingledOut(missed, c.surrogates, known, 0.01); got != c.want {
			t.Errorf("beside %v %.2f of the missed names are singled out, want %.2f", c.surrogates, got, c.want)
		}
	}
}
