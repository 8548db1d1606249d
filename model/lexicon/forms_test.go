package lexicon

import (
	"fmt"
	"testing"
)

func TestPhoneNumbers(t *testing.T) {
	for _, c := range []struct{ field, want string }{
		{"617-555-0123", "[{6175550123  false}]"},
		{"617-555-0123 x45", "[{6175550123 45 false}]"},
		{"617-555-0123x45", "[{6175550123 45 false}]"},
		{"(617) 555-0123, ext. 45", "[{6175550123 45 false}]"},
		{"617-555-0123 Extension: 45", "[{6175550123 45 false}]"},
		{"617-555-0123 #45", "[{6175550123 45 false}]"},
		{"617-555-0123 (home)", "[{6175550123  false}]"},
		{"H: 617-555-0123", "[{6175550123  false}]"},
		{"tel. +353 87 123 4567", "[{353871234567  true}]"},
		{"00353 87 123 4567", "[{353871234567  true}]"},
		{"617-555-0123 or 617-555-0188 (work)", "[{6175550123  false} {6175550188  false}]"},
		{"617-555-0123; 617-555-0188", "[{6175550123  false} {6175550188  false}]"},
		{"1-800-555-HELP", "[]"}, {"1800555HELP", "[]"}, {"pager 4711", "[]"}, {"ext 5", "[]"}, {"none", "[]"}, {"", "[]"}, {"+", "[]"},
	} {
		if got := fmt.Sprint(PhoneNumbers(c.field)); got != c.want {
			t.Errorf("%q: %s, want %s", c.field, got, c.want)
		}
	}
}

// Whatever stands beside a known number in its field, and however much of it is
// dialled.
func TestKnownTelephones(t *testing.T) {
	for _, c := range []struct{ known, text, want string }{
		{"617-555-0123 x45", "617-555-0123, 6175550123", "PHONE:617-555-0123 PHONE:6175550123"},
		{"617-555-0123 x45", "call 617.555.0123 ext. 45 or 617-555-0123x45", "PHONE:617.555.0123 ext. 45 PHONE:617-555-0123x45"},
		{"617-555-0123 x45", "45 of them, x45", ""},
		{"617-555-0123 (home)", "(617) 555-0123, 555-0123", "PHONE:617) 555-0123 PHONE:555-0123"},
		{"H: 617-555-0123", "1 617 555 0123", "PHONE:1 617 555 0123"},
		{"617-555-0123 or 617-555-0188", "617-555-0188", "PHONE:617-555-0188"},
		{"1-800-555-HELP", "1-800-555-0199", ""},
		{"+353 87 123 4567", "0871234567, 087 123 4567", "PHONE:0871234567 PHONE:087 123 4567"},
		{"+353 87 123 4567", "00353871234567, +353 (0)87 123 4567", "PHONE:00353871234567 PHONE:353 (0)87 123 4567"},
		{"+47 22 12 34 56", "22123456", "PHONE:22123456"},
		{"+44 (0)20 7946 0123", "+442079460123, 020 7946 0123", "PHONE:442079460123 PHONE:020 7946 0123"},
		{"020 7946 0123", "+44 20 7946 0123", "PHONE:44 20 7946 0123"},
		{"020 7946 0123", "+44 (0)20 7946 0123 or +442079460123", "PHONE:44 (0)20 7946 0123 PHONE:442079460123"},
		{"020 7946 0123", "00442079460123", "PHONE:00442079460123"},
		{"020 7946 0123", "442079460123", ""}, // a number of its own
		{"(360) 555-0119", "360.555.0119, 1-360-555-0119, 555-0119", "PHONE:360.555.0119 PHONE:1-360-555-0119 PHONE:555-0119"},
		{"4711", "pager 4711, 4711 cells", "PHONE:4711"},
	} {
		l := known(Identifiers{Phones: []string{c.known}})
		if got := swept(l, c.text); got != c.want {
			t.Errorf("%q in %q:\n found %q\n want  %q", c.known, c.text, got, c.want)
		}
	}
	if l := known(Identifiers{Phones: []string{"H: 617-555-0123 x45"}}); !l.KnowsNumber("(617) 555-0123") || l.KnowsNumber("555-0123") {
		t.Error("the whole number is not known, or a part of it")
	}
}

// Numbers that have lost or gained something.
func TestKnownNumbersInOtherForms(t *testing.T) {
	zip := func(code string) Identifiers {
		return Identifiers{Addresses: []string{"1719 Brailer Street, Bellingham, WA " + code}}
	}
	mrn := func(number string) Identifiers { return Identifiers{MRNs: []string{number}} }
	for _, c := range []struct {
		known      Identifiers
		text, want string
	}{
		{zip("98225-1234"), "98225, 98225-1234", "ZIP:98225 ZIP:98225-1234"},
		{zip("98225-1234"), "98225 cells", ""},
		{zip("98225"), "98225-1234, 98225", "ZIP:98225-1234 ZIP:98225"},
		{zip("98225"), "98225-12, 98225 -1234, 98225-12345", "ZIP:98225 ZIP:98225 ZIP:98225"},
		{mrn("123456"), "00123456, 0123456, 123456", "MEDICALRECORD:00123456 MEDICALRECORD:0123456 MEDICALRECORD:123456"},
		{mrn("123456"), "00 123456, 012-3456", "MEDICALRECORD:123456 MEDICALRECORD:012-3456"},
		{mrn("123456"), "0123, 100123456, 001234567", ""},
		{mrn("000481223"), "00481223", "MEDICALRECORD:00481223"},
		{mrn("4410"), "MRN 004410; then she took 004410", "MEDICALRECORD:004410"},
		{Identifiers{SSNs: []string{"12345678"}}, "012-34-5678", "SSN:012-34-5678"}, // of a column of integers
		{mrn("4410"), "MRN=4410, MRN/4410, MRN: 4410", "MEDICALRECORD:4410 MEDICALRECORD:4410 MEDICALRECORD:4410"},
		{mrn("4410"), "MRN was x=4410; MRN=4410/uL; MRN=4410 ml; MRN =4410; MRN ~4410; MRN 1/4410", ""},
		{Identifiers{SSNs: []string{"923-45-6789"}}, "SSN=6789, x=6789", "SSN:6789"},
	} {
		if got := swept(known(c.known), c.text); got != c.want {
			t.Errorf("%v in %q:\n found %q\n want  %q", c.known, c.text, got, c.want)
		}
	}
}
