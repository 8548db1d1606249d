package surrogate

import (
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

func TestClassesOfToldSexes(t *testing.T) {
	for _, c := range []struct {
		name string
		sex  phi.Sex
		word string
		want string // how its class begins
	}{
		{"Tavesh", phi.Male, "tavesh", "given m "},
		{"Tavesh", phi.Female, "tavesh", "given f "},
		{"Tavesh", phi.Untold, "tavesh", "either "},
		{"Tavesh", phi.Female | phi.Male, "tavesh", "either "},
		{"Tavesh Quorrin", phi.Male, "tavesh", "given m "},
		{"Tavesh Quorrin", phi.Male, "quorrin", "either "},
		{"Landry", phi.Male, "landry", "family "},
		{"Paul", phi.Male, "paul", "both m "},
	} {
		p := patient(t, "k", "p", Options{})
		p.Observe(phi.Patient, c.name)
		p.ObserveSex(c.name, c.sex)
		if got := p.known().classOf(c.word); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s, told %d: %s is %q, want %q", c.name, c.sex, c.word, got, c.want)
		}
	}
}

// TestToldSexesInAnyOrder: what disagrees tells nothing, whichever came first.
func TestToldSexesInAnyOrder(t *testing.T) {
	p := patient(t, "k", "p", Options{})
	p.Observe(phi.Patient, "Tavesh")
	p.ObserveSex("Tavesh", phi.Male)
	p.ObserveSex("Tavesh Quorrin", phi.Female)
	if got := p.known().classOf("tavesh"); !strings.HasPrefix(got, "either ") {
		t.Errorf("class %q", got)
	}
}

func TestSharedDoctorsAreOfNoToldSex(t *testing.T) {
	p := patient(t, "k", "p", Options{SharedDoctors: true})
	p.Observe(phi.Doctor, "Tavesh Quorrin")
	p.ObserveSex("Tavesh Quorrin", phi.Male)
	if got := p.known().classOf("tavesh"); !strings.HasPrefix(got, "either ") {
		t.Errorf("class %q", got)
	}
}
