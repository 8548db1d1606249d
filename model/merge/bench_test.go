package merge

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// identifiers returns what may be known of one patient: names, numbers
// and addresses, drawn by a fixed seed.
func identifiers(n int) []lexicon.Surface {
	r := rand.New(rand.NewSource(7))
	syllables := strings.Fields("ra ko ne mi tu la ven dor shi bel mar ost ani que fer hol bri zan dul wek")
	name := func() string {
		var b strings.Builder
		for range 2 + r.Intn(3) {
			b.WriteString(syllables[r.Intn(len(syllables))])
		}
		s := b.String()
		return strings.ToUpper(s[:1]) + s[1:]
	}
	var e lexicon.Evidence
	for i := range n {
		switch i % 5 {
		case 0, 1, 2:
			e.AddKnown(phi.Patient, name()+" "+name())
		case 3:
			e.AddKnown(phi.Phone, fmt.Sprintf("(%03d) 555-%04d", 200+r.Intn(700), r.Intn(10000)))
		case 4:
			e.AddKnown(phi.MedicalRecord, fmt.Sprintf("%08d", r.Intn(100000000)))
		}
	}
	e.AddKnown(phi.Date, "1957-03-14")
	return e.Surfaces()
}

// noteText is some text of notes, dense in PHI and not.
func noteText() string {
	return strings.Repeat(`Mr. Iannotti was seen on 12/24/2016 at 14:05 by Dr. Arruda for a 1.2 cm laceration.
Past medical history is significant for hypertension, type 2 diabetes mellitus and chronic obstructive
pulmonary disease. He denies chest pain, shortness of breath, orthopnea or paroxysmal nocturnal dyspnea.
MRN 00481-2237, phone (505) 555-0143. Labs: Na 138, K 4.1, Cl 102, HCO3 24, BUN 18, Cr 0.9, WBC 7.2.
`, 50)
}

// The sweep on tokens that are there already, as in the rewrite.
func BenchmarkSweep(b *testing.B) {
	text := noteText()
	tokens := token.Tokenize(nil, text)
	for _, n := range []int{20, 1000, 10_000} {
		l := lexicon.NewLexicon(identifiers(n))
		b.Run(fmt.Sprintf("identifiers=%d", n), func(b *testing.B) {
			var spans []phi.Span
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				spans = l.Sweep(spans[:0], text, tokens)
			}
		})
	}
}

// Building a patient's lexicon, which happens once per shard and patient.
func BenchmarkNewLexicon(b *testing.B) {
	for _, n := range []int{20, 10_000} {
		surfaces := identifiers(n)
		b.Run(fmt.Sprintf("identifiers=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				lexicon.NewLexicon(surfaces)
			}
		})
	}
}

// Merging of a note's spans, which come to about 20 per
// kilobyte in text dense in PHI.
func BenchmarkCombine(b *testing.B) {
	text := noteText()
	tokens := token.Tokenize(nil, text)
	l := lexicon.NewLexicon(identifiers(1000))
	var spans []phi.Span
	for i := 0; i+8 < len(tokens); i += 11 {
		if tokens[i].Class == token.Title {
			spans = append(spans, phi.Span{Start: int(tokens[i].Start), End: int(tokens[i].End), Type: phi.Doctor, Tagger: phi.Network, Score: .9},
				phi.Span{Start: int(tokens[i].Start), End: int(tokens[i].End), Type: phi.Patient, Tagger: phi.Rules, Score: .8})
		}
	}
	spans = l.Sweep(spans, text, tokens)
	in := make([]phi.Span, len(spans))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		copy(in, spans)
		Combine(text, tokens, in, Options{})
	}
}
