package main

import (
	"fmt"
	"math/rand"
	"os"
	"strings"

	"github.com/palimpsest-deid/palimpsest/model/ensemble"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/rules"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// identifiers returns n of what a census knows: three names to one telephone
// number and one record number. The first are words that are in the notes too,
// which are made up in the same manner; the others are longer, as a patient's
// thousand relatives and doctors would hardly all be named in one note.
func identifiers(n int) []ensemble.Surface {
	r := rand.New(rand.NewSource(3))
	var e ensemble.Evidence
	for i := range n {
		switch i % 5 {
		case 3:
			e.AddCensus(phi.Phone, fmt.Sprintf("(%03d) 555-%04d", 200+r.Intn(700), r.Intn(10_000)))
		case 4:
			e.AddCensus(phi.MedicalRecord, fmt.Sprintf("%08d", r.Intn(100_000_000)))
		default:
			name := madeUp(r) + " " + madeUp(r)
			if i > 20 {
				name = madeUp(r) + strings.ToLower(madeUp(r)) + " " + madeUp(r) + strings.ToLower(madeUp(r))
			}
			e.AddCensus([]phi.Type{phi.Patient, phi.Doctor}[i%2], name)
		}
	}
	return e.Surfaces()
}

// benchSweep tokenises, runs the rules and a site's lists, and sweeps with a
// lexicon of so many identifiers, which is built before.
func benchSweep(texts []string, site string, count int) (figure, error) {
	data, err := os.ReadFile(site)
	if err != nil {
		return figure{}, err
	}
	s, err := rules.ParseSite(site, data)
	if err != nil {
		return figure{}, err
	}
	r, err := rules.New("en", s)
	if err != nil {
		return figure{}, err
	}
	m := r.NewMatcher()
	surfaces := identifiers(count)
	var l *ensemble.Lexicon
	const builds = 5
	_, build, err := timed(func() error {
		for range builds {
			l = ensemble.NewLexicon(surfaces)
		}
		return nil
	})
	if err != nil {
		return figure{}, err
	}
	var spans []phi.Span
	f, err := measure(fmt.Sprintf("and lists, sweep of %d", count), texts, func(text string, tokens []token.Token) []token.Token {
		tokens = token.Tokenize(tokens, text)
		spans = m.Tag(spans[:0], text, tokens)
		spans = l.Sweep(spans, text, tokens)
		return tokens
	})
	f.note = fmt.Sprintf("lexicon built in %.2f ms", build/builds*1e3)
	return f, err
}
