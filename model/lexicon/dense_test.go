package lexicon

import (
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// Words run together for pages are swept in time that grows as they do: in steps
// that grew with their square, this would take hours.
func TestSweepOfWordsRunTogether(t *testing.T) {
	var l Lexicon
	l.table = newTable(16)
	l.addSpaced("Mary Jones", entry{typ: phi.Patient, tagger: phi.Known})
	text := strings.Repeat("JanFebMar", 400_000) + " MaryJones Mary Jones"
	tokens := token.Tokenize(nil, text)
	if len(tokens) < 1_000_000 {
		t.Fatalf("%d tokens: the text is cut into fewer than was thought", len(tokens))
	}
	l.finish()
	spans := l.sweep(nil, text, tokens)
	if len(spans) == 0 || spans[len(spans)-1].End != len(text) {
		t.Errorf("found %v", spans)
	}
}
