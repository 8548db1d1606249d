package lexicon

import (
	"fmt"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// The sweep of notes as they are, and of text made to slow it down.
func BenchmarkSweep(b *testing.B) {
	var e Evidence
	for i := range 40 {
		e.AddKnown(phi.Patient, fmt.Sprintf("Brand%c Okon%ckwo", 'a'+i%26, 'a'+i*7%26))
		e.AddKnown(phi.Phone, fmt.Sprintf("(%d) 555-%04d", 202+i*17, i*217))
		e.AddKnown(phi.MedicalRecord, fmt.Sprintf("%08d", i*2_500_007))
	}
	e.AddKnown(phi.Street, "1719 Brailer Street")
	l := NewLexicon(e.Surfaces())
	for _, c := range []struct{ name, text string }{
		{"notes", strings.Repeat(`Mr. Iannotti was seen on 12/24/2016 at 14:05 by Dr. Arruda for a 1.2 cm laceration.
Past medical history is significant for hypertension, type 2 diabetes mellitus and chronic obstructive
pulmonary disease. He denies chest pain, shortness of breath, orthopnea or paroxysmal nocturnal dyspnea.
MRN 00481-2237, phone (505) 555-0143. Labs: Na 138, K 4.1, Cl 102, HCO3 24, BUN 18, Cr 0.9, WBC 7.2.
`, 50)},
		{"run together", strings.Repeat("JanFebMar", 2000)},
		{"hyphens", strings.Repeat("a-\n", 6000)},
		{"soft hyphens", strings.Repeat("a\u00ad", 6000)},
		{"nothing but soft hyphens", "a" + strings.Repeat("\u00ad", 9000)},
		{"zeros", strings.Repeat("00 ", 6000)},
	} {
		tokens := token.Tokenize(nil, c.text)
		b.Run(c.name, func(b *testing.B) {
			var spans []phi.Span
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				spans = l.Sweep(spans[:0], c.text, tokens)
			}
		})
	}
}
