package surrogate

import (
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/phi"
)

func TestReadDigits(t *testing.T) {
	for _, c := range []struct {
		of   phi.Type
		text string
		want string
	}{
		{phi.Phone, "3O1-555-Ol64", "301-555-0164"},
		{phi.Phone, "(7l3) 555-OOlO", "(713) 555-0010"},
		{phi.Phone, "301-SSS-0164", "301-SSS-0164"},
		{phi.Fax, "5S5-0l4Z", "555-0142"},
		{phi.Phone, "301-555-0164 ext", "301-555-0164 ext"},
		{phi.MedicalRecord, "77O2-9l81", "7702-9181"},
		{phi.MedicalRecord, "S5B2", "S5B2"}, // letters may be meant
		{phi.MedicalRecord, "SP16-O88l40", "SP16-088140"},
		{phi.MedicalRecord, "SO1234", "SO1234"}, // an O that begins no number
		{phi.MedicalRecord, "LOT 7", "LOT 7"},
		{phi.ZIP, "2O781", "20781"},
		{phi.Street, "99O2 Ollie Road", "9902 Ollie Road"},
		{phi.Email, "joe1O@x.example", "joe1O@x.example"},
		{phi.Patient, "Ol1ie", "Ol1ie"},
		{phi.Date, "O4/12", "O4/12"},
	} {
		if got := readDigits(c.of, c.text); got != c.want {
			t.Errorf("%v %q was read as %q, not %q", c.of, c.text, got, c.want)
		}
	}
}

// A number that a scanner misread has the surrogate of the number.
func TestMisreadNumbersAgree(t *testing.T) {
	p := patient(t, "k", "1", Options{})
	for _, pair := range [][2]string{{"4471902", "447l9O2"}, {"77-20-9181", "77-2O-9l81"}} {
		if a, b := replace(p, phi.MedicalRecord, pair[0]), replace(p, phi.MedicalRecord, pair[1]); a != b {
			t.Errorf("%q became %q, and %q %q", pair[0], a, pair[1], b)
		}
	}
}
