package ensemble

import (
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

func TestClip(t *testing.T) {
	pattern := span(10, 20, phi.Date, phi.Rules, 0.95)
	for name, c := range map[string]struct{ in, want []phi.Span }{
		"weak, over the end": {[]phi.Span{span(19, 25, phi.Doctor, phi.Network, 0.05)}, []phi.Span{span(21, 25, phi.Doctor, phi.Network, 0.05)}},
		"weak, around":       {[]phi.Span{span(5, 25, phi.Doctor, phi.Network, 0.05)}, []phi.Span{span(5, 10, phi.Doctor, phi.Network, 0.05), span(21, 25, phi.Doctor, phi.Network, 0.05)}},
		"weak, within":       {[]phi.Span{span(12, 15, phi.Doctor, phi.Network, 0.05)}, nil},
		"strong":             {[]phi.Span{span(19, 25, phi.Doctor, phi.Network, 0.9)}, []phi.Span{span(19, 25, phi.Doctor, phi.Network, 0.9)}},
		"beside":             {[]phi.Span{span(21, 25, phi.Doctor, phi.Network, 0.05)}, []phi.Span{span(21, 25, phi.Doctor, phi.Network, 0.05)}},
	} {
		got := clip("xxxx xxxxx2014-03-05 xxxx xxxx", append(c.in, pattern))
		want := append(c.want, pattern)
		if len(got) != len(want) {
			t.Errorf("%s: %v, want %v", name, got, want)
			continue
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%s: %v, want %v", name, got, want)
			}
		}
	}
}

func TestParted(t *testing.T) {
	for text, want := range map[string][]string{
		"Grace Young. Grace":    {"Grace Young", "Grace"},
		"Okonkwo.  Vane! Hale":  {"Okonkwo", "Vane", "Hale"},
		"Wm. Hale":              {"Wm. Hale"},
		"Prof. Hale":            {"Prof. Hale"},
		"J. R. Okonkwo":         {"J. R. Okonkwo"},
		"Okonkwo.Hale":          {"Okonkwo.Hale"},
		"Okonkwo. she":          {"Okonkwo. she"},
		"Ana Ruiz-Fuentes. Bea": {"Ana Ruiz-Fuentes", "Bea"},
	} {
		var got []string
		for _, s := range parted(text, []phi.Span{span(0, len(text), phi.Patient, phi.Network, 0.9)}) {
			got = append(got, text[s.Start:s.End])
		}
		if len(got) != len(want) {
			t.Errorf("%q: %q, want %q", text, got, want)
			continue
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%q: %q, want %q", text, got, want)
			}
		}
	}
}

func TestYield(t *testing.T) {
	text := "SLT WEDS PND CLINIC"
	spans := []phi.Span{
		{Start: 4, End: 8, Type: phi.Date, Tagger: phi.Network, Score: 0.9},
		{Start: 4, End: 19, Type: phi.Hospital, Tagger: phi.Rules, Score: 0.85},
	}
	got := Combine(text, token.Tokenize(nil, text), spans, Options{})
	if len(got) != 2 || text[got[0].Start:got[0].End] != "WEDS" || got[0].Type != phi.Date || text[got[1].Start:got[1].End] != "PND CLINIC" {
		t.Errorf("got %v", got)
	}
}
