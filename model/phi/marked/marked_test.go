package marked

import (
	"errors"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

func TestUnmark(t *testing.T) {
	for _, test := range []struct {
		name, marked, text string
		spans              []Span
	}{
		{name: "nothing"},
		{name: "no mark", marked: "BP 128/74 [sic]", text: "BP 128/74 [sic]"},
		{
			name: "two units", marked: "Zoë: [[PATIENT:Zoë Lund]], [[DATE:4/12]]", text: "Zoë: Zoë Lund, 4/12",
			spans: []Span{{6, 15, 5, 13, phi.Patient}, {17, 21, 15, 19, phi.Date}},
		},
		{
			name: "neighbours and lines", marked: "[[AGE:5]]y[[AGE:1]]m\n[[LOCATION-OTHER:Bow Locks]]", text: "5y1m\nBow Locks",
			spans: []Span{{0, 1, 0, 1, phi.Age}, {2, 3, 2, 3, phi.Age}, {5, 14, 5, 14, phi.LocationOther}},
		},
		{name: "touching", marked: "[[DOCTOR:A]][[DOCTOR:B]]", text: "AB", spans: []Span{{0, 1, 0, 1, phi.Doctor}, {1, 2, 1, 2, phi.Doctor}}},
		{name: "colon in the surface", marked: "[[URL:https://a.example]]", text: "https://a.example", spans: []Span{{0, 17, 0, 17, phi.URL}}},
		{name: "brackets around", marked: "[ [[DATE:May]] ]", text: "[ May ]", spans: []Span{{2, 5, 2, 5, phi.Date}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			text, spans, err := Unmark(test.marked)
			if err != nil {
				t.Fatal(err)
			}
			if text != test.text || len(spans) != len(test.spans) {
				t.Fatalf("got %q with %v, want %q with %v", text, spans, test.text, test.spans)
			}
			for i, s := range spans {
				if s != test.spans[i] {
					t.Errorf("span %d is %+v, want %+v", i, s, test.spans[i])
				}
			}
			if back, err := Mark(text, spans); err != nil || back != test.marked {
				t.Errorf("marked again it is %q (%v), want %q", back, err, test.marked)
			}
		})
	}
}

func TestUnmarkRefuses(t *testing.T) {
	for _, test := range []struct {
		name, marked, want string
		line               int
	}{
		{"unclosed", "a\n[[DATE:May", "no \"]]\" closes", 2},
		{"stray close", "a\n\nMay]]", "closes no mark", 3},
		{"unknown type", "[[SECRET:x]]", "a type that", 1},
		{"small letters", "[[Date:x]]", "a type that", 1},
		{"no colon", "[[SECRET]]", "no colon", 1},
		{"empty", "[[DATE:]]", "is empty", 1},
		{"blank before", "[[DATE: SECRET]]", "blank at its edge", 1},
		{"blank after", "[[DATE:SECRET\u00a0]]", "blank at its edge", 1},
		{"two lines", "a\n[[DATE:SE\nCRET]]", "end of its line", 2},
		{"nested", "[[DATE:[[AGE:SECRET]]]]", "do not nest", 1},
		{"three brackets", "[[[DATE:SECRET]]", "a type that", 1},
		{"leaves a pair before", "SECRET [[DATE:[9]][", "double brackets", 0},
		{"leaves a pair after", "x\n[[DATE:9]]][[DATE:]9]]", "double brackets", 2},
		{"not UTF-8", "a\nSECRET\xff", "not UTF-8", 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			text, spans, err := Unmark(test.marked)
			if test.line == 0 { // a good text, close to a bad one
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("got %q, %v, %v, want an *Error", text, spans, err)
			}
			if e.Line != test.line || !strings.Contains(e.Problem, test.want) {
				t.Errorf("got %v, want %q on line %d", err, test.want, test.line)
			}
			if strings.Contains(err.Error(), "SECRET") {
				t.Errorf("the error quotes the text: %v", err)
			}
		})
	}
}

func TestMarkRefuses(t *testing.T) {
	for _, test := range []struct {
		name, text string
		spans      []Span
	}{
		{"out of order", "abcd", []Span{{Start: 2, End: 3, Type: phi.Date}, {Start: 0, End: 1, Type: phi.Date}}},
		{"overlapping", "abcd", []Span{{Start: 0, End: 2, Type: phi.Date}, {Start: 1, End: 3, Type: phi.Date}}},
		{"empty", "abcd", []Span{{Start: 1, End: 1, Type: phi.Date}}},
		{"past the end", "abcd", []Span{{Start: 1, End: 5, Type: phi.Date}}},
		{"no type", "abcd", []Span{{Start: 1, End: 2}}},
		{"inside a letter", "aëd", []Span{{Start: 1, End: 2, Type: phi.Date}}},
		{"blank at the edge", "a bc", []Span{{Start: 1, End: 3, Type: phi.Date}}},
		{"brackets in the text", "a [[DATE:b]] c", nil},
		{"bracket before the mark", "[a", []Span{{Start: 1, End: 2, Type: phi.Date}}},
		{"bracket at the surface's end", "a]", []Span{{Start: 0, End: 2, Type: phi.Date}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got, err := Mark(test.text, test.spans); err == nil {
				t.Errorf("got %q, want an error", got)
			}
		})
	}
}

// FuzzUnmark checks that what Unmark takes is given back by Mark to the byte,
// and that the offsets of both units name the same stretch.
func FuzzUnmark(f *testing.F) {
	for _, s := range []string{"", "a [[DATE:May 2]]", "Zoë [[PATIENT:Ødegård]]]", "[[[AGE:9]]", "[[X:y]]\n[[AGE:[9]]]",
		"[[AGE:9]][[AGE:9]]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text, spans, err := Unmark(s)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Line < 1 || e.Line > 1+strings.Count(s, "\n") {
				t.Fatalf("bad error %v", err)
			}
			return
		}
		runes := []rune(text)
		at := 0
		for _, sp := range spans {
			if sp.Start < at || sp.End <= sp.Start || sp.Type == phi.None {
				t.Fatalf("bad span %+v", sp)
			}
			if string(runes[sp.RuneStart:sp.RuneEnd]) != text[sp.Start:sp.End] {
				t.Fatalf("the units of span %+v differ", sp)
			}
			at = sp.End
		}
		back, err := Mark(text, spans)
		if err != nil || back != s {
			t.Fatalf("%q came back as %q (%v)", s, back, err)
		}
	})
}
