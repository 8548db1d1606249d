package main

import (
	"fmt"
	"math/rand"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/tools/bench/invent"
)

// identifiers returns n known identifiers: three names to one telephone
// number and one record number. The first are words that are in the notes too,
// which are made up in the same manner; the others are longer, as a patient's
// thousand relatives and doctors would hardly all be named in one note.
func identifiers(n int) []lexicon.Surface {
	r := rand.New(rand.NewSource(3))
	var e lexicon.Evidence
	for i := range n {
		switch i % 5 {
		case 3:
			e.AddKnown(phi.Phone, fmt.Sprintf("(%03d) 555-%04d", 200+r.Intn(700), r.Intn(10_000)))
		case 4:
			e.AddKnown(phi.MedicalRecord, fmt.Sprintf("%08d", r.Intn(100_000_000)))
		default:
			name := invent.Name(r) + " " + invent.Name(r)
			if i > 20 {
				name = invent.Name(r) + strings.ToLower(invent.Name(r)) + " " + invent.Name(r) + strings.ToLower(invent.Name(r))
			}
			e.AddKnown([]phi.Type{phi.Patient, phi.Doctor}[i%2], name)
		}
	}
	return e.Surfaces()
}
