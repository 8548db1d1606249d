package tagger

import (
	"slices"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// fixed finds the same words in every text.
type fixed struct {
	words []string
	typ   phi.Type
	by    phi.Tagger
}

func (f fixed) TagKinds(texts []Text) ([][]Found, error) {
	out := make([][]Found, len(texts))
	for i, t := range texts {
		for _, w := range f.words {
			if at := strings.Index(t.Text, w); at >= 0 {
				out[i] = append(out[i], Found{phi.Span{Start: at, End: at + len(w), Type: f.typ, Tagger: f.by, Score: 1}, f.typ.String()})
			}
		}
	}
	return out, nil
}

func (f fixed) Tag(texts []Text) ([][]phi.Span, error) {
	found, err := f.TagKinds(texts)
	return Spans(found), err
}

// both finds what two taggers find, one behind the other.
type both struct{ a, b fixed }

func (b both) TagKinds(texts []Text) ([][]Found, error) {
	x, _ := b.a.TagKinds(texts)
	y, _ := b.b.TagKinds(texts)
	for i := range x {
		x[i] = append(x[i], y[i]...)
		Sort(x[i])
	}
	return x, nil
}

func (b both) Tag(texts []Text) ([][]phi.Span, error) {
	found, err := b.TagKinds(texts)
	return Spans(found), err
}

// union names its members a, b, c.
func union(of ...Tagger) (u Union) {
	for i, t := range of {
		u = append(u, Member{string(rune('a' + i)), t})
	}
	return u
}

func TestUnion(t *testing.T) {
	const text = "Dr John A Smith of Leith saw Ada Rao"
	texts := []Text{{Text: text, Tokens: token.Tokenize(nil, text)}, {}}
	for _, c := range []struct {
		name string
		of   []Tagger
		want string
	}{
		{"one alone", []Tagger{fixed{[]string{"Smith"}, phi.Doctor, phi.Network}}, "DOCTOR Smith"},
		{"both the same", []Tagger{fixed{[]string{"Smith"}, phi.Doctor, phi.Network}, fixed{[]string{"Smith"}, phi.City, phi.Network}},
			"DOCTOR Smith"},
		{"what only the second finds", []Tagger{fixed{[]string{"Smith"}, phi.Doctor, phi.Network},
			fixed{[]string{"Leith"}, phi.City, phi.Network}},
			"DOCTOR Smith|CITY Leith"},
		{"a longer span of the second", []Tagger{fixed{[]string{"A"}, phi.Doctor, phi.Network}, fixed{[]string{"John A Smith"}, phi.Patient,
			phi.Network}}, "PATIENT John|DOCTOR A|PATIENT Smith"},
		{"three", []Tagger{fixed{[]string{"John"}, phi.Doctor, phi.Network}, fixed{[]string{"John A"}, phi.Patient, phi.Network},
			fixed{[]string{"A Smith", "Ada Rao"}, phi.City, phi.Network}}, "DOCTOR John|PATIENT A|CITY Smith|CITY Ada Rao"},
		{"doubts give way to what is sure", []Tagger{both{fixed{[]string{"Smith"}, phi.Doctor, phi.Network},
			fixed{[]string{"of Leith", "Rao"}, phi.City, phi.Doubt}}, both{fixed{[]string{"Leith"}, phi.City, phi.Network},
			fixed{[]string{"Ada Rao"}, phi.Patient, phi.Doubt}}}, "DOCTOR Smith|CITY of?|CITY Leith|PATIENT Ada?|CITY Rao?"},
	} {
		found, err := union(c.of...).TagKinds(texts)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range found[0] {
			s := f.Kind + " " + text[f.Start:f.End]
			if f.Tagger == phi.Doubt {
				s += "?"
			}
			got = append(got, s)
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%s: %q, want %s", c.name, got, c.want)
		}
		spans, err := union(c.of...).Tag(texts)
		if err != nil || len(spans[0]) != len(got) || len(spans[1]) != 0 {
			t.Errorf("%s: Tag gave %d spans, %v", c.name, len(spans[0]), err)
		}
	}
}

// What is no PHI by the guideline does not stand in the way of what is.
func TestUnionWithOtherSchemes(t *testing.T) {
	const text = "Ada Rao"
	texts := []Text{{Text: text, Tokens: token.Tokenize(nil, text)}}
	u := Union{{"a", fixed{[]string{"Ada Rao"}, phi.None, phi.Network}}, {"b", fixed{[]string{"Rao"}, phi.Patient, phi.Network}}}
	spans, err := u.Tag(texts)
	if err != nil || !slices.Equal(spans[0], []phi.Span{{Start: 4, End: 7, Type: phi.Patient, Score: 1}}) {
		t.Errorf("%v, %v", spans, err)
	}
}

func TestFinders(t *testing.T) {
	const text = "Dr John A Smith of Leith"
	one := Text{Text: text, Tokens: token.Tokenize(nil, text)}
	u := union(fixed{[]string{"Smith"}, phi.Doctor, phi.Network}, fixed{[]string{"A Smith", "Leith"}, phi.Doctor, phi.Network})
	spans, err := u.Tag([]Text{one})
	if err != nil {
		t.Fatal(err)
	}
	names, err := u.Finders(one, spans[0])
	if want := [][]string{{"b"}, {"a", "b"}, {"b"}}; err != nil || !slices.EqualFunc(names, want, slices.Equal[[]string]) {
		t.Errorf("%q, %v; want %q", names, err, want)
	}
}
