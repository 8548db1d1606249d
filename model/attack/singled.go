package attack

import (
	"math"

	"github.com/palimpsest-deid/palimpsest/model/surrogate"
)

// Trait is what somebody who has this repository sees of a name that stands in a
// release: whether surrogates are drawn from a list that has it, or seldom are,
// whether a list has it at all, and how often it would be invented.
type Trait struct {
	Drawn, Seldom, Recognised bool
	Invented                  int // power of ten, rounded down; impossible where never
}

const impossible = -99

// TraitOf returns a name's trait to one who knows what stands for names.
func TraitOf(name string, known *surrogate.PublicNames) Trait {
	if known.Drawn(name) {
		return Trait{Drawn: true}
	}
	if known.Seldom(name) {
		return Trait{Seldom: true}
	}
	t := Trait{Recognised: known.Recognised(name), Invented: impossible}
	if chance := known.InventionOdds(name); chance > 0 {
		t.Invented = max(int(math.Floor(math.Log10(chance))), -12)
	}
	return t
}

// SingledOut returns the share of missed names that an adversary singles out who
// sees names one by one, of which rate are missed, and knows how often those of
// each trait are missed ones: names that are missed ones more likely than not.
// Without invention, where no surrogate is outside of the lists, these are all
// missed names outside of them.
func SingledOut(missed, surrogates []string, known *surrogate.PublicNames, rate float64) float64 {
	of := func(names []string) map[Trait]float64 {
		share := map[Trait]float64{}
		for _, n := range names {
			share[TraitOf(n, known)] += 1 / float64(len(names))
		}
		return share
	}
	real, drawn := of(missed), of(surrogates)
	out := 0.
	for t, share := range real {
		if rate*share > (1-rate)*drawn[t] {
			out += share
		}
	}
	return out
}
