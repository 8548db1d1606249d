package lexicon

import (
	"fmt"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/token"
)

func TestParseAddress(t *testing.T) {
	for _, c := range []struct{ address, want string }{
		{"12 Elm Row, Leith EH6 7QQ", "12 Elm Row [] Leith [] EH6 7QQ"},
		{"1719 Brailer Street, Apt 4, Bellingham, WA 98225", "1719 Brailer Street [] Bellingham [] 98225"},
		// The street is not the first part.
		{"Flat 2, 12 Elm Row, Leith EH6 7QQ", "12 Elm Row [Flat 2, 12 Elm Row] Leith [] EH6 7QQ"},
		{"Flat 2 12 Elm Row\nLeith\nEH6 7QQ", "12 Elm Row [Flat 2 12 Elm Row] Leith [] EH6 7QQ"},
		{"2nd Floor, 4B, 12 Elm Row, Leith", "12 Elm Row [2nd Floor, 4B, 12 Elm Row] Leith [] "},
		{"Rose Cottage, 12 Mill Lane, Leith", "12 Mill Lane [Rose Cottage, 12 Mill Lane|Rose Cottage] Leith [] "},
		{"The Old House, 12 Mill Lane, Leith", "12 Mill Lane [The Old House, 12 Mill Lane] Leith [] "},
		{"12 Elm Row, N/A, Leith", "12 Elm Row [] Leith [] "},
		{"12 Elm Row, Memory Care Unit, Leith", "12 Elm Row [] Leith [] "},
		{"12 Elm Row, c/o Ann Smith, Leith", "12 Elm Row [] Leith [] "},
		{"PO Box 417, 12 Mill Lane, Leith", "12 Mill Lane [PO Box 417, 12 Mill Lane|PO Box 417] Leith [] "},
		{"Piso 2, Calle Mayor 12, Madrid", "Calle Mayor 12 [Piso 2, Calle Mayor 12] Madrid [] "},
		{"Apt 4, 1719 Brailer Street, Bellingham, WA 98225", "1719 Brailer Street [Apt 4, 1719 Brailer Street] Bellingham [] 98225"},
		// There is none but the first.
		{"Rose Cottage, Leith EH6 7QQ", "Rose Cottage [] Leith [] EH6 7QQ"},
		{"PO Box 417, Leith EH6 7QQ", "PO Box 417 [] Leith [] EH6 7QQ"},
		{"Flat 2, Leith EH6 7QQ", " [] Leith [] EH6 7QQ"},
		{"Ground Floor, Leith EH6 7QQ", " [] Leith [] EH6 7QQ"},
		{"Rose Cottage, 28013 Madrid", "Rose Cottage []  [] "},
		// Cities called as their states are, and towns before their counties.
		{"5 Main St, New York, NY 10001", "5 Main St [] New York [] 10001"},
		{"5 Main St, Washington, D.C. 20001", "5 Main St [] Washington [] 20001"},
		{"Calle Mayor 12, Puebla, Puebla 72000", "Calle Mayor 12 [] Puebla [] 72000"},
		{"5 Main St, Seattle, Washington 98101", "5 Main St [] Seattle [] 98101"},
		{"5 Main St, NY 10001", "5 Main St []  [] 10001"},
		{"12 Elm Row, Leith, Midlothian EH6 7QQ, Scotland", "12 Elm Row [] Midlothian [Leith] EH6 7QQ"},
		{"12 Elm Row, Nursing Home, Basement, Leith", "12 Elm Row [] Leith [] "},
		{"Flat 2, 12 ..., ,", " []  [] "},
		{" ,\n;", " []  [] "},
		{"calle ., calle .", "calle . [] calle . [] "},
	} {
		a := ParseAddress(c.address)
		got := fmt.Sprintf("%s [%s] %s [%s] %s", a.Street, strings.Join(a.Houses, "|"), a.City, strings.Join(a.Places, "|"), a.ZIP)
		if got != c.want {
			t.Errorf("%q:\n got  %q\n want %q", c.address, got, c.want)
		}
	}
}

// swept returns what a lexicon finds in a text.
func swept(l *Lexicon, text string) string {
	var found []string
	for _, s := range l.Sweep(nil, text, token.Tokenize(nil, text)) {
		found = append(found, s.Type.String()+":"+text[s.Start:s.End])
	}
	return strings.Join(found, " ")
}

// known returns the lexicon of what is known of a patient.
func known(p Identifiers) *Lexicon {
	var e Evidence
	p.Each(func(t phi.Type, value string) { e.AddKnown(t, value) })
	return NewLexicon(e.Surfaces())
}

func TestKnownAddresses(t *testing.T) {
	for _, c := range []struct{ address, text, want string }{
		{"Flat 2, 12 Elm Row, Leith EH6 7QQ", "at Flat 2, 12 Elm Row", "STREET:Flat 2, 12 Elm Row"},
		{"Flat 2, 12 Elm Row, Leith EH6 7QQ", "at 12 elm row, or on Elm Row", "STREET:12 elm row STREET:Elm Row"},
		{"Flat 2, 12 Elm Row, Leith EH6 7QQ", "Flat 2 and flat 2: ST flat 2 mm", ""},
		{"Flat 2, Leith EH6 7QQ", "Flat 2 of Leith", "CITY:Leith"},
		{"Apt 4, 1719 Brailer Street, Bellingham", "1719 Brailer St, apt 4", "STREET:1719 Brailer St"},
		{"Rose Cottage, 12 Mill Lane, Leith", "rose cottage; 12 Mill Ln", "STREET:rose cottage STREET:12 Mill Ln"},
		{"The Old House, 12 Mill Lane, Leith", "the old house. The Old House", ""},
		{"The Old House, Leith", "in the old house", ""},
		{"Hillcrest, Leith", "of Hillcrest, on a hillcrest", "STREET:Hillcrest"},
		{"PO Box 417, Leith", "to PO Box 417", "STREET:PO Box 417"},
		{"5 Main St, New York, NY 10001", "of New York, NY", "CITY:New York"},
		{"12 Elm Row, Leith, Midlothian EH6 7QQ", "of Leith in Midlothian", "CITY:Leith CITY:Midlothian"},
		{"12 Elm Row, Bath, Somerset", "he took a bath", ""},
	} {
		if got := swept(known(Identifiers{Addresses: []string{c.address}}), c.text); got != c.want {
			t.Errorf("%q in %q:\n found %q\n want  %q", c.address, c.text, got, c.want)
		}
	}
}
