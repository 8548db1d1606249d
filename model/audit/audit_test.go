package audit

import (
	"errors"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/ensemble"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

func TestCheck(t *testing.T) {
	const original = "Mr Smith, 47, came."
	name := Replaced{Start: 3, End: 8, OutStart: 3, OutEnd: 6, Type: phi.Patient}
	age := Replaced{Start: 10, End: 12, OutStart: 8, OutEnd: 10, Type: phi.Age, Kept: true}
	for _, c := range []struct {
		name, released string
		replaced       []Replaced
		want           error
	}{
		{"good", "Mr Rao, 47, came.", []Replaced{name, age}, nil},
		{"nothing to do", original, nil, nil},
		{"text outside changed", "Mr Rao, 47, left.", []Replaced{name, age}, ErrOutside},
		{"text outside lost", "Mr Rao, 47,", []Replaced{name, age}, ErrOutside},
		{"surface survives", original, []Replaced{{Start: 3, End: 8, OutStart: 3, OutEnd: 8}}, ErrSurvives},
		{"an age that was not to be kept", "Mr Rao, 47, came.", []Replaced{name, {Start: 10, End: 12, OutStart: 8, OutEnd: 10}}, ErrSurvives},
		{"overlap", "Mr Rao, 47, came.", []Replaced{name, name}, ErrOrder},
		{"beyond", "Mr Rao", []Replaced{{Start: 3, End: 99, OutStart: 3, OutEnd: 6}}, ErrOrder},
		{"half a code point", "Mr \xc3, 47, came.", []Replaced{{Start: 3, End: 8, OutStart: 3, OutEnd: 4}}, ErrUTF8},
	} {
		if err := Check(original, c.released, c.replaced); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

func TestRescan(t *testing.T) {
	var e ensemble.Evidence
	e.AddCensus(phi.Patient, "Ngozi Okonkwo")
	e.AddCensus(phi.Patient, "Margaret Vane")
	e.AddSpan(ensemble.Found{Span: phi.Span{Type: phi.Patient, Score: 1}}, "Halloran")
	l := ensemble.NewLexicon(e.Surfaces())
	for text, want := range map[string]error{
		"seen by Dr Okonkwo":  ErrKnown,
		"seen by Dr Halloran": nil, // a finding, not the census's word
		"seen by Dr Rao":      nil,
		"Peggy came":          nil, // what a Margaret may be called, and many another
		"Margaret came":       ErrKnown,
	} {
		if err := Rescan(text, token.Tokenize(nil, text), l, nil); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	}
	// A month that a date moved to is no name, whoever bears it.
	e.AddCensus(phi.Patient, "April Jones")
	l = ensemble.NewLexicon(e.Surfaces())
	const text = "Seen April Moore"
	for typ, want := range map[phi.Type]error{phi.Date: nil, phi.Patient: ErrKnown} {
		replaced := []Replaced{{OutStart: 5, OutEnd: len(text), Type: typ}}
		if err := Rescan(text, token.Tokenize(nil, text), l, replaced); !errors.Is(err, want) {
			t.Errorf("as %v: %v, want %v", typ, err, want)
		}
	}
}
