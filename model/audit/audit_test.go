package audit

import (
	"errors"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/surrogate"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

// Replaced is a surrogate.Replacement, written short.
type Replaced struct {
	Start, End       int
	OutStart, OutEnd int
	Type             phi.Type
	Kept, Masked     bool
}

func replacements(all []Replaced) (out []surrogate.Replacement) {
	for _, r := range all {
		x := surrogate.Replacement{Span: phi.Span{Start: r.Start, End: r.End, Type: r.Type}, OutStart: r.OutStart, OutEnd: r.OutEnd}
		switch {
		case r.Kept:
			x.Outcome = surrogate.Kept
		case r.Masked:
			x.Outcome = surrogate.Masked
		}
		out = append(out, x)
	}
	return out
}

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
		{"a mask", "Mr Xxxxx, 47, came.", []Replaced{{Start: 3, End: 8, OutStart: 3, OutEnd: 8, Masked: true}}, nil},
		{"a mask that is none", original, []Replaced{{Start: 3, End: 8, OutStart: 3, OutEnd: 8, Masked: true}}, ErrMask},
		{"half a mask", "Mr Xmith, 47, came.", []Replaced{{Start: 3, End: 8, OutStart: 3, OutEnd: 8, Masked: true}}, ErrMask},
		{"a date by its type", "Mr [DATE], 47, came.", []Replaced{{Start: 3, End: 8, OutStart: 3, OutEnd: 9, Type: phi.Date, Masked: true}}, nil},
		{"another type", "Mr [DATE], 47, came.", []Replaced{{Start: 3, End: 8, OutStart: 3, OutEnd: 9, Type: phi.Age, Masked: true}}, ErrMask},
		{"beyond", "Mr Rao", []Replaced{{Start: 3, End: 99, OutStart: 3, OutEnd: 6}}, ErrOrder},
		{"half a code point", "Mr \xc3, 47, came.", []Replaced{{Start: 3, End: 8, OutStart: 3, OutEnd: 4}}, ErrUTF8},
	} {
		if err := Check(original, c.released, replacements(c.replaced)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

func TestRescan(t *testing.T) {
	var e lexicon.Evidence
	e.AddKnown(phi.Patient, "Ngozi Okonkwo")
	e.AddKnown(phi.Patient, "Margaret Vane")
	e.AddSpan(phi.Found{Span: phi.Span{Type: phi.Patient, Score: 1}, Surface: "Halloran"})
	l := lexicon.NewLexicon(e.Surfaces())
	for text, want := range map[string]error{
		"seen by Dr Okonkwo":  ErrKnown,
		"seen by Dr Halloran": nil, // a finding, not a known identifier
		"seen by Dr Rao":      nil,
		"Peggy came":          nil, // what a Margaret may be called, and many another
		"Margaret came":       ErrKnown,
		"Dr Okon\u00adkwo":    ErrKnown, // is shown whole
		"Dr Okon-\nkwo":       ErrKnown,
	} {
		if err := Rescan(text, text, token.Tokenize(nil, text), l, nil, true); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	}
	// A month that a date moved to is no name, whoever bears it.
	e.AddKnown(phi.Patient, "April Jones")
	l = lexicon.NewLexicon(e.Surfaces())
	const text = "Seen April Moore"
	for typ, want := range map[phi.Type]error{phi.Date: nil, phi.Patient: ErrKnown} {
		replaced := []Replaced{{OutStart: 5, OutEnd: len(text), Type: typ}}
		if err := Rescan(text, text, token.Tokenize(nil, text), l, replacements(replaced), true); !errors.Is(err, want) {
			t.Errorf("as %v: %v, want %v", typ, err, want)
		}
	}
}

// A known name that is part of an institution's name, or of a date,
// does not come through.
func TestRescanFindsNamesWithin(t *testing.T) {
	var e lexicon.Evidence
	e.AddKnown(phi.Doctor, "Fiona Abernathy-Cruz")
	e.AddKnown(phi.Patient, "April Jones")
	l := lexicon.NewLexicon(e.Surfaces())
	for _, c := range []struct {
		typ          phi.Type
		before, made string
		kept         bool
		want         error
	}{
		{phi.Organization, "Santa Cruz Pecan Growers", "Santa Aldburn Pecan Growers", false, nil},
		{phi.Organization, "Santa Cruz Pecan Growers", "Aldburn Cruz Fields", false, ErrKnown},
		{phi.Organization, "Pecan Growers", "Cruz Growers", false, nil}, // made up: nobody can tell
		{phi.City, "Santa Cruz", "Santa Cruz", true, nil},               // the release lets it stand
		{phi.Date, "April 3", "April 26", false, nil},
	} {
		before, after := "at "+c.before+" now", "at "+c.made+" now"
		replaced := []Replaced{{Start: 3, End: 3 + len(c.before), OutStart: 3, OutEnd: 3 + len(c.made), Type: c.typ, Kept: c.kept}}
		if err := Rescan(before, after, token.Tokenize(nil, after), l, replacements(replaced), true); !errors.Is(err, c.want) {
			t.Errorf("%s to %s: %v, want %v", c.before, c.made, err, c.want)
		}
	}
}

// Known numbers and addresses: none stays outside of what was
// replaced, none comes through a replacement, and none is made up whole.
func TestRescanFindsNumbers(t *testing.T) {
	var e lexicon.Evidence
	e.AddKnown(phi.MedicalRecord, "00481-2237")
	e.AddKnown(phi.SSN, "923-45-6789")
	e.AddKnown(phi.MedicalRecord, "731558")
	e.AddKnown(phi.Phone, "(360) 555-0119")
	e.AddKnown(phi.Phone, "H: 201-555-0199 x45")
	e.AddKnown(phi.Email, "dot.keenatla@example.org")
	l := lexicon.NewLexicon(e.Surfaces())
	for _, c := range []struct {
		name, surface, made string // what [] stands for, before and after
		note                string
		tags, surrogates    error
	}{
		{"outside", "Hale", "Rao", "[], record 481-2237", ErrNumber, ErrNumber},
		{"behind zeros", "Hale", "Rao", "[], record 00731558", ErrNumber, ErrNumber},
		{"without its extension", "Hale", "Rao", "[], 2015550199", ErrNumber, ErrNumber},
		{"with a label", "Hale", "Rao", "[], SSN ends in 6789", ErrNumber, ErrNumber},
		{"without one", "Hale", "Rao", "[] took 6789 steps", nil, nil},
		{"an address", "Hale", "Rao", "[] writes from dot.keenatla@example.org", ErrNumber, ErrNumber},
		{"through a wider replacement", "Kearny Clinic 00481-2237", "Dale Clinic 004812237", "at []", nil, ErrNumber},
		{"made up whole", "12-345-6789", "(360) 555 0119", "call []", nil, ErrNumber},
		{"made up without its label", "12-345-6789", "201 555 0199", "call []", nil, ErrNumber},
		{"the last digits alone", "(201) 555-0143", "(202) 555-0119", "call []", nil, nil},
		{"made up with what stands beside", "4/05", "00/48", "[] 1 2237", ErrNumber, ErrNumber},
		{"beside what was replaced", "4/05", "3/05", "[] 00481-2237", ErrNumber, ErrNumber},
		{"another's", "(201) 555-0143", "(202) 555-0144", "call []", nil, nil},
	} {
		before, after := strings.Replace(c.note, "[]", c.surface, 1), strings.Replace(c.note, "[]", c.made, 1)
		at := strings.Index(c.note, "[]")
		replaced := []Replaced{{Start: at, End: at + len(c.surface), OutStart: at, OutEnd: at + len(c.made), Type: phi.Hospital}}
		for made, want := range map[bool]error{false: c.tags, true: c.surrogates} {
			all := replacements(replaced)
			if !made {
				all[0].Action = surrogate.Tag
			}
			err := Rescan(before, after, token.Tokenize(nil, after), l, all, made)
			if !errors.Is(err, want) {
				t.Errorf("%s (surrogates %v): %v, want %v", c.name, made, err, want)
			}
			var chance *ChanceError
			if is := errors.As(err, &chance); is != (made && want != nil && strings.HasPrefix(c.name, "made up")) || is && chance.Replacement != 0 {
				t.Errorf("%s (surrogates %v): by chance %v", c.name, made, is)
			}
		}
	}
}

// A known number that the policy lets stand is no failure.
func TestRescanLetsKeptNumbersStand(t *testing.T) {
	var e lexicon.Evidence
	e.AddKnown(phi.MedicalRecord, "00481-2237")
	l := lexicon.NewLexicon(e.Surfaces())
	const text = "MRN 00481-2237, seen"
	replaced := []Replaced{{Start: 4, End: 14, OutStart: 4, OutEnd: 14, Type: phi.MedicalRecord, Kept: true}}
	if err := Rescan(text, text, token.Tokenize(nil, text), l, replacements(replaced), true); err != nil {
		t.Error(err)
	}
}
