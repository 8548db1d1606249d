package lexicon

import (
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

func TestSignatures(t *testing.T) {
	var e Evidence
	e.AddKnown(phi.Doctor, "Kalina Vesterhus")
	e.AddKnown(phi.Doctor, "Paxton Reyes-Hill")
	e.AddKnown(phi.Patient, "Ada Brandt")
	l := NewLexicon(e.Surfaces())
	for _, c := range []struct {
		text string
		want string // what is found, once
	}{
		{"resting well.\nkv\n", "kv"},
		{"0600\t36.8\tkv\tslept\n", "kv"},
		{"104/60,.20,38.4,90,kv\n", "kv"},
		{"resting well. kv", "kv"},
		{"11/7  2.5   (kv)\n", "kv"},
		{"seen, d/w kv, will call", "kv"},
		{"plan per PRH today", "PRH"},
		{"dictated KV/mmb\n", "KV"},
		{"KV/mmb   D: 3/4", "KV"},
		{"the kv line of the machine", ""},
		{"120 kv and 80 mA", ""},
		{"resting well. ab\n", ""}, // the patient does not sign
	} {
		got := ""
		for _, s := range l.Sweep(nil, c.text, token.Tokenize(nil, c.text)) {
			got += c.text[s.Start:s.End]
		}
		if got != c.want {
			t.Errorf("%q: found %q, want %q", c.text, got, c.want)
		}
	}
}
