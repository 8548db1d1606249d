package lexicon

import (
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// Known names are found where a text spells them, ordinary words and eponyms too, and
// other letters are not.
func TestKnownNamesSpelled(t *testing.T) {
	l := known(Identifiers{Names: []string{"Ngozi Okonkwo-Hale", "Bell, Ann"}, MRNs: []string{"ABCD1"}})
	for text, want := range map[string]string{
		"spelled O K O N K W O on": "PATIENT:O K O N K W O", "h-a-l-e": "PATIENT:h-a-l-e", "B  E  L  L": "PATIENT:B  E  L  L",
		"A N N": "PATIENT:A N N", "the S O A P note": "", "A B C D 1 x": "MEDICALRECORD:A B C D 1", "N G": "",
	} {
		got := ""
		for _, s := range l.Sweep(nil, text, token.Tokenize(nil, text)) {
			got += s.Type.String() + ":" + text[s.Start:s.End]
			if s.Tagger != phi.Known {
				t.Errorf("%s: by %v", text, s.Tagger)
			}
		}
		if got != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}

// A name that a tagger found spelt is looked for as a word.
func TestSpelledEvidence(t *testing.T) {
	var e Evidence
	e.AddSpan(phi.Found{Span: phi.Span{Type: phi.Doctor, Score: 1}, Surface: "O K O N K W O"})
	l := NewLexicon(e.Surfaces())
	for _, text := range []string{"by Okonkwo", "by O-K-O-N-K-W-O"} {
		if got := l.Sweep(nil, text, token.Tokenize(nil, text)); len(got) != 1 || got[0].Start != 3 || got[0].Type != phi.Doctor {
			t.Errorf("%s: %v", text, got)
		}
	}
}
