package surrogate

import (
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// A name in which letters were misread has the surrogate of the name, in its case; two
// names that look alike do not.
func TestMisreadNames(t *testing.T) {
	p := patient(t, "k", "p1", Options{})
	p.Know([]string{"Ikuko Quorvani"})
	for _, n := range []string{"lkuko Quorvani", "QUORVANl", "Quorvanl", "Amundsen", "Arnundsen", "Neil", "Nell", "Quorrnet"} {
		p.Observe(phi.Doctor, n)
	}
	for in, like := range map[string]string{
		"lkuko": "Ikuko", "QUORVANl": "QUORVANI", "QU0RVAN1": "QUORVANI", "Quorvanl": "Quorvani", "Quorvan1": "Quorvani",
		"quorvanl": "quorvani", "Arnundsen": "Amundsen", "lkuko Quorvanl": "Ikuko Quorvani",
	} {
		if got, want := replace(p, phi.Doctor, in), replace(p, phi.Doctor, like); got != want {
			t.Errorf("%s became %s, %s became %s", in, got, like, want)
		}
	}
	if a, b := replace(p, phi.Doctor, "Neil"), replace(p, phi.Doctor, "Nell"); a == b {
		t.Errorf("Neil and Nell became %s", a)
	}
}

// A digit or small l among capitals is a letter, and one that begins a name a capital.
func TestMisreadLetters(t *testing.T) {
	p := patient(t, "k", "p1", Options{})
	for in, like := range map[string]string{
		"TUMMlNELLO": "TUMMINELLO", "WlLL": "WILL", "RAUT1OLA": "RAUTIOLA", "5alnave": "Salnave", "Trex1er": "Trexler", "1ndira": "Indira",
	} {
		if got, want := replace(p, phi.Patient, in), replace(p, phi.Patient, like); got != want || strings.ContainsAny(got, "0123456789") {
			t.Errorf("%s became %s, %s became %s", in, got, like, want)
		}
	}
}
