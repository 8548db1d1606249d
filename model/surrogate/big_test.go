package surrogate

import (
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// TestLongSurfaces: a hundred kilobytes taken for a mention costs no more than its
// length.
func TestLongSurfaces(t *testing.T) {
	p := patient(t, "k", "p", Options{})
	for _, s := range []string{"a", "a ", "Ab-", "1", "1 ", "-", "é'", "\xff", "a@", "1/"} {
		s = strings.Repeat(s, 100_000/len(s))
		p.Observe(phi.Patient, s)
		for _, typ := range phi.Types() {
			check(t, p, typ, s)
		}
	}
}
