package tagger

import (
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

func TestVote(t *testing.T) {
	const text = "Dr John A Smith of Leith saw Ada Rao"
	texts := []Text{{Text: text, Tokens: token.Tokenize(nil, text)}, {}}
	finds := func(typ phi.Type, words ...string) Tagger { return fixed{words, typ, phi.Network} }
	doubts := fixed{[]string{"Smith", "saw"}, phi.Patient, phi.Doubt}
	for _, c := range []struct {
		name         string
		of           []Tagger
		want, doubts string // without doubts, and with
	}{
		{"both of two", []Tagger{finds(phi.Doctor, "Smith", "Leith"), finds(phi.City, "Smith", "Rao")}, "DOCTOR Smith",
			"DOCTOR Smith|DOCTOR Leith?|CITY Rao?"},
		{"two of three", []Tagger{finds(phi.Doctor, "Smith"), finds(phi.City, "Leith"), finds(phi.State, "Leith", "Rao")}, "CITY Leith",
			"DOCTOR Smith?|CITY Leith|STATE Rao?"},
		{"a part of a span", []Tagger{finds(phi.Doctor, "John A Smith"), finds(phi.Patient, "A Smith of"), finds(phi.City, "Leith")},
			"DOCTOR A Smith", "DOCTOR John?|DOCTOR A Smith|PATIENT of?|CITY Leith?"},
		{"four take three", []Tagger{finds(phi.Doctor, "Rao"), finds(phi.Doctor, "Rao"), finds(phi.City, "Leith"), finds(phi.City, "Leith")},
			"", "CITY Leith?|DOCTOR Rao?"},
		{"a doubt is no vote", []Tagger{finds(phi.Doctor, "Smith"), doubts}, "PATIENT saw?", "DOCTOR Smith?|PATIENT saw?"},
	} {
		for asked, want := range map[bool]string{false: c.want, true: c.doubts} {
			v := Vote{Members: union(c.of...), Doubts: asked}
			found, err := v.TagKinds(texts)
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
			if strings.Join(got, "|") != want {
				t.Errorf("%s, doubts %v: %q, want %s", c.name, asked, got, want)
			}
			spans, err := v.Tag(texts)
			if err != nil || len(spans[0]) != len(got) || len(spans[1]) != 0 {
				t.Errorf("%s: Tag gave %d spans, %v", c.name, len(spans[0]), err)
			}
		}
	}
}

// What is no PHI by the guideline has no vote on what is.
func TestVoteWithOtherSchemes(t *testing.T) {
	const text = "Ada Rao"
	texts := []Text{{Text: text, Tokens: token.Tokenize(nil, text)}}
	none, name := fixed{[]string{text}, phi.None, phi.Network}, fixed{[]string{text}, phi.Patient, phi.Network}
	for want, v := range map[int]Vote{0: {Members: union(none, name, none)}, 1: {Members: union(name, none, name)}} {
		if spans, err := v.Tag(texts); err != nil || len(spans[0]) != want {
			t.Errorf("%d spans, want %d; %v", len(spans[0]), want, err)
		}
	}
}
