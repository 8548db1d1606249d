package cues_test

import (
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/cues"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

func TestSexOf(t *testing.T) {
	for _, c := range []struct {
		text string // the name between brackets []
		want phi.Sex
	}{
		{"her husband [Tavesh] drove", phi.Male},
		{"his wife, [Tavesh], called", phi.Female},
		{"Mother: [Tavesh Brandt]", phi.Female},
		{"his son (18, [Tavesh])", phi.Untold},
		{"a daughter named [Tavesh]", phi.Female},
		{"his mother-in-law [Tavesh]", phi.Female},
		{"[Tavesh Brandt] (son) 555-0100", phi.Male},
		{"[Tavesh] (son Ansel)", phi.Untold},
		{"Mr. [Tavesh Brandt] was seen", phi.Male},
		{"Ms [Tavesh Brandt] was seen", phi.Female},
		{"Mr. [Brandt] was seen", phi.Untold},
		{"his wife's [Tavesh]", phi.Untold},
		{"told his wife.\n[Tavesh] rang", phi.Untold},
		{"su hermana [Tavesh]", phi.Female},
		{"[Tavesh] rang", phi.Untold},
	} {
		start := strings.IndexByte(c.text, '[')
		text := strings.NewReplacer("[", "", "]", "").Replace(c.text)
		end := strings.IndexByte(c.text, ']') - 1
		tokens := token.Tokenize(nil, text)
		i, j := cues.TokensOf(tokens, start, end)
		if got := cues.SexOf(text, tokens, i, j); got != c.want {
			t.Errorf("%q: %d, want %d", c.text, got, c.want)
		}
	}
}
