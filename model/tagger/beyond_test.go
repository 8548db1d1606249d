package tagger

import (
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// Of what is found later only the stretches stay that nothing earlier touches.
func TestBeyond(t *testing.T) {
	const text = "Mr John A Smith of Leith saw Ada Rao"
	tokens := token.Tokenize(nil, text)
	of := func(words ...string) (all []Found) {
		for _, w := range words {
			i := strings.Index(text, w)
			all = append(all, Found{Span: phi.Span{Start: i, End: i + len(w), Type: phi.Patient}})
		}
		return all
	}
	for _, c := range []struct {
		later, earlier []Found
		want           string
	}{
		{of("John A Smith"), nil, "John A Smith"},
		{of("John A Smith"), of("A"), "John|Smith"},
		{of("John A Smith", "Ada Rao"), of("Smith of Leith", "Ada"), "John A|Rao"},
		{of("Leith"), of("Leith"), ""},
		{of("John", "Leith"), of("Mr", "Smith", "Rao"), "John|Leith"},
		{nil, of("Ada"), ""},
	} {
		var got []string
		for _, f := range Beyond(c.later, c.earlier, tokens) {
			got = append(got, text[f.Start:f.End])
			if f.Type != phi.Patient {
				t.Errorf("%+v", f)
			}
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%q, want %s", got, c.want)
		}
	}
}
